"""Comparison of two run records: regressions and fixes of a new model, and whether they exceed chance.

Two quantities are compared on the labelled examples of both runs. Accuracy is the fraction of right predictions. Robust
accuracy is the fraction of examples that are right and that no candidate of a label-preserving check breaks. Both
comparisons are paired, and each example is weighted by the part of the data that its arm or stratum represents. To
prove *no worse*, the loss of both quantities must lie below the margin, each tested at full level. A model whose true
loss of either quantity is the margin or more passes in at most 2.5 % of cases (an intersection–union test, Berger
1982).

A loss is shown in accuracy, in robust accuracy, or in a single check over the texts that either run tested. The tests
of single checks can find a loss on few texts. Holm's procedure corrects all these tests as one family, in which the
checks together have half of the level, so a false loss is reported in at most 2.5 % of cases.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from robustfim.decision import ABSTAINS
from robustfim.errors import UsageError
from robustfim.judge.accuracy import PairedAccuracy, paired_accuracy
from robustfim.judge.baseline import require_common_checks
from robustfim.judge.common_part import CommonPart, Match, counts_apart, keeps_label, redefined, stops_early
from robustfim.judge.release_sentence import answered
from robustfim.judge.verdicts import fails_alone, limit_text
from robustfim.outcome import FailOn, Outcome
from robustfim.record import (
    AccuracyComparison,
    CheckComparison,
    CheckRecord,
    Comparison,
    PairedRecord,
    Record,
)
from robustfim.record.check_parts import Verdict
from robustfim.record.comparison import EXCLUDED
from robustfim.statistics import Rate, family
from robustfim.statistics.paired import Paired

__all__ = ["compare"]

_OF_THE_DATA = "shares and differences are those of the data: each example counts for what its part of them stands for."
_ALONE = 0.5
"""The weights of accuracy and of robust accuracy in the family; all checks together weigh 1."""


def compare(
    before: Record,
    after: Record,
    *,
    fail_on: FailOn = "regression",
    margin: float | None = None,
    name: str = "",
) -> Comparison:
    """Compare a run with an earlier run of the same suite, on their common checks and examples.

    Args:
        before: The baseline.
        after: The new run.
        fail_on: The condition under which the comparison fails. ``regression``: accuracy, robust accuracy or a check is
            proved worse, or a check that passed before now fails or ends with an error. ``new``: also if an example is
            newly wrong or newly broken. ``any``: also if a check exceeds its own limit.
        margin: The tolerated loss of accuracy and of robust accuracy, in [0, 1]; by default the new run's margin.
        name: The baseline's name in reports.

    Returns:
        The comparison of the common checks and examples, with lists of checks and examples of only one run.

    Raises:
        UsageError: The records are of different suites, or have no check in common.
    """
    if before.suite != after.suite:
        raise UsageError(
            f"the baseline is of suite {before.suite!r}, and this run is of suite {after.suite!r}: name a "
            "baseline of the same suite."
        )
    margin = after.margin if margin is None else margin
    require_common_checks([check.name for check in after.checks], before)
    # Of a check that one run skipped, only the texts that went wrong could be compared.
    old, new = (
        {check.name: check for check in record.checks if check.outcome is not Outcome.SKIPPED}
        for record in (before, after)
    )
    common = [name for name in new if name in old]
    accuracy = paired_accuracy(before, after)
    part = CommonPart.of(before, after, accuracy)
    broken = {name for name in common if Outcome.ERROR in (old[name].outcome, new[name].outcome)}
    otherwise = broken | {name for name in common if _tests_otherwise(old[name], new[name], before, after)}
    matches = {name: part.reached(old[name], new[name]) for name in common}
    errors = {name: part.errors(old[name], new[name]) for name in common}
    keeping = [name for name in common if keeps_label(new[name])] or common
    apart = [name for name in keeping if stops_early(old[name], new[name])]
    whole = part.whole([(old[name], new[name]) for name in keeping if name not in otherwise and name not in apart])
    baseline = f"{before.model.use}, {before.started[:10]}"
    tests = {
        (name, kind): match.least
        for name in common
        if name not in otherwise  # settings, and no answer, say that it can prove nothing: it takes no part
        for kind, match in {"": matches[name], **errors[name]}.items()
        if not kind or new[name].errors[kind].limit is not None
    }
    weights = dict.fromkeys(tests, 1 / max(1, len(tests)))
    if whole.matched:
        tests, weights = {_WHOLE: whole.least, **tests}, {_WHOLE: _ALONE, **weights}
    if accuracy.found.estimate.tested:
        tests, weights = {_ACCURACY: accuracy.paired, **tests}, {_ACCURACY: _ALONE, **weights}
    levels = _Levels.of(name or baseline, tests, [*weights.values()])
    no_sample = part.no_sample or (_stopped_early(apart) if apart else "")
    judged = _judged(whole, levels, _WHOLE, margin)
    if no_sample or otherwise.intersection(keeping):  # a part of it is not compared, or is no sample
        verdict = "inconclusive" if judged.verdict == "no worse" else judged.verdict
        judged = judged.model_copy(update={"verdict": verdict, "needed": None})
    comparison = Comparison(
        name=name,
        baseline=baseline,
        fail_on=fail_on,
        compared=len(part.before.arms.keys() & part.after.arms.keys()),
        of=len(part.before.arms),
        no_sample=no_sample,
        accuracy=_accuracy(accuracy, levels, margin),
        margin=margin,
        whole=judged,
        checks=[_check(old[name], new[name], matches[name], errors[name], levels, fail_on) for name in common],
        only_before=[check.id for name, check in old.items() if name not in new],
        only_after=[check.id for name, check in new.items() if name not in old],
        notes=[
            *_notes(before, after, [(old[name], new[name]) for name in common if name not in broken], accuracy.note),
            *[_OF_THE_DATA] * (part.design is not None and bool(part.design.sizes)),
        ],
    )
    return _decided(comparison, after)


_Key = tuple[str, str]
_ACCURACY, _WHOLE = ("", "accuracy"), ("", "")
"""The keys of the tests of accuracy and of all checks; other keys are a check's name, and "" or a kind of error."""


