"""``study gaussians``: λmax and its eigenvectors where both can be seen, in the plane."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from robustfim.errors import ModelError
from robustfim.exhibit import Figure, Series, Table
from robustfim.plugin.manager import PluginManager
from robustfim.record.environment import describe_environment
from robustfim.record.study import Study
from robustfim_study.association import Array, spearman
from robustfim_study.estimate import decimal
from robustfim_study.two_gaussians import TwoGaussians, draw_points

__all__ = ["HARDEST", "gaussians_study"]

HARDEST = 20
"""Points whose eigenvectors are shown."""


def gaussians_study(manager: PluginManager, *, points: int, seed: int, started: str) -> Study:
    """Draw points of two Gaussians, and ask the geometry of the loaded plugins for λmax at each.

    The synthetic example of Datta et al. (2020): the points of high λmax lie along the boundary of the classes, and
    the eigenvectors cross it.

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
    model = TwoGaussians()
    examples, places = draw_points(points, seed)
    geometry = computes(model)
    found = geometry.at(examples)
    values = np.array([each.lambda_max for each in found])
    margins = np.array([each.margin for each in found])
    probabilities = np.asarray(model.predict(examples))
    hardest = np.argsort(-values, kind="stable")[:HARDEST].tolist()
    vectors = np.array([np.asarray(found[row].eigenvector, dtype=np.float64)[0] for row in hardest])
    labels = [each.label or "" for each in examples]
    predicted = [model.labels[row] for row in probabilities.argmax(1)]
    wrong = [a != b for a, b in zip(labels, predicted, strict=True)]
    order = float(spearman(values, -margins))
    hard_wrong = sum(wrong[row] for row in hardest)
    crossing = _crossing(model, places[hardest], vectors)
    return Study(
        study="gaussians",
        title="λmax of two Gaussians",
        environment=describe_environment(manager.records(), "cpu"),
        seed=seed,
        started=started,
        findings=[
            f"{hard_wrong} of the {len(hardest)} points of highest λmax are on the wrong side of the boundary, "
            f"{sum(wrong)} of all {len(examples)}.",
            f"λmax and nearness to the boundary (−|Δz|): Spearman {decimal(order)}, on {len(examples)} points.",
            f"The eigenvectors of {crossing} of the {len(hardest)} lead across the boundary within 2 units.",
        ],
        tables=[_table(hardest, places, labels, predicted, probabilities, values, vectors)],
        figures=[_figure(places, values, hardest, vectors)],
        results={
            "points": [
                {"x": float(x), "y": float(y), "label": label, "predicted": said, "lambda_max": float(value)}
                for (x, y), label, said, value in zip(places, labels, predicted, values, strict=True)
            ],
            "hardest": [
                {"point": row, "eigenvector": [float(each) for each in vector]}
                for row, vector in zip(hardest, vectors, strict=True)
            ],
            "spearman_margin": order,
        },
    )


def _crossing(model: TwoGaussians, places: Array, vectors: Array) -> int:
    """Count the points from which 2 units along the eigenvector change the predicted class."""
    embedded = model.embed(draw_points(1, 0)[0])

    def predicted(points: Array) -> Array:
        tensor = embedded.embeddings.new_tensor(points)[:, None]
        return np.asarray(model.logits(tensor, embedded).argmax(1), dtype=np.float64)

    return int((predicted(places) != predicted(places + 2 * vectors)).sum())


def _table(
    hardest: Sequence[int], places: Array, labels: Sequence[str], predicted: Sequence[str], probabilities: Array,
    values: Array, vectors: Array,
) -> Table:  # fmt: skip
    return Table(
        title=f"The {len(hardest)} points of highest λmax",
        header=["point", "class", "predicted", "p", "λmax", "eigenvector"],
        rows=[
            [
                f"({decimal(places[row, 0])}, {decimal(places[row, 1])})", labels[row], predicted[row],
                decimal(float(probabilities[row].max())), decimal(float(values[row]), 3),
                f"({decimal(vector[0])}, {decimal(vector[1])})",
            ]
            for row, vector in zip(hardest, vectors, strict=True)
        ],
        notes=["p: probability of the predicted class. The eigenvector points to where that class loses."],
    )  # fmt: skip


def _figure(places: Array, values: Array, hardest: Sequence[int], vectors: Array) -> Figure:
    logs = np.log10(np.maximum(values, np.finfo(np.float64).tiny))
    low, high = np.quantile(logs, 0.05), logs.max()
    shades = np.clip((logs - low) / max(high - low, math.ulp(1.0)), 0, 1)
    return Figure(
        title="Points by λmax, and the eigenvectors of the hardest",
        across="x",
        up="y",
        series=[
            Series(
                name="eigenvectors",
                kind="arrows",
                points=[
                    tuple(map(float, (*places[row], *vector))) for row, vector in zip(hardest, vectors, strict=True)
                ],
            ),
            Series(
                name="points", kind="dots", points=[tuple(map(float, each)) for each in places], shades=shades.tolist()
            ),
        ],
        notes=["Light to dark: log λmax, from its 5 % quantile to its maximum. Arrows: unit eigenvectors."],
    )
