"""``study resilience``: does λmax predict how small a change of the input is enough to change the label?"""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from dataclasses import asdict, dataclass

import numpy as np

from robustfim.errors import ModelError
from robustfim.exhibit import Figure, Series, Table
from robustfim.record import Study
from robustfim_study.association import Array, pearson
from robustfim_study.estimate import Estimate, decimal, shown
from robustfim_study.intervals import rank_correlation
from robustfim_study.sample_run import SampleRun, clusters_of

__all__ = ["SCORES", "Correlation", "correlate", "resilience_study", "substitutions"]

SCORES = ("fisher", "smallest_step")
"""The scores that the study needs."""


_SUBSTITUTIONS = ("neighbours", "random_words", "synonyms")
_FLIPS = "flip probability under "
"""What the name of a correlation with the flips of a check begins with."""
_SHARE = 0.1
"""Of the words."""


def substitutions(candidates: int) -> dict[str, dict[str, object]]:
    """Return the suite mapping of the published experiment's checks, which replace 10 % of the words."""
    return {
        name: {"perturb": {"use": name, "words": _SHARE, "candidates": candidates, "order": "random"}, "limit": 1.0}
        for name in _SUBSTITUTIONS
    }


@dataclass(frozen=True)
class Correlation:
    """The correlation over examples of log₁₀ λmax (largest eigenvalue of the Fisher information) with another quantity.

    Attributes:
        name: The name of the other quantity.
        examples: The number of examples with two finite values.
        r: Pearson's correlation. It has no interval, since log λmax has heavy tails, for which the known intervals
            cover less than stated.
        rho: Spearman's correlation, with its interval.
    """

    name: str
    examples: int
    r: float
    rho: Estimate


def correlate(name: str, lambda_max: Array, other: Array, clusters: Sequence[Hashable] | None = None) -> Correlation:
    """Correlate log₁₀ λmax (the largest eigenvalue of the Fisher information) with another quantity.

    Args:
        name: The name of the other quantity.
        lambda_max: ``[examples]``; examples whose λmax is not positive and finite are left out.
        other: The other quantity, ``[examples]``; examples whose value is not finite are left out.
        clusters: The cluster of each example, ``[examples]``; None if examples are independent.
    """
    kept = np.isfinite(lambda_max) & (lambda_max > 0) & np.isfinite(other)
    x, y = np.log10(lambda_max[kept]), other[kept]
    size = len(x)
    if size < 3:
        return Correlation(name, size, math.nan, Estimate())
    return Correlation(name, size, float(pearson(x, y)), rank_correlation(lambda_max, other, kept, clusters))


def resilience_study(sample: SampleRun) -> Study:
    """Correlate a difficulty score, log λmax, with how easily perturbations change the predicted label.

    λmax is the largest eigenvalue of the Fisher information. The study measures the flip probability, the fraction of
    perturbed texts that change the label, and the smallest step in embedding space that changes it. This is the
    experiment of Datta et al. (2020–22), who published r = 0.30, 0.38 and 0.38 with the flip probability and −0.41,
    −0.36 and −0.40 with the smallest step, for a CNN, fastText and an LSTM on Yelp polarity.

    Args:
        sample: A run on a random sample that needed the scores ``fisher`` and ``smallest_step``.

    Raises:
        ModelError: No example has a λmax above 0.
    """
    record = sample.record
    examples = [example for example in record.examples if example.arm is not None]
    lambda_max, steps = (
        np.array([_number(example.scores.get(name)) for example in examples], dtype=np.float64) for name in SCORES
    )
    if not (lambda_max > 0).any():
        raise ModelError("λmax is 0 or undefined for every example, so nothing can be correlated with its logarithm.")
    measured: list[tuple[str, Array]] = []
    for check in sample.checks:
        flipped = [[answer.flipped for answer in sample.of(check, example.id)] for example in examples]
        fraction = [sum(own) / len(own) if own else math.nan for own in flipped]
        measured.append((f"{_FLIPS}{check}", np.array(fraction, dtype=np.float64)))
    measured.append(("smallest flipping step η", steps))
    clusters = clusters_of([example.id for example in examples], {example.id: example.cluster for example in examples})
    found = [correlate(name, lambda_max, other, clusters) for name, other in measured]
    none = int(np.isinf(steps).sum())
    findings = [_answer(found), *(_sentence(correlation) for correlation in found)]
    if none:
        findings.append(f"No step within the bound changes the label of {none} examples; they have no η.")
    return Study.of(
        record,
        study="resilience",
        title="Does λmax tell how little it takes to change a label?",
        findings=findings,
        tables=[_table(found)],
        figures=[
            _correlations(found),
            *(_figure(name, lambda_max, other) for name, other in measured if np.isfinite(other[lambda_max > 0]).any()),
        ],
        results={
            "examples": len(examples),
            "without_step": none,
            "correlations": [asdict(correlation) for correlation in found],
        },
    )


