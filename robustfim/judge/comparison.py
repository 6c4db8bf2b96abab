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
from collections.abc import Collection, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from robustfim.decision import ABSTAINS
from robustfim.errors import UsageError
from robustfim.judge.accuracy import PairedAccuracy, paired_accuracy
from robustfim.judge.baseline import require_common_checks
from robustfim.judge.common_part import CommonPart
from robustfim.judge.errors import SLICE
from robustfim.judge.release_sentence import answered
from robustfim.judge.trials import Trials
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
from robustfim.record.check_record import LABEL_KEPT
from robustfim.record.comparison import EXCLUDED, WITHOUT_LABELS
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
    pair = _Pair.of(before, after, accuracy)
    broken = {name for name in common if Outcome.ERROR in (old[name].outcome, new[name].outcome)}
    otherwise = broken | {name for name in common if _tests_otherwise(old[name], new[name], before, after)}
    matches = {name: pair.reached(old[name], new[name]) for name in common}
    errors = {name: pair.errors(old[name], new[name]) for name in common}
    keeping = [name for name in common if _keeps_label(new[name])] or common
    apart = [name for name in keeping if _stops_early(old[name], new[name])]
    whole = pair.whole([(old[name], new[name]) for name in keeping if name not in otherwise and name not in apart])
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
    no_sample = pair.part.no_sample or (_stopped_early(apart) if apart else "")
    judged = whole.judged(levels, _WHOLE, margin)
    if no_sample or otherwise.intersection(keeping):  # a part of it is not compared, or is no sample
        verdict = "inconclusive" if judged.verdict == "no worse" else judged.verdict
        judged = judged.model_copy(update={"verdict": verdict, "needed": None})
    comparison = Comparison(
        name=name,
        baseline=baseline,
        fail_on=fail_on,
        compared=len(pair.part.before.arms.keys() & pair.part.after.arms.keys()),
        of=len(pair.part.before.arms),
        no_sample=no_sample,
        accuracy=_accuracy(accuracy, levels, margin),
        margin=margin,
        whole=judged,
        checks=[_check(old[name], new[name], matches[name], errors[name], levels, fail_on) for name in common],
        only_before=[check.id for name, check in old.items() if name not in new],
        only_after=[check.id for name, check in new.items() if name not in old],
        notes=[
            *_notes(before, after, [(old[name], new[name]) for name in common if name not in broken], accuracy.note),
            *[_OF_THE_DATA] * (pair.part.design is not None and bool(pair.part.design.sizes)),
        ],
    )
    return _decided(comparison, after)


def _keeps_label(check: CheckRecord) -> bool:
    """Tell whether the texts of a check keep the gold label of their examples."""
    return check.expectation.get("use") in LABEL_KEPT and not check.yardstick


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
        p_values = family([paired.p_value for paired in tests.values()], weights)
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


@dataclass(frozen=True)
class _Answers:
    """The answers of one model to the examples.

    Attributes:
        right: Whether the model is right about the unchanged example, by id; None without a gold label or an answer.
        labels: The gold labels, by id.
        abstained: Ids of the examples on which the model abstains.
        failing: By check, how much an example fails: 1, or a number if the check takes a mean.
        by_step: Failing examples that only steps in embedding space, and no text, make fail.
    """

    right: Mapping[str, bool | None]
    labels: Mapping[str, str | None]
    abstained: Collection[str]
    failing: Mapping[tuple[str, str], float]
    by_step: Collection[tuple[str, str]]

    @classmethod
    def of(cls, record: Record, drawn: Collection[str]) -> _Answers:
        """Read the answers; examples that were drawn but not testable are read from the table of all examples."""
        rows = [(example.id, example.label, example.correct, example.prediction) for example in record.examples]
        if missing := set(drawn) - {id for id, *_ in rows}:
            columns = ["id", "label", "correct", "prediction"]
            rows += [tuple(row) for row in record.table.rows(columns) if row[0] in missing]
        trials = Trials.of_record(record)
        values = zip(trials.check, trials.example, trials.value.tolist(), strict=True)
        failing = {(check, id): by for check, id, by in values if by}
        abstained = {id for id, *_, prediction in rows if prediction == ABSTAINS}
        right = {id: correct for id, _, correct, _ in rows}
        steps = trials.where(trials.by_step)
        by_step = {*zip(steps.check.tolist(), steps.example.tolist(), strict=True)}
        return cls(right, {id: label for id, label, *_ in rows}, abstained, failing, by_step)

    def wrong(self, id: str, *, label_kept: bool) -> bool:
        """Return whether the model is wrong about an example in a way the check counts; an abstention is not right."""
        return id in self.abstained or (label_kept and self.right.get(id) is False)


