"""The exit code as a test: how often a run ends with 0, 1 and 6."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from scipy.stats import binom

from benchmarks.releases import gate
from robustfim.outcome import Outcome
from robustfim.statistics import Stratum, corrected, stratified_tail, tail

__all__ = ["Arms", "Exits", "Trap", "arms", "exits", "simulate", "simulate_arms", "told", "trap"]

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
    """What became of many runs of one kind.

    Attributes:
        checks: Checks of a run, independent of each other.
        tested: Examples of each, drawn from the population.
        ratio: The true failure rate over the limit.
        others: That of all checks but the first; the same where all are alike.
        baseline: Whether each is compared with an equal model, too.
        runs: Simulated runs.
        codes: The shares that end with 0, 1 and 6.
    """

    checks: int
    tested: int
    ratio: float
    others: float
    baseline: bool
    runs: int
    codes: tuple[float, float, float]

    @property
    def aim(self) -> str:
        """The stated bounds, as far as they are for such runs."""
        proved, refuted, _ = self.codes
        aims = []
        if self.ratio >= 1:
            aims.append(f"0 ≤ 5 %: {'met' if proved <= AIM else 'missed'}")
        if max(self.ratio, self.others) <= 1:
            aims.append(f"1 ≤ 5 %: {'met' if refuted <= AIM else 'missed'}")
        return "; ".join(aims)


@dataclass(frozen=True)
class Trap:
    """Files that are tested whole, of a population whose rate is just the limit.

    Attributes:
        size: Examples of a file.
        limit: The limit.
        population: The share of files that pass as what they were drawn from.
        file: The share that pass with ``of: file``.
    """

    size: int
    limit: float
    population: float
    file: float


def simulate(
    checks: int, tested: int, ratio: float, others: float, runs: int, *, baseline: bool = False, seed: int = 0
) -> Exits:
    """Simulate runs, and judge each as the product does.

    Args:
        checks: As in :class:`Exits`.
        tested: Likewise.
        ratio: Likewise.
        others: Likewise.
        runs: Likewise.
        baseline: Whether each is compared with a model that breaks and fixes 1 % of the examples of each check and of
            the right answers, at a margin of 2 points.
        seed: Seeds them.
    """
    random = np.random.default_rng(seed)
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
    shares = (codes[0] / runs, codes[1] / runs, codes[2] / runs)
    return Exits(checks, tested, ratio, others, baseline, runs, shares)


@dataclass(frozen=True)
class Arms:
    """What became of many runs of one check on a difficult and a control arm, under one limit of the population.

    Attributes:
        difficult: Examples of the file with the highest scores, all tested.
        control: Examples drawn from the rest.
        ratio: The true failure rate of the population over the limit.
        runs: Simulated runs.
        codes: The shares that end with 0, 1 and 6.
        pooled: The shares of the same runs if the arms were counted together.
    """

    difficult: int
    control: int
    ratio: float
    runs: int
    codes: tuple[float, float, float]
    pooled: tuple[float, float, float]


def simulate_arms(difficult: int, control: int, ratio: float, runs: int, *, seed: int = 0) -> Arms:
    """Draw files from a population, and test their hardest examples and some of the rest.

    Args:
        difficult: As in :class:`Arms`.
        control: Likewise.
        ratio: Likewise.
        runs: Likewise.
        seed: Seeds them.
    """
    random = np.random.default_rng(seed)
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
    shares, wrong = ((counts[0] / runs, counts[1] / runs, counts[2] / runs) for counts in (codes, pooled))
    return Arms(difficult, control, ratio, runs, shares, wrong)


def arms(runs: int = 1000) -> list[Arms]:
    """Simulate small and large control arms, at half the limit, at it, and above.

    Args:
        runs: Runs of each kind.
    """
    sizes = ((100, 100), (100, 400), (100, 1000))
    return [simulate_arms(*size, ratio, runs) for size in sizes for ratio in (0.5, 1.0, 2.0)]


def exits(runs: int = 2000) -> list[Exits]:
    """Simulate all checks alike, one bad among good ones, and the same with a baseline.

    Args:
        runs: Runs of each kind.
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
    """Judge all the files that a population just at its limit may give as both: exact sums over their counts."""
    found = []
    for limit in (0.02, 0.05, 0.1):
        size = 480
        # Files with more than twice as many failures as the limit allows pass as neither.
        counts = range(round(2 * limit * size))
        shares = binom.pmf(counts, size, limit)
        whole = [[Stratum(size, size, size, count)] for count in counts]
        passed = [
            [tail(count, size, limit).side is Outcome.PASSED for count in counts],
            [stratified_tail(strata, limit, of_file=True).side is Outcome.PASSED for strata in whole],
        ]
        population, file = (float(np.dot(sides, shares)) for sides in passed)
        found.append(Trap(size, limit, population, file))
    return found


