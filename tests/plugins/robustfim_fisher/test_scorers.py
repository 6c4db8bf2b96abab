"""Difficulty scores of one look at an example."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pytest

from robustfim.errors import ModelError
from robustfim.example import Example
from robustfim.prediction import Prediction
from robustfim_fisher.geometry import FisherGeometry
from robustfim_fisher.scorers import Boundary, Entropy, Fisher, Margin
from tests.plugins.robustfim_fisher.models import Run, model_of, sentences


class Table:
    """A model that is no more than its answers."""

    fingerprint = "table"

    def __init__(self, *rows: list[float]) -> None:
        self.rows = rows
        self.labels = tuple(f"class {index}" for index in range(len(rows[0])))

    def predict(self, examples: object) -> list[list[float]]:
        return list(self.rows)


def test_margin_and_entropy_need_no_gradients() -> None:
    run = Run(Table([0.5, 0.5, 0.0], [0.7, 0.1, 0.2], [0.0, 0.0, 1.0], [1 / 3] * 3, [math.nan] * 3))
    examples = sentences(5)
    margins, entropies = Margin().score(examples, run), Entropy().score(examples, run)
    assert margins[:4] == pytest.approx([0.0, 0.5, 1.0, 0.0])
    expected = [math.log(2), -sum(p * math.log(p) for p in (0.7, 0.1, 0.2)), 0.0, math.log(3)]
    assert entropies[:4] == pytest.approx(expected)
    assert math.copysign(1, entropies[2]) == 1
    assert math.isnan(margins[4])
    assert math.isnan(entropies[4])


class Answered(Run):
    """A run of a model that answers in its own words."""

    def predict(self, examples: Sequence[Example]) -> list[Prediction | None]:
        return [Prediction.of_answers([("a tower", 0.5), ("hill", 0.3)]), Prediction.of_answers([("yes", 1.0)])]


def test_the_entropy_of_open_answers_takes_all_that_are_not_listed_as_one() -> None:
    run, examples = Answered(None), sentences(2)
    expected = [-sum(p * math.log(p) for p in (0.5, 0.3, 0.2)), 0.0]
    assert Entropy().score(examples, run) == pytest.approx(expected)
    assert Margin().score(examples, run) == pytest.approx([0.2, math.nan], nan_ok=True)


def test_fisher_and_boundary_share_their_gradients() -> None:
    model = model_of("cnn", special=True)
    run = Run(model)
    examples = sentences(7)
    fisher, boundary = Fisher().score(examples, run), Boundary().score(examples, run)
    assert run.geometry.calls == 7
    points = FisherGeometry(model).at(examples)
    assert fisher == [point.lambda_max for point in points]
    assert boundary == [point.distance for point in points]
    assert fisher != Fisher(tokens="all").score(examples, run)
    assert boundary != Boundary(tokens="all").score(examples, run)


def test_with_two_classes_the_gradient_norm_and_the_probabilities_give_fisher() -> None:
    model = model_of("cnn")
    examples = sentences(7)
    run = Run(model)
    fisher = Fisher().score(examples, run)
    norms = [float((point.margin_gradient**2).sum()) ** 0.5 for point in run.geometry.at(examples)]
    p = np.asarray(model.predict(examples))
    np.testing.assert_allclose(fisher, p[:, 0] * p[:, 1] * np.square(norms), rtol=1e-4)


def test_on_a_linear_model_the_scores_agree_on_texts_of_one_length() -> None:
    run = Run(model_of("linear"))
    texts = ("slow film", "a winter", "grief remembers", "nobody wanted", "the bright", "fondly after")
    examples = [Example({"text": text}) for text in texts]
    fisher, boundary = Fisher().score(examples, run), Boundary().score(examples, run)
    margin, entropy = Margin().score(examples, run), Entropy().score(examples, run)
    order = np.argsort(fisher)[::-1].tolist()
    assert order == np.argsort(boundary).tolist()
    assert order == np.argsort(margin).tolist()
    assert order == np.argsort(entropy)[::-1].tolist()


def test_a_black_box_has_no_fisher_score() -> None:
    run = Run(Table([0.5, 0.5]))
    for scorer in (Fisher(), Boundary()):
        with pytest.raises(ModelError, match="Table has no gradients"):
            scorer.score(sentences(1), run)