@dataclass(frozen=True)
class _Levels:
    """The corrected levels of the tests in the family.

    Attributes:
        tests: For each test its corrected p-value, the weights of the tests that Holm's procedure has not rejected,
            and whether it shows a loss.
    """

    tests: Mapping[_Key, tuple[float, float, bool]]
    against: str

    @classmethod
    def of(cls, against: str, tests: Mapping[_Key, Paired], weights: Sequence[float]) -> _Levels:
        """Correct the tests of accuracy, of robust accuracy and of the checks."""
        p_values = family([paired.p_value for paired in tests.values()], weights).tolist()
        found = [paired.is_worse(p_value) for paired, p_value in zip(tests.values(), p_values, strict=True)]
        left = sum(weight for weight, is_worse in zip(weights, found, strict=True) if not is_worse)
        others = (max(1.0, left / weight) for weight in weights)
        return cls(dict(zip(tests, zip(p_values, others, found, strict=True), strict=True)), against)

    def test(self, key: _Key, paired: Paired, proof: Paired, margin: float | None, matched: int) -> dict[str, Any]:
        """Write the result of a test; a test outside the family proves nothing.

        Args:
            key: The test's key.
            paired: The changes of the matched examples.
            proof: The same changes, with lost examples counted as losses.
            margin: The tolerated loss; None if *no worse* is not tested.
            matched: The number of matched examples, which may lie in clusters.
        """
        p_value, others, is_worse = self.tests.get(key, (paired.p_value, 1.0, False))
        verdict: Verdict = "no loss found" if margin is None else "inconclusive"
        if margin is not None and proof.is_no_worse(margin):
            verdict = "no worse"
        elif is_worse:
            verdict = "worse"
        needed = None
        if margin is not None and verdict == "inconclusive" and proof == paired:  # else what is lost decides first
            needed = paired.more_to_decide(margin, others)
        if needed is not None and paired.matched:  # clusters of the size there is
            needed = math.ceil(needed * matched / paired.matched)
        return {
            "where": key[1] if key[0] else "",
            "against": self.against,
            "limit": margin or 0.0,
            "p_value": p_value,
            "verdict": verdict,
            "needed": needed,
        }