def told(found: Sequence[Exits] | str, armed: Sequence[Arms] = (), traps: Sequence[Trap] = ()) -> str:
    """Write the result.

    Args:
        found: What was simulated; a string says why nothing was.
        armed: Runs on two arms.
        traps: The files of a population at its limit.
    """
    if isinstance(found, str):
        return f"Not measured: {found}."
    error = 50 / math.sqrt(min(each.runs for each in found if not each.baseline))
    larger = 50 / math.sqrt(min(each.runs for each in found))
    lines = [
        f"{found[0].runs:,} runs of each kind, judged by the functions that judge a run: independent checks, each with "
        f"a limit of {100 * LIMIT:g} % on examples of its own, drawn from the population; with a baseline the model is "
        f"equal to it, changes {100 * CHURN:g} % each way in each check and in the answers, and the margin is "
        f"{100 * MARGIN:g} points. Monte-Carlo error of a share at most {error:.1f} points, {larger:.1f} with a "
        "baseline. Stated: a run ends with 0 in at most 5 % where a true rate is at its limit or above, and with 1 in "
        "at most 5 % where none is above.",
        "",
        "| checks | examples each | true rate / limit | of the others | baseline | 0 | 6 | 1 | aim |",
        "| --- | --- | --- | --- | --- | --- | --- | --- | --- |",
    ]
    for each in found:
        proved, refuted, inconclusive = (f"{100 * share:.1f} %" for share in each.codes)
        others = "–" if each.checks == 1 else f"{each.others:g}"
        cells = [each.checks, each.tested, f"{each.ratio:g}", others, "equal" if each.baseline else "–"]
        lines.append(f"| {' | '.join(map(str, [*cells, proved, inconclusive, refuted, each.aim]))} |")
    if armed:
        worst = 50 / math.sqrt(armed[0].runs)
        lines += [
            "",
            f"One check on two arms of a file of {FILE:,}, {armed[0].runs:,} runs of each kind (Monte-Carlo error at "
            f"most {worst:.1f} points): the examples with the highest scores and a sample of the rest, where failures "
            f"gather at high scores. The limit of {100 * LIMIT:g} % is one of the population; beside it what counting "
            "both arms together would say. Bounds as above, each at 2.5 %.",
            "",
            "| difficult | control | true rate / limit | 0 | 6 | 1 | aim | 0, counted together | 1 |",
            "| --- | --- | --- | --- | --- | --- | --- | --- | --- |",
        ]
    for case in armed:
        bounds = [
            f"{code} ≤ 2.5 %: {'met' if share <= 0.025 else 'missed'}"
            for code, share, applies in ((0, case.codes[0], case.ratio >= 1), (1, case.codes[1], case.ratio <= 1))
            if applies
        ]
        numbers = [f"{100 * share:.1f} %" for share in (case.codes[0], case.codes[2], case.codes[1])]
        together = [f"{100 * share:.1f} %" for share in case.pooled[:2]]
        cells = [case.difficult, case.control, f"{case.ratio:g}", *numbers, "; ".join(bounds), *together]
        lines.append(f"| {' | '.join(map(str, cells))} |")
    lines += [
        "",
        "Files that are tested whole, of a population whose rate is just the limit: the share that passes, by exact "
        "sums over all counts. `of: file` asks another question, and says so.",
        "",
        "| examples of the file | limit | passed, of the population | passed, `of: file` | aim |",
        "| --- | --- | --- | --- | --- |",
    ]
    lines += [
        f"| {each.size} | {100 * each.limit:g} % | {100 * each.population:.1f} % | {100 * each.file:.1f} % | "
        f"of the population ≤ 2.5 %: {'met' if each.population <= 0.025 else 'missed'} |"
        for each in traps
    ]
    return "\n".join(lines)