@dataclass(frozen=True)
class _Pair:
    """Two runs, example by example."""

    before: Record
    after: Record
    part: CommonPart
    was: _Answers
    now: _Answers
    gone: frozenset[str]
    labelled: bool
    """Whether either run has gold labels. Examples without a gold label, or with different ones, are then left out."""

    @classmethod
    def of(cls, before: Record, after: Record, accuracy: PairedAccuracy) -> _Pair:
        part = CommonPart.of(before, after, accuracy)
        was, now = (_Answers.of(drawn.record, drawn.place) for drawn in (part.before, part.after))
        return cls(before, after, part, was, now, accuracy.gone, accuracy.found.missing != WITHOUT_LABELS)

    def whole(self, checks: Sequence[tuple[CheckRecord, CheckRecord]]) -> _Match:
        """Match the labelled examples that all given checks drew, by whether any check fails on them."""
        if not checks:
            return _Match(self.part)
        old, new = zip(*checks, strict=True)
        label_kept = _keeps_label(new[0])
        drawn = self.part.of_data(self.part.drawn(old, new))
        lost = {id for one in checks for id in self._lost(*one)} | (self.gone & self.part.before.by(old))
        ids, unknown = self._comparable(drawn, label_kept=label_kept)
        was, now = (
            {id: 1.0 for check in side for id in self._failing(answers, check) if (check.id, id) not in answers.by_step}
            for side, answers in ((old, self.was), (new, self.now))
        )
        return self._match([id for id in ids if id not in lost], was, now, lost | unknown, drawn, label_kept=label_kept)

    def reached(self, old: CheckRecord, new: CheckRecord, part: str = "") -> _Match:
        """Match the examples that either run tested; with a budget, whose stop depends on failures, those of both.

        Args:
            old: The check in the baseline.
            new: The check in this run.
            part: A slice with a limit; "" for all examples.
        """
        label_kept, drawn = _keeps_label(new), self.part.drawn([old], [new])
        there, here = (set(check.errors[part].examples if part else check.examples) for check in (old, new))
        lost = (set(self._lost(old, new)) | self.gone) & there
        if _counts_apart(old, new):  # the one that counts changes tested what is wrong, too
            there = {id for id in there if not self.was.wrong(id, label_kept=label_kept)}
            here = {id for id in here if not self.now.wrong(id, label_kept=label_kept)}
        some = there & here if _stops_early(old, new) else there | here
        ids, unknown = self._comparable([id for id in drawn if id in some], label_kept=label_kept)
        was, now = self._failing(self.was, old), self._failing(self.now, new)
        ids = [id for id in ids if id not in lost]
        match = self._match(ids, was, now, lost | unknown, drawn, label_kept=label_kept)
        if "changes" in (old.counts, new.counts):  # a change of a wrong answer is no loss
            return match
        # An answer that is wrong as a whole may be right about a label or a span, which the check then tests.
        alike = match.wrong_before & match.wrong_now
        before, after = match.wrong_before - (alike & there), match.wrong_now - (alike & here)
        return replace(match, wrong_before=before, wrong_now=after)

    def errors(self, old: CheckRecord, new: CheckRecord) -> dict[str, _Match]:
        """Match the examples of each slice, and for each kind of error those on which it is possible in both runs."""
        drawn, matches = self.part.drawn([old], [new]), {}
        for kind, error in new.errors.items():
            if kind in old.errors and kind.startswith(SLICE):
                matches[kind] = self.reached(old, new, kind)
            elif kind in old.errors:
                known = set(old.errors[kind].examples)
                ids = [example for example in error.examples if example in known]
                if not ids and error.limit is None:
                    continue  # nothing to compare, as of a recall whose threshold does not exist
                was, now = (
                    dict.fromkeys(set(error_record.wrong).intersection(ids), 1.0)
                    for error_record in (old.errors[kind], error)
                )
                matches[kind] = _Match(self.part, ids, was, now, lost=known & self.gone, drawn=drawn)
        return matches

    def _failing(self, answers: _Answers, check: CheckRecord) -> dict[str, float]:
        return {id: by for id in check.examples if (by := answers.failing.get((check.id, id), 0.0))}

    def _comparable(self, drawn: Sequence[str], *, label_kept: bool) -> tuple[list[str], set[str]]:
        """Leave out what has no gold label, and what lacks now the label or the answer that it had."""
        if not (label_kept and self.labelled):
            return list(drawn), set()
        was, now = self.was, self.now
        known = [id for id in drawn if was.right.get(id) is not None]
        ids = [id for id in known if now.right.get(id) is not None and was.labels[id] == now.labels[id]]
        return ids, set(known).difference(ids)

    def _lost(self, old: CheckRecord, new: CheckRecord) -> list[str]:
        """Ids of examples that a check tested before and not now, though this run drew them and is right about them."""
        testable = self.before.selection.testable or self.after.selection.testable
        if _stops_early(old, new) or testable is not None:
            return []
        here, drawn, label_kept = set(new.examples), self.part.after.arms, _keeps_label(new)
        return [
            id
            for id in old.examples
            if id in drawn and id not in here and not self.now.wrong(id, label_kept=label_kept)
        ]

    def _match(
        self, ids: Sequence[str], was: Mapping[str, float], now: Mapping[str, float], lost: Collection[str],
        drawn: Collection[str], *, label_kept: bool,
    ) -> _Match:  # fmt: skip
        """Make the match of some examples."""
        before, after = (
            frozenset(id for id in ids if answers.wrong(id, label_kept=label_kept)) for answers in (self.was, self.now)
        )
        return _Match(self.part, ids, was, now, before, after, lost, drawn)