def _judged(match: Match, levels: _Levels, key: _Key, margin: float | None) -> PairedRecord:
    """Write the result of the test on the matched examples."""
    was, now = match.was, match.now
    both = [id for id in match.matched if id not in match.wrong_before and id not in match.wrong_now]
    test = levels.test(key, match.paired, match.proof, margin, len(match.matched))
    broken = [id for id in both if id in now and id not in was]
    wrong = [id for id in match.matched if id in match.wrong_now and id not in match.wrong_before and id not in was]
    return PairedRecord(
        **test,
        estimate=Rate(len(broken) + len(wrong), len(match.matched), match.paired.interval, match.paired.difference),
        old=match.share(match.values[0]),
        lost=len(match.lost),
        newly_broken=broken,
        newly_fixed=[id for id in both if id in was and id not in now],
        still_broken=[id for id in both if id in was and id in now],
        newly_wrong=wrong,
        newly_right=[
            id for id in match.matched if id in match.wrong_before and id not in match.wrong_now and id not in now
        ],
    )


def _stopped_early(checks: Sequence[str]) -> str:
    return (
        f"a budget stops {', '.join(checks)} by the examples that fail, so that the tested ones are no sample of the "
        "data: remove 'budget', and accept a run of the baseline's model without it"
    )


def _accuracy(accuracy: PairedAccuracy, levels: _Levels, margin: float | None) -> AccuracyComparison:
    """Add the result of the test to a comparison of accuracy."""
    compared = accuracy.found
    if not compared.estimate.tested:
        return compared.model_copy(update={"limit": margin or 0.0})
    test = levels.test(_ACCURACY, accuracy.paired, accuracy.proof, margin, compared.estimate.tested)
    if compared.one_label and test["verdict"] == "no worse":
        test |= {"verdict": "inconclusive", "needed": None}
    return compared.model_copy(update={**test, "fails": test["verdict"] == "worse"})


def _check(
    old: CheckRecord, new: CheckRecord, match: Match, errors: Mapping[str, Match], levels: _Levels, on: FailOn
) -> CheckComparison:
    otherwise = (new.name, "") not in levels.tests
    paired = _judged(match, levels, (new.name, ""), None)
    judged = {
        kind: _judged(error, levels, (new.name, kind), None).model_copy(
            update={} if new.errors[kind].limit is not None else {"verdict": "not gated"}
        )
        for kind, error in errors.items()
    }
    worse = any(paired_record.verdict == "worse" for paired_record in (paired, *judged.values()))
    fell = old.outcome is Outcome.PASSED and new.outcome in (Outcome.FAILED, Outcome.ERROR)
    broke = new.outcome is Outcome.ERROR
    fails = worse or _fails_newly(on, paired) or fell or broke or (on == "any" and fails_alone(new))
    there, here = set(old.examples), set(new.examples)
    return CheckComparison(
        **{**vars(paired), "fails": fails},
        id=new.id,
        before=old.outcome,
        after=new.outcome,
        only_before=len(there - here),
        only_after=len(here - there),
        regressed=worse or fell,
        other_tests=otherwise and not broke,
        label_kept=keeps_label(new),
        small=not otherwise and paired.verdict != "worse" and not match.proof.is_no_worse(EXCLUDED),
        errors=judged,
    )


def _fails_newly(on: FailOn, found: PairedRecord) -> bool:
    """Return whether an example that is newly wrong or newly broken fails the comparison."""
    return on in ("new", "any") and bool(found.newly_broken or found.newly_wrong)


def _decided(comparison: Comparison, after: Record) -> Comparison:
    """Say whether the run may replace the baseline, and why not."""
    outside = [check for check in after.checks if check.id in comparison.only_after]
    errors = [check for check in after.checks if check.outcome is Outcome.ERROR]
    failing = comparison.fail_on == "any" and any(map(fails_alone, outside))
    again = after.model.asked_again
    unfinished = after.interrupted or after.message or any(score.broken for score in after.scores)
    doubtful = after.model.association.doubt or (again and again.unasked)
    complete = not (comparison.only_before or errors or unfinished or doubtful)
    other = any(check.other_tests for check in comparison.checks)
    equal = complete and not other and comparison.whole.verdict == "no worse"
    whole = comparison.whole.model_copy(
        update={"fails": comparison.whole.verdict == "worse" or _fails_newly(comparison.fail_on, comparison.whole)}
    )
    failed = bool(errors or failing) or any(test.fails for test in (whole, comparison.accuracy, *comparison.checks))
    proven = equal and comparison.accuracy.verdict == "no worse" and not failed
    comparison = comparison.model_copy(update={"whole": whole, "failed": failed, "proven": proven})
    return answered(comparison, after, equal=equal and not failed)


