"""λmax, its eigenvector and the boundary distance, against the literal algorithm and closed forms."""

from __future__ import annotations

import copy
import math

import pytest
import torch
from torch import Tensor, nn

from robustfim.errors import ModelError
from robustfim.example import Example
from robustfim_fisher.autograd import held_modules
from robustfim_fisher.differences import Differences, differentiate
from robustfim_fisher.information import boundary_distance, lambda_max, margin, top_eigenpair
from tests.plugins.robustfim_fisher.models import (
    NETWORKS,
    Run,
    Tokens,
    WordModel,
    model_of,
    seeded,
    sentences,
)
from tests.plugins.robustfim_fisher.reference import fisher_matrix, largest_eigenvalue


def at(model: WordModel, examples: list[Example], tokens: Tokens = "text") -> Differences:
    return differentiate(model, model.embed(examples), tokens=tokens)


def doubled(model: WordModel) -> WordModel:
    twin = copy.copy(model)
    twin.module = copy.deepcopy(model.module).double()
    return twin


@pytest.mark.parametrize("classes", [2, 4, 10])
@pytest.mark.parametrize("architecture", NETWORKS)
@pytest.mark.parametrize("tokens", ["text", "all"])
def test_lambda_max_of_a_padded_batch_equals_the_literal_algorithm(
    architecture: str, classes: int, tokens: Tokens
) -> None:
    if architecture == "bert":
        pytest.importorskip("transformers")
    single = model_of(architecture, classes=classes, special=True)
    exact = doubled(single)
    examples = sentences(6)
    literal = [largest_eigenvalue(fisher_matrix(exact, example, tokens)) for example in examples]
    expected = torch.tensor(literal, dtype=torch.float64)
    assert (expected > 1e-4).all()
    for model, tolerance in ((single, 1e-4), (exact, 1e-8)):
        found = lambda_max(at(model, examples, tokens))
        assert ((found - expected).abs() / expected).max() <= tolerance


def test_left_padding_takes_no_part() -> None:
    left, right = model_of("linear", classes=3, left=True), model_of("linear", classes=3)
    examples = sentences(5)
    torch.testing.assert_close(lambda_max(at(left, examples)), lambda_max(at(right, examples)))


@pytest.mark.parametrize("classes", [2, 3, 10])
@pytest.mark.parametrize("architecture", ["linear", "cnn", "lstm"])
def test_the_eigenvector_is_one_of_the_literal_matrix(architecture: str, classes: int) -> None:
    model = doubled(model_of(architecture, classes=classes))
    examples = sentences(5, seed=1)
    differences = at(model, examples)
    values, vectors = top_eigenpair(differences)
    mask = model.embed(examples).mask
    for row, example in enumerate(examples):
        vector = vectors[row][mask[row]].flatten()
        information = fisher_matrix(model, example)
        residual = torch.linalg.vector_norm(information @ vector - values[row] * vector) / values[row]
        assert residual <= 1e-9
        assert float(vector.norm()) == pytest.approx(1, abs=1e-12)
        assert float(vector @ differences.gradients[row, 0][mask[row]].flatten()) <= 0
        assert not vectors[row][~mask[row]].any()


def test_logistic_regression_on_the_mean_embedding_has_its_closed_form() -> None:
    model = doubled(model_of("linear"))
    examples = sentences(8)
    weight: Tensor = model.module.network.linear.weight
    normal = (weight[1] - weight[0]).detach()
    counts = torch.tensor([len(example.text.split()) for example in examples]).double()
    p = torch.from_numpy(model.predict(examples)[:, 1])
    expected = p * (1 - p) * normal.square().sum() / counts
    torch.testing.assert_close(lambda_max(at(model, examples)), expected, rtol=1e-12, atol=0)
    # The boundary is a plane in x = (e₁ … e_n), of normal (w/n … w/n): the distance is exact, not first-order.
    gap = (p / (1 - p)).log().abs()
    distance = gap / (normal.norm() / counts.sqrt())
    torch.testing.assert_close(boundary_distance(at(model, examples)), distance, rtol=1e-10, atol=0)
    torch.testing.assert_close(margin(at(model, examples)), gap, rtol=1e-10, atol=1e-12)


