"""``study gaussians``: λmax and its eigenvectors where both can be seen, in the plane."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from robustfim import drawing
from robustfim.errors import ModelError
from robustfim.example import Example
from robustfim.exhibit import Figure, Series, Table
from robustfim.plugin import PluginManager
from robustfim.record import Study, describe_environment
from robustfim_study.association import Array, spearman
from robustfim_study.estimate import decimal
from robustfim_study.intervals import correlation_interval
from robustfim_study.two_gaussians import MEANS, TwoGaussians, draw_points
from robustfim_study.two_layers import TwoLayers

__all__ = ["HARDEST", "gaussians_study"]

HARDEST = 20
"""Points whose eigenvectors are shown."""

_MARKS: tuple[Literal["circle", "square"], ...] = ("circle", "square")
"""How the points of either class are drawn; their colour says λmax."""


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
        title="Is λmax highest where two classes meet?",
        environment=describe_environment(manager.records(), "cpu"),
        seed=seed,
        started=started,
        findings=[
            _answer(known, network),
            *known.findings(),
            *network.findings(),
            f"λmax of the network and of the closed form: Spearman {decimal(alike)}, on {len(examples)} points; "
            f"{shared} of the {len(known.hardest)} hardest are the same.",
        ],
        tables=[_table(known, places), _table(network, places)],
        figures=[_figure(known, places), _figure(network, places)],
        results={**known.results(places), "network": network.results(places), "spearman_network": alike},
    )


def _answer(known: _Seen, network: _Seen) -> str:
    """Say what both models show, and whether it is surely no accident of the points."""
    told = " and ".join(f"{decimal(each.order)} for the {each.name}" for each in (known, network))
    ends = [correlation_interval(each.values.tolist(), (-each.margins).tolist()) for each in (known, network)]
    if all(each is not None and each[0] > 0 for each in ends):
        return (
            "The nearer a point lies to the boundary of the two classes, the higher its λmax tends to be: Spearman's "
            f"correlation of λmax and nearness is {told}, on {len(known.values)} points."
        )
    return f"Spearman's correlation of λmax and nearness to the boundary is {told}, on {len(known.values)} points."


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
    boundary: list[tuple[float, float]]

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
        boundary=_boundary(model, places),
    )


def _boundary(model: TwoGaussians, places: Array) -> list[tuple[float, float]]:
    """Find where both classes are as likely, between the two means: one point on each of many lines that cross it.

    The lines run in the direction that leads from one mean to the other, side by side over all of the points; on each
    the sign of z₁ − z₀ changes between two near points, and the zero is read off the straight line between them.
    """
    first, second = (np.array(each) for each in MEANS)
    way = second - first
    aside = np.array([-way[1], way[0]]) / np.linalg.norm(way)
    middle = (first + second) / 2
    reach = np.abs((places - middle) @ aside).max()
    steps = np.linspace(-0.5, 0.5, 201)
    found = []
    embedded = model.embed(draw_points(1, 0)[0])
    for offset in np.linspace(-reach, reach, 81):
        line = middle + offset * aside + steps[:, None] * way
        logits = np.asarray(model.logits(embedded.embeddings.new_tensor(line)[:, None], embedded))
        lead = logits[:, 1] - logits[:, 0]
        crossed = np.flatnonzero(np.sign(lead[:-1]) != np.sign(lead[1:]))
        if len(crossed):
            row = int(crossed[0])
            share = lead[row] / (lead[row] - lead[row + 1])
            x, y = line[row] + share * (line[row + 1] - line[row])
            found.append((float(x), float(y)))
    return found


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
    shades = seen.values.argsort().argsort() / max(1, len(seen.values) - 1)  # by rank: no few take them from the rest
    low, middle, high = (drawing.decimal(float(end)) for end in np.quantile(seen.values, (0, 0.5, 1)))
    arrows = [
        tuple(map(float, (*places[row], *vector))) for row, vector in zip(seen.hardest, seen.vectors, strict=True)
    ]
    classes = [
        Series(
            name=f"points of the {label} class", kind="dots", mark=mark,
            points=[tuple(map(float, places[row])) for row in rows],
            shades=[float(shades[row]) for row in rows],
        )
        for label, mark in zip(dict.fromkeys(seen.labels), _MARKS, strict=True)
        if (rows := [row for row, each in enumerate(seen.labels) if each == label])
    ]  # fmt: skip
    return Figure(
        title=f"{seen.name}: points by λmax, and the eigenvectors of the hardest",
        across="x",
        up="y",
        equal=True,
        series=[
            *classes,
            Series(name="where both classes are as likely", kind="line", points=seen.boundary),
            Series(name=f"unit eigenvectors of the {len(arrows)} hardest", kind="arrows", points=arrows),
        ],
        scale=(f"λmax by rank: lowest {low}", f"{high} highest, median {middle}"),
    )
