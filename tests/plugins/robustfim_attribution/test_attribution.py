"""Integrated gradients: against a closed form, against captum on one example, and complete."""

from __future__ import annotations

import math
import sys
from typing import Any

import pytest
import torch
from torch import Tensor

from robustfim.errors import ModelError
from robustfim.example import Example
from robustfim.importance import Importance
from robustfim_attribution.attribution import IntegratedGradients
from robustfim_reference.model import Cnn, FastText, Lstm
from tests.plugins.robustfim_fisher.models import NETWORKS, WordModel, model_of, sentences

EXAMPLES = sentences(7)


def values(importance: Importance) -> list[float]:
    return [word.value for word in importance.words]


def margin(model: WordModel, example: Example, embeddings: Tensor) -> Tensor:
    """The logit of the label predicted at the text minus that of its runner-up, at other embeddings."""
    embedded = model.embed([example])
    first, second = model.logits(embedded.embeddings, embedded)[0].topk(2).indices.tolist()
    logits = model.logits(embeddings, embedded)
    return logits[:, first] - logits[:, second]


def test_a_linear_model_has_its_weights_times_the_embeddings() -> None:
    model = model_of("linear")
    for baseline in ("zero", "padding", {"token": "film"}):
        explained = IntegratedGradients(steps=1, baseline=baseline).explain(EXAMPLES, model)  # type: ignore[arg-type]  # a union of literals
        start = {"zero": torch.zeros(6), "padding": model.module.embedding.weight[0]}.get(
            str(baseline), model.embed([Example({"text": "film"})]).embeddings[0, 0]
        )
        for example, found in zip(EXAMPLES, explained, strict=True):
            embedded = model.embed([example])
            top = int(model.logits(embedded.embeddings, embedded)[0].argmax())
            weights = model.module.network.linear.weight
            # f(e) = w · mean(e) + b, so that token i has w · (e_i − e′) / n.
            exact = (embedded.embeddings[0] - start) @ (weights[top] - weights[1 - top]) / len(embedded.embeddings[0])
            assert values(found) == pytest.approx(exact.tolist(), abs=1e-6)
            assert found.delta == pytest.approx(0, abs=1e-6)


@pytest.mark.parametrize("architecture", list(NETWORKS))
def test_a_batch_has_the_values_that_captum_gives_one_example_at_a_time(architecture: str) -> None:
    from captum.attr import IntegratedGradients as Captum

    model = model_of(architecture, classes=3)
    for example, found in zip(EXAMPLES[:4], IntegratedGradients(steps=6).explain(EXAMPLES[:4], model), strict=True):

        def forward(embeddings: Tensor, example: Example = example) -> Tensor:
            # captum hands over all steps at once; the model is asked for one after the other.
            return torch.cat([margin(model, example, embedding[None]) for embedding in embeddings])

        exact = Captum(forward).attribute(model.embed([example]).embeddings, n_steps=6).sum(2)[0]
        assert values(found) == pytest.approx(exact.tolist(), rel=1e-4, abs=2e-5)


@pytest.mark.parametrize("architecture", list(NETWORKS))
def test_the_values_sum_to_the_change_of_the_margin_and_the_delta(architecture: str) -> None:
    model = model_of(architecture)
    coarse, fine = (IntegratedGradients(steps=steps).explain(EXAMPLES, model) for steps in (2, 60))
    for example, found, rough in zip(EXAMPLES, fine, coarse, strict=True):
        x = model.embed([example]).embeddings
        change = float((margin(model, example, x) - margin(model, example, torch.zeros_like(x))).detach())
        assert found.change == pytest.approx(change, abs=1e-4)
        assert rough.change == pytest.approx(change, abs=1e-4)
        for importance in (found, rough):
            assert sum(values(importance)) == pytest.approx(importance.change + importance.delta, abs=1e-4)
    if architecture != "linear":
        assert max(abs(importance.delta) for importance in fine) < 0.3 * max(
            abs(importance.delta) for importance in coarse
        )


@pytest.mark.parametrize("left", [False, True], ids=["padded on the right", "padded on the left"])
def test_special_tokens_stay_where_they_are_and_padding_has_no_part(left: bool) -> None:
    model = model_of("cnn", special=True, left=left)
    together = IntegratedGradients(steps=8).explain(EXAMPLES, model)
    for example, found in zip(EXAMPLES, together, strict=True):
        embedded = model.embed([example])
        start = torch.where(embedded.special[..., None], embedded.embeddings, 0)
        change = float((margin(model, example, embedded.embeddings) - margin(model, example, start)).detach())
        assert found.change == pytest.approx(change, abs=1e-4)
        assert [example.text[word.start : word.end] for word in found.words] == example.text.split()
        (alone,) = IntegratedGradients(steps=8).explain([example], model)
        assert values(alone) == pytest.approx(values(found), abs=1e-4)


def test_the_pieces_of_a_word_add_up() -> None:
    model = model_of("linear", pieces=True)
    example = Example({"text": "nobody remembers"})
    (found,) = IntegratedGradients(steps=1).explain([example], model)
    embedded = model.embed([example])
    spans = [span for span in embedded.spans[0] if span]
    top = int(model.logits(embedded.embeddings, embedded)[0].argmax())
    weights = model.module.network.linear.weight
    exact = (embedded.embeddings[0] @ (weights[top] - weights[1 - top]) / len(spans)).tolist()
    assert len(spans) == 5
    assert values(found) == pytest.approx([sum(exact[:2]), sum(exact[2:])], abs=1e-6)


