"""Tails: the side of its limit on which a rate lies, with the correction for many tests.

The unit is the source example, since candidates of one text are not independent.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from robustfim.outcome import Outcome
from robustfim.statistics.rate import LEVEL, Z

__all__ = ["BESIDE", "Tail", "corrected", "exact_tails", "family", "mcnemar", "tail"]

BESIDE = 0.1
"""The weight of the test of the gold labels, as a fraction of a limit's weight; it mostly has power to spare."""


@dataclass(frozen=True, slots=True)
class Tail:
    """The result of a test of a failure rate against a limit: a side and a one-sided p-value.

    Attributes:
        side: FAILED above the limit, PASSED below it, INCONCLUSIVE if the interval contains the limit.
        p_value: The probability of a count at least as extreme on that side, if the true rate equals the limit; 1 for
            an inconclusive result. Not corrected for several checks.
    """

    side: Outcome
    p_value: float


def tail(failing: float, tested: float, limit: float) -> Tail:
    """Test a failure rate against a limit: is the rate larger or smaller?

    A limit of 0 tolerates no failing example: the check fails with one and passes with none. The interval is ignored,
    since no finite number of examples could show a rate of exactly 0. A limit of 1 is never exceeded.

    Args:
        failing: Examples with at least one failing perturbed text.
        tested: Examples tested, > 0; for dependent examples, both numbers are effective numbers.
        limit: The largest tolerated rate, in [0, 1].

    Returns:
        The side of the limit and the exact p-value: the binomial tail, as an incomplete beta function, which is defined
        for counts that are not whole.

    Raises:
        ValueError: Nothing was tested.
    """
    if not tested:
        raise ValueError("a rate needs at least one tested example")
    if limit <= 0:
        return Tail(Outcome.FAILED if failing else Outcome.PASSED, 0.0)
    if limit >= 1:
        return Tail(Outcome.PASSED, 0.0)
    for side, p_value in zip((Outcome.FAILED, Outcome.PASSED), exact_tails(failing, tested, limit), strict=True):
        if p_value < 1:
            return Tail(side, float(p_value))
    return Tail(Outcome.INCONCLUSIVE, 1.0)


def exact_tails(failing: Any, tested: Any, limit: Any) -> tuple[Any, Any]:
    """Test many failure rates against limits at once, as :func:`tail` does for one.

    The Wilson interval of k of n examples contains the limit L if k − nL is at most 1.96 √(n L (1 − L)).

    Args:
        failing: Numbers of failing examples k, of any shape.
        tested: Numbers of tested examples n, > 0; broadcasts with the other arguments.
        limit: Limits L, in (0, 1); broadcasts, too.

    Returns:
        The p-values of *failed* and of *passed*; 1 where the interval contains the limit, or the rate lies on the other
        side.
    """
    import numpy as np
    from scipy.special import betainc

    off, reach = failing - tested * limit, Z * np.sqrt(tested * limit * (1 - limit))
    above, below = np.ones_like(off, dtype=float), np.ones_like(off, dtype=float)
    betainc(failing, tested - failing + 1, limit, out=above, where=off > reach)
    betainc(tested - failing, failing + 1, 1 - limit, out=below, where=-off > reach)
    return above, below


def corrected(
    tails: Sequence[Tail],
    alarms: Sequence[Outcome] | None = None,
    weights: Sequence[float] | None = None,
) -> list[Tail]:
    """Correct the p-values of a suite's checks for their number; passes keep their p-values.

    A run fails if any check raises an alarm (a failure, or a pass of a check expected to fail), so the alarms are
    corrected as a family (:func:`family`): if every true rate is on the right side of its limit, an alarm is raised in
    at most 2.5 % of cases. A run passes only if all checks pass, so each pass is tested at 2.5 % one-sided,
    uncorrected: an intersection–union test (Berger 1982).

    Args:
        tails: One comparison per verdict.
        alarms: The side of each comparison that raises an alarm; by default FAILED for all.
        weights: As for :func:`family`.

    Returns:
        The same comparisons, with corrected p-values on the alarm's side. A comparison that is not significant at 0.025
        is INCONCLUSIVE.
    """
    alarms = [Outcome.FAILED] * len(tails) if alarms is None else alarms
    raised = [each.p_value if each.side is alarm else 1.0 for each, alarm in zip(tails, alarms, strict=True)]
    found = []
    for each, alarm, corrected in zip(tails, alarms, family(raised, weights).tolist(), strict=True):
        p_value = corrected if each.side is alarm else each.p_value
        found.append(Tail(each.side if p_value <= LEVEL else Outcome.INCONCLUSIVE, p_value))
    return found


def family(p_values: Any, weights: Sequence[float] | None = None) -> Any:
    """Correct the p-values of several tests, any of which can fail the run, for their number (Holm 1979).

    If all null hypotheses are true, any is rejected in at most 2.5 % of cases, at a level of 0.025.

    Args:
        p_values: In [0, 1]: of one run, ``[tests]``, or of several, ``[..., tests]``.
        weights: The weight of each test in the division of the level, > 0 (Holm 1979, section 4); equal by default. For
            any weights, the probability of rejecting a true hypothesis is at most that of a single test.

    Returns:
        The corrected p-values, an array of the same shape.
    """
    import numpy as np

    # Own code: statsmodels collects all garbage in every call, and takes a second to import.
    p_values = np.asarray(p_values, float)
    shares = np.ones(p_values.shape[-1]) if weights is None else np.asarray(weights, float)
    order = np.argsort(p_values / shares, axis=-1, kind="stable")
    own = shares[order]
    left = np.subtract.accumulate(np.insert(own, 0, sum(shares), axis=-1), axis=-1)[..., :-1]
    highest = np.maximum.accumulate(left / own * np.take_along_axis(p_values, order, axis=-1), axis=-1)
    corrected = np.empty_like(p_values)
    np.put_along_axis(corrected, order, np.minimum(highest, 1.0), axis=-1)
    return corrected


def mcnemar(wins: int, losses: int, *, alternative: Literal["two-sided", "greater"] = "two-sided") -> float:
    """Compute McNemar's exact test of paired answers: a binomial test of the discordant pairs (McNemar 1947).

    Args:
        wins: Pairs in which only the first answer is a success.
        losses: Pairs in which only the second answer is a success.
        alternative: ``greater`` tests whether the first answer is a success more often than the second.

    Returns:
        The p-value; 1 without a discordant pair.
    """
    from scipy.stats import binomtest

    return float(binomtest(wins, wins + losses, alternative=alternative).pvalue) if wins + losses else 1.0
