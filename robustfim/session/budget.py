"""The budget of a check: the most examples it draws, and the levels at which its verdict is certain."""

from __future__ import annotations

from collections.abc import Sequence

from robustfim.collect.check import Check
from robustfim.collect.collection import Collection
from robustfim.select.draw import Budget
from robustfim.statistics.rate import LEVEL
from robustfim.statistics.tails import BESIDE

__all__ = ["budget_of", "comparisons"]


def budget_of(check: Check, collection: Collection, failed: int = 0) -> Budget | None:
    """Return how many examples a check may draw before it has to stop, and its significance levels.

    Args:
        check: The check.
        collection: The run's checks, since the significance level is divided among all of them.
        failed: The number of earlier checks that are certain to fail; they raise the level for this check.

    Returns:
        The budget; None for a check that draws all examples.
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
    level = LEVEL / (comparisons([*collection.checks, *collection.left_out]) + BESIDE - failed)
    of_file = (check.spec.of or config.suite.of) == "file"
    return Budget(most, level, LEVEL if check.spec.xfail is None else level, of_file=of_file)


def comparisons(checks: Sequence[Check], slices: int = 0) -> int:
    """Count the tests for which the significance level is divided: limits of checks, groups and slices.

    Args:
        checks: Some or all checks of a run.
        slices: The number of slices with a limit for every check.
    """
    limits = [check.spec.limit for check in checks if check.spec.skip is None and check.spec.limit is not None]
    held = sum(check.spec.skip is None and check.estimand.counts for check in checks) * slices
    return held + sum(len(limit) if isinstance(limit, dict) else 1 for limit in limits)