def test_every_step_of_every_example_is_counted_and_repeats_are_equal() -> None:
    model, attribution = model_of("cnn"), IntegratedGradients(steps=4)
    assert attribution.calls == 0
    first = attribution.explain(EXAMPLES, model)
    assert attribution.calls == 4 * len(EXAMPLES)
    assert attribution.explain(EXAMPLES, model) == first


def test_few_examples_are_differentiated_at_several_points_of_their_paths_at_once() -> None:
    model = model_of("cnn")
    asked: list[int] = []
    model.on_embeddings = lambda embeddings: asked.append(len(embeddings))
    found = {}
    for size in (1, 4, 32):
        asked.clear()
        (found[size],) = IntegratedGradients(steps=8, batch_size=size).explain(EXAMPLES[:1], model)
        assert max(asked) == min(size, 8)
        assert sum(asked) == 8 + 3, "the points, the ends of the path, and the text whose label it is"
    for size in (4, 32):
        assert values(found[size]) == pytest.approx(values(found[1]), abs=1e-6)


def test_a_batch_that_does_not_fit_is_halved() -> None:
    model = model_of("cnn")
    whole = IntegratedGradients(steps=4).explain(EXAMPLES, model)

    def small(embeddings: Tensor) -> None:
        if len(embeddings) > 2:
            raise RuntimeError("CUDA out of memory")

    model.on_embeddings = small
    for one, other in zip(IntegratedGradients(steps=4).explain(EXAMPLES, model), whole, strict=True):
        assert values(one) == pytest.approx(values(other), abs=1e-5)

    def none(embeddings: Tensor) -> None:
        raise RuntimeError("CUDA out of memory")

    model.on_embeddings = none
    with pytest.raises(ModelError, match=r"one example of \d+ characters does not fit into memory"):
        IntegratedGradients().explain(EXAMPLES, model)


def test_the_batch_size_of_the_suite_is_kept_to() -> None:
    model = model_of("linear")
    IntegratedGradients(steps=3, batch_size=2).explain(EXAMPLES, model)
    assert max(model.forwards) == 2


def test_an_example_without_finite_logits_has_no_words() -> None:
    model = model_of("linear")
    with torch.no_grad():
        model.module.network.linear.bias.fill_(torch.inf)
    (found,) = IntegratedGradients(steps=2).explain(EXAMPLES[:1], model)
    assert found.words == ()
    assert math.isnan(found.change)
    assert math.isnan(found.delta)


def test_half_precision_keeps_the_path_in_single_precision() -> None:
    exact, half = model_of("cnn"), model_of("cnn")
    half.module.to(torch.bfloat16)
    pairs = zip(*(IntegratedGradients(steps=16).explain(EXAMPLES, model) for model in (exact, half)), strict=True)
    for one, other in pairs:
        assert values(other) == pytest.approx(values(one), abs=0.02 * max(map(abs, values(one))))


# ---- what cannot be explained -------------------------------------------------------------------------


class Box:
    labels, fingerprint = ("bad", "good"), "box"

    def predict(self, examples: Any) -> Any:
        return [[0.5, 0.5] for _ in examples]


def test_a_model_without_gradients_is_told_the_way_out() -> None:
    with pytest.raises(ModelError, match=r"Box has no gradients.* Let any word change instead: 'words: 0.1'"):
        IntegratedGradients().explain(EXAMPLES, Box())


def test_without_captum_the_error_has_the_command_that_brings_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "robustfim_attribution.path", raising=False)
    monkeypatch.setitem(sys.modules, "captum.attr", None)
    with pytest.raises(ModelError, match=r"needs captum: pip install 'robustfim\[attribution\]'.*'words: 0.1'"):
        IntegratedGradients().explain(EXAMPLES, model_of("linear"))


def test_logits_that_do_not_depend_on_the_embeddings_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    model = model_of("linear")
    monkeypatch.setattr(model, "logits", lambda embeddings, embedded: torch.ones(len(embeddings), 2))
    with pytest.raises(ModelError, match="do not depend on the embeddings"):
        IntegratedGradients().explain(EXAMPLES, model)


@pytest.mark.parametrize("architecture", [FastText, Cnn, Lstm])
def test_a_batch_of_texts_without_a_word_has_no_words_and_the_change_it_has_in_another(architecture: Any) -> None:
    model, (empty, blank) = architecture(), (Example({"text": text}) for text in ("", " "))
    several = IntegratedGradients(steps=4).explain([empty, Example({"text": "a fine film"})], model)
    for example in (empty, blank):
        (alone,) = IntegratedGradients(steps=4).explain([example], model)
        assert alone.words == several[0].words == ()
        assert alone.change == pytest.approx(several[0].change, abs=1e-5)


def test_a_model_that_places_no_token_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    model = model_of("linear")
    monkeypatch.setattr(model, "tokens", lambda example: [(5, None) for _ in example.text.split()])
    with pytest.raises(ModelError, match=r"does not report where its tokens are.*'words: 0.1'"):
        IntegratedGradients().explain(EXAMPLES, model)


def test_a_baseline_of_several_tokens_is_refused() -> None:
    with pytest.raises(ModelError, match="'a slow film' is not one token of WordModel"):
        IntegratedGradients(baseline={"token": "a slow film"}).explain(EXAMPLES, model_of("linear"))
    with pytest.raises(ValueError, match="name the token"):
        IntegratedGradients(baseline={"token": " "})
