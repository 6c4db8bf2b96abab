"""Simulates how often a run ends with exit code 0, 1 and 6, and how often the code is wrong."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from scipy.stats import binom

from benchmarks.releases import gate
from benchmarks.sections import listed, verdict
from robustfim.outcome import Outcome
from robustfim.statistics import LEVEL, Stratum, corrected, stratified_tail, tail

__all__ = ["Arms", "Exits", "Trap", "arms", "as_markdown", "exits", "simulate", "simulate_arms", "trap"]

LIMIT = 0.1
MARGIN = 0.02
CHURN = 0.01
AIM = 0.05
CHECKS = (1, 5, 10, 20)
SIZES = (50, 150, 500, 1500)
RATIOS = (0.5, 0.8, 1.0, 1.2, 2.0, 3.0)
FILE = 2000
STEEPNESS = 4
"""How failures gather where a score is high: an example at the quantile u fails with a chance ∝ u⁴."""

_compare = cache(tail)


@dataclass(frozen=True)
class Exits:
    """The exit codes of many simulated runs of one kind.

    Attributes:
        checks: The number of checks of a run, which are independent of each other.
        tested: The number of examples of each check, drawn from the population.
        ratio: The true failure rate of the first check, divided by the limit.
        others: The true failure rate of each other check, divided by the limit.
        baseline: Whether each run is also compared with an equal model.
        runs: The number of simulated runs.
        codes: The fractions of runs that end with exit code 0, 1 and 6.
    """

    checks: int
    tested: int
    ratio: float
    others: float
    baseline: bool
    runs: int
    codes: tuple[float, float, float]

    @property
    def others_failing(self) -> float | None:
        """``others``; None for a run of one check."""
        return None if self.checks == 1 else self.others

    @property
    def compared(self) -> str | None:
        """The baseline's kind; None without a baseline."""
        return "equal" if self.baseline else None

    @property
    def aim(self) -> str:
        """A sentence with the bounds that apply to these runs, and whether they are met."""
        return _aims(self.codes, (self.ratio >= 1, max(self.ratio, self.others) <= 1), AIM)


def _aims(codes: Sequence[float], applies: tuple[bool, bool], most: float) -> str:
    """Say of exit codes 0 and 1 whether their fractions keep a bound, where it applies."""
    held = enumerate(zip(codes, applies, strict=False))
    return "; ".join(f"{code} ≤ {100 * most:g} %: {verdict(share <= most)}" for code, (share, wrong) in held if wrong)


@dataclass(frozen=True)
class Trap:
    """How often a file passes that was drawn from a population whose failure rate equals the limit.

    Every example of the file is tested.

    Attributes:
        size: The number of examples of a file.
        limit: The limit.
        population: The fraction of files that pass if the verdict is about the population.
        file: The fraction of files that pass if the verdict is about the file (``of: file``).
    """

    size: int
    limit: float
    population: float
    file: float

    @property
    def met(self) -> bool:
        """Whether few enough files pass as samples of the population."""
        return self.population <= LEVEL