def _number(value: float | None) -> float:
    return math.nan if value is None else value


def _answer(found: list[Correlation]) -> str:
    """Say under how many checks log λmax surely rises with flips, and whether it surely falls with the step."""
    known = [
        (correlation.rho.value, correlation.rho.interval, correlation.name)
        for correlation in found
        if correlation.rho.interval is not None
    ]
    flips = [(rho, interval[0] > 0) for rho, interval, name in known if name.startswith(_FLIPS)]
    steps = [(rho, interval[1] < 0) for rho, interval, name in known if not name.startswith(_FLIPS)]
    parts = []
    if flips:
        low, high = decimal(min(flips)[0]), decimal(max(flips)[0])
        between = low if low == high else f"{low} to {high}"
        checks = f"check{'s' * (len(flips) != 1)}"
        parts.append(f"flip more labels under {sum(sure for _, sure in flips)} of {len(flips)} {checks} (ρ {between})")
    for rho, sure in steps:
        parts.append(f"{'need' if sure else 'are not shown to need'} a smaller step to flip (ρ {decimal(rho)})")
    if not parts:
        return "No correlation with λmax is defined on these examples."
    return f"Examples of higher λmax {' and '.join(parts)}; counted where the 95 % interval excludes 0."


def _correlations(found: list[Correlation]) -> Figure:
    """Draw Spearman's ρ with its interval."""
    estimates = [(each.rho.value, each.rho.interval, each.examples) for each in found]
    return Figure(
        title="Rank correlation with λmax", across="of λmax with", up="Spearman's ρ",
        series=[Series.bars("ρ", estimates)],
        names=[correlation.name.removeprefix(_FLIPS) for correlation in found],
        notes=[
            "95 % intervals over examples. The names of checks stand for the share of candidates that flip the label: "
            "a bar upwards says that examples of higher λmax flip more. η is the smallest step in embedding space that "
            "flips the label: a bar downwards says that those of higher λmax need less."
        ],
    )  # fmt: skip


def _sentence(found: Correlation) -> str:
    if not math.isfinite(found.r):
        return f"log λmax and {found.name}: no correlation is defined on {found.examples} examples."
    return (
        f"log λmax and {found.name}: Spearman {shown(found.rho)}, r = {decimal(found.r)}, on {found.examples} examples."
    )


def _table(found: list[Correlation]) -> Table:
    return Table(
        title="Correlation with log₁₀ λmax over examples",
        header=["correlated with", "examples", "Spearman", "r"],
        rows=[
            [
                correlation.name,
                str(correlation.examples),
                shown(correlation.rho),
                decimal(correlation.r),
            ]
            for correlation in found
        ],
        notes=[
            "In brackets: 95 % intervals over examples, by the infinitesimal jackknife. r: Pearson's, without one: "
            "log λmax has heavy tails.",
        ],
    )


def _figure(name: str, lambda_max: Array, other: Array) -> Figure:
    kept = np.isfinite(lambda_max) & (lambda_max > 0) & np.isfinite(other)
    points = [tuple(map(float, pair)) for pair in zip(np.log10(lambda_max[kept]), other[kept], strict=True)]
    series = [Series(name="examples", kind="dots", points=points)]
    positive = np.log10(lambda_max[np.isfinite(lambda_max) & (lambda_max > 0)])
    return Figure(
        title=f"log₁₀ λmax and {name}", across="log₁₀ λmax", series=series, shares=name.startswith(_FLIPS),
        up="share of candidates that flip the label" if name.startswith(_FLIPS) else name,
        along=(float(positive.min()), float(positive.max())),
    )  # fmt: skip
