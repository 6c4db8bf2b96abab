"""Shortcuts: cues that tell the label in one source and not, or otherwise, in the others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
from scipy.special import gammaln

from robustfim.statistics import wilson

__all__ = ["Shortcut", "Tested", "p_value", "shortcuts"]

Table = tuple[int, int, int, int]
"""Of one source: the examples with cue and label, with the cue, with the label, and all."""


@dataclass(frozen=True)
class Shortcut:
    """A cue of which the connection with a label is not the same in one source as in the others.

    Attributes:
        cue: The cue.
        source: The place of the source in which it tells something else.
        label: The place of the label of which it tells.
        here: The table of the source.
        elsewhere: That of all other sources together.
        alone: Whether it stands in too few examples of the others to be compared, and is tested in the source alone.
        p_value: Exact, two-sided, corrected for the sources and labels of the cue.
        adjusted: Corrected for all cues, too (Benjamini and Hochberg 1995).
    """

    cue: str
    source: int
    label: int
    here: Table
    elsewhere: Table
    alone: bool
    p_value: float
    adjusted: float

    @property
    def productivity(self) -> float:
        """The share of the label among the source's examples with the cue, in [0, 1]."""
        return self.here[0] / self.here[1]

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % Wilson interval of the productivity."""
        return wilson(self.here[0], self.here[1]) or (0.0, 1.0)

    @property
    def productivity_elsewhere(self) -> float | None:
        """The same in the other sources; None where the cue does not stand there."""
        return self.elsewhere[0] / self.elsewhere[1] if self.elsewhere[1] else None

    @property
    def interval_elsewhere(self) -> tuple[float, float] | None:
        """Its 95 % Wilson interval; None where the cue does not stand there."""
        return wilson(self.elsewhere[0], self.elsewhere[1])


@dataclass(frozen=True)
class Tested:
    """All cues that were tested.

    Attributes:
        cues: How many; those that stand too rarely in each source to be tested are not among them.
        found: Those at which the share of wrong ones is at most ``level`` on the average, the surest first.
        level: The false discovery rate, in (0, 1).
    """

    cues: int
    found: tuple[Shortcut, ...]
    level: float


def shortcuts(
    names: Sequence[str], counts: npt.NDArray[np.int64], totals: npt.NDArray[np.int64], *, minimum: int = 5,
    level: float = 0.05,
) -> Tested:  # fmt: skip
    """Find the cues that tell something else in one source than in the others.

    A cue that stands in ``minimum`` examples of a source, and in ``minimum`` of the others together, is tested by
    :func:`p_value`. One that stands in fewer of the others cannot be compared: whether it tells the label of its
    source is Fisher's exact test. Which of both it is depends on no label. The smallest p-value of the cue's sources
    and labels is multiplied by their number, and those of all cues are corrected by Benjamini and Hochberg.

    Args:
        names: The cues.
        counts: In how many examples of each source and label each cue stands, ``[cues, sources, labels]``.
        totals: All examples, ``[sources, labels]``.
        minimum: The smallest number of examples with the cue, ≥ 1.
        level: The false discovery rate, in (0, 1).
    """
    from scipy.stats import false_discovery_control

    best = [each for place in range(len(names)) if (each := _smallest(names[place], counts[place], totals, minimum))]
    if not best:
        return Tested(0, (), level)
    adjusted = false_discovery_control([each.p_value for each in best], method="bh")
    found = [
        replace(each, adjusted=float(corrected))
        for each, corrected in zip(best, adjusted, strict=True)
        if corrected <= level
    ]
    return Tested(len(best), tuple(sorted(found, key=lambda each: (each.p_value, -each.here[1], each.cue))), level)


def p_value(here: Table, others: Sequence[Table]) -> float:
    """Test exactly whether a cue tells as much of the label in one source as in the others.

    With one odds ratio ψ in all sources, the examples with cue and label of this one, a, given the margins of every
    table and their sum t over all, have P(a) ∝ h(a) (h₂ * h₃ * …)(t − a), where h are hypergeometric probabilities;
    ψ cancels (Zelen 1971, of two tables or more). So a ψ may be put in, that of Mantel and Haenszel (1959), which
    keeps the terms from vanishing. The p-value is the probability of what is no likelier than what was seen. Against
    no other source, ψ is 1, and the test is Fisher's.

    Returns:
        Two-sided, in [0, 1]: 0 where it is smaller than any number of 64 bits above 0.
    """
    if not others:
        terms, low = _terms(here, 0.0)
        return _no_likelier(terms, here[0] - low)
    ratio = _log_odds([here, *others])
    own, low = _terms(here, ratio)
    rest, rest_low = np.ones(1), 0
    for each in others:
        more, least = _terms(each, ratio)
        rest, rest_low = np.convolve(rest, more), rest_low + least
    together = here[0] + sum(each[0] for each in others)
    at = together - (low + np.arange(len(own))) - rest_low
    inside = (at >= 0) & (at < len(rest))
    return _no_likelier(np.where(inside, own * rest[at.clip(0, len(rest) - 1)], 0.0), here[0] - low)


def _smallest(name: str, counts: npt.NDArray[np.int64], totals: npt.NDArray[np.int64], minimum: int) -> Shortcut | None:
    """Test a cue in each source and for each label; None where it stands too rarely in all of them."""
    standing, size = counts.sum(axis=1), totals.sum(axis=1)
    labels = range(totals.shape[1]) if totals.shape[1] > 2 else range(1)
    candidates: list[tuple[float, float, int, int, Table, Table, bool]] = []
    sources = [place for place in range(len(standing)) if standing[place] >= minimum]
    # Of two sources, both tests are one.
    twice = len(standing) == 2 and len(sources) == 2
    for source in sources:
        alone = int(standing.sum() - standing[source]) < minimum
        for label in labels:
            tables = [
                (int(counts[each, label]), int(standing[each]), int(totals[each, label]), int(size[each]))
                for each in range(len(standing))
            ]
            here = tables.pop(source)
            if twice and source == sources[1]:
                value = candidates[label if len(labels) > 1 else 0][0]
            else:
                value = p_value(here, [] if alone else tables)
            lift = abs(here[0] / here[1] - here[2] / here[3])
            candidates.append((value, -lift, source, label, here, _sum(tables), alone))
    if not candidates:
        return None
    value, _, source, label, here, elsewhere, alone = min(candidates)
    if here[0] * here[3] < here[1] * here[2] and totals.shape[1] == 2:  # of two labels, the one that it speaks for
        label, here, elsewhere = 1, _other(here), _other(elsewhere)
    number = len(candidates) // (2 if twice else 1)
    return Shortcut(name, source, label, here, elsewhere, alone, min(1.0, number * value), 1.0)


def _sum(tables: Sequence[Table]) -> Table:
    a, b, c, d = (sum(column) for column in zip(*tables, strict=True))
    return a, b, c, d


def _other(table: Table) -> Table:
    both, cue, label, size = table
    return cue - both, cue, size - label, size


def _log_odds(tables: Sequence[Table]) -> float:
    """The logarithm of Mantel and Haenszel's odds ratio, with half an example on either side."""
    ahead = sum(a * (n - k - m + a) / n for a, k, m, n in tables) + 0.5
    behind = sum((k - a) * (m - a) / n for a, k, m, n in tables) + 0.5
    return float(np.log(ahead / behind))


def _terms(table: Table, log_odds: float) -> tuple[npt.NDArray[np.float64], int]:
    """The probabilities of a given its table's margins, and the smallest a."""
    _, k, m, n = table
    low, high = max(0, k + m - n), min(k, m)
    a = np.arange(low, high + 1)
    logs = -(gammaln(a + 1) + gammaln(k - a + 1) + gammaln(m - a + 1) + gammaln(n - k - m + a + 1)) + a * log_odds
    terms = np.exp(logs - logs.max())
    return terms / terms.sum(), low


def _no_likelier(terms: npt.NDArray[np.float64], seen: int) -> float:
    """The share of the terms that are no larger than the one that was seen, but for rounding."""
    return min(1.0, float(terms[terms <= terms[seen] * (1 + 1e-7)].sum() / terms.sum()))
