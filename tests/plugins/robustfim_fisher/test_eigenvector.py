"""Steps along the top eigenvector."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from robustfim.candidate import Candidate, Edit, Step
from robustfim.errors import ModelError, PluginError, UsageError
from robustfim.example import Example
from robustfim.seeds import random_for
from robustfim_fisher.eigenvector import Eigenvector
from robustfim_fisher.geometry import FisherGeometry
from tests.plugins.robustfim_fisher.models import Run, Tokens, WordModel, model_of, sentences

RANDOM = random_for(0, "steps")


def ready(model: WordModel, perturbation: Eigenvector | None = None) -> Eigenvector:
    found = perturbation or Eigenvector()
    found.prepare(Run(model))
    return found


def norms(candidates: object) -> list[float]:
    return [candidate.step.norm for candidate in candidates]  # type: ignore[attr-defined]  # any iterable


def test_the_shortest_steps_come_first_and_towards_the_boundary() -> None:
    (example,) = sentences(1)
    model = model_of("linear")
    assert norms(ready(model).propose(example, RANDOM)) == [0.25, -0.25, 0.5, -0.5, 1.0, -1.0]
    towards = ready(model, Eigenvector(norms=[2, 1, 2], signs="+"))
    assert norms(towards.propose(example, RANDOM)) == [1, 2]
    away = ready(model, Eigenvector(norms=[0.1], signs="-"))
    assert list(away.propose(example, RANDOM)) == [Candidate(example, step=Step("eigenvector", -0.1))]


@pytest.mark.parametrize("classes", [2, 4])
@pytest.mark.parametrize("tokens", ["text", "all"])
def test_the_prediction_after_a_step_equals_a_manual_forward_pass(classes: int, tokens: Tokens) -> None:
    model = model_of("cnn", classes=classes, special=True)
    perturbation = ready(model, Eigenvector(norms=[0.7, 2.5], tokens=tokens))
    examples = sentences(6)
    candidates = [c for example in examples for c in perturbation.propose(example, RANDOM)]
    random_for(1, "steps").shuffle(candidates)
    found = perturbation.predict(candidates)
    assert found.shape == (24, classes)
    for row, candidate in zip(found, candidates, strict=True):
        (point,) = FisherGeometry(model).at([candidate.source], tokens=tokens)
        embedded = model.embed([candidate.source])
        assert candidate.step is not None
        moved = embedded.embeddings + candidate.step.norm * point.eigenvector
        expected = model.logits(moved, embedded).double().softmax(1)[0].detach().numpy()
        np.testing.assert_allclose(row, expected, rtol=1e-5)


@pytest.mark.parametrize("left", [False, True])
def test_a_step_of_norm_0_changes_nothing(left: bool) -> None:
    model = model_of("linear", left=left)
    examples = sentences(9)
    found = ready(model).predict([Candidate(example, step=Step("eigenvector", 0.0)) for example in examples])
    np.testing.assert_allclose(found, model.predict(examples), rtol=1e-6)


def test_on_a_linear_model_the_label_changes_exactly_beyond_the_boundary() -> None:
    model = model_of("linear")
    examples = sentences(8)
    distances = [point.distance for point in FisherGeometry(model).at(examples)]
    labels = model.predict(examples).argmax(1)
    for factor, changed in ((0.99, False), (1.01, True), (-5.0, False)):
        steps = [
            Candidate(example, step=Step("eigenvector", factor * distance))
            for example, distance in zip(examples, distances, strict=True)
        ]
        assert ((ready(model).predict(steps).argmax(1) != labels) == changed).all()


def test_relative_norms_are_counted_in_lengths_of_the_mean_token() -> None:
    model = model_of("linear", special=True)
    example = Example({"text": "nobody wanted a film"})
    embedded = model.embed([example])
    text = embedded.embeddings[0][~embedded.special[0]].norm(dim=1).mean()
    everything = embedded.embeddings[0].norm(dim=1).mean()
    steps = norms(ready(model, Eigenvector(norms=[0.5], signs="+", relative=True)).propose(example, RANDOM))
    assert steps == pytest.approx([0.5 * float(text)])
    other = Eigenvector(norms=[0.5], signs="+", relative=True, tokens="all")
    assert norms(ready(model, other).propose(example, RANDOM)) == pytest.approx([0.5 * float(everything)])


def test_a_step_without_a_direction_changes_nothing() -> None:
    model = model_of("linear", scale=0.0)
    candidates = list(ready(model).propose(sentences(1)[0], RANDOM))
    np.testing.assert_array_equal(ready(model).predict(candidates), model.predict(sentences(1)).repeat(6, 0))


def test_a_model_without_finite_logits_has_no_finite_predictions() -> None:
    model = model_of("linear")
    with torch.no_grad():
        model.module.network.linear.bias[0] = torch.nan
    candidates = list(ready(model).propose(sentences(1)[0], RANDOM))
    assert np.isnan(ready(model).predict(candidates)).all()


def test_proposing_costs_no_pass_through_the_model() -> None:
    model = model_of("linear")
    perturbation = ready(model, Eigenvector(relative=True))
    candidates = [c for example in sentences(4) for c in perturbation.propose(example, RANDOM)]
    assert len(candidates) == 24
    assert model.forwards == []


def test_steps_are_predicted_in_batches_of_the_models_size() -> None:
    model = model_of("linear")
    perturbation = ready(model)
    candidates = [c for example in sentences(2) for c in perturbation.propose(example, RANDOM)]
    model.forwards.clear()
    perturbation.predict(candidates)
    assert model.forwards == [2, 5, 5, 2]  # Both sources are differentiated once.
    assert perturbation.predict([]).shape == (0, 2)


def test_steps_of_a_model_in_half_precision_are_predicted() -> None:
    model = model_of("linear")
    example = sentences(1)
    expected = ready(model).predict([Candidate(example[0], step=Step("eigenvector", 1.0))])
    model.module.to(torch.bfloat16)
    found = ready(model).predict([Candidate(example[0], step=Step("eigenvector", 1.0))])
    np.testing.assert_allclose(found, expected, atol=0.02)


@pytest.mark.parametrize("wrong", [[0.0], [0.5, -1.0], [float("nan")], [float("inf")]])
def test_a_norm_that_is_not_positive_is_refused(wrong: list[float]) -> None:
    with pytest.raises(UsageError, match=f"norms: {wrong[-1]} is not a positive number"):
        Eigenvector(norms=wrong)


def test_an_empty_list_of_norms_is_refused() -> None:
    with pytest.raises(UsageError, match="the list is empty"):
        Eigenvector(norms=[])


def test_a_candidate_of_another_kind_is_refused() -> None:
    (example,) = sentences(1)
    perturbation = ready(model_of("linear"))
    edited = Candidate(example, (Edit("text", 0, 0, "", "not "),))
    for candidate in (edited, Candidate(example, step=Step("gradient", 1.0))):
        with pytest.raises(PluginError, match="'eigenvector' was asked to predict the step"):
            perturbation.predict([candidate])


def test_it_is_refused_before_a_run_is_known() -> None:
    step = Candidate(sentences(1)[0], step=Step("eigenvector", 1.0))
    with pytest.raises(PluginError, match="before prepare"):
        Eigenvector().predict([step])


def test_a_black_box_has_no_eigenvector() -> None:
    class Remote:
        labels = ("no", "yes")

    perturbation = Eigenvector(relative=True)
    perturbation.prepare(Run(Remote()))
    with pytest.raises(ModelError, match="Remote has no gradients"):
        list(perturbation.propose(sentences(1)[0], RANDOM))
    with pytest.raises(ModelError, match="Remote has no gradients"):
        perturbation.predict([Candidate(sentences(1)[0], step=Step("eigenvector", 1.0))])


def test_a_random_direction_is_a_unit_vector_of_the_example_over_the_tokens_that_the_eigenvector_moves() -> None:
    from robustfim_fisher.steps import _random_direction

    eigenvector = torch.tensor([[0.0, 0.0], [0.6, 0.0], [0.0, 0.8], [0.0, 0.0]])
    found = [_random_direction(Example({"text": text}), eigenvector) for text in ("a", "a", "b")]
    assert torch.equal(found[0], found[1])
    assert not torch.equal(found[0], found[2])
    for each in found:
        assert float(each.norm()) == pytest.approx(1)
        assert torch.equal(each[[0, 3]], torch.zeros(2, 2))
    assert not _random_direction(Example({"text": "a"}), torch.zeros(2, 2)).any()
    drawn = torch.stack([_random_direction(Example({"text": str(n)}), eigenvector)[1:3].flatten() for n in range(400)])
    assert torch.allclose(drawn.square().mean(0), torch.full((4,), 0.25), atol=0.05)  # no axis is preferred
    assert float(drawn.mean(0).norm()) < 0.15
