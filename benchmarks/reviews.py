"""Simulated reviews: how often the corrected failure rate is right, and how much an automatic judge narrows it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from robustfim.statistics import ReviewedPart, valid_rate

__all__ = ["JUDGES", "Reviewed", "bound", "reviewed", "reviews", "told"]

TESTED, FAILING, VALID, ANSWERS = 1000, 0.4, 0.5, 60
"""Tested examples, their true failure rate, the share of failures that people call valid, and people's answers."""

RUNS, WIDTHS = 10_000, 500
"""Reviews simulated for coverage; those of them in which the width is compared with that of the answers alone."""

JUDGES = (("accuracy 0.8", 0.8, 0.2), ("biased: accepts too much", 0.95, 0.6))
"""What the judge is, and how often it accepts a valid and an invalid failure."""

AIM_COVERAGE, AIM_WIDTH = 0.94, 0.7


@dataclass(frozen=True)
class Reviewed:
    """What became of many reviews with one judge.

    Attributes:
        judge: What the judge is.
        accepts: How often it accepts a valid failure, and an invalid one.
        runs: Reviews simulated.
        coverage: Share of intervals that hold the true rate of valid failures.
        below: Share in which the truth lies below the interval.
        width: Mean width over that of the answers alone.
        bound: What no method can go below; see :func:`bound`.
    """

    judge: str
    accepts: tuple[float, float]
    runs: int
    coverage: float
    below: float
    width: float
    bound: float


def bound(right: float, wrong: float, valid: float = VALID) -> float:
    """The width that a yes or no on every failure leaves at best of the answers', as long as few are answered.

    A judge leaves the variance of people's answers within what it accepts and within what it rejects; what it takes
    away is that between the two: √(1 − ρ²), with ρ the correlation of the judge's verdict and people's.

    Args:
        right: How often it accepts a valid failure, in [0, 1].
        wrong: How often it accepts an invalid one.
        valid: The share of failures that are valid.
    """
    accepted = valid * right + (1 - valid) * wrong
    covariance = valid * right - valid * accepted
    return float(np.sqrt(1 - covariance**2 / (valid * (1 - valid) * accepted * (1 - accepted))))


def reviewed(judge: str, right: float, wrong: float, *, runs: int = RUNS, widths: int = WIDTHS) -> Reviewed:
    """Simulate reviews with one judge.

    Args:
        judge: What it is.
        right: How often it accepts a valid failure.
        wrong: How often it accepts an invalid one.
        runs: Reviews.
        widths: The first of them, in which the width without the judge is computed, too.
    """
    generator = np.random.default_rng(0)
    true, covered, below = FAILING * VALID, 0, 0
    both, alone = 0.0, 0.0
    for run in range(runs):
        failing = int(generator.binomial(TESTED, FAILING))
        valid = generator.random(failing) < VALID
        accepted = generator.random(failing) < np.where(valid, right, wrong)
        seen = np.arange(failing) < ANSWERS  # in random order already
        parts = [
            ReviewedPart(int(own.sum()), int((own & seen & valid).sum()), int((own & seen & ~valid).sum()))
            for own in (accepted, ~accepted)
        ]
        found = valid_rate(TESTED, parts)
        people = [ReviewedPart(failing, int((seen & valid).sum()), int((seen & ~valid).sum()))]
        if found is None:  # nobody looked at a failure that the judge rejects: it takes no part
            found = valid_rate(TESTED, people)
        assert found is not None  # 60 of some 400 failures are answered
        low, high = found[1]
        covered += low <= true <= high
        below += true < low
        if run < widths:
            unaided = valid_rate(TESTED, people)
            assert unaided is not None  # likewise
            both, alone = both + high - low, alone + unaided[1][1] - unaided[1][0]
    return Reviewed(judge, (right, wrong), runs, covered / runs, below / runs, both / alone, bound(right, wrong))


def reviews() -> list[Reviewed]:
    """Simulate reviews with each judge."""
    return [reviewed(*each) for each in JUDGES]


def told(found: Sequence[Reviewed] | str) -> str:
    """Write the simulation as Markdown.

    Args:
        found: The judges; a string says why there are none.
    """
    if isinstance(found, str):
        return f"Not measured: {found}."
    rows = []
    for each in found:
        met = "met" if each.coverage >= AIM_COVERAGE else "missed"
        aim = f"coverage ≥ {100 * AIM_COVERAGE:.0f} %: {met}"
        if each.judge == "accuracy 0.8":
            aim += f"; width ≤ {AIM_WIDTH:.2f}: {'met' if each.width <= AIM_WIDTH else 'missed'}"
        right, wrong = each.accepts
        shares = [f"{100 * right:.0f} % / {100 * wrong:.0f} %", f"{100 * each.coverage:.2f} %"]
        sides = f"{100 * each.below:.2f} % / {100 * (1 - each.coverage - each.below):.2f} %"
        rows.append([each.judge, *shares, sides, f"{each.width:.2f}", f"{each.bound:.2f}", aim])
    head = ["judge", "accepts valid / invalid", "coverage", "truth below / above", "width", "bound", "aim"]
    lines = [head, ["---"] * len(head), *rows]
    return (
        f"{found[0].runs:,} reviews with each judge: {TESTED:,} tested examples, of which {100 * FAILING:.0f} % fail, "
        f"half of these validly; people answer {ANSWERS} failures drawn at random, the judge says yes or no to all. "
        f"Width: that of the 95 % interval over that of the answers alone, in {WIDTHS} of them. Bound: what a yes or "
        "no on every failure leaves at best of the answers' part of it, √(1 − ρ²) with ρ the correlation of judge and "
        "people. Of a judge that is right 4 times in 5 that is 0.80, and the sampling of the examples comes to it: a "
        "width of 0.70 is beyond any method with such a judge. Verdicts in degrees, or more often right, can give it."
        "\n\n" + "\n".join(f"| {' | '.join(line)} |" for line in lines)
    )
