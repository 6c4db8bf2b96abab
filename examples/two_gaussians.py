"""A plugin that offers a study: λmax and its eigenvectors where both can be seen, in the plane.

Run ``robustfim -p examples/two_gaussians.py study gaussians``. It repeats the synthetic example of Datta et al. (2020).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import click
import numpy as np
from numpy.typing import NDArray

from robustfim import hookimpl
from robustfim.commands import Chosen, shared_options
from robustfim.errors import ModelError
from robustfim.example import Example
from robustfim.exhibit import Figure, Series, Table
from robustfim.plugin import PluginManager
from robustfim.record import Study, describe_environment
from robustfim.roles import Embedded
from robustfim_drawing import decimal

__all__ = [
    "COVARIANCES",
    "HARDEST",
    "MEANS",
    "TwoGaussians",
    "TwoLayers",
    "command",
    "draw_points",
    "gaussians_study",
    "robustfim_studies",
]

MEANS = ((-2.0, -2.0), (3.5, 3.5))
COVARIANCES = (((1.0, 0.0), (0.0, 1.0)), ((2.0, 1.0), (1.0, 2.0)))
"""The two classes of Datta et al. (2020)."""

HARDEST = 20
"""Points whose eigenvectors are shown."""

_HIDDEN = 16
"""Units of the network's hidden layer."""

_STEPS = 500
"""Steps of its training, each on all points."""

_Array = NDArray[np.float64]


@hookimpl
def robustfim_studies() -> dict[str, tuple[str, str]]:
    """Offer ``robustfim study gaussians``."""
    return {"gaussians": (f"{__name__}:command", "Show λmax and its eigenvectors for two Gaussians in the plane.")}


@click.command(name="gaussians", epilog="Example: robustfim -p examples/two_gaussians.py study gaussians --points 200")
@click.option("--points", default=200, show_default=True, type=click.IntRange(10, 5000), help="Points a class.")
@click.option("--seed", default=0, show_default=True, type=click.IntRange(min=0), help="Seed of the points.")
@shared_options("plugins")
def command(points: int, seed: int, chosen: Chosen) -> Study:
    """Show λmax and its eigenvectors for two Gaussians in the plane."""
    return gaussians_study(chosen.manager(), points=points, seed=seed)


def draw_points(points: int, seed: int) -> tuple[list[Example], _Array]:
    """Draw points of both classes.

    Args:
        points: Points a class, ≥ 1.
        seed: The seed.

    Returns:
        Examples whose text is the two coordinates and whose label is the class, ``first`` before ``second``; and the
        coordinates ``[2 · points, 2]`` as the texts have them.
    """
    random = np.random.default_rng(seed)
    drawn = np.concatenate(
        [random.multivariate_normal(m, c, points) for m, c in zip(MEANS, COVARIANCES, strict=True)]
    ).round(6)
    labels = ["first"] * points + ["second"] * points
    examples = [Example({"point": f"{x:.6f} {y:.6f}"}, label) for (x, y), label in zip(drawn, labels, strict=True)]
    return examples, drawn


class TwoGaussians:
    """The Bayes classifier of the two classes: its logits are their log densities, log N(x; μ_c, Σ_c).

    Fits :class:`robustfim.roles.DifferentiableModel`. A point is one token of two dimensions, so that λmax and its
    eigenvector, computed as for any text, can be drawn. Nothing is trained: Δz(x) is a quadratic form.

    Raises:
        ModelError: PyTorch is not installed.
    """

    labels = ("first", "second")
    fingerprint = "two gaussians"

    def __init__(self) -> None:
        try:
            import torch
        except ModuleNotFoundError as error:
            raise ModelError("'study gaussians' needs PyTorch: pip install 'robustfim[torch]'") from error
        self._torch: Any = torch

    def embed(self, examples: Sequence[Example]) -> Embedded:
        """Read the coordinates, ``[batch, 1, 2]``, in double precision."""
        torch = self._torch
        points = torch.tensor(
            [[[float(part) for part in example.text.split()]] for example in examples], dtype=torch.float64
        )
        mask = torch.ones(points.shape[:2], dtype=torch.bool)
        spans = [[("point", 0, len(example.text))] for example in examples]
        return Embedded(points, mask, torch.zeros_like(mask), spans)

    def logits(self, embeddings: Any, embedded: Embedded) -> Any:
        """Return log N(x; μ_c, Σ_c) up to a constant of both, ``[batch, classes]``."""
        torch = self._torch
        columns = []
        for mean, covariance in zip(MEANS, COVARIANCES, strict=True):
            sigma = torch.tensor(covariance, dtype=embeddings.dtype)
            away = embeddings[:, 0] - torch.tensor(mean, dtype=embeddings.dtype)
            squares = (away @ torch.linalg.inv(sigma) * away).sum(1)
            columns.append(-(squares + torch.logdet(sigma)) / 2)
        return torch.stack(columns, dim=1)

    def predict(self, examples: Sequence[Example]) -> Any:
        """Return the classes' posterior probabilities, ``[batch, classes]``; both classes have the same prior."""
        embedded = self.embed(examples)
        with self._torch.no_grad():
            return self.logits(embedded.embeddings, embedded).softmax(1).numpy()


