"""Budgets: how many examples a check draws until its verdict is certain, and how often it is ever wrong."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from robustfim.outcome import Outcome
from robustfim.statistics import LEVEL, evidence, examples_to_decide

__all__ = ["Stopped", "simulate_stopping", "stopping", "told"]

MOST = 3000
"""Examples after which a run has to end."""
LOOKS = (1, 32)
"""Examples between two looks: every one, and as a run looks."""
RATES = {0.02: (0.0, 0.005, 0.01, 0.02, 0.03, 0.04, 0.1), 0.15: (0.05, 0.1, 0.15, 0.2, 0.3)}
"""True rates by limit."""
AIMS = {(0.02, 0.005): 560, (0.02, 0.04): 560}
"""Tested examples in the mean, at most, with a look at every example."""


@dataclass(frozen=True)
class Stopped:
    """Runs of one check that stop when its verdict is certain.

    Attributes:
        limit: The limit.
        rate: The true failure rate.
        look: Examples between two looks.
        runs: Runs simulated.
        tested: Tested examples: the mean, the median, the 90th percentile; of an undecided run, all there are.
        passed: Share of the runs that pass.
        failed: Share that fails.
    """

    limit: float
    rate: float
    look: int
    runs: int
    tested: tuple[float, float, float]
    passed: float
    failed: float

    @property
    def bound(self) -> float | None:
        """Log 40 over the divergence of the rate from the limit: what one who knows the rate needs (Wald 1947)."""
        if self.rate == self.limit:
            return None
        fails = self.rate * math.log(self.rate / self.limit) if self.rate else 0.0
        holds = (1 - self.rate) * math.log((1 - self.rate) / (1 - self.limit))
        return -math.log(LEVEL) / (fails + holds)

    @property
    def at_once(self) -> int | None:
        """Tested examples with which one look at the end decides in 80 % of cases."""
        return examples_to_decide(self.rate, 0, self.limit)


@cache
def _enough(limit: float, side: Outcome) -> tuple[int, ...]:
    """For 1 to :data:`MOST` tested examples, the count of failing ones that is certain; −1 where none is."""
    found, count = [], -1 if side is Outcome.PASSED else 1
    for tested in range(1, MOST + 1):
        if side is Outcome.PASSED:
            while evidence(count + 1, tested, limit, side) >= -math.log(LEVEL):
                count += 1
        else:
            while evidence(count, tested, limit, side) < -math.log(LEVEL):
                count += 1
        found.append(count)
    return tuple(found)


def simulate_stopping(limit: float, rate: float, look: int, runs: int, *, seed: int = 0) -> Stopped:
    """Draw examples one by one until a look decides.

    Args:
        limit: As in :class:`Stopped`.
        rate: Likewise.
        look: Likewise.
        runs: Likewise.
        seed: Seeds the draws.
    """
    counts = (np.random.default_rng(seed).random((runs, MOST)) < rate).cumsum(axis=1, dtype=np.int32)
    looked = np.arange(look, MOST + 1, look) - 1
    first = {}
    for side in (Outcome.PASSED, Outcome.FAILED):
        enough = np.array(_enough(limit, side))[looked]
        certain = counts[:, looked] <= enough if side is Outcome.PASSED else counts[:, looked] >= enough
        first[side] = np.where(certain.any(axis=1), looked[certain.argmax(axis=1)] + 1, MOST + 1)
    passed, failed = first[Outcome.PASSED], first[Outcome.FAILED]
    tested = np.minimum(np.minimum(passed, failed), MOST)
    summary = float(tested.mean()), float(np.median(tested)), float(np.quantile(tested, 0.9))
    sides = float((passed < np.minimum(failed, MOST + 1)).mean()), float((failed < np.minimum(passed, MOST + 1)).mean())
    return Stopped(limit, rate, look, runs, summary, *sides)


def stopping(runs: int = 10_000) -> Sequence[Stopped]:
    """Simulate all rates and looks.

    Args:
        runs: Runs of each.
    """
    return [
        simulate_stopping(limit, rate, look, runs) for limit, rates in RATES.items() for rate in rates for look in LOOKS
    ]


def told(found: Sequence[Stopped] | str) -> str:
    """Write the section of RESULTS.md.

    Args:
        found: What was simulated; a string says why nothing was.
    """
    if isinstance(found, str):
        return f"Not measured: {found}."
    lines = [
        f"{found[0].runs:,} runs of one check for each row, which draws independent examples until its verdict is "
        f"certain at 2.5 % on its side, {MOST:,} at most. *Bound*: what one who knows the true rate needs in the mean "
        "(log 40 over the divergence of the rate from the limit). *At once*: examples with which a single look at the "
        "end decides in 80 % of cases. At the limit itself a verdict on either side is wrong: stated, at most 2.5 % "
        "each.",
        "",
        "| limit | true rate | look every | tested, mean | median | 90 % | bound | at once | passed | failed | aim |",
        "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |",
    ]
    for each in found:
        mean, median, most = each.tested
        bound, at_once, aim = each.bound, each.at_once, AIMS.get((each.limit, each.rate)) if each.look == 1 else None
        met = "" if aim is None else f"≤ {aim}: {'met' if mean <= aim else 'missed'}"
        if each.rate == each.limit:
            met = f"≤ 2.5 % each: {'met' if max(each.passed, each.failed) <= LEVEL else 'missed'}"
        lines.append(
            f"| {100 * each.limit:g} % | {100 * each.rate:g} % | {each.look} | {mean:,.0f} | {median:,.0f} | "
            f"{most:,.0f} | {'–' if bound is None else f'{bound:,.0f}'} | "
            f"{'–' if at_once is None else f'{at_once:,}'} | {100 * each.passed:.1f} % | {100 * each.failed:.1f} % | "
            f"{met} |"
        )
    return "\n".join(lines)
