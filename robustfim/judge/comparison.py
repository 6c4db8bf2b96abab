"""Comparison of two run records: what a new model broke, what it fixed, and what that proves.

Accuracy comes first, on all labelled examples that both runs hold; then the whole suite, the examples that fail any
check; then each check, and each of its kinds of error that has a limit. A loss is found in any of them beyond chance,
after Holm's correction, in which accuracy and suite weigh as much as all others together, so that many checks hide
nothing: wrong in at most 2.5 % of cases. That there is none above the margin has to be proved of the accuracy and of
every check and such kind of error, each at full level, so that a loss in any one of them is let through in at most
2.5 % (an intersection–union test, Berger 1982).
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

from robustfim.errors import UsageError
from robustfim.judge.accuracy import PairedAccuracy, paired_accuracy
from robustfim.judge.common_part import CommonPart
from robustfim.judge.release_sentence import answered
from robustfim.judge.trials import Trials
from robustfim.judge.verdicts import fails_alone
from robustfim.outcome import FailOn, Outcome
from robustfim.record import (
    AccuracyComparison,
    CheckComparison,
    CheckRecord,
    Comparison,
    PairedRecord,
    Record,
)
from robustfim.statistics import family
from robustfim.statistics.clusters import clustered_pairs, stratified_effect
from robustfim.statistics.paired import Paired, stratified_pairs

__all__ = ["compare"]

Verdict = Literal["no worse", "worse", "inconclusive", "measured"]

_OF_THE_DATA = (
    "differences are those of the data: both runs drew the same examples from strata, which count for their part."
)


def compare(
    before: Record,
    after: Record,
    *,
    fail_on: FailOn = "regression",
    margin: float | None = None,
    name: str = "",
) -> Comparison:
    """Compare two runs of one suite, on the checks and examples that both tested.

    Args:
        before: The baseline.
        after: The new run.
        fail_on: What fails the gate. ``regression``: the accuracy, the run as a whole or a check is worse, a check
            passed before and fails now, or is an error; ``new``: besides, an example is newly broken; ``any``:
            besides, a check fails its own limit.
        margin: The tolerated loss, in [0, 1]; that of the new run where it is not given. It is the accuracy's as well,
            unless the new run names another for it.
        name: What the baseline is called.

    Returns:
        The comparison of the matched part, with the rest listed.

    Raises:
        UsageError: The records are of different suites, or have no check in common.
    """
    if before.suite != after.suite:
        raise UsageError(f"the baseline is of suite {before.suite!r}, this run of {after.suite!r}: nothing to compare.")
    margin = after.margin if margin is None else margin
    gate = _Gate(fail_on, margin)
    old = {check.name: check for check in before.checks}
    new = {check.name: check for check in after.checks}
    common = [name for name in new if name in old]
    if not common:
        raise UsageError(f"the two records of suite {after.suite!r} have no check in common.")
    broken_before, broken_after = _broken(before), _broken(after)
    clusters = {each.id: each.cluster for each in after.examples if each.cluster is not None}
    accuracy = paired_accuracy(before, after)
    gone = accuracy.gone
    strata, part = _Strata.of(before, after), CommonPart.of(before, after, accuracy)
    matches = [
        _match(
            old[name],
            new[name],
            broken_before,
            broken_after,
            clusters,
            gone | _untested(old[name], new[name], before, after, part.drawn),
            strata,
        )
        for name in common
    ]
    otherwise = {name: _tests_otherwise(old[name], new[name], before, after) for name in common}
    alike = {name: match for name, match in zip(common, matches, strict=True) if not otherwise[name]}
    whole = _whole([*alike.values()] or matches)
    errors = {name: _errors(old[name], new[name], clusters, gone) for name in common}
    asked = [(name, kind) for name in common for kind in errors[name] if new[name].errors[kind].limit is not None]
    # Settings, and no answer, say what can prove nothing: it takes no part of the level.
    parts = {each: errors[each[0]][each[1]].paired for each in asked if each[0] in alike}
    # Of a single check the whole suite is that check: one test, not two.
    parts |= {(name, ""): match.paired for name, match in alike.items() if len(alike) > 1}
    single = {_ACCURACY: accuracy.paired} if accuracy.matched else {}
    single |= {_WHOLE: whole.paired} if alike else {}
    levels = _levels({**single, **parts}, [1.0] * len(single) + [1 / len(parts) for _ in parts])

    def judged(match: _Match, margin: float | None, *keys: tuple[str, str]) -> PairedRecord:
        level = next((levels[key] for key in keys if key in levels), (match.paired.p_value, 1.0))
        found = _judged(match, *level, margin)
        return _of_alike(found, bool(part.no_sample) and found.verdict != "worse")

    of_all = judged(whole, gate.margin, _WHOLE)
    comparison = Comparison(
        name=name,
        baseline=f"{before.model.use}, {before.started[:10]}",
        fail_on=fail_on,
        compared=len(_whole(matches).matched),
        of=len({id for name in common for id in old[name].examples}),
        no_sample=part.no_sample,
        accuracy=_accuracy(accuracy, *levels.get(_ACCURACY, (1.0, 1.0)), after, gate),
        whole=_of_alike(of_all, any(otherwise.values()) and not (alike and of_all.verdict == "worse")),
        checks=[
            _check(
                old[name],
                new[name],
                judged(match, _margin(new[name], gate), (name, ""), *[_WHOLE] * (name in alike)),
                {
                    kind: judged(match_of_kind, _margin(new[name], gate), (name, kind))
                    if (name, kind) in asked
                    else _measured(match_of_kind)
                    for kind, match_of_kind in errors[name].items()
                },
                gate,
                otherwise=otherwise[name],
            )
            for name, match in zip(common, matches, strict=True)
        ],
        only_before=[check.id for name, check in old.items() if name not in new],
        only_after=[check.id for name, check in new.items() if name not in old],
        notes=[
            *_notes(before, after, [(old[name], new[name]) for name in common], accuracy.note),
            *[_OF_THE_DATA] * any(each.weighs for each in matches),
        ],
    )
    return _decided(comparison, after, gate)


_ACCURACY, _WHOLE = ("", "accuracy"), ("", "")
"""The tests that stand beside those of each check, which are under its name and "" or its kind of error."""


def _levels(
    tests: Mapping[tuple[str, str], Paired], weights: Sequence[float]
) -> dict[tuple[str, str], tuple[float, float]]:
    """Correct what they find of a loss: the p-value of each, and the tests that are left for it to win, by weight."""
    p_values = family([each.p_value for each in tests.values()], weights)
    found = list(zip(tests.items(), p_values, weights, strict=True))
    left = sum(weight for (_, each), p_value, weight in found if not each.is_worse(p_value))
    return {key: (p_value, max(1.0, left / weight)) for (key, _), p_value, weight in found}


@dataclass(frozen=True)
class _Gate:
    """What fails a comparison."""

    on: FailOn
    margin: float | None

    def fails_newly(self, found: PairedRecord) -> bool:
        """Tell whether an example that is newly broken does."""
        return self.on in ("new", "any") and bool(found.newly_broken)

    def fails_beside(self, check: CheckRecord) -> bool:
        """Tell whether what a check is on its own, against its limit, fails the run."""
        return self.on == "any" and fails_alone(check)


@dataclass(frozen=True)
class _Strata:
    """The strata from which both runs drew the same examples; none where they did not."""

    sizes: Sequence[int] = ()
    drawn: Sequence[Sequence[str]] = ()

    @classmethod
    def of(cls, before: Record, after: Record) -> _Strata:
        was, now = before.selection, after.selection
        if was.strata != now.strata or was.drawn != now.drawn:
            return cls()
        return cls([*now.strata.values()], [*now.drawn.values()])

    def counted(self, matched: Collection[str], changes: Mapping[str, float], clusters: Mapping[str, str]) -> Paired:
        """Count changes as those of the data, in their clusters."""
        known = [[id for id in ids if id in matched] for ids in self.drawn]
        broken, fixed = ([sum(max(0.0, by * changes.get(id, 0.0)) for id in ids) for ids in known] for by in (1, -1))
        drawn, some = [*map(len, self.drawn)], [*map(len, known)]
        stand = (size * part / max(1, of) for size, part, of in zip(self.sizes, some, drawn, strict=True))
        arms = {str(place): ids for place, ids in enumerate(known)}
        effect = stratified_effect(arms, changes, clusters, dict(zip(arms, stand, strict=True)))
        return stratified_pairs(self.sizes, drawn, some, broken, fixed, effect)


@dataclass(frozen=True)
class _Match:
    """Matched examples, before any test."""

    matched: Sequence[str]
    was: Mapping[str, float]
    now: Mapping[str, float]
    """By how much the examples fail that do, by id: 1, or a number where the check takes a mean."""
    clusters: Mapping[str, str]
    lost: Collection[str] = ()
    """Those that were tested before, and that the data of the new run lack or its check left untested."""
    strata: _Strata = _Strata()
    """What they were drawn from, where the draw weighs them."""

    @property
    def weighs(self) -> bool:
        """Whether they count for what they stand for."""
        return bool(self.strata.drawn) and not self.lost

    @cached_property
    def counted(self) -> tuple[Paired, float | None]:
        """Their counts as independent examples, and how many of these they are worth; None where all are."""
        if self.weighs:
            changes = {id: self.now.get(id, 0.0) - self.was.get(id, 0.0) for id in self.now.keys() | self.was}
            paired = self.strata.counted(set(self.matched), changes, self.clusters)
            return paired, paired.matched
        return clustered_pairs(self.now, self.was, self.matched, self.clusters, len(self.lost))

    @property
    def paired(self) -> Paired:
        """Their counts as independent examples."""
        return self.counted[0]


def _match(
    old: CheckRecord,
    new: CheckRecord,
    before: Mapping[tuple[str, str], float],
    after: Mapping[tuple[str, str], float],
    clusters: Mapping[str, str],
    gone: frozenset[str],
    strata: _Strata,
) -> _Match:
    tested = set(old.examples)
    weighed = not (old.budget or new.budget) and tested <= {id for ids in strata.drawn for id in ids}
    matched = [each for each in new.examples if each in tested]
    was = {each: before[old.id, each] for each in matched if (old.id, each) in before}
    now = {each: after[new.id, each] for each in matched if (new.id, each) in after}
    return _Match(matched, was, now, clusters, tested & gone, strata if weighed else _Strata())


def _untested(
    old: CheckRecord, new: CheckRecord, before: Record, after: Record, drawn: Collection[str]
) -> frozenset[str]:
    """Examples that the new run drew and a check tested before only, though nothing let it stop early."""
    if old.budget or new.budget or before.selection.testable is not None or after.selection.testable is not None:
        return frozenset()
    return frozenset(old.examples).intersection(drawn).difference(new.examples)


def _whole(checks: Sequence[_Match]) -> _Match:
    """The examples that fail any check, each in the checks that tested it both before and now."""
    matched = dict.fromkeys(each for check in checks for each in check.matched)
    was = dict.fromkeys((each for check in checks for each in check.was), 1.0)
    now = dict.fromkeys((each for check in checks for each in check.now), 1.0)
    lost = {each for check in checks for each in check.lost}
    strata = checks[0].strata if all(each.strata.drawn for each in checks) else _Strata()
    return _Match(list(matched), was, now, checks[0].clusters, lost, strata)


def _errors(old: CheckRecord, new: CheckRecord, clusters: Mapping[str, str], gone: frozenset[str]) -> dict[str, _Match]:
    """What both runs tell of each kind of error, of the examples that can be wrong in that way in both."""
    matches = {}
    for kind, error in new.errors.items():
        if kind in old.errors:
            known = set(old.errors[kind].examples)
            matched = [each for each in error.examples if each in known]
            if not matched and error.limit is None:
                continue  # nothing to compare, as of a recall whose threshold does not exist
            was, now = (dict.fromkeys(set(each.wrong).intersection(matched), 1.0) for each in (old.errors[kind], error))
            matches[kind] = _Match(matched, was, now, clusters, known & gone)
    return matches


def _margin(check: CheckRecord, gate: _Gate) -> float | None:
    return gate.margin if check.margin is None else check.margin


def _judged(match: _Match, p_value: float, others: float, margin: float | None) -> PairedRecord:
    """Say what the matched examples prove; ``others`` are the tests of which a loss would have to win this one."""
    return PairedRecord(
        **_test(match.paired, len(match.matched), p_value, others, margin),
        lost=len(match.lost),
        newly_broken=[id for id in match.matched if id in match.now and id not in match.was],
        newly_fixed=[id for id in match.matched if id in match.was and id not in match.now],
        still_broken=[id for id in match.matched if id in match.was and id in match.now],
        effective=match.counted[1],
    )


def _measured(match: _Match) -> PairedRecord:
    """Tell what became of the matched examples where nothing asks for a verdict."""
    return _judged(match, match.paired.p_value, 1.0, None).model_copy(update={"verdict": "measured"})


def _test(paired: Paired, matched: int, p_value: float, others: float, margin: float | None) -> dict[str, Any]:
    """What every paired test says, of any examples."""
    verdict: Verdict = "measured" if margin is None else "inconclusive"
    if margin is not None and paired.is_no_worse(margin):
        verdict = "no worse"
    elif paired.is_worse(p_value):
        verdict = "worse"
    more = None
    if margin is not None and verdict == "inconclusive" and not paired.lost:  # else those that are lost decide first
        more = paired.more_to_decide(margin, others)
    return {
        "matched": matched,
        "difference": paired.difference,
        "interval": paired.interval,
        "p_value": p_value,
        "margin": margin,
        "verdict": verdict,
        # clusters of the size there is
        "needed": None if more is None else math.ceil(more * matched / paired.matched),
        "detectable": paired.detectable(),
    }


def _accuracy(paired: PairedAccuracy, p_value: float, others: float, after: Record, gate: _Gate) -> AccuracyComparison:
    margin = gate.margin if after.accuracy_margin is None else after.accuracy_margin
    if not paired.matched:
        return AccuracyComparison(margin=margin, verdict="measured", missing=paired.missing)
    judged = AccuracyComparison(
        **_test(paired.paired, paired.matched, p_value, others, margin),
        lost=paired.lost,
        effective=paired.effective,
        before=paired.before / paired.matched,
        after=(paired.before - paired.newly_wrong + paired.newly_right) / paired.matched,
        newly_wrong=paired.newly_wrong,
        newly_right=paired.newly_right,
        missing="",
        unlabelled=paired.unlabelled,
        one_label=paired.one_label,
    )
    if paired.one_label and judged.verdict == "no worse":
        judged = judged.model_copy(update={"verdict": "inconclusive", "needed": None})
    return judged.model_copy(update={"fails": judged.verdict == "worse"})


def _check(
    old: CheckRecord, new: CheckRecord, paired: PairedRecord, errors: dict[str, PairedRecord], gate: _Gate,
    *, otherwise: bool,
) -> CheckComparison:  # fmt: skip
    paired, errors = _of_alike(paired, otherwise), {kind: _of_alike(each, otherwise) for kind, each in errors.items()}
    worse = any(each.verdict == "worse" for each in (paired, *errors.values()))
    fell = old.outcome is Outcome.PASSED and new.outcome in (Outcome.FAILED, Outcome.ERROR)
    broke = new.outcome is Outcome.ERROR
    fails = worse or gate.fails_newly(paired) or fell or broke or gate.fails_beside(new)
    return CheckComparison(
        **{**paired.model_dump(), "fails": fails},
        id=new.id,
        before=old.outcome,
        after=new.outcome,
        only_before=len(old.examples) - paired.matched,
        only_after=len(new.examples) - paired.matched,
        regressed=worse or fell,
        other_tests=otherwise,
        errors=errors,
    )


def _decided(comparison: Comparison, after: Record, gate: _Gate) -> Comparison:
    """Say whether the run may replace the baseline, and why not."""
    outside = [check for check in after.checks if check.id in comparison.only_after]
    errors = [check for check in after.checks if check.outcome is Outcome.ERROR]
    failing = [each for each in outside if gate.fails_beside(each)]
    again = after.model.asked_again
    complete = not (comparison.only_before or errors or after.interrupted or after.message or (again and again.unasked))
    asked = [error for check in comparison.checks for error in check.errors.values() if error.margin is not None]
    equal = complete and all(each.verdict == "no worse" for each in (*comparison.checks, *asked))
    equal = equal and not comparison.no_sample
    proven = equal and comparison.accuracy.verdict == "no worse"
    whole = comparison.whole.model_copy(
        update={"fails": comparison.whole.verdict == "worse" or gate.fails_newly(comparison.whole)}
    )
    failed = bool(errors or failing) or any(test.fails for test in (whole, comparison.accuracy, *comparison.checks))
    comparison = comparison.model_copy(update={"whole": whole, "failed": failed, "proven": proven and not failed})
    return answered(comparison, after, equal=equal)


def _broken(record: Record) -> dict[tuple[str, str], float]:
    """By how much which example fails which check; one on which the model abstains before any change fails all."""
    trials = Trials.of_record(record)
    rows = zip(trials.check, trials.example, trials.value.tolist(), trials.abstained, strict=True)
    return {(check, id): 1.0 if abstained else by for check, id, by, abstained in rows if by or abstained}


def _abstained(record: Record) -> set[str]:
    """Tested examples on which the model abstains before any change."""
    trials = Trials.of_record(record)
    return trials.where(trials.abstained).tested


_SETTINGS = ("perturbation", "constraints", "expectation", "fails")
"""What decides which examples of a check fail."""


def _set_otherwise(old: CheckRecord, new: CheckRecord) -> bool:
    """Tell whether a check asks something else than it did."""
    return any(getattr(old, each) != getattr(new, each) for each in _SETTINGS)


def _tests_otherwise(old: CheckRecord, new: CheckRecord, before: Record, after: Record) -> bool:
    """Tell whether a check asks something else than it did, or of texts that are made with something else."""
    return _set_otherwise(old, new) or (old.resources != new.resources and not _same_lock(before, after))


def _same_lock(before: Record, after: Record) -> bool:
    return before.lock is not None and before.lock == after.lock


def _of_alike(paired: PairedRecord, otherwise: bool) -> PairedRecord:
    """Take back what is proved where a check tests otherwise, and what would decide: an easier one fails less often."""
    verdict = "measured" if paired.margin is None else "inconclusive"
    return paired.model_copy(update={"verdict": verdict, "needed": None}) if otherwise else paired


def _notes(before: Record, after: Record, pairs: Sequence[tuple[CheckRecord, CheckRecord]], data: str) -> list[str]:
    notes = []
    if before.lock != after.lock:
        notes.append("the lock files differ: the two runs tested different texts.")
    if before.seed != after.seed and after.lock is None:
        notes.append(f"the seeds differ ({before.seed} and {after.seed}), and with them the candidates.")
    notes += [data] if data else []
    was, now = len(_abstained(before)), len(_abstained(after))
    if was or now:
        notes.append(
            f"the model abstains on {now:,} tested examples before any change, the baseline's on {was:,}: each counts "
            "as failing here."
        )
    for old, new in pairs:
        if _set_otherwise(old, new):
            notes.append(
                f"{new.id} has other settings than in the baseline, so that it proves the run neither worse nor no "
                "worse: run the suite with the baseline's model and accept that."
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
            there, here = (each.resources.get(name, "not named") for each in (old, new))
            if there != here:
                differences.setdefault((name, there, here), []).append(new.name)
    return [
        f"other tests in {', '.join(checks)}: {name} {there} there, {here} here."
        for (name, there, here), checks in differences.items()
    ]
