"""λmax by Lanczos iterations, against the exact value."""

from __future__ import annotations

import math

import pytest
import torch

from robustfim_fisher.differences import differentiate
from robustfim_fisher.geometry import EXACT_CLASSES, NEAREST, FisherGeometry
from robustfim_fisher.information import lambda_max, margin, top_eigenpair
from robustfim_fisher.lanczos import lanczos_eigenpair
from tests.plugins.robustfim_fisher.models import Tokens, model_of, sentences
from tests.plugins.robustfim_fisher.reference import fisher_matrix


@pytest.mark.parametrize(
    "architecture", ["linear", *(pytest.param(each, marks=pytest.mark.slow) for each in ("cnn", "lstm", "bert"))]
)
def test_with_1000_classes_it_is_within_a_thousandth_of_the_exact_value(architecture: str) -> None:
    model = model_of(architecture, classes=1000, dims=8, special=True)
    for example in sentences(3):
        embedded = model.embed([example])
        exact = float(lambda_max(differentiate(model, embedded)))
        found = lanczos_eigenpair(model, embedded)
        assert found.value == pytest.approx(exact, rel=1e-3)
        assert found.residual < 1e-3
        assert found.products < 100  # the exact way takes 999 backward passes


@pytest.mark.parametrize("tokens", ["text", "all"])
@pytest.mark.parametrize("classes", [2, 5])
def test_its_vector_is_an_eigenvector_of_the_literal_matrix(classes: int, tokens: Tokens) -> None:
    model = model_of("cnn", classes=classes, special=True)
    for example in sentences(3):
        embedded = model.embed([example])
        found = lanczos_eigenpair(model, embedded, tokens=tokens)
        part = embedded.mask[0] if tokens == "all" else embedded.mask[0] & ~embedded.special[0]
        matrix = fisher_matrix(model, example, tokens)
        vector = found.vector[part].flatten()
        assert float(vector.norm()) == pytest.approx(1, abs=1e-5)
        assert float((matrix @ vector - found.value * vector).norm()) / found.value < 1e-3
        assert not found.vector[~part].any()


def test_the_residual_is_that_of_the_pair_it_returns() -> None:
    model = model_of("lstm", classes=20)
    (example,) = sentences(1)
    found = lanczos_eigenpair(model, model.embed([example]))
    matrix, vector = fisher_matrix(model, example).double(), found.vector.flatten().double()
    literal = float((matrix @ vector - found.value * vector).norm()) / found.value
    assert found.residual == pytest.approx(literal, abs=1e-5)


def test_a_model_that_does_not_depend_on_its_input_has_zero() -> None:
    model = model_of("linear", classes=100, scale=0.0)
    found = lanczos_eigenpair(model, model.embed(sentences(1)))
    assert (found.value, found.residual) == (0, 0)
    assert not found.vector.any()


def test_a_model_without_finite_logits_has_none() -> None:
    model = model_of("linear", classes=100)
    with torch.no_grad():
        model.module.network.linear.bias[0] = torch.nan
    assert math.isnan(lanczos_eigenpair(model, model.embed(sentences(1))).value)


def test_the_geometry_of_many_classes_is_that_of_few() -> None:
    model = model_of("cnn", classes=EXACT_CLASSES + 1, special=True)
    examples = sentences(6)
    geometry = FisherGeometry(model)
    points = geometry.at(examples)
    for example, point in zip(examples, points, strict=True):
        differences = differentiate(model, model.embed([example]))
        value, vector = top_eigenpair(differences)
        assert point.lambda_max == pytest.approx(float(value), rel=1e-3)
        assert point.margin == pytest.approx(float(margin(differences)), abs=1e-5)
        assert point.eigenvector.shape == vector[0].shape
        # The eigenvector turns more easily than its eigenvalue; the sign is told by the margin.
        assert float((point.eigenvector * vector[0]).sum()) > 0.99
        assert float((point.eigenvector * point.margin_gradient).sum()) <= 0
        torch.testing.assert_close(point.margin_gradient, differences.gradients[0, 0], rtol=1e-4, atol=1e-5)
        nearest = differences.gaps[:, :NEAREST] / differences.norms[:, :NEAREST]
        assert point.distance == pytest.approx(float(nearest.min()), rel=1e-4)
    assert sorted(geometry.residuals) == sorted(point.residual for point in points)
    assert 0 < max(geometry.residuals) < 1e-3


def test_up_to_64_classes_nothing_is_iterated() -> None:
    model = model_of("linear", classes=EXACT_CLASSES)
    geometry = FisherGeometry(model)
    (point,) = geometry.at(sentences(1))
    exact = lambda_max(differentiate(model, model.embed(sentences(1))))
    assert (point.lambda_max, point.residual, geometry.residuals) == (float(exact), 0, [])


def test_a_logit_that_is_not_finite_spoils_its_row_whatever_its_rank() -> None:
    model = model_of("linear", classes=100)
    with torch.no_grad():
        model.module.network.linear.bias[99] = -torch.inf
    (point,) = FisherGeometry(model).at(sentences(1))
    assert math.isnan(point.lambda_max)
    assert math.isnan(point.distance)
    assert math.isnan(float(margin(differentiate(model, model.embed(sentences(1)), nearest=3))))


def test_one_example_at_a_time_is_asked() -> None:
    model = model_of("linear", classes=100)
    with pytest.raises(ValueError, match="one example is needed, not of 2"):
        lanczos_eigenpair(model, model.embed(sentences(2)))
