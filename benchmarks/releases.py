"""Simulated releases: how often an equal model may replace its baseline, and how often a worse model is detected."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from scipy.special import betainc
from scipy.stats import binom

from benchmarks.sections import listed, table, verdict
from robustfim.statistics import CONFIDENCE, Z, paired_scores, stratified_pairs

__all__ = [
    "AIMS",
    "Kind",
    "Released",
    "Releases",
    "Simulated",
    "arms",
    "as_markdown",
    "exact_no_worse",
    "gate",
    "released",
    "releases",
    "simulate",
]  # fmt: skip

REACH = (1.0, 1.0, 0.6, 0.4, 0.3, 0.2, 0.1, 0.1, 0.05, 0.05)
"""Share of the texts that each check reaches."""
WRONG, BREAKS = 0.14, 0.06
"""Share that a model answers wrongly, and of the right ones that a check reaches, those that it breaks."""
ROBUST = (1 - WRONG) * float(np.prod([1 - BREAKS * fraction for fraction in REACH]))
"""Share of the rows on which a model is right and that no check breaks."""
AIMS = {"equal": 0.95, "worse": 0.025, "planted": 0.9, "refused": 0.025}
_BLOCK = 100
Counts = Any
"""An array of whole numbers ``[runs, 2 + checks]``: accuracy, robust accuracy, then each check."""


@dataclass(frozen=True)
class Kind:
    """A kind of simulated model that is to replace its baseline.

    Attributes:
        name: The kind, in words.
        rows: The number of labelled examples.
        margin: The tolerated loss.
        churn: The fraction of the answers, and of the texts of each check, whose result changes in an equal model.
        accuracy: The further fraction of the rows that the model gets wrong.
        check: The check in which the model is worse, and the further fraction of the check's texts that break.
        aim: The key of the aim in ``AIMS``; "" without an aim.
    """

    name: str
    rows: int
    margin: float
    churn: float
    accuracy: float = 0.0
    check: tuple[int, float] | None = None
    aim: str = ""


@dataclass(frozen=True)
class Simulated:
    """The counts of examples in many releases.

    Attributes:
        lost: The number of examples that are right (or right and not broken) with the baseline only.
        won: The number of examples that are right (or right and not broken) with the new model only.
        matched: The number of compared examples; for a check, the examples that it has candidates for.
    """

    lost: Counts
    won: Counts
    matched: Counts


@dataclass(frozen=True)
class Released:
    """The results of many simulated releases of one kind.

    Attributes:
        kind: The kind of model.
        runs: The number of simulated releases.
        differs: The mean fraction of rows on which the robust correctness of the two models differs.
        proven: The fraction of releases in which the model may replace the baseline.
        refused: The fraction of releases that end with exit code 1; all other releases end with 6.
        found: The fraction of releases in which the check that got worse is named.
        reference: The fraction of releases that exact tests decide. For equal models, both tests show no loss. For a
            planted loss, McNemar's test of the check rejects at the first level of Holm's procedure over the checks.
    """

    kind: Kind
    runs: int
    differs: float
    proven: float
    refused: float
    found: float
    reference: float

    @property
    def rest(self) -> float:
        """The fraction of releases that end with exit code 6."""
        return 1 - self.proven - self.refused

    @property
    def named(self) -> float | None:
        """``found``; None if no check got worse."""
        return None if self.kind.check is None else self.found

    @property
    def points(self) -> float:
        """The margin in percentage points."""
        return 100 * self.kind.margin

    @property
    def verdict(self) -> str:
        """The aim for this kind of model and whether the aim is met, as text; empty without an aim."""
        if self.kind.aim == "equal":
            return f"≥ .95 × exact: {verdict(self.proven >= AIMS['equal'] * self.reference)}"
        if self.kind.aim == "planted":
            return f"≥ .9 × exact: {verdict(self.found >= AIMS['planted'] * self.reference)}"
        if self.kind.aim == "worse":
            return f"≤ 2.5 % replace: {verdict(self.proven <= AIMS['worse'])}"
        return ""


def simulate(kind: Kind, runs: int, seed: int) -> Simulated:
    """Simulate releases, example by example.

    Args:
        kind: The kind of the new model.
        runs: The number of releases.
        seed: The seed of the simulation.
    """
    random = np.random.default_rng(seed)
    found: list[tuple[Counts, Counts, Counts]] = []
    reach = np.array(REACH)
    for start in range(0, runs, _BLOCK):
        shape = (min(_BLOCK, runs - start), kind.rows)

        def changed(rate: float, loss: float, size: tuple[int, ...]) -> tuple[Counts, Counts]:
            """Whether an example fails before and now: as often, but for the loss, and changed in so many cases."""
            drawn = random.random(size, dtype=np.float32)
            each = kind.churn / 2
            now = (drawn < each + loss) | ((drawn >= 2 * each + loss) & (drawn < each + loss + rate))
            return (drawn >= each + loss) & (drawn < each + loss + rate), now

        was_wrong, now_wrong = changed(WRONG, kind.accuracy, shape)
        reached = random.random((*shape, len(reach)), dtype=np.float32) < reach
        was_broken, now_broken = changed(BREAKS, 0.0, reached.shape)
        if kind.check is not None:
            place, loss = kind.check
            more = random.random(shape, dtype=np.float32) < loss
            now_broken[..., place] |= more
        was = was_wrong[..., None] | (was_broken & reached)
        now = now_wrong[..., None] | (now_broken & reached)
        columns = [
            (was_wrong, now_wrong, np.ones(shape, bool)),
            (was.any(axis=2), now.any(axis=2), np.ones(shape, bool)),
        ]
        columns += [(was[..., place], now[..., place], reached[..., place]) for place in range(len(reach))]
        old, new, known = (np.stack(each, axis=2) for each in zip(*columns, strict=True))
        lost, won, matched = ((known & each).sum(axis=1) for each in (new & ~old, old & ~new, known))
        found.append((lost, won, matched))
    return Simulated(*(np.concatenate(each) for each in zip(*found, strict=True)))


def gate(lost: Counts, won: Counts, matched: Counts, margin: float) -> tuple[Counts, Counts, Counts]:
    """Decide many releases as :func:`robustfim.judge.comparison.compare` decides one release.

    Args:
        lost: Examples that are right with the baseline only, as in :class:`Simulated`.
        won: Examples that are right with the new model only, as in :class:`Simulated`.
        matched: Compared examples, as in :class:`Simulated`, or one number for all.
        margin: The margin of accuracy and robust accuracy.

    Returns:
        For each release whether the model may replace the baseline, and whether it is refused; and for each test of
        each release whether the model is worse.
    """
    exact = _mcnemar(lost, won)
    checks = exact.shape[1] - 2
    matched = np.broadcast_to(matched, exact.shape)
    rises = paired_scores(lost, won, np.maximum(matched, 1), 0.0) > Z
    holm = _holm(exact, np.array([0.5, 0.5] + [1 / checks] * checks))
    no_worse = paired_scores(lost[:, :2], won[:, :2], matched[:, :2], margin) < -Z
    worse = rises & (holm <= 1 - CONFIDENCE)
    worse[:, :2] &= ~no_worse
    refused = worse.any(axis=1)
    return no_worse.all(axis=1) & ~refused, refused, worse


def _mcnemar(lost: Counts, won: Counts) -> Counts:
    """McNemar's exact test, two-sided."""
    exact = np.minimum(1.0, 2 * betainc(np.maximum(np.maximum(lost, won), 1), np.minimum(lost, won) + 1, 0.5))
    return np.where(lost + won > 0, exact, 1.0)


