"""Half precision through all that is made of gradients: finite, and near what single precision gives."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from robustfim import Example
from robustfim.candidate import Candidate, Edit, Step
from robustfim_fisher.effects import first_order_effects
from robustfim_fisher.geometry import FisherGeometry
from robustfim_fisher.lanczos import lanczos_eigenpair
from robustfim_fisher.smallest_step import SmallestStep
from robustfim_fisher.steps import predict_steps
from robustfim_huggingface.classifier.model import SequenceClassifier

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

Folders = Callable[[str], Path]
DTYPES = ["bfloat16", "float16"]
EXAMPLES = [Example({"text": text}) for text in ("good film", "the bad, bad film", "café naïve", "x y z")]


@pytest.fixture(params=["bert", "llama"])
def folder(request: pytest.FixtureRequest, folders: Folders) -> Path:
    return folders(request.param)


def opened(folder: Path, dtype: Any) -> SequenceClassifier:
    return SequenceClassifier(folder, dtype=dtype, device="cpu")


@pytest.mark.parametrize("dtype", DTYPES)
def test_the_geometry_is_near_and_solved_in_double_precision(folder: Path, dtype: str) -> None:
    points, exact = (FisherGeometry(opened(folder, each)).at(EXAMPLES) for each in (dtype, "float32"))
    for point, true in zip(points, exact, strict=True):
        assert point.lambda_max == pytest.approx(true.lambda_max, rel=0.15)
        assert point.margin == pytest.approx(true.margin, rel=0.15, abs=0.1)
        assert point.distance == pytest.approx(true.distance, rel=0.15, abs=0.01)
        assert point.eigenvector.dtype == torch.float32
        assert float(point.eigenvector.norm()) == pytest.approx(1, abs=1e-4)
        assert abs(float((point.eigenvector * true.eigenvector).sum())) > 0.95


@pytest.mark.parametrize("dtype", DTYPES)
def test_steps_are_predicted_and_the_smallest_found(folder: Path, dtype: str) -> None:
    model, single = opened(folder, dtype), opened(folder, "float32")
    geometry, exact = FisherGeometry(model), FisherGeometry(single)
    steps = [Candidate(example, step=Step("eigenvector", 0.5)) for example in EXAMPLES]
    rows, true = predict_steps(model, geometry, steps, "text"), predict_steps(single, exact, steps, "text")
    assert np.abs(rows - true).max() < 0.1
    found = []
    for classifier, its in ((model, geometry), (single, exact)):
        smallest = SmallestStep(bound=20, direction="boundary normal", tolerance=0.05)
        run: Any = SimpleNamespace(model=classifier, geometry=its, count_steps=lambda count: None)
        smallest.prepare(run)
        smallest.foresee(EXAMPLES)
        candidates = [candidate for example in EXAMPLES for candidate in smallest.propose(example, Random(0))]
        assert np.isfinite(smallest.predict(candidates)).all()
        found.append([candidate.step.norm for candidate in candidates if candidate.step])
    assert min(found[1]) < 20, "or nothing is compared"
    np.testing.assert_allclose(found[0], found[1], rtol=0.2, atol=0.05)


@pytest.mark.parametrize("dtype", DTYPES)
def test_the_guided_order_is_near(folder: Path, dtype: str) -> None:
    candidates = [Candidate(EXAMPLES[0], (Edit("text", 0, 4, "good", word),)) for word in ("bad", "the", "x", "film")]
    found, exact = (
        np.array(first_order_effects(model, FisherGeometry(model), candidates, tokens="text"))
        for model in (opened(folder, dtype), opened(folder, "float32"))
    )
    assert np.isfinite(found).all()
    np.testing.assert_allclose(found, exact, atol=0.2 * np.abs(exact).max())


@pytest.mark.parametrize("dtype", DTYPES)
def test_lanczos_iterations_end_near_the_exact_value(folders: Folders, dtype: str) -> None:
    model = opened(folders("bert"), dtype)
    pair = lanczos_eigenpair(model, model.embed(EXAMPLES[:1]))
    (point,) = FisherGeometry(opened(folders("bert"), "float32")).at(EXAMPLES[:1])
    assert pair.value == pytest.approx(point.lambda_max, rel=0.15)
