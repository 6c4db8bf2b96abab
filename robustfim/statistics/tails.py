"""Tails: which side of its limit a rate lies on, corrected for many of them.

The unit is the source example: candidates of one text are not independent.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from robustfim.outcome import Outcome
from robustfim.statistics.rate import LEVEL, wilson

__all__ = ["BESIDE", "Tail", "corrected", "count_rivals", "family", "mcnemar", "tail"]

BESIDE = 0.1
"""What part of a limit's weight the test of the gold labels has: what it is for is seen at any level."""


@dataclass(frozen=True, slots=True)
class Tail:
    """Which side of its limit a rate lies on, before any correction for many checks.

    Attributes:
        side: FAILED above the limit, PASSED below it, INCONCLUSIVE where the Wilson interval holds it.
        p_value: Exact binomial probability, at a true rate equal to the limit, of a count at least as far on
            that side; 1 for an inconclusive one.
    """

    side: Outcome
    p_value: float


def tail(failing: float, tested: float, limit: float) -> Tail:
    """Compare a rate with its limit.

    A limit of 0 tolerates no failing example: one fails the check, none passes it, and no interval is
    asked (no finite number of examples could show a rate of exactly 0). A limit of 1 is never exceeded.

    Args:
        failing: Examples with at least one failing candidate.
        tested: Examples tested, > 0; of clusters both are what they are worth in independent examples.
        limit: The largest tolerated rate, in [0, 1].

    Returns:
        The side and its exact p-value: the binomial tail as an incomplete beta function, which any numbers have.

    Raises:
        ValueError: Nothing was tested.
    """
    interval = wilson(failing, tested)
    if interval is None:
        raise ValueError("a rate needs at least one tested example")
    if limit <= 0:
        return Tail(Outcome.FAILED if failing else Outcome.PASSED, 0.0)
    if limit >= 1:
        return Tail(Outcome.PASSED, 0.0)
    from scipy.special import betainc

    if interval[0] > limit:
        return Tail(Outcome.FAILED, float(betainc(failing, tested - failing + 1, limit)))
    if interval[1] < limit:
        return Tail(Outcome.PASSED, float(betainc(tested - failing, failing + 1, 1 - limit)))
    return Tail(Outcome.INCONCLUSIVE, 1.0)


def corrected(
    tails: Sequence[Tail],
    alarms: Sequence[Outcome] | None = None,
    weights: Sequence[float] | None = None,
) -> list[Tail]:
    """Correct the verdicts of one suite that raise an alarm for their number; the others stand at full level.

    A run fails where any check raises an alarm, so these are a family (:func:`family`): with every true rate on the
    right side of its limit, one is raised in at most 2.5 % of cases. It ends with 0 where all checks are proved, so
    that each of these proofs is at full level, 2.5 % one-sided: an intersection–union test (Berger 1982).

    Args:
        tails: One comparison a verdict.
        alarms: The side of each comparison that raises one; FAILED for all where it is not given.
        weights: As for :func:`family`.

    Returns:
        The same comparisons, with corrected p-values on the side of the alarm; what does not stand at 0.025 is
        INCONCLUSIVE.
    """
    alarms = [Outcome.FAILED] * len(tails) if alarms is None else alarms
    raised = [each.p_value if each.side is alarm else 1.0 for each, alarm in zip(tails, alarms, strict=True)]
    found = []
    for each, alarm, corrected in zip(tails, alarms, family(raised, weights), strict=True):
        p_value = corrected if each.side is alarm else each.p_value
        found.append(Tail(each.side if p_value <= LEVEL else Outcome.INCONCLUSIVE, p_value))
    return found


def count_rivals(number: float, raised: int) -> float:
    """Count against how many of a family an alarm more has to win: it stands at a p-value of the level over that.

    Args:
        number: The tests of the family, by their weights.
        raised: How many of them stand already.
    """
    return number - raised


def family(p_values: Sequence[float], weights: Sequence[float] | None = None) -> list[float]:
    """Correct the p-values of a family of tests, any of which fails the run, for their number (Holm 1979).

    Where none of the alternatives is true, any is found in at most 2.5 % of cases, at a level of 0.025.

    Args:
        p_values: In [0, 1].
        weights: What part of the level each test gets at first, > 0 (Holm 1979, section 4); all the same by default.
            However they are weighted, any of the true hypotheses is rejected at most as often as one test alone.

    Returns:
        The corrected ones, in the same order.
    """
    # Own code: statsmodels collects all garbage in every call, and takes a second to import.
    shares = [1.0] * len(p_values) if weights is None else weights
    corrected = [1.0] * len(p_values)
    highest, left = 0.0, sum(shares)
    for index in sorted(range(len(p_values)), key=lambda i: p_values[i] / shares[i]):
        highest = min(1.0, max(highest, left / shares[index] * p_values[index]))
        corrected[index] = highest
        left -= shares[index]
    return corrected


def mcnemar(wins: int, losses: int, *, alternative: Literal["two-sided", "greater"] = "two-sided") -> float:
    """Exact McNemar test of paired answers: a binomial test of the discordant pairs (McNemar 1947).

    Args:
        wins: Pairs in which only the first is so.
        losses: Pairs in which only the second is so.
        alternative: ``greater`` asks whether the first is so more often, and not the other way round.

    Returns:
        The p-value; 1 without a discordant pair.
    """
    from scipy.stats import binomtest

    return float(binomtest(wins, wins + losses, alternative=alternative).pvalue) if wins + losses else 1.0
