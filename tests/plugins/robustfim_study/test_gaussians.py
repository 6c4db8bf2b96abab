"""The two Gaussians: the tool's λmax and eigenvectors, against the closed form."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import expit
from scipy.stats import multivariate_normal

from robustfim.errors import ModelError
from robustfim.plugin.sources import PluginOptions, load_plugins
from robustfim_study.gaussians import HARDEST, gaussians_study
from robustfim_study.two_gaussians import COVARIANCES, MEANS, TwoGaussians, draw_points
from robustfim_study.two_layers import TwoLayers


def test_the_model_gives_the_posterior_of_the_densities() -> None:
    examples, places = draw_points(20, 3)
    densities = np.stack([multivariate_normal(m, c).pdf(places) for m, c in zip(MEANS, COVARIANCES, strict=True)], 1)
    found = TwoGaussians().predict(examples)
    np.testing.assert_allclose(found, densities / densities.sum(1, keepdims=True), rtol=1e-9)


def test_lambda_max_and_eigenvectors_are_the_closed_form() -> None:
    study = gaussians_study(load_plugins(PluginOptions()), points=100, seed=1, started="")
    _, places = draw_points(100, 1)
    logs = [multivariate_normal(m, c).logpdf(places) for m, c in zip(MEANS, COVARIANCES, strict=True)]
    slopes = [-(places - np.array(m)) @ np.linalg.inv(np.array(c)) for m, c in zip(MEANS, COVARIANCES, strict=True)]
    gap, gradient = logs[0] - logs[1], slopes[0] - slopes[1]
    expected = expit(gap) * expit(-gap) * (gradient**2).sum(1)
    np.testing.assert_allclose([each["lambda_max"] for each in study.results["points"]], expected, rtol=1e-9)
    hardest = [each["point"] for each in study.results["hardest"]]
    assert hardest == np.argsort(-expected, kind="stable")[:HARDEST].tolist()
    # The predicted class loses against its own gradient.
    towards = -np.sign(gap)[:, None] * gradient / np.linalg.norm(gradient, axis=1, keepdims=True)
    np.testing.assert_allclose([each["eigenvector"] for each in study.results["hardest"]], towards[hardest], atol=1e-9)


def test_the_boundary_is_where_both_classes_are_as_likely_and_no_class_looks_like_the_other() -> None:
    study = gaussians_study(load_plugins(PluginOptions()), points=30, seed=1, started="")
    first, second, boundary, arrows = study.figures[0].series
    logs = [
        multivariate_normal(m, c).logpdf(np.array(boundary.points)) for m, c in zip(MEANS, COVARIANCES, strict=True)
    ]
    assert len(boundary.points) > 50
    np.testing.assert_allclose(logs[0], logs[1], atol=0.01)
    assert {first.mark, second.mark} == {"circle", "square"}
    assert len(first.points) == len(second.points) == 30
    assert len(arrows.points) == HARDEST
    assert study.figures[0].equal
    assert study.figures[0].scale is not None


def test_the_network_separates_the_classes_and_its_lambda_max_is_that_of_its_weights() -> None:
    study = gaussians_study(load_plugins(PluginOptions()), points=50, seed=1, started="")
    seen = study.results["network"]
    assert sum(each["label"] != each["predicted"] for each in seen["points"]) <= 1
    first, bias, second, last = (each.numpy() for each in TwoLayers(50, 2)._weights)
    _, places = draw_points(50, 1)
    hidden = np.tanh(places @ first.T + bias)
    logits = hidden @ second.T + last
    gap = logits[:, 1] - logits[:, 0]
    gradient = ((second[1] - second[0]) * (1 - hidden**2)) @ first  # ∇(z₁ − z₀)
    expected = expit(gap) * expit(-gap) * (gradient**2).sum(1)
    np.testing.assert_allclose([each["lambda_max"] for each in seen["points"]], expected, rtol=1e-7)
    assert study.findings[-1].startswith("λmax of the network and of the closed form: Spearman")
    assert [each.title.partition(":")[0] for each in study.figures] == ["closed form", "two-layer network"]


def test_the_network_is_one_for_one_seed() -> None:
    examples = draw_points(5, 0)[0]
    assert np.array_equal(TwoLayers(20, 3).predict(examples), TwoLayers(20, 3).predict(examples))
    assert not np.array_equal(TwoLayers(20, 3).predict(examples), TwoLayers(20, 4).predict(examples))


def test_one_seed_draws_one_set_of_points() -> None:
    assert draw_points(10, 0)[0] == draw_points(10, 0)[0]
    assert not np.array_equal(draw_points(10, 0)[1], draw_points(10, 1)[1])
    classes = draw_points(4000, 0)[1].reshape(2, 4000, 2)
    for points, mean, covariance in zip(classes, MEANS, COVARIANCES, strict=True):
        np.testing.assert_allclose(points.mean(0), mean, atol=0.1)
        np.testing.assert_allclose(np.cov(points.T), covariance, atol=0.15)


def test_without_a_plugin_for_gradients_the_way_out_is_told() -> None:
    manager = load_plugins(PluginOptions(block=("fisher",)))
    with pytest.raises(ModelError, match="no plugin computes gradients; robustfim_fisher does"):
        gaussians_study(manager, points=10, seed=0, started="")