def _holm(p_values: Counts, weights: Counts) -> Counts:
    """Holm's correction with weights (Holm 1979, section 4), row by row."""
    order = np.argsort(p_values / weights, axis=1)
    ranked, fractions = np.take_along_axis(p_values, order, axis=1), weights[order]
    left = fractions[:, ::-1].cumsum(axis=1)[:, ::-1]
    corrected = np.empty_like(p_values)
    steps = np.minimum(1.0, np.maximum.accumulate(ranked * left / fractions, axis=1))
    np.put_along_axis(corrected, order, steps, axis=1)
    return corrected


@lru_cache(maxsize=100_000)
def exact_no_worse(lost: int, won: int, matched: int, margin: float) -> bool:
    """Test by an exact unconditional test that the loss is below the margin, at the level 2.5 % for every churn.

    The p-value is the largest probability, over all churns q ≥ margin, of a score statistic no larger than the observed
    statistic (Sidik 2003). The maximum is searched over 40 values of q.
    """
    score = float(paired_scores(lost, won, matched, margin))
    if score >= 0:
        return False
    won_of = np.arange(matched + 1)
    low, high = np.full(matched + 1, -1), matched - won_of  # the largest loss that still lies as low
    while (low < high).any():
        middle = (low + high + 1) // 2
        below = paired_scores(np.maximum(middle, 0), won_of, matched, margin) <= score + 1e-12
        low, high = np.where(below, middle, low), np.where(below, high, middle - 1)
    for fraction in np.linspace(0.0, min(0.3, (1 - margin) / 2), 40):
        loss = (fraction + margin) / (1 - fraction)
        middle, reach = matched * fraction, 8 * (matched * fraction) ** 0.5 + 8
        some = slice(max(0, int(middle - reach)), int(middle + reach) + 1)
        chance = binom.pmf(won_of[some], matched, fraction) @ binom.cdf(low[some], matched - won_of[some], loss)
        if chance > (1 - CONFIDENCE) / 2:
            return False
    return True