def simulate(checks: int, tested: int, ratio: float, others: float, runs: int, *, baseline: bool = False) -> Exits:
    """Simulate runs, and compute the exit code of each run as robustfim does.

    Args:
        checks: The number of checks of a run.
        tested: The number of examples of each check.
        ratio: The true failure rate of the first check, divided by the limit.
        others: The true failure rate of each other check, divided by the limit.
        runs: The number of runs.
        baseline: Whether each run is compared, at a margin of 2 points, with a model that breaks and repairs 1 % of the
            examples of each check and of the correct answers.
    """
    random = np.random.default_rng(0)
    rates = LIMIT * np.array([ratio] + [others] * (checks - 1))
    replace = refused = np.zeros(runs, dtype=bool)
    if baseline:
        # The first column is the accuracy, of which a tenth is wrong; robust is what no column fails.
        ends = np.concatenate([[LIMIT], rates])
        fails: list[Any] = []
        broken: list[Any] = []
        fixed: list[Any] = []
        for _ in range(runs):
            drawn = random.random((tested, checks + 1))
            now = drawn < ends
            was = (drawn >= CHURN) & (drawn < ends + CHURN)
            fails.append(now[:, 1:].sum(axis=0))
            for counts, first, second in ((broken, now, was), (fixed, was, now)):
                whole = (first.any(axis=1) & ~second.any(axis=1)).sum()
                counts.append(np.insert((first & ~second).sum(axis=0), 1, whole))
        failing = np.array(fails)
        replace, refused, _ = gate(np.array(broken), np.array(fixed), tested, MARGIN)
    else:
        failing = random.binomial(tested, rates, (runs, checks))
        replace = ~refused
    codes = [0, 0, 0]
    for row, may, worse in zip(failing.tolist(), replace, refused, strict=True):
        sides = [found.side for found in corrected([_compare(count, tested, LIMIT) for count in row])]
        proved = may and all(side is Outcome.PASSED for side in sides)
        codes[1 if worse or Outcome.FAILED in sides else 0 if proved else 2] += 1
    fractions = (codes[0] / runs, codes[1] / runs, codes[2] / runs)
    return Exits(checks, tested, ratio, others, baseline, runs, fractions)


@dataclass(frozen=True)
class Arms:
    """The exit codes of many runs of one check on two arms: difficult examples, and random control examples.

    Attributes:
        difficult: The number of examples with the highest scores, which are all tested.
        control: The number of examples drawn from the rest of the file.
        ratio: The true failure rate of the population, divided by the limit.
        runs: The number of simulated runs.
        codes: The fractions of runs that end with exit code 0, 1 and 6.
        pooled: The same fractions if the two arms are wrongly counted together, without weights.
    """

    difficult: int
    control: int
    ratio: float
    runs: int
    codes: tuple[float, float, float]
    pooled: tuple[float, float, float]

    @property
    def aim(self) -> str:
        """A sentence with the bounds that apply to these runs, and whether they are met."""
        return _aims(self.codes, (self.ratio >= 1, self.ratio <= 1), LEVEL)


def simulate_arms(difficult: int, control: int, ratio: float, runs: int) -> Arms:
    """Draw files from a population, and test the hardest examples of each file and a random sample of the rest.

    Args:
        difficult: The number of hardest examples.
        control: The number of examples drawn from the rest.
        ratio: The true failure rate of the population, divided by the limit.
        runs: The number of files.
    """
    random = np.random.default_rng(0)
    codes, pooled = [0, 0, 0], [0, 0, 0]
    place = {Outcome.PASSED: 0, Outcome.FAILED: 1, Outcome.INCONCLUSIVE: 2}
    for _ in range(runs):
        quantiles = np.sort(random.random(FILE))
        fails = random.random(FILE) < ratio * LIMIT * (1 + STEEPNESS) * quantiles**STEEPNESS
        hard = int(fails[FILE - difficult :].sum())
        rest = int(random.choice(fails[: FILE - difficult], control, replace=False).sum())
        strata = [Stratum(difficult, difficult, difficult, hard), Stratum(FILE - difficult, control, control, rest)]
        codes[place[stratified_tail(strata, LIMIT).side]] += 1
        pooled[place[_compare(hard + rest, difficult + control, LIMIT).side]] += 1
    fractions, wrong = ((counts[0] / runs, counts[1] / runs, counts[2] / runs) for counts in (codes, pooled))
    return Arms(difficult, control, ratio, runs, fractions, wrong)


def arms(runs: int = 1000) -> list[Arms]:
    """Simulate small and large control arms, with failure rates of half the limit, the limit, and twice the limit.

    Args:
        runs: The number of runs of each kind.
    """
    sizes = ((100, 100), (100, 400), (100, 1000))
    return [simulate_arms(*size, ratio, runs) for size in sizes for ratio in (0.5, 1.0, 2.0)]


def exits(runs: int = 2000) -> list[Exits]:
    """Simulate suites of equal checks, suites with one bad check, and suites with a baseline.

    Args:
        runs: The number of runs of each kind.
    """
    return list(_kinds(runs))


