"""The strata over which a rate is weighted before it is compared with a limit; none for a plain sample."""

from __future__ import annotations

from collections.abc import Mapping

from robustfim.judge.check_counts import CheckCounts
from robustfim.judge.estimate import Estimate
from robustfim.record import Counted
from robustfim.statistics import Rate
from robustfim.statistics.stratified import Stratum, stratified_rate

__all__ = ["held_strata", "of_what", "whole_estimate", "with_strata"]


def held_strata(check: CheckCounts) -> tuple[Stratum, ...]:
    """Return the strata (parts of the data) by which a check's failure rate is weighted for its limit.

    Returns:
        The strata; empty if the tested examples are a simple random sample of the population, such as all data.
    """
    strata = tuple(stratum for stratum in check.strata if stratum.size)
    if check.limit_of_file:
        return strata
    if check.budget is not None and check.budget.interval is None and not isinstance(check.limit, dict):
        return ()
    whole = all(stratum.drawn == stratum.size for stratum in strata)
    return () if whole or len(strata) < 2 else strata


def with_strata(
    check: CheckCounts, sizes: Mapping[str, int], *, brought: bool = False, together: float = 1.0
) -> CheckCounts:
    """Add the number of data examples that each sampled group (arm) of a check represents.

    Args:
        check: The counts of the check.
        sizes: The number of data examples that each arm or stratum represents, and all of them under ``all``.
        brought: Whether the check brings its examples: these are all there are.
        together: For a check that may stop early, the mean size of an example's cluster.

    Returns:
        The check with ``strata``, unless its arms leave a part of the data out, or its limit is not for a fraction of
        examples.
    """
    if not check.estimand.counts or (not brought and sum(sizes[name] for name in check.arms) < sizes["all"]):
        return check
    strata = tuple(
        Stratum(
            arm.drawn if brought else sizes[name],
            arm.drawn,
            arm.tested,
            arm.failing,
            alike=1.0 if brought else together,
        )
        for name, arm in check.arms.items()
    )
    return check.model_copy(update={"strata": strata})


def whole_estimate(check: CheckCounts, strata: tuple[Stratum, ...]) -> Estimate:
    """Estimate the failure rate over all examples of a check, weighted by strata (parts of the data) if given."""
    budget, clustered = check.budget, check.clustered.get("")
    rate, ends = stratified_rate(strata, of_file=check.limit_of_file) or (None, None)
    if rate is None:
        rate, ends = check.rate, check.interval
    else:
        ends = (budget and budget.interval) or (clustered and clustered.interval) or ends
    # With a budget each cluster is one trial.
    trials = check.clusters if budget is not None and check.clusters else check.tested
    return Estimate(
        Rate(check.failing, check.tested, ends, rate), None, strata, clustered, check.limit_of_file,
        trials=min(1.0, trials / max(1, check.tested)),
    )  # fmt: skip


def of_what(check: Counted) -> str:
    """Return the words that follow a limit in a report, if the limit is not about the whole population.

    Returns:
        `` of the file alone``, to write after the limit; ``""`` for the population, and for a difference.
    """
    if check.limit_of_valid:
        return " of valid failures"
    if not check.estimand.by_example:
        return ""
    return " of the tested texts alone" if check.limit == 0 else " of the file alone" * check.limit_of_file