class TwoLayers(TwoGaussians):
    """A network of two layers, z = W₂ tanh(W₁ x + b₁) + b₂, in place of the log densities.

    Adam trains it (learning rate 0.02, no weight decay) on the cross-entropy of points of its own.

    Args:
        points: Points a class to train on, ≥ 1.
        seed: The seed of the points and of the first weights.
    """

    def __init__(self, points: int, seed: int) -> None:
        super().__init__()
        torch = self._torch
        self.fingerprint = f"two layers: {points} points a class, seed {seed}"
        examples, _ = draw_points(points, seed)
        inputs = self.embed(examples).embeddings[:, 0]
        gold = torch.tensor([self.labels.index(str(example.label)) for example in examples])
        generator = torch.Generator().manual_seed(seed)

        def drawn(*shape: int) -> Any:
            return torch.randn(*shape, generator=generator, dtype=torch.float64) / shape[-1] ** 0.5

        first, second = drawn(_HIDDEN, 2), drawn(2, _HIDDEN)
        biases = [torch.zeros(size, dtype=torch.float64) for size in (_HIDDEN, 2)]
        self._weights = [each.requires_grad_() for each in (first, biases[0], second, biases[1])]
        optimiser = torch.optim.Adam(self._weights, lr=0.02)
        for _ in range(_STEPS):
            optimiser.zero_grad()
            torch.nn.functional.cross_entropy(self._network(inputs), gold).backward()
            optimiser.step()
        self._weights = [weight.detach() for weight in self._weights]

    def logits(self, embeddings: Any, embedded: Embedded) -> Any:
        """Return the network's logits, ``[batch, classes]``."""
        return self._network(embeddings[:, 0])

    def _network(self, points: Any) -> Any:
        first, bias, second, last = self._weights
        return self._torch.tanh(points @ first.T + bias) @ second.T + last