def _kinds(runs: int) -> Iterator[Exits]:
    for checks in CHECKS:
        for tested in SIZES:
            for ratio in RATIOS:
                yield simulate(checks, tested, ratio, ratio, runs)
    for ratio in RATIOS[2:]:
        yield simulate(10, 500, ratio, 0.5, runs)
    for checks, tested in ((1, 300), (10, 300), (10, 1000)):
        for ratio in (0.5, 1.0, 2.0):
            yield simulate(checks, tested, ratio, ratio, runs // 4, baseline=True)


def trap() -> list[Trap]:
    """Compute exactly how often files pass that are drawn from a population whose failure rate equals the limit.

    The files are judged once as samples of the population and once with ``of: file``.
    """
    found = []
    for limit in (0.02, 0.05, 0.1):
        size = 480
        # Files with more than twice as many failures as the limit allows pass as neither.
        counts = range(round(2 * limit * size))
        fractions = binom.pmf(counts, size, limit)
        whole = [[Stratum(size, size, size, count)] for count in counts]
        passed = [
            [tail(count, size, limit).side is Outcome.PASSED for count in counts],
            [stratified_tail(strata, limit, of_file=True).side is Outcome.PASSED for strata in whole],
        ]
        population, file = (float(np.dot(sides, fractions)) for sides in passed)
        found.append(Trap(size, limit, population, file))
    return found


def as_markdown(found: Sequence[Exits], armed: Sequence[Arms] = (), traps: Sequence[Trap] = ()) -> str:
    """Write the results as a section of Markdown.

    Args:
        found: The simulations.
        armed: The simulations of runs on two arms.
        traps: The results for files of a population whose failure rate equals the limit.
    """
    error = 50 / math.sqrt(min(each.runs for each in found if not each.baseline))
    larger = 50 / math.sqrt(min(each.runs for each in found))
    parts = [
        f"{found[0].runs:,} runs of each kind, judged by the functions that judge a run: independent checks, each with "
        f"a limit of {100 * LIMIT:g} % on examples of its own, drawn from the population; with a baseline the model is "
        f"equal to it, changes {100 * CHURN:g} % each way in each check and in the answers, and the margin is "
        f"{100 * MARGIN:g} points. Monte-Carlo error of a share at most {error:.1f} points, {larger:.1f} with a "
        "baseline. Stated: a run ends with 0 in at most 5 % where a true rate is at its limit or above, and with 1 in "
        "at most 5 % where none is above.",
        listed(
            "checks | examples each | true rate / limit | of the others | baseline | 0 | 6 | 1 | aim",
            "{checks} | {tested} | {ratio:g} | {others_failing:g} | {compared} | {codes[0]:.1f%} | {codes[2]:.1f%} | "
            "{codes[1]:.1f%} | {aim}",
            found,
        ),
    ]
    if armed:
        worst = 50 / math.sqrt(armed[0].runs)
        parts += [
            f"One check on two arms of a file of {FILE:,}, {armed[0].runs:,} runs of each kind (Monte-Carlo error at "
            f"most {worst:.1f} points): the examples with the highest scores and a sample of the rest, where failures "
            f"gather at high scores. The limit of {100 * LIMIT:g} % is one of the population; beside it what counting "
            "both arms together would say. Bounds as above, each at 2.5 %.",
            listed(
                "difficult | control | true rate / limit | 0 | 6 | 1 | aim | 0, counted together | 1",
                "{difficult} | {control} | {ratio:g} | {codes[0]:.1f%} | {codes[2]:.1f%} | {codes[1]:.1f%} | {aim} | "
                "{pooled[0]:.1f%} | {pooled[1]:.1f%}",
                armed,
            ),
        ]
    parts += [
        "Files that are tested whole, of a population whose rate is just the limit: the share that passes, by exact "
        "sums over all counts. `of: file` asks another question, and says so.",
        listed(
            "examples of the file | limit | passed, of the population | passed, `of: file` | aim",
            "{size} | {limit:g%} | {population:.1f%} | {file:.1f%} | of the population ≤ 2.5 %: {met}",
            traps,
        ),
    ]
    return "\n\n".join(parts)
