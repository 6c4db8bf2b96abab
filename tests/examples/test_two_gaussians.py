"""The example of two Gaussians: the tool's λmax and eigenvectors, against the closed form."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from scipy.special import expit
from scipy.stats import multivariate_normal

from robustfim.errors import ModelError
from robustfim.plugin.sources import PluginOptions, load_plugins
from tests.examples.imported import EXAMPLES, imported
from tests.robustfim.command_line import CommandLine

pytest.importorskip("torch")
FILE = EXAMPLES / "two_gaussians.py"


plane = imported("two_gaussians")
CLASSES = list(zip(plane.MEANS, plane.COVARIANCES, strict=True))


def test_the_model_gives_the_posterior_of_the_densities() -> None:
    examples, places = plane.draw_points(20, 3)
    densities = np.stack([multivariate_normal(m, c).pdf(places) for m, c in CLASSES], 1)
    found = plane.TwoGaussians().predict(examples)
    np.testing.assert_allclose(found, densities / densities.sum(1, keepdims=True), rtol=1e-9)


def test_lambda_max_and_eigenvectors_are_the_closed_form() -> None:
    study = plane.gaussians_study(load_plugins(PluginOptions()), points=100, seed=1)
    _, places = plane.draw_points(100, 1)
    logs = [multivariate_normal(m, c).logpdf(places) for m, c in CLASSES]
    slopes = [-(places - np.array(m)) @ np.linalg.inv(np.array(c)) for m, c in CLASSES]
    gap, gradient = logs[0] - logs[1], slopes[0] - slopes[1]
    expected = expit(gap) * expit(-gap) * (gradient**2).sum(1)
    np.testing.assert_allclose([point["lambda_max"] for point in study.results["points"]], expected, rtol=1e-9)
    hardest = [each["point"] for each in study.results["hardest"]]
    assert hardest == np.argsort(-expected, kind="stable")[: plane.HARDEST].tolist()
    # The predicted class loses against its own gradient.
    towards = -np.sign(gap)[:, None] * gradient / np.linalg.norm(gradient, axis=1, keepdims=True)
    np.testing.assert_allclose([each["eigenvector"] for each in study.results["hardest"]], towards[hardest], atol=1e-9)


def test_the_boundary_is_where_both_classes_are_as_likely_and_no_class_looks_like_the_other() -> None:
    study = plane.gaussians_study(load_plugins(PluginOptions()), points=30, seed=1)
    first, second, boundary, ways = study.figures[0].series
    logs = [multivariate_normal(m, c).logpdf(np.array(boundary.points)) for m, c in CLASSES]
    assert len(boundary.points) > 50
    np.testing.assert_allclose(logs[0], logs[1], atol=0.01)
    assert len(first.points) == len(second.points) == 30
    steps = np.array(ways.points, dtype=float).reshape(plane.HARDEST, 3, 2)
    np.testing.assert_allclose(np.linalg.norm(steps[:, 1] - steps[:, 0], axis=1), 1)
    assert study.figures[0].equal


def test_the_network_separates_the_classes_and_its_lambda_max_is_that_of_its_weights() -> None:
    study = plane.gaussians_study(load_plugins(PluginOptions()), points=50, seed=1)
    seen = study.results["network"]
    assert sum(point["label"] != point["predicted"] for point in seen["points"]) <= 1
    first, bias, second, last = (weight.numpy() for weight in plane.TwoLayers(50, 2)._weights)
    _, places = plane.draw_points(50, 1)
    hidden = np.tanh(places @ first.T + bias)
    logits = hidden @ second.T + last
    gap = logits[:, 1] - logits[:, 0]
    gradient = ((second[1] - second[0]) * (1 - hidden**2)) @ first  # ∇(z₁ − z₀)
    expected = expit(gap) * expit(-gap) * (gradient**2).sum(1)
    np.testing.assert_allclose([point["lambda_max"] for point in seen["points"]], expected, rtol=1e-7)
    assert study.findings[-1].startswith("λmax of the network and of the closed form: Spearman")
    assert [figure.title.partition(":")[0] for figure in study.figures] == ["closed form", "two-layer network"]


def test_the_network_is_one_for_one_seed() -> None:
    examples = plane.draw_points(5, 0)[0]
    assert np.array_equal(plane.TwoLayers(20, 3).predict(examples), plane.TwoLayers(20, 3).predict(examples))
    assert not np.array_equal(plane.TwoLayers(20, 3).predict(examples), plane.TwoLayers(20, 4).predict(examples))


def test_one_seed_draws_one_set_of_points() -> None:
    assert plane.draw_points(10, 0)[0] == plane.draw_points(10, 0)[0]
    assert not np.array_equal(plane.draw_points(10, 0)[1], plane.draw_points(10, 1)[1])
    classes = plane.draw_points(4000, 0)[1].reshape(2, 4000, 2)
    for points, mean, covariance in zip(classes, plane.MEANS, plane.COVARIANCES, strict=True):
        np.testing.assert_allclose(points.mean(0), mean, atol=0.1)
        np.testing.assert_allclose(np.cov(points.T), covariance, atol=0.15)


def test_without_a_plugin_for_gradients_the_way_out_is_told() -> None:
    manager = load_plugins(PluginOptions(block=("fisher",)))
    with pytest.raises(ModelError, match="no plugin computes gradients; robustfim_fisher does"):
        plane.gaussians_study(manager, points=10, seed=0)


def test_the_command_writes_its_tables_record_and_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    shown = CommandLine(tmp_path, capsys)(f"-p {FILE} study gaussians --points 30 --seed 4 --csv")
    assert shown.code == 0, shown
    assert "Is λmax highest where two classes meet?" in shown.out
    written = sorted(path.name for path in Path("reports").iterdir())
    assert [name for name in written if name.endswith(".csv")] == [
        f"study-gaussians-{kind}-{number}.csv" for kind in ("figure", "table") for number in (1, 2)
    ]
    record = json.loads(Path("reports/study-gaussians.json").read_text(encoding="utf-8"))
    assert (len(record["results"]["points"]), record["seed"]) == (60, 4)
    page = Path("reports/study-gaussians.html").read_text(encoding="utf-8")
    # Each figure is drawn for a wide and for a narrow page.
    assert page.count("<polyline") == 2 * 2 * (1 + plane.HARDEST)  # the boundary and the eigenvectors
