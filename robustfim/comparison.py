"""Comparison of two run records: what a new model broke, what it fixed, and whether that is more than chance."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from robustfim.errors import UsageError
from robustfim.outcome import Outcome
from robustfim.record import CheckRecord, Record
from robustfim.statistics import CONFIDENCE

__all__ = ["CheckComparison", "Comparison", "compare", "paired_interval"]

FailOn = Literal["regression", "any"]


@dataclass(frozen=True)
class CheckComparison:
    """One check in both records, on the examples that both tested.

    Attributes:
        id: The check.
        before: Its outcome in the first record.
        after: Its outcome in the second.
        matched: Examples that both records tested in this check.
        newly_broken: Ids of matched examples that fail only in the second record.
        newly_fixed: Ids of matched examples that fail only in the first.
        still_broken: Ids of matched examples that fail in both.
        only_before: Examples tested only in the first record.
        only_after: Examples tested only in the second.
        difference: Failure rate after minus before, on the matched examples; None where there are none.
        interval: 95 % paired bootstrap interval of ``difference``.
        p_value: Exact two-sided McNemar test, after Holm's correction over the compared checks.
        regressed: Whether more examples broke than were fixed, with ``p_value`` ≤ 0.05, or the check passed
            before and is failed or an error now.
    """

    id: str
    before: Outcome
    after: Outcome
    matched: int
    newly_broken: tuple[str, ...]
    newly_fixed: tuple[str, ...]
    still_broken: tuple[str, ...]
    only_before: int
    only_after: int
    difference: float | None
    interval: tuple[float, float] | None
    p_value: float
    regressed: bool


@dataclass(frozen=True)
class Comparison:
    """Two runs of one suite.

    Attributes:
        suite: The suite's name.
        checks: The checks that both records hold, in the second's order.
        only_before: Ids of checks only the first record holds.
        only_after: Ids of checks only the second holds.
        notes: What differs between the runs and limits the comparison: seeds, data, settings of a check.
    """

    suite: str
    checks: tuple[CheckComparison, ...]
    only_before: tuple[str, ...]
    only_after: tuple[str, ...]
    notes: tuple[str, ...]

    def fails(self, on: FailOn) -> bool:
        """Tell whether the comparison fails a gate.

        Args:
            on: ``regression``: a check regressed; ``any``: an example is newly broken, or a check regressed.
        """
        return any(check.regressed or (on == "any" and check.newly_broken) for check in self.checks)


def compare(before: Record, after: Record, *, resamples: int = 9999) -> Comparison:
    """Compare two runs of one suite.

    Args:
        before: The baseline.
        after: The new run.
        resamples: Bootstrap resamples a check.

    Returns:
        The comparison of the matched part, with the rest listed.

    Raises:
        UsageError: The records are of different suites, or have no check in common.
    """
    if before.suite != after.suite:
        raise UsageError(f"the baseline is of suite {before.suite!r}, this run of {after.suite!r}: nothing to compare.")
    old = {check.id: check for check in before.checks}
    new = {check.id: check for check in after.checks}
    common = [check_id for check_id in new if check_id in old]
    if not common:
        raise UsageError(f"the two records of suite {after.suite!r} have no check in common.")
    broken_before, broken_after = _broken(before), _broken(after)
    pairs = [_match(old[each], new[each], broken_before, broken_after) for each in common]
    p_values = _holm([_mcnemar(len(pair.newly_broken), len(pair.newly_fixed)) for pair in pairs])
    return Comparison(
        suite=after.suite,
        checks=tuple(
            _judged(pair, p_value, resamples, after.seed) for pair, p_value in zip(pairs, p_values, strict=True)
        ),
        only_before=tuple(each for each in old if each not in new),
        only_after=tuple(each for each in new if each not in old),
        notes=tuple(_notes(before, after, [(old[each], new[each]) for each in common])),
    )


@dataclass(frozen=True)
class _Pair:
    """A check's matched examples, before any test."""

    old: CheckRecord
    new: CheckRecord
    matched: int
    newly_broken: tuple[str, ...]
    newly_fixed: tuple[str, ...]
    still_broken: tuple[str, ...]


def _match(old: CheckRecord, new: CheckRecord, before: set[tuple[str, str]], after: set[tuple[str, str]]) -> _Pair:
    matched = [each for each in new.examples if each in set(old.examples)]
    was = {each for each in matched if (old.id, each) in before}
    now = {each for each in matched if (new.id, each) in after}
    return _Pair(
        old,
        new,
        len(matched),
        tuple(each for each in matched if each in now - was),
        tuple(each for each in matched if each in was - now),
        tuple(each for each in matched if each in was & now),
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


def _mcnemar(broken: int, fixed: int) -> float:
    """Exact two-sided McNemar test: a binomial test of the discordant pairs (McNemar 1947)."""
    from scipy.stats import binomtest

    return float(binomtest(broken, broken + fixed).pvalue) if broken + fixed else 1.0


def _holm(p_values: Sequence[float]) -> list[float]:
    from statsmodels.stats.multitest import multipletests

    return [float(each) for each in multipletests(p_values, method="holm")[1]]


def _broken(record: Record) -> set[tuple[str, str]]:
    return {(failure.check, failure.example) for failure in record.failures}


def _notes(before: Record, after: Record, pairs: Sequence[tuple[CheckRecord, CheckRecord]]) -> list[str]:
    notes = []
    if before.seed != after.seed:
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
