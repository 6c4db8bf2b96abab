"""Embeddings, their logits, their derivatives, and the place of each token."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from robustfim import Example, ModelError
from robustfim.roles import DifferentiableModel
from robustfim_huggingface.classifier.model import SequenceClassifier

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

Folders = Callable[[str], Path]
Loaded = Callable[[str], SequenceClassifier]
TEXTS = ("good film", "The Good, bad & ugly", "café 😀 naïve", "x")
ARCHITECTURES = ["bert", "distilbert", "roberta", "gpt2", "llama", "xlnet", "longformer", "bart", "t5"]


def texts(*values: str) -> list[Example]:
    return [Example({"text": value}) for value in values]


def words(model: SequenceClassifier, example: Example) -> list[str | None]:
    """The piece of text that each token stands for."""
    spans = model.embed([example]).spans[0]
    return [None if span is None else example.fields[span[0]][span[1] : span[2]] for span in spans]


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_the_logits_of_the_embeddings_give_the_prediction(loaded: Loaded, architecture: str) -> None:
    model = loaded(architecture)
    assert isinstance(model, DifferentiableModel)
    embedded = model.embed(texts(*TEXTS))
    assert not embedded.embeddings.requires_grad
    probabilities = model.logits(embedded.embeddings, embedded).double().softmax(-1).cpu().numpy()
    np.testing.assert_allclose(probabilities, model.predict(texts(*TEXTS)), atol=1e-6)


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_a_gradient_is_the_limit_of_differences(folders: Folders, architecture: str) -> None:
    model = SequenceClassifier(folders(architecture))
    model.network._model.double()
    # These three compute a norm or a softmax in single precision whatever the weights are.
    h, rtol, atol = (1e-4, 1e-2, 5e-3) if architecture in {"llama", "t5", "longformer"} else (1e-6, 1e-5, 1e-7)
    embedded = model.embed(texts(*TEXTS))
    random = torch.Generator().manual_seed(3)
    step = torch.randn(embedded.embeddings.shape, generator=random, dtype=torch.float64).to(embedded.embeddings.device)
    step[~embedded.mask] = 0
    x = embedded.embeddings.clone().requires_grad_()
    (gradient,) = torch.autograd.grad(model.logits(x, embedded)[:, 0].sum(), x)
    above, below = (model.logits(embedded.embeddings + side * step, embedded)[:, 0] for side in (h, -h))
    expected = (gradient * step).sum((1, 2))
    assert expected.abs().max() > 0.5
    torch.testing.assert_close((above - below) / (2 * h), expected, rtol=rtol, atol=atol)


@pytest.mark.parametrize("architecture", ["bert", "roberta", "gpt2", "t5"])
def test_a_text_in_a_batch_has_the_gradient_it_has_alone(loaded: Loaded, architecture: str) -> None:
    model = loaded(architecture)

    def gradient(batch: list[Example], row: int) -> Any:
        embedded = model.embed(batch)
        x = embedded.embeddings.clone().requires_grad_()
        (found,) = torch.autograd.grad(model.logits(x, embedded)[row, 1], x)
        assert not found[row][~embedded.mask[row]].any(), "padding has no influence"
        assert not found[[each for each in range(len(batch)) if each != row]].any(), "nor have other texts"
        return found[row][embedded.mask[row]]

    torch.testing.assert_close(gradient(texts(*TEXTS), 0), gradient(texts(TEXTS[0]), 0), rtol=1e-3, atol=1e-5)


@pytest.mark.parametrize("architecture", ["bert", "roberta", "gpt2", "bart"])
def test_forward_mode_and_second_derivatives_exist(loaded: Loaded, architecture: str) -> None:
    model = loaded(architecture)
    embedded = model.embed(texts(*TEXTS))
    random = torch.Generator().manual_seed(5)
    v = torch.randn(embedded.embeddings.shape, generator=random).to(embedded.embeddings.device)
    _, forward = torch.func.jvp(lambda x: model.logits(x, embedded), (embedded.embeddings,), (v,))
    # J v by two backward passes: the derivative of uᵀJ with respect to u, along v.
    x = embedded.embeddings.clone().requires_grad_()
    u = torch.zeros_like(forward, requires_grad=True)
    (pulled,) = torch.autograd.grad(model.logits(x, embedded), x, u, create_graph=True)
    (backward,) = torch.autograd.grad(pulled, u, v)
    assert forward.abs().max() > 0.1
    torch.testing.assert_close(forward, backward, rtol=1e-3, atol=1e-4)


def test_one_table_serves_many_batches_and_leaves_no_trace(loaded: Loaded) -> None:
    model = loaded("bert")
    before = model.predict(texts(*TEXTS))
    first, second = model.embed(texts("good film")), model.embed(texts("bad bad bad film"))
    late = model.logits(first.embeddings, first)
    model.logits(second.embeddings * 3, second)
    torch.testing.assert_close(model.logits(first.embeddings, first), late, rtol=0, atol=0)
    np.testing.assert_array_equal(model.predict(texts(*TEXTS)), before)


def test_every_input_has_the_batch_first(loaded: Loaded) -> None:
    model = loaded("bert")
    embedded = model.embed(texts(*TEXTS))
    rows = [2, 0]
    part = type(embedded)(
        embedded.embeddings[rows],
        embedded.mask[rows],
        embedded.special[rows],
        [embedded.spans[row] for row in rows],
        {name: value[rows] for name, value in embedded.inputs.items()},
    )
    torch.testing.assert_close(
        model.logits(part.embeddings, part), model.logits(embedded.embeddings, embedded)[rows], rtol=0, atol=1e-6
    )


def test_word_pieces_stand_at_their_place_in_the_original_text(loaded: Loaded) -> None:
    found = words(loaded("bert"), Example({"text": "Café 😀 good  NAÏ"}))
    assert found == [None, "C", "a", "f", "é", "😀", "good", "N", "A", "Ï", None]


def test_bytes_share_the_place_of_their_character_and_leave_out_the_blank_before_a_word(loaded: Loaded) -> None:
    found = words(loaded("roberta"), Example({"text": "é good😀"}))
    assert found == [None, "é", "é", "good", "😀", "😀", "😀", "😀", None]


def test_the_tokens_of_a_pair_stand_in_their_own_field(folders: Folders, loaded: Loaded) -> None:
    example = Example({"premise": "good film", "hypothesis": "bad"})
    (spans,) = loaded("bert").embed([example]).spans
    assert list(spans) == [None, ("premise", 0, 4), ("premise", 5, 9), None, ("hypothesis", 0, 3), None]
    turned = SequenceClassifier(folders("bert"), text="hypothesis", pair="premise")
    assert list(turned.embed([example]).spans[0])[1:3] == [("hypothesis", 0, 3), None]


def test_the_masks_tell_text_special_tokens_and_padding_apart(loaded: Loaded) -> None:
    embedded = loaded("bert").embed(texts("good film", "bad"))
    assert embedded.mask.tolist() == [[True] * 4, [True] * 3 + [False]]
    assert embedded.special.tolist() == [[True, False, False, True], [True, False, True, False]]
    assert embedded.spans[1][3] is None


def test_a_cut_text_has_the_spans_of_what_is_read(folders: Folders) -> None:
    found = words(SequenceClassifier(folders("bert"), max_length=4), Example({"text": "good bad film"}))
    assert found == [None, "good", "bad", None]


def test_a_slow_tokenizer_has_no_spans(loaded: Loaded) -> None:
    embedded = loaded("t5").embed(texts("good", "x"))
    assert [list(row) for row in embedded.spans] == [[None] * 5, [None] * 5]
    assert embedded.special.tolist() == [[False] * 4 + [True], [False, True, False, False, False]]


def test_a_model_without_a_token_table_has_no_gradients(loaded: Loaded) -> None:
    with pytest.raises(ModelError, match="no table of token embeddings"):
        loaded("canine").embed(texts("a good film"))


def test_a_text_without_a_token_has_no_embeddings(loaded: Loaded) -> None:
    with pytest.raises(ModelError, match="makes no token of ''"):
        loaded("gpt2").embed(texts("good", ""))


def test_a_lookup_of_other_tokens_is_no_silent_zero_gradient(loaded: Loaded) -> None:
    model = loaded("bert")
    embedded = model.embed(texts("good film"))
    table = model.network._table
    exchanged = table.exchanged(embedded.inputs["input_ids"], embedded.embeddings)
    with pytest.raises(ModelError, match="a way that robustfim does not know"), exchanged:
        model.network._model(input_ids=torch.tensor([[9, 9, 9]], device=embedded.embeddings.device))


def test_logits_of_a_half_precision_model_are_in_single(folders: Folders) -> None:
    model = SequenceClassifier(folders("bert"), dtype="bfloat16", device="cpu")
    embedded = model.embed(texts("good film"))
    assert embedded.embeddings.dtype == torch.bfloat16
    assert model.logits(embedded.embeddings, embedded).dtype == torch.float32
