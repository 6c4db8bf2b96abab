"""Comparison of two run records: what a new model broke, what it fixed, and whether that is more than chance."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from robustfim.errors import UsageError
from robustfim.judge.verdicts import above_limit
from robustfim.outcome import Outcome
from robustfim.record import CheckComparison, CheckRecord, Comparison, Record
from robustfim.statistics import CONFIDENCE, holm_p_values, mcnemar

__all__ = ["FailOn", "compare", "fails", "paired_interval"]

FailOn = Literal["regression", "new", "any"]


def fails(comparison: Comparison, after: Record, on: FailOn) -> bool:
    """Tell whether a run fails the gate against its baseline.

    Args:
        comparison: The comparison.
        after: The new run.
        on: ``regression``: a check regressed, or is an error; ``new``: besides, an example is newly broken;
            ``any``: besides, a check fails its own limit.
    """
    checks = comparison.checks
    if any(check.regressed for check in checks) or any(check.outcome is Outcome.ERROR for check in after.checks):
        return True
    if on != "regression" and any(check.newly_broken for check in checks):
        return True
    return on == "any" and any(_fails_alone(check) for check in after.checks)


def compare(before: Record, after: Record, *, fail_on: FailOn = "regression", resamples: int = 9999) -> Comparison:
    """Compare two runs of one suite, on the checks and examples that both tested.

    Args:
        before: The baseline.
        after: The new run.
        fail_on: What fails the gate; see :func:`fails`.
        resamples: Bootstrap resamples a check, ≥ 1.

    Returns:
        The comparison of the matched part, with the rest listed.

    Raises:
        UsageError: The records are of different suites, or have no check in common.
    """
    if before.suite != after.suite:
        raise UsageError(f"the baseline is of suite {before.suite!r}, this run of {after.suite!r}: nothing to compare.")
    old = {check.name: check for check in before.checks}
    new = {check.name: check for check in after.checks}
    common = [name for name in new if name in old]
    if not common:
        raise UsageError(f"the two records of suite {after.suite!r} have no check in common.")
    broken_before, broken_after = _broken(before), _broken(after)
    pairs = [_match(old[each], new[each], broken_before, broken_after) for each in common]
    p_values = holm_p_values([mcnemar(len(pair.newly_broken), len(pair.newly_fixed)) for pair in pairs])
    comparison = Comparison(
        baseline=f"{before.model.use}, {before.started[:10]}",
        fail_on=fail_on,
        checks=[_judged(pair, p_value, resamples, after.seed) for pair, p_value in zip(pairs, p_values, strict=True)],
        only_before=[check.id for name, check in old.items() if name not in new],
        only_after=[check.id for name, check in new.items() if name not in old],
        notes=_notes(before, after, [(old[each], new[each]) for each in common]),
    )
    return comparison.model_copy(update={"failed": fails(comparison, after, fail_on)})


@dataclass(frozen=True)
class _Pair:
    """A check's matched examples, before any test."""

    old: CheckRecord
    new: CheckRecord
    matched: int
    newly_broken: list[str]
    newly_fixed: list[str]
    still_broken: list[str]


def _match(old: CheckRecord, new: CheckRecord, before: set[tuple[str, str]], after: set[tuple[str, str]]) -> _Pair:
    tested = set(old.examples)
    matched = [each for each in new.examples if each in tested]
    was = {each for each in matched if (old.id, each) in before}
    now = {each for each in matched if (new.id, each) in after}
    return _Pair(
        old,
        new,
        len(matched),
        [each for each in matched if each in now - was],
        [each for each in matched if each in was - now],
        [each for each in matched if each in was & now],
    )


def _judged(pair: _Pair, p_value: float, resamples: int, seed: int) -> CheckComparison:
    broken, fixed = len(pair.newly_broken), len(pair.newly_fixed)
    fell = pair.old.outcome is Outcome.PASSED and pair.new.outcome in (Outcome.FAILED, Outcome.ERROR)
    return CheckComparison(
        id=pair.new.id,
        before=pair.old.outcome,
        after=pair.new.outcome,
        matched=pair.matched,
        newly_broken=pair.newly_broken,
        newly_fixed=pair.newly_fixed,
        still_broken=pair.still_broken,
        only_before=len(pair.old.examples) - pair.matched,
        only_after=len(pair.new.examples) - pair.matched,
        difference=(broken - fixed) / pair.matched if pair.matched else None,
        interval=paired_interval(broken, fixed, pair.matched, resamples=resamples, seed=seed),
        p_value=p_value,
        regressed=fell or (broken > fixed and p_value <= 1 - CONFIDENCE),
    )


def _fails_alone(check: CheckRecord) -> bool:
    failing = check.outcome in (Outcome.FAILED, Outcome.XPASSED)
    return failing or (check.outcome is Outcome.INCONCLUSIVE and above_limit(check))


def paired_interval(broken: int, fixed: int, matched: int, *, resamples: int, seed: int) -> tuple[float, float] | None:
    """95 % percentile bootstrap interval of a paired difference of rates (Efron and Tibshirani 1993).

    Resampling matched examples with replacement is drawing the counts of newly broken, newly fixed and
    unchanged examples from a multinomial distribution, which is what is done.

    Args:
        broken: Examples that fail only after.
        fixed: Examples that fail only before.
        matched: Examples in both, ≥ broken + fixed.
        resamples: How many resamples.
        seed: Seeds the resampling.

    Returns:
        Lower and upper end, in [−1, 1]; None where nothing matched.
    """
    if matched == 0:
        return None
    import numpy as np

    shares = [broken / matched, fixed / matched, (matched - broken - fixed) / matched]
    draws = np.random.default_rng(seed).multinomial(matched, shares, size=resamples)
    low, high = np.quantile((draws[:, 0] - draws[:, 1]) / matched, [(1 - CONFIDENCE) / 2, (1 + CONFIDENCE) / 2])
    return float(low), float(high)


def _broken(record: Record) -> set[tuple[str, str]]:
    return {(failure.check, failure.example) for failure in record.failures}


def _notes(before: Record, after: Record, pairs: Sequence[tuple[CheckRecord, CheckRecord]]) -> list[str]:
    notes = []
    if before.lock != after.lock:
        notes.append("the lock files differ: the two runs tested different texts.")
    if before.seed != after.seed and after.lock is None:
        notes.append(f"the seeds differ ({before.seed} and {after.seed}), and with them the candidates.")
    shared = {each.id for each in before.examples} & {each.id for each in after.examples}
    if len(shared) < max(len(before.examples), len(after.examples)):
        notes.append(
            f"the data differ: {len(shared)} examples are in both, {len(before.examples) - len(shared)} only in the "
            f"baseline, {len(after.examples) - len(shared)} only in this run."
        )
    for old, new in pairs:
        if (old.perturbation, old.constraints, old.expectation) != (new.perturbation, new.constraints, new.expectation):
            notes.append(f"{new.id} has other settings than in the baseline.")
    return notes
