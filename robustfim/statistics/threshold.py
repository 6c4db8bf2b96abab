"""The threshold that so few texts without a label reach, and the share that reaches it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, hypot

from robustfim.statistics.rate import CONFIDENCE, LEVEL, Interval

__all__ = ["FewAlarms", "Threshold", "few_alarms", "threshold_of"]


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


@dataclass(frozen=True)
class FewAlarms:
    """The threshold that a share of all texts without a label reaches, as far as a sample of them tells it.

    Attributes:
        at: The threshold.
        low: The lower end of its 95 % interval.
        high: The upper end.
    """

    at: float
    low: float
    high: float

    def at_least(self, least: float) -> FewAlarms:
        """Return the same, but no part of it below a threshold: fewer texts yet reach that."""
        return FewAlarms(max(self.at, least), max(self.low, least), max(self.high, least))

    @staticmethod
    def interval(missed: float, interval: Interval, at_low: float, at_high: float) -> Interval:
        """The 95 % interval of what is missed at the threshold of all texts, from what is missed at that of the sample.

        The distances of the ends of the two independent estimates, of the threshold and of the share, add up as the
        sides of a right angle (Zou and Donner 2008, "Construction of confidence limits about effect measures"): 95 to
        97.5 % of 4,000 simulated samples of 500 to 10,000 texts without the label, 98 % of 150.

        Args:
            missed: The share of the texts with the label that lies below ``at``, in [0, 1].
            interval: Its 95 % interval were the threshold known.
            at_low: The share below ``low``.
            at_high: The share below ``high``.
        """
        below, above = hypot(missed - interval[0], missed - at_low), hypot(interval[1] - missed, at_high - missed)
        return max(0.0, missed - below), min(1.0, missed + above)


def few_alarms(probabilities: Sequence[float], share: float, worth: float | None = None) -> FewAlarms | None:
    """Find the threshold that a share of texts without the label reaches.

    The share above the k-th largest of n draws is distributed as Beta(k, n − k + 1). The threshold lies at its mean,
    k = share · (n + 1), the ends where the share lies above it, or below, with 97.5 %; between two draws it is
    interpolated, and above the highest up to 1. Where texts tie at that rank, more of them would reach it: then it is
    the next probability above, as in :func:`threshold_of`.

    Args:
        probabilities: P(label) of the texts.
        share: The share, in (0, 1).
        worth: As many independent texts they are worth; None for their number.

    Returns:
        None of fewer texts than ``1 / share``, of which not one is that rare.

    Raises:
        ValueError: Too many of the highest probabilities are equal, or it would be 0 or 1: no threshold reaches the
            share.
    """
    number = len(probabilities)
    independent = float(number) if worth is None else worth
    if share * independent < 1 - 1e-9:
        return None
    import numpy as np
    from scipy.optimize import brentq
    from scipy.special import betainc

    def rank(level: float) -> float:
        """The k at which the share lies below the asked one with this probability."""
        return float(brentq(lambda k: betainc(k, independent - k + 1, share) - level, 1e-9, independent))

    ordered = np.sort(np.asarray(probabilities, dtype=float))[::-1]
    known = np.concatenate([[1.0], ordered])
    of_each = number / independent
    at, low, high = (
        float(np.interp(k * of_each, np.arange(number + 1), known))
        for k in (share * (independent + 1), rank(LEVEL), rank(1 - LEVEL))
    )
    most = int(share * (independent + 1) * of_each + 1e-9)
    if most < number and ordered[most] == ordered[most - 1]:
        above = ordered[ordered > ordered[most]]
        at = float(above[-1]) if above.size else 0.0
    if not 0 < at < 1:
        raise ValueError(f"no threshold reaches a share of {share:g}: the highest probabilities are equal")
    return FewAlarms(at, min(low, at), max(high, at))