class Gaussians(nn.Module):
    """Bayes' rule for isotropic Gaussians around ``centres`` with variance σ², as logits of the first token."""

    def __init__(self, centres: Tensor, variance: float) -> None:
        super().__init__()
        self.centres, self.variance = nn.Parameter(centres), variance

    def forward(self, embeddings: Tensor, mask: Tensor) -> Tensor:
        gap = embeddings[:, :1] - self.centres
        return -gap.square().sum(2) / (2 * self.variance)


def test_two_gaussians_have_their_analytic_information() -> None:
    centre, variance = torch.tensor([1.5, -0.5, 1.0]).double(), 0.7
    with seeded(0):
        model = WordModel(Gaussians(torch.stack([-centre, centre]), variance), dims=3)
    model.module.double()
    examples = [Example({"text": word}) for word in ("one", "two", "three", "four")]
    embedding = model.embed(examples).embeddings[:, 0]
    logit = 2 * embedding @ centre / variance
    # p (1 − p), without the cancellation of 1 − p near certainty
    expected = logit.sigmoid() * (-logit).sigmoid() * 4 * centre.square().sum() / variance**2
    torch.testing.assert_close(lambda_max(at(model, examples)), expected, rtol=1e-12, atol=0)
    distance = (embedding @ centre).abs() / centre.norm()
    torch.testing.assert_close(boundary_distance(at(model, examples)), distance, rtol=1e-12, atol=0)


@pytest.mark.parametrize("classes", [2, 5])
def test_a_small_step_moves_the_output_by_half_lambda_in_divergence(classes: int) -> None:
    model = doubled(model_of("cnn", classes=classes))
    examples = sentences(4)
    embedded = model.embed(examples)
    values, vectors = top_eigenpair(differentiate(model, embedded))
    step = 1e-4
    with torch.no_grad():
        before = model.logits(embedded.embeddings, embedded).log_softmax(1)
        after = model.logits(embedded.embeddings + step * vectors, embedded).log_softmax(1)
    divergence = (before.exp() * (before - after)).sum(1)
    torch.testing.assert_close(2 * divergence / step**2, values, rtol=2e-3, atol=0)


def test_a_class_without_probability_leaves_two() -> None:
    two = doubled(model_of("linear"))
    three = doubled(model_of("linear", classes=3))
    three.module.embedding = two.module.embedding
    with torch.no_grad():
        for kind in ("weight", "bias"):
            getattr(three.module.network.linear, kind)[:2] = getattr(two.module.network.linear, kind)
        three.module.network.linear.bias[2] = -900
    examples = sentences(4)
    torch.testing.assert_close(lambda_max(at(three, examples)), lambda_max(at(two, examples)), rtol=1e-12, atol=0)


@pytest.mark.parametrize("classes", [2, 3])
def test_lambda_max_of_a_model_that_is_certain_is_small_but_exact(classes: int) -> None:
    model = model_of("linear", classes=classes)
    with torch.no_grad():
        model.module.network.linear.bias.copy_(torch.tensor([80.0, 0.0, -200.0][:classes]))
    assert float(model.predict(sentences(1)).max()) == 1.0
    example = sentences(1)
    found = float(lambda_max(at(model, example)))
    exact = doubled(model)
    z = exact.logits(exact.embed(example).embeddings, exact.embed(example))[0].detach()
    weight = exact.module.network.linear.weight.detach()
    count = len(example[0].text.split())
    expected = float(torch.exp(z[1] - z[0]) * (weight[0] - weight[1]).square().sum() / count)
    assert 0 < expected < 1e-25
    assert found == pytest.approx(expected, rel=1e-3)


