"""The threshold that so few texts without a label reach, and the share that reaches it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil

from robustfim.statistics.rate import CONFIDENCE, LEVEL, Interval

__all__ = ["Threshold", "threshold_of"]


@dataclass(frozen=True)
class Threshold:
    """A threshold, and what is known of the texts that reach it.

    Attributes:
        at: The threshold: a probability of the data, decided for where it is reached.
        alarms: How many of the texts reach it.
        texts: How many there were.
    """

    at: float
    alarms: int
    texts: int

    @property
    def interval(self) -> Interval:
        """The 95 % interval of the share of all such texts that reaches it.

        The share above the k-th largest of n draws has the distribution Beta(k, n − k + 1), whatever the probabilities
        are distributed by, if they are by a density (David & Nagaraja 2003, *Order Statistics*, section 2.1).
        """
        from scipy.special import betaincinv

        shape = self.alarms, self.texts - self.alarms + 1
        low, high = (float(betaincinv(*shape, end)) for end in (LEVEL, (1 + CONFIDENCE) / 2))
        return low, high


def threshold_of(probabilities: Sequence[float], fpr: float) -> Threshold:
    """Find the lowest threshold at which the expected share of false alarms is no more than asked for.

    The k-th largest of n, for the largest k ≤ fpr (n + 1): that is the expected share that reaches it (as in conformal
    prediction). Of equal probabilities all or none reach it.

    Args:
        probabilities: P(label) of texts that do not have it.
        fpr: The share, in (0, 1).

    Raises:
        ValueError: There are too few texts, or too many of the highest are equal; the message says which.
    """
    most = int(fpr * (len(probabilities) + 1) + 1e-9)
    if not most:
        raise ValueError(
            f"a share of {fpr:g} takes at least {ceil(1 / fpr - 1e-9) - 1:,} texts without the label: these are "
            f"{len(probabilities):,}"
        )
    ordered = sorted(probabilities, reverse=True)
    while most and most < len(ordered) and ordered[most] == ordered[most - 1]:
        most -= 1
    if not most or not 0 < ordered[most - 1] < 1:
        raise ValueError(
            f"the highest of {len(ordered):,} probabilities are all {ordered[0]:g}: no threshold lets a share of "
            f"{fpr:g} by"
        )
    return Threshold(ordered[most - 1], most, len(ordered))
