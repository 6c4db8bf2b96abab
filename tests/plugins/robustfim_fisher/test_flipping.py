"""The smallest step that changes a label, against closed forms and a literal search, one example at a time."""

from __future__ import annotations

from math import inf, isinf, isnan, nan
from typing import Any

import numpy as np
import pytest
import torch

from robustfim.contract import ModelContract
from robustfim.example import Example
from robustfim_fisher.flipping import PROBES, smallest_steps
from robustfim_fisher.geometry import FisherGeometry
from robustfim_fisher.steps import Direction
from tests.plugins.robustfim_fisher.models import Run, Tokens, WordModel, model_of, sentences

TOLERANCE = 1e-3


def found(model: WordModel, examples: list[Example], direction: Direction = "eigenvector", **options: Any) -> Any:
    settings: dict[str, Any] = {"bound": 20.0, "tolerance": TOLERANCE, **options}
    return np.array(smallest_steps(Run(model), examples, direction=direction, **settings))


def label_at(model: WordModel, example: Example, move: Any) -> int:
    embedded = model.embed([example])
    with torch.no_grad():
        return int(model.logits(embedded.embeddings + move, embedded)[0].argmax())


def literal(model: WordModel, example: Example, direction: Direction, bound: float, tokens: Tokens = "text") -> float:
    """Walk outwards in 400 equal strides on both sides, then halve the stride that changed the label."""
    (point,) = FisherGeometry(model).at([example], tokens=tokens)
    gradient = point.margin_gradient
    vector = point.eigenvector if direction == "eigenvector" else -gradient / gradient.norm()
    embedded = model.embed([example])

    def label(move: Any) -> int:
        with torch.no_grad():
            return int(model.logits(embedded.embeddings + move, embedded)[0].argmax())

    before = label(0 * vector)
    for stride in range(1, 401):
        for sign in (1, -1) if direction == "eigenvector" else (1,):
            low, high = (stride - 1) * bound / 400, stride * bound / 400
            if label(sign * high * vector) != before:
                while high - low > 1e-7:
                    middle = (low + high) / 2
                    if label(sign * middle * vector) == before:
                        low = middle
                    else:
                        high = middle
                return sign * high
    return inf


@pytest.mark.parametrize("direction", ["eigenvector", "boundary normal"])
def test_on_a_linear_model_the_norm_is_the_closed_form(direction: Direction) -> None:
    model = model_of("linear")
    examples = sentences(12)
    norms = found(model, examples, direction, bound=100.0)
    for example, norm in zip(examples, norms, strict=True):
        embedded = model.embed([example])
        count = embedded.embeddings.shape[1]
        weights = model.module.network.linear.weight.detach()
        logits = model.logits(embedded.embeddings, embedded)[0].detach()
        # Each token of the mean has the gradient (w₀ − w₁) / n, so ‖∇Δz‖ = ‖w₀ − w₁‖ / √n.
        exact = float((logits[0] - logits[1]).abs() / ((weights[0] - weights[1]).norm() / count**0.5))
        assert exact * (1 - 1e-5) <= norm <= exact * (1 + TOLERANCE + 1e-5)


@pytest.mark.parametrize("direction", ["eigenvector", "boundary normal"])
@pytest.mark.parametrize(
    ("architecture", "classes", "tokens"),
    [
        ("cnn", 2, "text"),
        pytest.param("cnn", 4, "all", marks=pytest.mark.slow),
        pytest.param("lstm", 3, "text", marks=pytest.mark.slow),
        pytest.param("bert", 2, "all", marks=pytest.mark.slow),
    ],
)
def test_the_norm_equals_that_of_a_literal_search(
    architecture: str, classes: int, tokens: Tokens, direction: Direction
) -> None:
    model = model_of(architecture, classes=classes, special=True)
    examples = sentences(3 if architecture == "bert" else 5, longest=6)
    expected = np.array([literal(model, example, direction, 5.0, tokens) for example in examples])
    norms = found(model, examples, direction, bound=5.0, tokens=tokens)
    assert np.isfinite(expected).any()
    np.testing.assert_array_equal(np.isfinite(norms), np.isfinite(expected))
    finite = np.isfinite(expected)
    np.testing.assert_allclose(norms[finite], expected[finite], rtol=TOLERANCE)


def test_the_label_changes_at_the_norm_and_not_just_before_it() -> None:
    model = model_of("cnn")
    examples = sentences(10)
    norms = found(model, examples)
    assert np.isfinite(norms).all()
    for example, norm in zip(examples, norms, strict=True):
        (point,) = FisherGeometry(model).at([example])
        before = label_at(model, example, 0 * point.eigenvector)
        assert label_at(model, example, norm * point.eigenvector) != before
        assert label_at(model, example, norm * (1 - 1.01 * TOLERANCE) * point.eigenvector) == before


def test_none_within_the_bound_is_kept_apart() -> None:
    model = model_of("linear")
    examples = sentences(12)
    distances = np.array([point.distance for point in FisherGeometry(model).at(examples)])
    bound = float(np.median(distances))
    norms = found(model, examples, bound=bound)
    np.testing.assert_array_equal(np.isinf(norms), distances > bound)
    assert 0 < np.isinf(norms).sum() < 12


def test_an_example_without_a_direction_is_never_changed() -> None:
    flat = model_of("linear", scale=0.0)
    for direction in ("eigenvector", "boundary normal"):
        assert all(map(isinf, found(flat, sentences(3), direction)))


def test_an_example_without_finite_logits_has_no_norm() -> None:
    model = model_of("linear")
    with torch.no_grad():
        model.module.network.linear.bias[0] = torch.nan
    assert all(map(isnan, found(model, sentences(2))))
    assert not np.equal(found(model, sentences(2)), nan).any()


def test_all_examples_share_the_forward_passes() -> None:
    model = model_of("linear")
    model.contract = ModelContract(batch_size=100)
    examples = sentences(20)
    model.forwards.clear()
    found(model, examples)
    # One backward pass, the start, 15 probes, and as many halvings as 29 % of a norm take to come below 0.1 % of it.
    assert len(model.forwards) <= 2 + PROBES + 9
    assert model.forwards[:3] == [20, 20, 40]


def test_a_finer_tolerance_gives_the_same_norm_more_exactly() -> None:
    model = model_of("cnn")
    examples = sentences(6)
    fine = found(model, examples, tolerance=1e-5)
    coarse = found(model, examples, tolerance=0.1)
    assert (np.abs(fine) <= np.abs(coarse) * (1 + 1e-5)).all()
    assert (np.abs(coarse) * 0.9 <= np.abs(fine)).all()
    assert not np.array_equal(fine, coarse)