def test_special_tokens_take_part_only_when_asked() -> None:
    model = model_of("cnn", special=True)
    examples = sentences(4)
    special = model.embed(examples).special
    text, everything = at(model, examples), at(model, examples, "all")
    assert not text.gradients[:, 0][special].any()
    assert everything.gradients[:, 0][special].any()
    assert (lambda_max(everything) > lambda_max(text)).all()


def test_the_distance_is_to_the_nearest_of_many_boundaries() -> None:
    gaps = torch.tensor([[1.0, 2.0, 8.0], [0.0, 1.0, 1.0], [1.0, 1.0, 1.0]]).double()
    gradients = torch.zeros(3, 3, 1, 2)
    gradients[0] = torch.tensor([[[1.0, 0.0]], [[0.0, 4.0]], [[3.0, 4.0]]])
    gradients[1, 1, 0, 0] = 2.0
    found = boundary_distance(Differences(gaps, gradients, torch.ones(3, 1, dtype=torch.bool)))
    assert found.tolist() == [0.5, 0.5, math.inf]


@pytest.mark.parametrize("classes", [2, 3])
def test_an_output_that_ignores_the_input_has_no_information(classes: int) -> None:
    model = model_of("linear", classes=classes, scale=0.0)
    differences = at(model, sentences(3))
    values, vectors = top_eigenpair(differences)
    assert values.tolist() == [0.0] * 3
    assert not vectors.any()
    assert boundary_distance(differences).tolist() == [math.inf] * 3


def test_an_eigenvector_orthogonal_to_the_margin_gradient_has_a_positive_largest_entry() -> None:
    # Two tied classes that differ along the first axis, a third along the second: the covariance of the two
    # directions is 0, and the longer one is the eigenvector.
    for flip in (1.0, -1.0):
        gaps = torch.tensor([[0.0, 0.3]]).double()
        z0, z1, z2 = torch.tensor([0.1, 0.0]), torch.tensor([-0.1, 0.0]), torch.tensor([0.0, -5.0 * flip])
        gradients = torch.stack([z0 - z1, z0 - z2])[None, :, None, :]
        _, vector = top_eigenpair(Differences(gaps, gradients, torch.ones(1, 1, dtype=torch.bool)))
        torch.testing.assert_close(vector[0, 0], torch.tensor([0.0, 1.0]), atol=1e-6, rtol=0)


@pytest.mark.parametrize("kind", [torch.bfloat16, torch.float16])
@pytest.mark.parametrize("classes", [2, 4])
def test_half_precision_is_summed_in_single(kind: torch.dtype, classes: int) -> None:
    model = model_of("linear", classes=classes)
    exact = doubled(model)
    model.module.to(kind)
    examples = sentences(5)
    differences = at(model, examples)
    assert differences.gradients.dtype == torch.float32
    found, expected = lambda_max(differences), lambda_max(at(exact, examples))
    assert ((found - expected).abs() / expected).max() < 0.05


def test_one_forward_and_one_backward_pass_a_class_difference() -> None:
    for classes in (2, 4):
        model = model_of("cnn", classes=classes)
        backward: list[int] = []
        model.on_embeddings = lambda x, seen=backward: x.register_hook(lambda g: seen.append(len(g)))  # type: ignore[misc]  # mypy infers no lambda defaults
        at(model, sentences(7))
        assert model.forwards == [7]
        assert backward == [7] * (classes - 1)


def test_parameters_are_frozen_meanwhile_and_then_restored() -> None:
    model = model_of("lstm")
    parameters = list(model.module.parameters())
    parameters[0].requires_grad_(False)
    wanted = [parameter.requires_grad for parameter in parameters]
    seen: list[bool] = []
    model.on_embeddings = lambda _: seen.extend(p.requires_grad for p in parameters)
    at(model, sentences(3))
    assert seen == [False] * len(parameters)
    assert [parameter.requires_grad for parameter in parameters] == wanted
    assert all(parameter.grad is None for parameter in parameters)


