"""One difficulty score, evaluated by how well it predicts failures."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from robustfim.record import ExampleRecord, ScoreRecord
from robustfim.statistics import CONFIDENCE, auroc_interval
from robustfim_study.association import Array, auroc, bootstrap, pearson, ratio
from robustfim_study.estimate import UNDEFINED, Estimate
from robustfim_study.intervals import rank_correlation
from robustfim_study.sample_run import SampleRun, clusters_of

__all__ = ["PARTS", "REFERENCE", "Decile", "Outcomes", "ScoreResult", "measure", "outcomes_of"]

REFERENCE = "fisher"
"""The score that the others are compared with."""

PARTS = 10
"""Parts of equal size into which the examples are cut by a score."""


@dataclass(frozen=True)
class Outcomes:
    """The results of the tested examples, ``[examples]`` each.

    Attributes:
        ids: The ids of the examples.
        calls: The number of tested candidates of each example, over all checks.
        failures: The number of checks that each example fails.
        share: The fraction of each example's candidates (perturbed texts) that fail.
        broken: 1 if a candidate makes a right answer wrong, 0 if no candidate does, NaN if the answer was wrong or has
            no gold label.
        clusters: The cluster of each example; None if examples are independent.
    """

    ids: tuple[str, ...]
    calls: Array
    failures: Array
    share: Array
    broken: Array
    clusters: tuple[Hashable, ...] | None = None

    @property
    def failing(self) -> Array:
        """Return 1 for each example that fails at least one check, otherwise 0."""
        return (self.failures > 0).astype(np.float64)


@dataclass(frozen=True)
class Decile:
    """A tenth of the examples by one score.

    Attributes:
        examples: The number of examples.
        failing: The number of examples that fail at least one check.
        failures: The number of failures: failed checks, summed over the examples.
        calls: The number of tested candidates.
        per_100: Failures per 100 calls.
    """

    examples: int
    failing: int
    failures: int
    calls: int
    per_100: float


@dataclass(frozen=True)
class ScoreResult:
    """How well one difficulty score predicts which examples fail.

    Attributes:
        name: The score.
        hardest: The difficult end of the score's scale.
        examples: The number of examples whose score is a number or infinite.
        infinite: The number of examples with an infinite score. They have a rank, and are left out of Pearson's
            correlation.
        auroc: The probability that a failing example is ranked as harder than a passing example.
        broken: Among right answers, the probability that one that becomes wrong is ranked as harder than one that stays
            right.
        spearman: Rank correlation of difficulty and the fraction of failing candidates.
        pearson: Pearson's correlation of both, without an interval, since scores have heavy tails.
        first: Failures found per 100 calls in the hardest tenth.
        gain: ``first``, divided by the failures per 100 calls in the whole sample.
        cost: Model calls for scoring one example, a gradient counting as three; None if unknown.
        paid: ``first``, computed with the cost of scoring all examples added to the calls.
        deciles: The hardest tenth first; empty for fewer than ten examples.
        ahead: AUROC minus the AUROC of ``fisher``, on the examples with both scores; None for ``fisher`` itself, and if
            ``fisher`` is missing.
        message: Why the score could not be computed; then the numbers are undefined.
    """

    name: str
    hardest: str
    examples: int = 0
    infinite: int = 0
    auroc: Estimate = UNDEFINED
    broken: Estimate = UNDEFINED
    spearman: Estimate = UNDEFINED
    pearson: Estimate = UNDEFINED
    first: Estimate = UNDEFINED
    gain: float = math.nan
    cost: float | None = None
    paid: float = math.nan
    deciles: tuple[Decile, ...] = ()
    ahead: Estimate | None = None
    message: str = ""


def outcomes_of(sample: SampleRun) -> Outcomes:
    """Collect the results of each tested example, over all checks."""
    judged = {example for _, example in sample.answers}
    examples = [example for example in sample.record.examples if example.id in judged]
    tested = [example.id for example in examples]
    rows = []
    for example in tested:
        failed_of = [[answer.failed for answer in sample.of(check, example)] for check in sample.checks]
        rows.append((sum(map(len, failed_of)), sum(map(sum, failed_of)), sum(map(any, failed_of))))
    calls, failed, failures = np.array(rows, dtype=np.float64).reshape(-1, 3).T
    return Outcomes(
        tuple(tested),
        calls,
        failures,
        failed / calls,
        np.array([_broken(example, sample) for example in examples], dtype=np.float64),
        tuple(clusters_of(tested, {example.id: example.cluster for example in examples})),
    )


def _broken(example: ExampleRecord, sample: SampleRun) -> float:
    """1 where a candidate makes the right answer wrong, 0 where none does, NaN where there is no right answer."""
    answers = [answer for check in sample.checks for answer in sample.of(check, example.id)]
    return float(any(answer.right is False for answer in answers)) if example.correct else math.nan


def measure(
    record: ScoreRecord, values: Array, outcomes: Outcomes, reference: Array | None, seed: int, comparisons: int
) -> ScoreResult:
    """Measure how well one difficulty score predicts which examples fail.

    Args:
        record: The run's record of the score.
        values: The score of each tested example, ``[examples]``; NaN if undefined.
        outcomes: The results of the examples.
        reference: The difficulty with which the score is compared, ``[examples]``, larger is harder.
        seed: The seed of the resamples.
        comparisons: The number of scores compared with the reference; their intervals hold simultaneously (Bonferroni).
    """
    sign = -1.0 if record.hardest == "lowest" else 1.0
    difficulty = sign * values
    known = ~np.isnan(difficulty)
    if record.message or not known.any():
        return ScoreResult(record.name, record.hardest, message=record.message or "it is undefined for every example")
    hard, failing, fraction = difficulty[known], outcomes.failing[known], outcomes.share[known]
    finite = np.isfinite(hard)
    parts = _parts(difficulty, outcomes, np.flatnonzero(known))
    first = UNDEFINED
    if parts:
        first = _estimate(ratio, 100 * outcomes.failures[parts[0]], outcomes.calls[parts[0]], seed=seed)
    everywhere = float(ratio(100 * outcomes.failures[known], outcomes.calls[known]))
    cost = None if record.cost is None else record.cost.each
    paid = math.nan
    if parts and cost is not None:
        hardest = parts[0]
        paid = float(100 * outcomes.failures[hardest].sum() / (outcomes.calls[hardest].sum() + cost * known.sum()))
    at_risk = known & ~np.isnan(outcomes.broken)
    broken = _area(difficulty[at_risk], outcomes.broken[at_risk]) if at_risk.any() else UNDEFINED
    ahead = None
    if reference is not None and record.name != REFERENCE:
        both = known & ~np.isnan(reference)
        ahead = _estimate(
            lambda a, b, y: auroc(a, y) - auroc(b, y), difficulty[both], reference[both], outcomes.failing[both],
            seed=seed, confidence=1 - (1 - CONFIDENCE) / max(1, comparisons),
        )  # fmt: skip
    return ScoreResult(
        record.name,
        record.hardest,
        examples=int(known.sum()),
        infinite=int((~finite).sum()),
        auroc=_area(hard, failing),
        broken=broken,
        spearman=rank_correlation(difficulty, outcomes.share, known, outcomes.clusters),
        pearson=Estimate(float(pearson(hard[finite], fraction[finite]))) if finite.any() else UNDEFINED,
        first=first,
        gain=first.value / everywhere if everywhere else math.nan,
        cost=cost,
        paid=paid,
        deciles=tuple(_decile(outcomes, rows) for rows in parts),
        ahead=ahead,
    )


def _parts(difficulty: Array, outcomes: Outcomes, rows: NDArray[np.intp]) -> list[NDArray[np.intp]]:
    """Cut rows into tenths by difficulty, the hardest first; equals in the order of their ids."""
    if len(rows) < PARTS:
        return []
    order = sorted(rows.tolist(), key=lambda row: (-difficulty[row], outcomes.ids[row]))
    return np.array_split(np.array(order), PARTS)


def _decile(outcomes: Outcomes, rows: NDArray[np.intp]) -> Decile:
    failures, calls = outcomes.failures[rows], outcomes.calls[rows]
    return Decile(
        examples=len(rows),
        failing=int(outcomes.failing[rows].sum()),
        failures=int(failures.sum()),
        calls=int(calls.sum()),
        per_100=float(ratio(100 * failures, calls)),
    )


def _area(hard: Array, failing: Array) -> Estimate:
    area, positive = float(auroc(hard, failing)), int(failing.sum())
    return Estimate(area, auroc_interval(area, positive, len(failing) - positive))


def _estimate(statistic: Callable[..., Array], *columns: Array, seed: int, confidence: float = CONFIDENCE) -> Estimate:
    if len(columns[0]) == 0:
        return UNDEFINED
    interval = bootstrap(statistic, *columns, seed=seed, confidence=confidence)
    return Estimate(float(statistic(*columns)), interval)