def released(kind: Kind, runs: int, seed: int = 0) -> Released:
    """Simulate the releases of one kind of model.

    Args:
        kind: The kind of model.
        runs: The number of releases.
        seed: The seed of the simulation.
    """
    drawn = simulate(kind, runs, seed)
    proven, refused, worse = gate(drawn.lost, drawn.won, drawn.matched, kind.margin)
    place = 2 if kind.check is None else 2 + kind.check[0]
    reference = float("nan")
    if kind.aim == "equal":
        reference = float(
            np.mean([
                all(exact_no_worse(int(b), int(c), kind.rows, kind.margin) for b, c in zip(lost, won, strict=True))
                for lost, won in zip(drawn.lost[:, :2], drawn.won[:, :2], strict=True)
            ])
        )  # fmt: skip
    elif kind.aim == "planted":
        lost, won = drawn.lost[:, place], drawn.won[:, place]
        level = (1 - CONFIDENCE) / len(REACH)
        reference = float(((_mcnemar(lost, won) <= level) & (lost > won)).mean())
    differs = float((drawn.lost + drawn.won)[:, 1].mean() / kind.rows)
    return Released(kind, runs, differs, float(proven.mean()), float(refused.mean()), float(worse[:, place].mean()),
                    reference)  # fmt: skip


def arms(difficult: int, control: int, loss: float, margin: float, runs: int, seed: int = 0) -> float:
    """Simulate releases with a loss of robust accuracy, measured on two arms drawn from 10,000 examples.

    Args:
        difficult: The number of hardest examples, which are all drawn.
        control: The number of examples drawn at random from the rest.
        loss: The true loss over all examples; the hardest examples have no loss.
        margin: The tolerated loss.
        runs: The number of releases.
        seed: The seed of the simulation.

    Returns:
        The fraction of releases in which the new model is shown to be no worse.
    """
    random, whole = np.random.default_rng(seed), 10_000
    sizes, drawn = [difficult, whole - difficult], [difficult, control]
    extra = loss * whole / (whole - difficult)
    churns = [0.2, 0.02]
    proven = 0
    for _ in range(runs):
        lost, won = zip(
            *(
                random.multinomial(number, [churn / 2 + more, churn / 2, 1 - churn - more])[:2]
                for number, churn, more in zip(drawn, churns, (0.0, extra), strict=True)
            ),
            strict=True,
        )
        proven += stratified_pairs(sizes, drawn, drawn, lost, won).is_no_worse(margin)
    return proven / runs


