"""An equal model: the margin and the limits that a model passes which is as good as the one that was scanned.

A new model of the same quality still answers some texts otherwise. *Churn* is the share of examples whose robust
correctness differs, half of them for the worse. A suite that its own model's equal does not pass stops every release.
"""

from __future__ import annotations

from robustfim.outcome import Outcome
from robustfim.statistics import LEVEL, POWER, Churn, equal_failures, paired_power, tail

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
    """Find the smallest whole percentage that a measured rate passes beyond doubt.

    It lies above the upper end of the rate's 95 % interval; *passed* is tested at full level, however many checks
    the suite has.

    Args:
        failing: Failing examples.
        tested: Tested examples, ≥ 1; of clusters both are what they are worth in independent examples.

    Returns:
        The limit, in [0.01, 0.99]; 0.99 also where no limit below 1 would be passed.
    """
    for hundredths in range(1, 99):
        found = tail(failing, tested, hundredths / 100)
        if found.side is Outcome.PASSED and found.p_value <= LEVEL:
            return hundredths / 100
    return 0.99


def limit_for(failing: float, tested: float, limits: int, churn: float = CHURN) -> float:
    """Find the smallest limit that an equal model passes, as one of several, with 90 % for all of them together.

    Args:
        failing: Failing examples.
        tested: Tested examples, ≥ 1; of clusters both are what they are worth in independent examples.
        limits: How many limits the suite has.
        churn: The share of examples that change sides.
    """
    chances = equal_failures(failing, tested, churn)
    most, number = int((chances.cumsum() < 1 - _FAILING / limits).sum()), len(chances) - 1
    return smallest_limit(min(most, number) * tested / max(1, number), tested)


def margin_for(labelled: int, drawn: int, churn: float = CHURN) -> float | None:
    """Find the smallest margin by which an equal model is proved no worse, in accuracy and robust accuracy at once.

    Args:
        labelled: Labelled examples, on which accuracy is compared.
        drawn: Examples that are drawn for the checks, on which robust accuracy is compared.
        churn: The share of examples that change sides.

    Returns:
        A whole percentage up to 20 %; None where none is enough with 90 %.
    """
    for hundredths in range(1, round(100 * LARGEST) + 1):
        if sum(1 - each for each in no_worse(labelled, drawn, hundredths / 100, churn)) <= _FAILING:
            return hundredths / 100
    return None


def no_worse(labelled: int, drawn: int, margin: float, churn: float = CHURN) -> list[float]:
    """Return how often an equal model is proved no worse in accuracy, and in robust accuracy.

    Args:
        labelled: As for :func:`margin_for`.
        drawn: As for :func:`margin_for`.
        margin: The margin.
        churn: The share of examples that change sides.
    """
    equal = Churn(churn / 2, churn / 2)
    return [paired_power(equal, number, margin) for number in (labelled, drawn) if number]