def gaussians_study(manager: PluginManager, *, points: int, seed: int) -> Study:
    """Draw points of two Gaussians, and ask the geometry of the loaded plugins for λmax at each.

    The synthetic example of Datta et al. (2020): the points of high λmax lie along the boundary of the classes, and
    the eigenvectors cross it; for the classifier that knows both densities, and for a network of two layers that was
    trained on points of them, as the paper's.

    Args:
        manager: The loaded plugins; one of them computes gradients.
        points: Points a class.
        seed: The seed of the points.

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
    alike = _spearman(known.values, network.values)
    shared = len(set(known.hardest) & set(network.hardest))
    return Study(
        study="gaussians",
        title="Is λmax highest where two classes meet?",
        environment=describe_environment(manager.records(), "cpu"),
        seed=seed,
        findings=[
            *known.findings(),
            *network.findings(),
            f"λmax of the network and of the closed form: Spearman {_decimal(alike)}, on {len(examples)} points; "
            f"{shared} of the {len(known.hardest)} hardest are the same.",
        ],
        tables=[_table(known, places), _table(network, places)],
        figures=[_figure(known, places), _figure(network, places)],
        results={**known.results(places), "network": network.results(places), "spearman_network": alike},
    )


def _spearman(first: _Array, second: _Array) -> float:
    from scipy.stats import spearmanr

    return float(spearmanr(first, second).statistic)


def _decimal(number: float, places: int = 2) -> str:
    return f"{number:.{places}f}".replace("-", "−")


@dataclass(frozen=True)
class _Seen:
    """What the geometry found at the points under one model."""

    name: str
    labels: Sequence[str]
    predicted: Sequence[str]
    probabilities: _Array
    values: _Array
    margins: _Array
    hardest: list[int]
    vectors: _Array
    crossing: int
    boundary: list[tuple[float, float]]

    @property
    def order(self) -> float:
        return _spearman(self.values, -self.margins)

    def findings(self) -> list[str]:
        wrong = [a != b for a, b in zip(self.labels, self.predicted, strict=True)]
        hard = len(self.hardest)
        return [
            f"{self.name}: {sum(wrong[row] for row in self.hardest)} of the {hard} points of highest λmax are on the "
            f"wrong side of the boundary, {sum(wrong)} of all {len(wrong)}.",
            f"{self.name}: λmax and nearness to the boundary (−|Δz|): Spearman {_decimal(self.order)}, on "
            f"{len(wrong)} points.",
            f"{self.name}: the eigenvectors of {self.crossing} of the {hard} lead across the boundary within 2 units.",
        ]

    def results(self, places: _Array) -> dict[str, Any]:
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


def _look(name: str, model: TwoGaussians, computes: Any, examples: Sequence[Example], places: _Array) -> _Seen:
    found = computes(model).at(examples)
    values = np.array([each.lambda_max for each in found])
    hardest = np.argsort(-values, kind="stable")[:HARDEST].tolist()
    vectors = np.array([np.asarray(found[row].eigenvector, dtype=np.float64)[0] for row in hardest])
    probabilities = np.asarray(model.predict(examples))
    return _Seen(
        name=name,
        labels=[example.label or "" for example in examples],
        predicted=[model.labels[row] for row in probabilities.argmax(1)],
        probabilities=probabilities,
        values=values,
        margins=np.array([each.margin for each in found]),
        hardest=hardest,
        vectors=vectors,
        crossing=_crossing(model, places[hardest], vectors),
        boundary=_boundary(model, places),
    )


def _boundary(model: TwoGaussians, places: _Array) -> list[tuple[float, float]]:
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
            fraction = lead[row] / (lead[row] - lead[row + 1])
            x, y = line[row] + fraction * (line[row + 1] - line[row])
            found.append((float(x), float(y)))
    return found


def _crossing(model: TwoGaussians, places: _Array, vectors: _Array) -> int:
    """Count the points from which 2 units along the eigenvector change the predicted class."""
    embedded = model.embed(draw_points(1, 0)[0])

    def predicted(points: _Array) -> _Array:
        tensor = embedded.embeddings.new_tensor(points)[:, None]
        return np.asarray(model.logits(tensor, embedded).argmax(1), dtype=np.float64)

    return int((predicted(places) != predicted(places + 2 * vectors)).sum())


def _table(seen: _Seen, places: _Array) -> Table:
    return Table(
        title=f"{seen.name}: the {len(seen.hardest)} points of highest λmax",
        header=["point", "class", "predicted", "p", "λmax", "eigenvector"],
        rows=[
            [
                f"({_decimal(places[row, 0])}, {_decimal(places[row, 1])})", seen.labels[row], seen.predicted[row],
                _decimal(float(seen.probabilities[row].max())), _decimal(float(seen.values[row]), 3),
                f"({_decimal(vector[0])}, {_decimal(vector[1])})",
            ]
            for row, vector in zip(seen.hardest, seen.vectors, strict=True)
        ],
        notes=["p: probability of the predicted class. The eigenvector points to where that class loses."],
    )  # fmt: skip


def _figure(seen: _Seen, places: _Array) -> Figure:
    low, middle, high = (decimal(float(end)) for end in np.quantile(seen.values, (0, 0.5, 1)))
    classes = [
        Series(
            name=f"points of the {label} class", kind="dots",
            points=[
                tuple(map(float, point)) for point, other in zip(places, seen.labels, strict=True) if other == label
            ],
        )
        for label in dict.fromkeys(seen.labels)
    ]  # fmt: skip
    ways: list[tuple[float | None, ...]] = []
    for row, vector in zip(seen.hardest, seen.vectors, strict=True):
        ways += [tuple(map(float, places[row])), tuple(map(float, places[row] + vector)), (None, None)]
    return Figure(
        title=f"{seen.name}: points, and the eigenvectors of those of highest λmax",
        across="x",
        up="y",
        equal=True,
        series=[
            *classes,
            Series(name="where both classes are as likely", kind="line", points=seen.boundary),
            Series(name=f"unit eigenvectors of the {len(seen.hardest)} hardest", kind="line", points=ways),
        ],
        notes=[f"λmax: lowest {low}, median {middle}, highest {high}."],
    )