KINDS = (
    Kind("equal", 1000, 0.02, 0.02, aim="equal"),
    Kind("equal", 1000, 0.03, 0.02, aim="equal"),
    Kind("equal", 1000, 0.05, 0.02, aim="equal"),
    Kind("equal", 2000, 0.02, 0.02, aim="equal"),
    Kind("equal", 400, 0.05, 0.04, aim="equal"),
    Kind("accuracy worse by the margin", 400, 0.05, 0.04, accuracy=0.05, aim="worse"),
    Kind("robust accuracy worse by the margin", 400, 0.05, 0.04, check=(0, 0.05 / ROBUST), aim="worse"),
    Kind("breaks 40 % of what a check of 5 % reaches", 1000, 0.05, 0.02, check=(8, 0.4), aim="planted"),
    Kind("breaks 5 % more in a check that reaches all", 1000, 0.05, 0.02, check=(0, 0.05), aim="planted"),
    Kind("breaks 5 % more in a check that reaches all", 1000, 0.05, 0.08, check=(0, 0.05), aim="planted"),
)
ARMS = ((1000, 400, 0.042, 0.03), (400, 200, 0.042, 0.03), (300, 300, 0.042, 0.03), (1000, 400, 0.03, 0.03),
        (300, 1000, 0.03, 0.03))  # fmt: skip


@dataclass(frozen=True)
class Releases:
    """All simulations: releases on a random draw, and for each draw of two arms the fraction that passes."""

    kinds: Sequence[Released]
    arms: Sequence[float]
    runs: int


def releases(runs: int = 500) -> Releases:
    """Simulate equal models, models that are worse by the margin, and models that are worse in one check.

    Args:
        runs: The number of releases of each kind.
    """
    kinds = [released(kind, runs * (20 if kind.aim == "worse" else 1), seed) for seed, kind in enumerate(KINDS)]
    return Releases(kinds, [arms(*arm, runs * 10, seed) for seed, arm in enumerate(ARMS)], runs)


def as_markdown(found: Releases) -> str:
    """Write the simulations as a section of Markdown.

    Args:
        found: The simulations.
    """
    rows = [
        [f"{difficult:,}", f"{control:,}", *(f"{100 * each:g} points" for each in (loss, margin)),
         f"{100 * fraction:.1f} %", f"≤ 2.5 %: {verdict(fraction <= AIMS['worse'])}"]
        for (difficult, control, loss, margin), fraction in zip(ARMS, found.arms, strict=True)
    ]  # fmt: skip
    error = 100 * (0.25 / found.runs) ** 0.5
    reaches = ", ".join(f"{100 * each:g}" for each in REACH)
    return (
        f"{found.runs:,} releases of each kind (Monte-Carlo error of a share at most {error:.1f} points), "
        f"{20 * found.runs:,} of a model that is worse by the margin. A model is "
        f"wrong on {100 * WRONG:.0f} % of the rows; {len(REACH)} checks reach {reaches} % of them and break "
        f"{100 * BREAKS:.0f} % of what they reach. *Differs* is the churn: the share of rows whose robust correctness "
        "differs. *Exact* is, of equal models, how often two exact unconditional tests of the same pairs (accuracy and "
        "robust accuracy) prove both no worse; of a planted loss, how often McNemar's exact test of the check finds it "
        "at 2.5 % over the number of checks, the first level of Holm's procedure over the checks alone.\n\n"
        + listed(
            "the new model | rows | margin | differs | 0: may replace | 6 | 1 | check found | exact | aim",
            "{kind.name} | {kind.rows:,} | {points:g} points | {differs:.1f%} | {proven:.1f%} | {rest:.1f%} | "
            "{refused:.1f%} | {named:.1f%} | {reference:.1f%} | {verdict}",
            found.kinds,
        )
        + "\n\nTwo arms of 10,000 examples, robust accuracy weighted by the draw; all of the loss lies in what the "
        f"control arm stands for, {10 * found.runs:,} releases each:\n\n"
        + table(["difficult", "control", "true loss", "margin", "proved no worse", "aim"], rows)
    )