def test_parameters_are_restored_after_an_error() -> None:
    model = model_of("linear")

    def fail(_: Tensor) -> None:
        raise KeyError("broken")

    model.on_embeddings = fail
    with pytest.raises(KeyError):
        at(model, sentences(1))
    assert all(parameter.requires_grad for parameter in model.module.parameters())


def test_cudnn_is_off_while_a_recurrent_layer_is_differentiated() -> None:
    seen: list[bool] = []
    for architecture in ("lstm", "cnn"):
        model = model_of(architecture)
        model.on_embeddings = lambda _: seen.append(torch.backends.cudnn.enabled)
        at(model, sentences(2))
    assert seen == [False, True]
    assert torch.backends.cudnn.enabled


def test_gradients_are_computed_inside_no_grad_and_inference_mode() -> None:
    model = model_of("cnn", classes=3)
    examples = sentences(3)
    expected = lambda_max(at(model, examples))
    with torch.no_grad():
        torch.testing.assert_close(lambda_max(at(model, examples)), expected)
    with torch.inference_mode():
        torch.testing.assert_close(lambda_max(at(model, examples)), expected)


@pytest.mark.parametrize("classes", [2, 4])
def test_a_row_without_finite_logits_leaves_the_others_alone(classes: int) -> None:
    model = model_of("linear", classes=classes)
    examples = [Example({"text": text}) for text in ("a film", "nobody wanted", "a bright grief", "the film")]
    expected = lambda_max(at(model, examples))
    with torch.no_grad():
        row = model.tokens(Example({"text": "bright"}))[0][0]
        assert [row in dict(model.tokens(example)) for example in examples] == [False, False, True, False]
        model.module.embedding.weight[row] = torch.nan
    values, vectors = top_eigenpair(at(model, examples))
    assert values.isnan().tolist() == [False, False, True, False]
    torch.testing.assert_close(values[[0, 1, 3]], expected[[0, 1, 3]])
    assert vectors[2].isnan().all()
    assert vectors[[0, 1, 3]].isfinite().all()
    assert boundary_distance(at(model, examples)).isnan().tolist() == [False, False, True, False]


def test_logits_of_a_wrong_shape_are_refused() -> None:
    model = model_of("linear", classes=1)
    with pytest.raises(ModelError, match="one class"):
        at(model, sentences(2))
    model = model_of("linear")
    model.logits = lambda embeddings, embedded: embeddings  # type: ignore[method-assign]  # a broken model
    with pytest.raises(ModelError, match=r"WordModel.logits returned shape .* not \[batch, classes\]"):
        at(model, sentences(2))


@pytest.mark.parametrize("detach", [True, False])
def test_logits_that_do_not_depend_on_the_embeddings_are_refused(detach: bool) -> None:
    model = model_of("linear")
    free = torch.zeros(2, 2, requires_grad=not detach)
    model.logits = lambda embeddings, embedded: free * 1  # type: ignore[method-assign]  # a broken model
    with pytest.raises(ModelError, match="do not depend on the embeddings"):
        at(model, sentences(2))


def test_the_generators_of_torch_are_left_alone() -> None:
    before = torch.random.get_rng_state()
    with seeded(3):
        at(model_of("cnn"), sentences(3))
    run = Run(model_of("lstm"))
    run.geometry.at(sentences(3))
    assert torch.equal(before, torch.random.get_rng_state())


def test_the_modules_of_a_wrapped_model_are_found() -> None:
    class Wrapper:
        def __init__(self, inner: object) -> None:
            self.inner, self.name = inner, "wrapped"

    model = model_of("linear")
    assert list(held_modules(model.module)) == [model.module]
    assert list(held_modules(model)) == [model.module]
    assert list(held_modules(Wrapper(model))) == [model.module]
    assert list(held_modules(Wrapper(None))) == []
