"""Models that answer differently each time: how often a check that compares failures with their noise is wrong."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray
from scipy.special import bdtr, bdtrc, gammaln, xlogy
from scipy.stats import binom

from benchmarks.sections import listed, verdict, write_results
from robustfim.outcome import Outcome
from robustfim.statistics import LEVEL, Excess, Paired, corrected, wilson

__all__ = ["Noisy", "as_markdown", "held", "most_power", "noisy"]

LIMIT, TEXTS = 0.05, 300
"""The limit of most checks, and their tested examples."""
NOISE = (0.0, 0.02, 0.1, 0.2)
KINDS = (
    (8, 8, LIMIT, TEXTS), (8, 3, LIMIT, TEXTS), (1, 1, LIMIT, TEXTS),
    (8, 3, 0.02, TEXTS), (8, 3, 0.01, 1000),
)  # fmt: skip
"""Candidates of an example, repeated questions about the example, the limit, and the number of examples."""
EXCESSES = (0.0, 1.0, 3.0)
"""True excesses of the rate of failing examples over that of unchanged ones, in times of the limit."""


@dataclass(frozen=True)
class Noisy:
    """The verdicts of one check, with ``fails: any``, on a noisy model of two labels.

    Attributes:
        noise: The probability that an answer is the other label, the same for each answer.
        candidates: The number of candidates of an example.
        repeat: The number of times that the model is asked about the unchanged example again.
        excess: The true excess, the failure rate above the rate of changes by noise alone, with the smaller number of
            answers on both sides. The noise bounds the excess.
        passed: The fraction of runs that pass.
        failed: The fraction of runs that fail.
        plain: The fraction of runs that fail if the noise is ignored.
        most: An upper bound on the fraction that fails, for any test of these counts with an error of at most 2.5 %.
    """

    noise: float
    candidates: int
    repeat: int
    excess: float
    passed: float
    failed: float
    plain: float
    limit: float = LIMIT
    texts: int = TEXTS
    most: float = 1.0

    @property
    def points(self) -> tuple[float, float]:
        """The limit and the excess in percentage points."""
        return 100 * self.limit, 100 * self.excess

    @property
    def aim(self) -> str:
        """The aim and whether it is met, as text; empty without an aim."""
        wrong = {0.0: self.failed, self.limit: max(self.passed, self.failed)}.get(self.excess)
        if wrong is not None:
            return f"wrong ≤ 2.5 %: {verdict(wrong <= LEVEL)}"
        if self.limit < LIMIT:  # of so few examples
            return ""
        return f"failed ≥ 80 %: {'met' if self.failed >= 0.8 else f'missed, no test has {100 * self.most:.1f} %'}"


@cache
def _enough(fixed: int, limit: float, texts: int) -> tuple[int, int]:
    """With so many fixed examples, the most broken ones of a check that passes, and the fewest of one that fails."""

    def side(broken: int) -> Outcome:
        return corrected([Excess(Paired(broken, fixed, texts)).tail(limit)])[0].side

    counts = range(texts - fixed + 1)
    passes = bisect_left(counts, True, key=lambda broken: side(broken) is not Outcome.PASSED)
    return passes - 1, bisect_left(counts, True, key=lambda broken: side(broken) is Outcome.FAILED)


def _ends(broken: float, fixed: float, limit: float, texts: int) -> tuple[float, float]:
    """How often a check passes and fails, summed over all tables, where such shares of its examples do either."""
    chances = binom.pmf(np.arange(texts + 1), texts, fixed)
    passed = failed = 0.0
    for count in np.flatnonzero(chances > 1e-7).tolist():
        most, least = _enough(count, limit, texts)
        rest = texts - count, broken / (1 - fixed)
        passed += chances[count] * bdtr(most, *rest) if most >= 0 else 0.0
        failed += chances[count] * (bdtrc(least - 1, *rest) if least else 1.0)
    return float(passed), float(failed)


def most_power(broken: float, fixed: float, limit: float, texts: int) -> float:
    """Compute an upper bound on the power of any test that detects an excess above a limit, at the level 2.5 %.

    For each fraction of fixed examples that is possible at the limit, no test has more power than the likelihood-ratio
    test that knows this fraction (Neyman and Pearson 1933). The bound is the smallest power over these fractions.

    Args:
        broken: The fraction of examples that fail only with the perturbation.
        fixed: The fraction of examples that fail only when the unchanged example is asked about again.
        limit: The limit, below ``broken − fixed``.
        texts: The number of examples.
    """
    counts = np.arange(texts + 1)
    more, fewer = (each.ravel() for each in np.meshgrid(counts, counts, indexing="ij"))
    more, fewer = more[more + fewer <= texts], fewer[more + fewer <= texts]
    same = texts - more - fewer
    ways = gammaln(texts + 1) - gammaln(more + 1) - gammaln(fewer + 1) - gammaln(same + 1)

    def logs(share: float, excess: float) -> NDArray[np.float64]:
        rest = xlogy(same, 1 - 2 * share - excess)
        likely: NDArray[np.float64] = xlogy(more, share + excess) + xlogy(fewer, share) + rest
        return likely

    true = np.maximum(logs(fixed, broken - fixed), -1e9)  # some tables cannot be

    def power(share: float) -> float:
        at_limit = logs(share, limit)
        order = np.argsort(at_limit - true)
        wrong = np.cumsum(np.exp(ways + at_limit)[order]).searchsorted(LEVEL) + 1  # the last table in part, here whole
        return float(np.exp(ways + true)[order[:wrong]].sum())

    off = 4 * (fixed / texts) ** 0.5
    return float(min(power(fraction) for fraction in np.linspace(max(1e-6, fixed - off / 4), fixed + off, 48)))


def held(
    noise: float, candidates: int, repeat: int, excess: float, *, limit: float = LIMIT, texts: int = TEXTS
) -> Noisy:  # fmt: skip
    """Compute the fractions of runs that pass and fail, by an exact sum over all possible counts.

    In a fraction of the examples, without noise, the model would give all candidates the other label.

    Args:
        noise: The probability that an answer is the other label.
        candidates: The number of candidates of an example.
        repeat: The number of times that the model is asked about the unchanged example again.
        excess: The true excess, see :class:`Noisy`.
        limit: The limit of the check.
        texts: The number of examples.
    """
    answers = min(candidates, repeat)
    firsts = (noise, 1 - noise), (1 - noise, noise)  # a first answer that is a flip, and one that is none

    def fails(differs: float, share: float, number: int) -> float:
        return share * (1 - differs**number) + (1 - share) * (1 - (1 - differs) ** number)

    apart = sum(chance * (fails(differs, 1, answers) - fails(differs, 0, answers)) for chance, differs in firsts)
    fraction, excess = min(1.0, excess / apart), min(excess, apart)
    sides = [(chance, fails(differs, fraction, answers), fails(differs, 0, answers)) for chance, differs in firsts]
    broken = sum(chance * moved * (1 - still) for chance, moved, still in sides)
    fixed = sum(chance * (1 - moved) * still for chance, moved, still in sides)
    most = most_power(broken, fixed, limit, texts) if excess > limit >= LIMIT else 1.0
    ends = _ends(broken, fixed, limit, texts)
    bar = next(number for number in range(texts + 1) if (wilson(number, texts) or (0.0, 1.0))[0] > limit)
    rate = sum(chance * fails(differs, fraction, candidates) for chance, differs in firsts)
    return Noisy(noise, candidates, repeat, excess, *ends, float(bdtrc(bar - 1, texts, rate)), limit, texts, most)


def noisy() -> Sequence[Noisy]:
    """Compute the results for all kinds of checks."""
    return [
        held(noise, candidates, repeat, times * limit, limit=limit, texts=texts)
        for candidates, repeat, limit, texts in KINDS
        for noise in NOISE
        for times in EXCESSES
    ]


def as_markdown(found: Sequence[Noisy]) -> str:
    """Write the results as a section of Markdown.

    Args:
        found: The results.
    """
    return (
        "Each row is a check on a model of two labels each of whose answers is the other one by chance (*noise*): a "
        "sum over all tables. *Excess*: the true one, by as many answers as the smaller of candidates and `repeat`. "
        "*Without*: how often the same check fails without `repeat`. At an excess of 0 a failure is wrong, at one of "
        "the limit either verdict is. *No test has*: what bounds the power of every test of these counts that is wrong "
        "in at most 2.5 % at the limit (Neyman and Pearson's, which knows the true shares).\n\n"
    ) + listed(
        "limit, points | examples | candidates | repeat | noise | excess, points | passed | failed | without | aim",
        "{points[0]:g} | {texts:,} | {candidates} | {repeat} | {noise:g%} | {points[1]:.3g} | {passed:.1f%} | "
        "{failed:.1f%} | {plain:.1f%} | {aim}",
        found,
    )


if __name__ == "__main__":
    write_results(
        f"## Models that answer differently each time\n\n`python -m benchmarks.repeat`. {as_markdown(noisy())}"
    )