@dataclass(frozen=True)
class _Match:
    """Matched examples, before any test."""

    part: CommonPart
    matched: Sequence[str] = ()
    was: Mapping[str, float] = field(default_factory=dict)
    now: Mapping[str, float] = field(default_factory=dict)
    """How much each failing example fails, by id."""
    wrong_before: Set[str] = frozenset()
    wrong_now: Set[str] = frozenset()
    lost: Collection[str] = ()
    """Examples about which only the baseline has an answer."""
    drawn: Collection[str] = ()
    """All examples that were drawn, if known."""

    @cached_property
    def values(self) -> tuple[Mapping[str, float], Mapping[str, float]]:
        """How much each matched example is wrong or broken, before and now; 0 for a missing one."""
        wrong = (self.wrong_before, self.wrong_now)
        was, now = (
            {id: by for id in self.matched if (by := 1.0 if id in bad else fails.get(id, 0.0))}
            for bad, fails in zip(wrong, (self.was, self.now), strict=True)
        )
        return was, now

    @cached_property
    def paired(self) -> Paired:
        """The counts as independent examples."""
        return self._with({})

    @cached_property
    def proof(self) -> Paired:
        """The same counts with lost examples as losses, since nothing is known about them."""
        return self._with(dict.fromkeys(self.lost, 1.0)) if self.lost else self.paired

    @cached_property
    def least(self) -> Paired:
        """The same counts with lost examples as right now, as they are unchanged: a loss has to show without them."""
        return self._with({id: -self.was.get(id, 0.0) for id in self.lost}) if self.lost else self.paired

    def _with(self, lost: Mapping[str, float]) -> Paired:
        was, now = self.values
        changes = {id: now.get(id, 0.0) - was.get(id, 0.0) for id in now.keys() | was}
        return self.part.paired([*self.matched, *lost], {**changes, **lost}, {*self.drawn, *lost})

    def judged(self, levels: _Levels, key: _Key, margin: float | None) -> PairedRecord:
        """Write the result of the test on the matched examples."""
        was, now = self.values
        both = [id for id in self.matched if id not in self.wrong_before and id not in self.wrong_now]
        test = levels.test(key, self.paired, self.proof, margin, len(self.matched))
        broken = [id for id in both if id in now and id not in was]
        wrong = [id for id in self.matched if id in self.wrong_now and id not in was]
        return PairedRecord(
            **test,
            estimate=Rate(len(broken) + len(wrong), len(self.matched), self.paired.interval, self.paired.difference),
            old=self._share(was),
            lost=len(self.lost),
            newly_broken=broken,
            newly_fixed=[id for id in both if id in was and id not in now],
            still_broken=[id for id in both if id in was and id in now],
            newly_wrong=wrong,
            newly_right=[id for id in self.matched if id in self.wrong_before and id not in now],
        )

    def _share(self, bad: Mapping[str, float]) -> float | None:
        """The share that is right and not broken, of what the examples stand for."""
        found = self.part.paired(self.matched, bad, self.drawn).difference if self.matched else None
        return None if found is None else 1 - found


def _stops_early(old: CheckRecord, new: CheckRecord) -> bool:
    """Whether a budget ends the draw of a check by what fails."""
    return bool(old.budget or new.budget)


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
    old: CheckRecord, new: CheckRecord, match: _Match, errors: Mapping[str, _Match], levels: _Levels, on: FailOn
) -> CheckComparison:
    otherwise = (new.name, "") not in levels.tests
    paired = match.judged(levels, (new.name, ""), None)
    judged = {
        kind: error.judged(levels, (new.name, kind), None).model_copy(
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
        label_kept=_keeps_label(new),
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


def _counts_apart(old: CheckRecord, new: CheckRecord) -> bool:
    """Tell whether only one of two runs counts what an edit makes wrong."""
    return (old.counts == "broken") is not (new.counts == "broken")


def _counts_otherwise(old: CheckRecord, new: CheckRecord, before: Record, after: Record) -> bool:
    """Return whether a run that counts changes cannot be recounted as one that counts broken examples.

    With one label, every change of a right answer is a break. With several labels, spans and numbers it need not be.
    """
    if not _counts_apart(old, new):
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
