"""The strata over which a rate is weighted before it is compared with a limit; none for a plain sample."""

from __future__ import annotations

from typing import Literal

from robustfim.judge.check_counts import CheckCounts
from robustfim.judge.share import StratifiedShare
from robustfim.record import Counted, EstimateRecord
from robustfim.statistics.stratified import Stratum

__all__ = ["estimate_of", "held_strata", "kind_of", "of_what"]


def held_strata(check: CheckCounts) -> tuple[Stratum, ...]:
    """Return the strata whose weighted rate is compared with a limit for all examples.

    Returns:
        The strata; empty if the tested examples are a plain sample of the population, such as all data or the draw of a
        budget.
    """
    strata = tuple(each for each in check.strata if each.size)
    if check.limit_of_file:
        return strata
    if check.budget is not None and check.budget.interval is None and not isinstance(check.limit, dict):
        return ()
    whole = all(each.drawn == each.size for each in strata)
    return () if whole or len(strata) < 2 else strata


def estimate_of(check: CheckCounts) -> EstimateRecord | None:
    """Estimate the rate of all examples from the arms of a check.

    Returns:
        The rate with its interval; None if :func:`held_strata` is empty, or an arm was not sampled.
    """
    share = StratifiedShare(
        check.failing, check.tested, clustered=check.clustered.get(""), strata=held_strata(check),
        of_file=check.limit_of_file, sequence=None if check.budget is None else check.budget.interval,
    )  # fmt: skip
    if not share.strata or share.estimate is None:
        return None
    (rate, interval), whole = share.estimate, round(sum(each.size for each in share.strata))
    return EstimateRecord(rate=rate, interval=interval, examples=whole, of=kind_of(check))


def kind_of(check: Counted) -> Literal["population", "file"]:
    """Return whether a limit for all examples is about the population or about the examples of the file."""
    return "file" if check.limit_of_file else "population"


def of_what(check: Counted) -> str:
    """Return a phrase that says what a limit for all examples is about, if not the population.

    Returns:
        `` of the file alone``, to write after the limit; ``""`` for the population, and for a difference.
    """
    if check.limit_of_valid:
        return " of valid failures"
    if not check.estimand.by_example:
        return ""
    return " of the tested texts alone" if check.limit == 0 else " of the file alone" * check.limit_of_file
