"""``study gaussians``: λmax and its eigenvectors where both can be seen, in the plane."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from robustfim.errors import ModelError
from robustfim.example import Example
from robustfim.exhibit import Figure, Series, Table
from robustfim.plugin.manager import PluginManager
from robustfim.record import Study, describe_environment
from robustfim_study.association import Array, spearman
from robustfim_study.estimate import decimal
from robustfim_study.two_gaussians import TwoGaussians, draw_points
from robustfim_study.two_layers import TwoLayers

__all__ = ["HARDEST", "gaussians_study"]

HARDEST = 20
"""Points whose eigenvectors are shown."""


def gaussians_study(manager: PluginManager, *, points: int, seed: int, started: str) -> Study:
    """Draw points of two Gaussians, and ask the geometry of the loaded plugins for λmax at each.

    The synthetic example of Datta et al. (2020): the points of high λmax lie along the boundary of the classes, and
    the eigenvectors cross it; for the classifier that knows both densities, and for a network of two layers that was
    trained on points of them, as the paper's.

    Args:
        manager: The loaded plugins; one of them computes gradients.
        points: Points a class.
        seed: The seed of the points.
        started: When the study started, ISO 8601, UTC.

    Raises:
        ModelError: No plugin computes gradients, or PyTorch is not installed.
    """
    computes = manager.shared("geometry")
    if computes is None:
        raise ModelError("no plugin computes gradients; robustfim_fisher does and is blocked or not installed.")
    examples, places = draw_points(points, seed)
    known = _look("closed form", TwoGaussians(), computes, examples, places)
    # Trained on other points than those at which it is looked.
    network = _look("two-layer network", TwoLayers(points, seed + 1), computes, examples, places)
    alike = float(spearman(known.values, network.values))
    shared = len(set(known.hardest) & set(network.hardest))
    return Study(
        study="gaussians",
        title="λmax of two Gaussians",
        environment=describe_environment(manager.records(), "cpu"),
        seed=seed,
        started=started,
        findings=[
            *known.findings(),
            *network.findings(),
            f"λmax of the network and of the closed form: Spearman {decimal(alike)}, on {len(examples)} points; "
            f"{shared} of the {len(known.hardest)} hardest are the same.",
        ],
        tables=[_table(known, places), _table(network, places)],
        figures=[_figure(known, places), _figure(network, places)],
        results={**known.results(places), "network": network.results(places), "spearman_network": alike},
    )


@dataclass(frozen=True)
class _Seen:
    """What the geometry found at the points under one model."""

    name: str
    labels: Sequence[str]
    predicted: Sequence[str]
    probabilities: Array
    values: Array
    margins: Array
    hardest: list[int]
    vectors: Array
    crossing: int

    @property
    def order(self) -> float:
        return float(spearman(self.values, -self.margins))

    def findings(self) -> list[str]:
        wrong = [a != b for a, b in zip(self.labels, self.predicted, strict=True)]
        hard = len(self.hardest)
        return [
            f"{self.name}: {sum(wrong[row] for row in self.hardest)} of the {hard} points of highest λmax are on the "
            f"wrong side of the boundary, {sum(wrong)} of all {len(wrong)}.",
            f"{self.name}: λmax and nearness to the boundary (−|Δz|): Spearman {decimal(self.order)}, on "
            f"{len(wrong)} points.",
            f"{self.name}: the eigenvectors of {self.crossing} of the {hard} lead across the boundary within 2 units.",
        ]

    def results(self, places: Array) -> dict[str, Any]:
        return {
            "points": [
                {"x": float(x), "y": float(y), "label": label, "predicted": said, "lambda_max": float(value)}
                for (x, y), label, said, value in zip(places, self.labels, self.predicted, self.values, strict=True)
            ],
            "hardest": [
                {"point": row, "eigenvector": [float(each) for each in vector]}
                for row, vector in zip(self.hardest, self.vectors, strict=True)
            ],
            "spearman_margin": self.order,
        }


def _look(name: str, model: TwoGaussians, computes: Any, examples: Sequence[Example], places: Array) -> _Seen:
    found = computes(model).at(examples)
    values = np.array([each.lambda_max for each in found])
    hardest = np.argsort(-values, kind="stable")[:HARDEST].tolist()
    vectors = np.array([np.asarray(found[row].eigenvector, dtype=np.float64)[0] for row in hardest])
    probabilities = np.asarray(model.predict(examples))
    return _Seen(
        name=name,
        labels=[each.label or "" for each in examples],
        predicted=[model.labels[row] for row in probabilities.argmax(1)],
        probabilities=probabilities,
        values=values,
        margins=np.array([each.margin for each in found]),
        hardest=hardest,
        vectors=vectors,
        crossing=_crossing(model, places[hardest], vectors),
    )


def _crossing(model: TwoGaussians, places: Array, vectors: Array) -> int:
    """Count the points from which 2 units along the eigenvector change the predicted class."""
    embedded = model.embed(draw_points(1, 0)[0])

    def predicted(points: Array) -> Array:
        tensor = embedded.embeddings.new_tensor(points)[:, None]
        return np.asarray(model.logits(tensor, embedded).argmax(1), dtype=np.float64)

    return int((predicted(places) != predicted(places + 2 * vectors)).sum())


def _table(seen: _Seen, places: Array) -> Table:
    return Table(
        title=f"{seen.name}: the {len(seen.hardest)} points of highest λmax",
        header=["point", "class", "predicted", "p", "λmax", "eigenvector"],
        rows=[
            [
                f"({decimal(places[row, 0])}, {decimal(places[row, 1])})", seen.labels[row], seen.predicted[row],
                decimal(float(seen.probabilities[row].max())), decimal(float(seen.values[row]), 3),
                f"({decimal(vector[0])}, {decimal(vector[1])})",
            ]
            for row, vector in zip(seen.hardest, seen.vectors, strict=True)
        ],
        notes=["p: probability of the predicted class. The eigenvector points to where that class loses."],
    )  # fmt: skip


def _figure(seen: _Seen, places: Array) -> Figure:
    logs = np.log10(np.maximum(seen.values, np.finfo(np.float64).tiny))
    low, high = np.quantile(logs, 0.05), logs.max()
    shades = np.clip((logs - low) / max(high - low, math.ulp(1.0)), 0, 1)
    arrows = [
        tuple(map(float, (*places[row], *vector))) for row, vector in zip(seen.hardest, seen.vectors, strict=True)
    ]
    return Figure(
        title=f"{seen.name}: points by λmax, and the eigenvectors of the hardest",
        across="x",
        up="y",
        equal=True,
        series=[
            Series(name="eigenvectors", kind="arrows", points=arrows),
            Series(
                name="points", kind="dots", points=[tuple(map(float, each)) for each in places], shades=shades.tolist()
            ),
        ],
        notes=["Light to dark: log λmax, from its 5 % quantile to its maximum. Arrows: unit eigenvectors."],
    )
