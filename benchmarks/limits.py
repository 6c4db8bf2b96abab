"""Limits for valid failures, and those that ``init`` writes: how often each says what is not so, and what it sees."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from scipy.stats import binom

from robustfim.outcome import Outcome
from robustfim.statistics import ReviewCounts, corrected, tail, valid_limit

__all__ = [
    "FirstDay",
    "Limits",
    "Reviewed",
    "limits",
    "simulate_first_day",
    "simulate_reviewed",
    "smallest_limit",
    "told",
]

TESTED = 300
FAILING = 0.3
VALID = (0.02, 0.05, 0.2, 0.5, 0.8, 0.95, 0.98)
ANSWERS = (20, 60, 200)
AIM = 0.03
"""The most wrong verdicts on each side of a limit for valid failures."""

SIZES = (100, 400, 1000)
RATES = (0.02, 0.05, 0.15)
WORSE = (1.0, 1.5, 2.0, 3.0)


@dataclass(frozen=True)
class Reviewed:
    """Checks whose rate of valid failures is just their limit.

    Attributes:
        valid: Share of the failures that are valid.
        answers: Failures that people looked at, drawn at random.
        runs: Checks simulated.
        passed: Share of them that passes.
        failed: Share that fails.
    """

    valid: float
    answers: int
    runs: int
    passed: float
    failed: float


@dataclass(frozen=True)
class FirstDay:
    """A limit that was measured, and a model that fails so many times as often on as many examples anew.

    Attributes:
        tested: Examples of the measurement, and of each run after it.
        rate: The failure rate of the model that was measured.
        worse: How many times as often the new model fails.
        passed: The chance that its check passes.
        failed: The chance that it is proved to fail.
    """

    tested: int
    rate: float
    worse: float
    passed: float
    failed: float


@dataclass(frozen=True)
class Limits:
    """Both.

    Attributes:
        reviewed: Limits for valid failures.
        first_day: Limits that were measured.
    """

    reviewed: Sequence[Reviewed]
    first_day: Sequence[FirstDay]


def simulate_reviewed(valid: float, answers: int, runs: int, *, seed: int = 0) -> Reviewed:
    """Draw checks whose rate of valid failures is just their limit, and people's answers on some failures.

    Args:
        valid: As in :class:`Reviewed`.
        answers: Likewise.
        runs: Likewise.
        seed: Seeds the draws.
    """
    random, sides = np.random.default_rng(seed), Counter[Outcome]()
    judged = cache(lambda *counts: valid_limit(TESTED, ReviewCounts(*counts), FAILING * valid).side)
    for _ in range(runs):
        failing = int(random.binomial(TESTED, FAILING))
        looked = min(answers, failing)
        kept = int(random.binomial(looked, valid))
        sides[judged(failing, kept, looked - kept)] += 1
    return Reviewed(valid, answers, runs, sides[Outcome.PASSED] / runs, sides[Outcome.FAILED] / runs)


@cache
def _side(failing: int, tested: int, limit: float) -> Outcome:
    """The verdict on one check."""
    return corrected([tail(failing, tested, limit)])[0].side


@cache
def smallest_limit(failing: int, tested: int) -> float:
    """Find the limit that ``init`` writes: the smallest whole percentage that the measurement passes.

    Args:
        failing: Failing examples of the measurement.
        tested: Its tested examples.
    """
    passed = (each / 100 for each in range(1, 99) if _side(failing, tested, each / 100) is Outcome.PASSED)
    return next(passed, 0.99)


def simulate_first_day(tested: int, rate: float, worse: float) -> FirstDay:
    """Sum over all that a measurement may find, and over all that a run after it may.

    Args:
        tested: As in :class:`FirstDay`.
        rate: Likewise.
        worse: Likewise.
    """
    counts = np.arange(tested + 1)
    before, after = binom.pmf(counts, tested, rate), binom.pmf(counts, tested, worse * rate)
    chances = {Outcome.PASSED: 0.0, Outcome.FAILED: 0.0, Outcome.INCONCLUSIVE: 0.0}
    for failing in counts[before > 1e-9]:
        limit = smallest_limit(int(failing), tested)
        for again in counts[after > 1e-9]:
            chances[_side(int(again), tested, limit)] += float(before[failing] * after[again])
    return FirstDay(tested, rate, worse, chances[Outcome.PASSED], chances[Outcome.FAILED])


def limits(runs: int = 2000) -> Limits:
    """Simulate limits for valid failures, and sum up what measured limits see.

    Args:
        runs: Checks of each kind with people's answers.
    """
    return Limits(
        [simulate_reviewed(valid, answers, runs) for valid in VALID for answers in ANSWERS],
        [simulate_first_day(tested, rate, worse) for tested in SIZES for rate in RATES for worse in WORSE],
    )


def told(found: Limits | str) -> str:
    """Write the section of RESULTS.md.

    Args:
        found: What was simulated; a string says why nothing was.
    """
    if isinstance(found, str):
        return f"Not measured: {found}."
    runs = found.reviewed[0].runs
    error = 100 * math.sqrt(AIM * (1 - AIM) / runs)
    lines = [
        f"Limits for valid failures: {runs:,} checks of each kind, {TESTED} examples tested, {100 * FAILING:g} % of "
        "them failing, and just as many validly as the limit allows; people looked at some failures, drawn at random "
        f"(of fewer failures, at all). Stated: at most {100 * AIM:g} % of verdicts wrong on either side "
        f"(Monte-Carlo error {error:.1f} points).",
        "",
        "| valid, of the failures | looked at | passed | failed | aim |",
        "| --- | --- | --- | --- | --- |",
    ]
    for each in found.reviewed:
        met = "met" if max(each.passed, each.failed) <= AIM else "missed"
        lines.append(
            f"| {100 * each.valid:g} % | {each.answers} | {100 * each.passed:.1f} % | {100 * each.failed:.1f} % | "
            f"{met} |"
        )
    lines += [
        "",
        "Limits that `init` writes: measured on so many examples at a failure rate, then a model that fails so many "
        "times as often on as many examples drawn anew. Exact sums over all counts of both, one check; the rest ends "
        "undecided.",
        "",
        "| examples | rate when measured | times as often | passed | failed |",
        "| --- | --- | --- | --- | --- |",
    ]
    lines += [
        f"| {each.tested:,} | {100 * each.rate:g} % | {each.worse:g} | {100 * each.passed:.1f} % | "
        f"{100 * each.failed:.1f} % |"
        for each in found.first_day
    ]
    return "\n".join(lines)