def _set_otherwise(old: CheckRecord, new: CheckRecord) -> bool:
    """Tell whether a check asks something else than it did, however its failures are counted."""
    settings = [
        (check.perturbation, check.constraints, {**check.expectation, "counts": None}, check.fails)
        for check in (old, new)
    ]
    return settings[0] != settings[1]


def _counts_otherwise(old: CheckRecord, new: CheckRecord, before: Record, after: Record) -> bool:
    """Return whether a run that counts changes cannot be recounted as one that counts broken examples.

    With one label, every change of a right answer is a break. With several labels, spans and numbers it need not be.
    """
    if not counts_apart(old, new):
        return False
    labels = {ABSTAINS, *before.model.labels, *after.model.labels}
    answers = {
        answer.label.removeprefix("not ")
        for record, check in ((before, old), (after, new))
        for failure in record.failures
        if failure.check == check.id
        for answer in (failure.before, failure.after)
    }
    return not answers <= labels


def _tests_otherwise(old: CheckRecord, new: CheckRecord, before: Record, after: Record) -> bool:
    """Tell whether a check asks something else than it did, or of texts that are made with something else."""
    resources = old.resources != new.resources and not _same_lock(before, after)
    return _set_otherwise(old, new) or _counts_otherwise(old, new, before, after) or resources


def _same_lock(before: Record, after: Record) -> bool:
    return before.lock is not None and before.lock == after.lock


def _notes(before: Record, after: Record, pairs: Sequence[tuple[CheckRecord, CheckRecord]], data: str) -> list[str]:
    notes = []
    if before.lock != after.lock:
        notes.append("the lock files differ: the two runs tested different texts.")
    if before.seed != after.seed and after.lock is None:
        notes.append(f"the seeds differ ({before.seed} and {after.seed}), and with them the candidates.")
    notes += [data] if data else []
    if other := sorted(before.model.unclaimed.keys() ^ after.model.unclaimed.keys()):
        notes.append(
            f"only one of the two taggers finds {', '.join(other)}, and gold spans that a tagger never finds are left "
            f"out: name the labels that count in a check, 'expect: {{use: found, labels: [{other[0]}, …]}}', and run "
            "both models."
        )
    if other := [name for name in redefined(before, after) if any(name in new.errors for _, new in pairs)]:
        notes.append(f"of other examples than in the baseline, and not compared: {', '.join(other)}.")
    was, now = (sum(each.prediction == ABSTAINS for each in record.examples) for record in (before, after))
    if was or now:
        notes.append(
            f"the model abstains on {now:,} tested examples before any change, the baseline's on {was:,}: each counts "
            "as failing here."
        )
    for old, new in pairs:
        limits = [limit_text(check) or "none" for check in (new, old)]
        if limits[0] != limits[1]:
            notes.append(f"{new.id} has another limit than in the baseline: {limits[0]}, before {limits[1]}.")
        if new.limit_of_valid:
            notes.append(f"{new.id} limits valid failures; all failures count here, whatever people say of them.")
        if _set_otherwise(old, new):
            notes.append(
                f"{new.id} has other settings than in the baseline, so that it proves the run neither worse nor no "
                "worse: run the suite with the baseline's model and accept that."
            )
        elif _counts_otherwise(old, new, before, after):
            ways = [check.counts or "changes" for check in (old, new)]
            notes.append(
                f"{new.id} counts {ways[1]} and the baseline {ways[0]}, of answers that are no single label, so that "
                "it proves the run neither worse nor no worse: run the suite with the baseline's model and accept that."
            )
    others = _other_resources(pairs)
    return notes + others + [_OTHERS] * (bool(others) and not _same_lock(before, after))


_OTHERS = (
    "what differs may be the tests, which prove the run neither worse nor no worse then: run the suite with the "
    "baseline's model and accept that, or lock its texts."
)


def _other_resources(pairs: Sequence[tuple[CheckRecord, CheckRecord]]) -> list[str]:
    """Tell which checks made their texts with something else, those of one difference together."""
    differences: dict[tuple[str, str, str], list[str]] = {}
    for old, new in pairs:
        for name in dict.fromkeys([*old.resources, *new.resources]):
            there, here = (check.resources.get(name, "not named") for check in (old, new))
            if there != here:
                differences.setdefault((name, there, here), []).append(new.name)
    return [
        f"other tests in {', '.join(checks)}: {name} {there} there, {here} here."
        for (name, there, here), checks in differences.items()
    ]
