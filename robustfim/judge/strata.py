"""What a limit for all is held against: what the arms of a check stand for, or what was tested."""

from __future__ import annotations

from typing import Literal

from robustfim.judge.check_counts import CheckCounts
from robustfim.record import Counted, EstimateRecord
from robustfim.statistics.stratified import Stratum, stratified_rate

__all__ = ["estimate_of", "held_strata", "kind_of", "of_what"]


def held_strata(check: CheckCounts) -> tuple[Stratum, ...]:
    """Give the strata that a limit for all is held against.

    Returns:
        None where what was tested is itself a plain sample of the population: all the data, or a random part of them,
        as a budget takes of all.
    """
    strata = tuple(each for each in check.strata if each.size)
    if check.limit_of_file:
        return strata
    if check.budget is not None and check.budget.interval is None and not isinstance(check.limit, dict):
        return ()
    whole = all(each.drawn == each.size for each in strata)
    return () if whole or len(strata) < 2 else strata


def estimate_of(check: CheckCounts) -> EstimateRecord | None:
    """Estimate the rate of all that the arms of a check stand for.

    Returns:
        None where :func:`held_strata` has none, or one of them was not sampled.
    """
    strata = held_strata(check)
    estimate = stratified_rate(strata, of_file=check.limit_of_file) if strata else None
    if estimate is None:
        return None
    whole = sum(each.size for each in strata)
    clustered = check.clustered.get("")
    interval = (check.budget and check.budget.interval) or (clustered and clustered.interval) or estimate[1]
    return EstimateRecord(rate=estimate[0], interval=interval, examples=round(whole), of=kind_of(check))


def kind_of(check: Counted) -> Literal["population", "file"]:
    """Tell what a limit for all is of."""
    return "file" if check.limit_of_file else "population"


def of_what(check: Counted) -> str:
    """Say what a limit for all is of, where it is not the population.

    Returns:
        Words behind the limit, `` of the file alone``; ``""`` for the population, and of a difference.
    """
    if check.limit_of_valid:
        return " of valid failures"
    if not check.estimand.by_example:
        return ""
    return " of the tested texts alone" if check.limit == 0 else " of the file alone" * check.limit_of_file
