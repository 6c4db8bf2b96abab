"""The margin and the limits that an equally good model passes: a model as good as the scanned one.

A new model of the same quality still answers some texts differently. *Churn* is the fraction of examples whose robust
correctness differs, half of them for the worse. If an equally good model does not pass a suite, the suite stops every
release.
"""

from __future__ import annotations

from robustfim.outcome import Outcome
from robustfim.statistics import LEVEL, POWER, tail
from robustfim_power import Churn, equal_failures, paired_power

__all__ = ["CHURN", "GATED", "LARGEST", "limit_for", "margin_for", "no_worse", "smallest_limit"]

CHURN = 0.1
"""The share of examples that an equal model is assumed to answer otherwise, where none was measured."""

GATED = 0.05
"""The rate from which on a check has a limit of its own."""

LARGEST = 0.2
"""The largest margin worth a gate."""

_FAILING = (1 - POWER) / 2
"""The chance that an equal model does not pass, of the comparison and of all limits together, each."""


def smallest_limit(failing: float, tested: float) -> float:
    """Find the smallest limit, in whole percent, that a measured rate passes.

    The limit lies above the upper end of the rate's 95 % interval. The significance level is not corrected for the
    number of checks in the suite.

    Args:
        failing: The number of failing examples.
        tested: The number of tested examples, ≥ 1. With clusters of dependent examples, both counts are reduced to
            those of as many independent examples.

    Returns:
        The limit, in [0.01, 0.99]; also 0.99 if no limit below 1 would be passed.
    """
    for hundredths in range(1, 99):
        found = tail(failing, tested, hundredths / 100)
        if found.side is Outcome.PASSED and found.p_value <= LEVEL:
            return hundredths / 100
    return 0.99


def limit_for(failing: float, tested: float, limits: int, churn: float = CHURN) -> float:
    """Find the smallest limit that an equally good model passes.

    With 90 % probability the model passes all ``limits`` limits of the suite together.

    Args:
        failing: The number of failing examples.
        tested: The number of tested examples, ≥ 1. With clusters of dependent examples, both counts are reduced to
            those of as many independent examples.
        limits: The number of limits in the suite.
        churn: The fraction of examples that only one of two equally good models gets right under all edits.
    """
    chances = equal_failures(failing, tested, churn)
    most, number = int((chances.cumsum() < 1 - _FAILING / limits).sum()), len(chances) - 1
    return smallest_limit(min(most, number) * tested / max(1, number), tested)


def margin_for(labelled: int, drawn: int, churn: float = CHURN) -> float | None:
    """Find the smallest tolerated loss (margin) for which an equally good model is proved no worse.

    Args:
        labelled: The number of labelled examples, on which accuracy is compared.
        drawn: The number of examples drawn for the checks, on which robust accuracy is compared.
        churn: The fraction of examples that only one of two equally good models gets right under all edits.

    Returns:
        A whole percentage up to 20 %; None if no margin is enough with 90 % probability.
    """
    for hundredths in range(1, round(100 * LARGEST) + 1):
        if sum(1 - each for each in no_worse(labelled, drawn, hundredths / 100, churn)) <= _FAILING:
            return hundredths / 100
    return None


def no_worse(labelled: int, drawn: int, margin: float, churn: float = CHURN) -> list[float]:
    """Return the probabilities that an equally good model is proved no worse in accuracy, and in robust accuracy.

    Args:
        labelled: The number of labelled examples, on which accuracy is compared.
        drawn: The number of examples drawn for the checks, on which robust accuracy is compared.
        margin: The tolerated loss of accuracy, in [0, 1].
        churn: The fraction of examples that only one of two equally good models gets right under all edits.
    """
    equal = Churn(churn / 2, churn / 2)
    return [paired_power(equal, number, margin) for number in (labelled, drawn) if number]
