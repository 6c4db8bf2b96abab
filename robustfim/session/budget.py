"""The budget of a check: how much it may draw, and when its verdict is certain among those of the run."""

from __future__ import annotations

from collections.abc import Sequence

from robustfim.collect.check import Check
from robustfim.collect.collection import Collection
from robustfim.select.draw import Budget
from robustfim.statistics.rate import LEVEL
from robustfim.statistics.tails import BESIDE, count_rivals

__all__ = ["budget_of", "comparisons"]


def budget_of(check: Check, collection: Collection, failed: int = 0) -> Budget | None:
    """Say how many examples a check may draw.

    Args:
        check: The check.
        collection: The run's checks: its level is shared by the comparisons of all of them.
        failed: Checks before it that are certain to fail, which leave more of the level to it.

    Returns:
        The budget; None for a check that draws everything: it has none, counts no examples, has no limit, or one for
        valid failures, which people look at after the run, or is run on named examples alone.
    """
    config = collection.config
    most = check.spec.budget or config.suite.budget
    if (
        most is None
        or check.spec.limit is None
        or not check.estimand.counts
        or check.spec.limit_of_valid
        or config.options.examples
    ):
        return None
    level = LEVEL / count_rivals(comparisons(collection.checks) + BESIDE, failed)
    of_file = (check.spec.of or config.suite.of) == "file"
    return Budget(most, level, LEVEL if check.spec.xfail is None else level, of_file=of_file)


def comparisons(checks: Sequence[Check], slices: int = 0) -> int:
    """Count the limits that checks are compared with.

    Args:
        checks: Some or all checks of a run.
        slices: How many slices have a limit, to which every check is held.
    """
    limits = [check.spec.limit for check in checks if check.spec.skip is None and check.spec.limit is not None]
    held = sum(check.spec.skip is None and check.estimand.counts for check in checks) * slices
    return held + sum(len(limit) if isinstance(limit, dict) else 1 for limit in limits)
