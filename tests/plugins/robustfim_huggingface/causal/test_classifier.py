"""Label words: against transformers' own forward pass on one prompt and word at a time, and the literal algorithm."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from robustfim import Example, ModelError, UsageError
from robustfim.roles import DifferentiableModel
from robustfim_fisher.geometry import FisherGeometry
from robustfim_huggingface.causal.classifier import CausalClassifier
from tests.plugins.robustfim_fisher.reference import fisher_matrix, largest_eigenvalue
from tests.plugins.robustfim_huggingface.conftest import likelihood, ran, save

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

Folders = Callable[[str], Path]
PROMPT = "Film: {text}\nIt was"
WORDS: dict[str, Any] = {"positive": " good", "negative": " g"}  # of gpt2_bytes: one token each
LONG: dict[str, Any] = {
    "positive": " good x",
    "negative": [" yx", " dull"],
    "neutral": " bad",
}  # three, three, five and four tokens
TEXTS = ("good film", "The Good, bad & ugly", "café 😀 naïve", "x", "")
ARCHITECTURES = ["gpt2", "llama", "gpt_neox", "bloom", "roberta"]


def texts(*values: str) -> list[Example]:
    return [Example({"text": value}) for value in values]


def literal(folder: Path, prompt: str, labels: dict[str, Any], normalise: str = "none", neutral: str = "") -> Any:
    """The distribution over labels, word by word and token by token."""
    scores = []
    for words in labels.values():
        each = []
        for word in [words] if isinstance(words, str) else words:
            score, count = likelihood(folder, prompt, word)
            if normalise == "tokens":
                score = score / count
            elif normalise == "pmi":
                score = score - likelihood(folder, neutral, word)[0]
            each.append(score)
        scores.append(np.logaddexp.reduce(each))
    return np.exp(scores - np.logaddexp.reduce(scores))


@pytest.mark.parametrize(
    ("architecture", "labels"), [*((each, LONG) for each in ARCHITECTURES), ("gpt2", WORDS), ("llama", WORDS)]
)
def test_a_batch_of_mixed_lengths_predicts_what_each_prompt_and_word_gives_alone(
    causal: Folders, architecture: str, labels: dict[str, Any]
) -> None:
    model = CausalClassifier(causal(architecture), PROMPT, labels, batch_size=3)
    assert model.labels == tuple(labels)
    found = model.predict(texts(*TEXTS))
    for row, text in zip(found, TEXTS, strict=True):
        expected = literal(causal(architecture), PROMPT.format(text=text), labels)
        np.testing.assert_allclose(np.log(row), np.log(expected), atol=2e-5)
    assert np.ptp(np.log(found), axis=0).max() > 0.1, "the texts must differ, or nothing is compared"


@pytest.mark.parametrize("architecture", ["gpt2", "llama", "roberta"])
def test_the_logits_of_the_embeddings_give_the_prediction(causal: Folders, architecture: str) -> None:
    model = CausalClassifier(causal(architecture), PROMPT, LONG)
    assert isinstance(model, DifferentiableModel)
    embedded = model.embed(texts(*TEXTS))
    assert embedded.embeddings.shape[:2] == embedded.mask.shape == embedded.special.shape
    assert {len(row) for row in embedded.spans} == {embedded.mask.shape[1]}
    assert all(len(tensor) == len(TEXTS) for tensor in embedded.inputs.values())
    probabilities = model.logits(embedded.embeddings, embedded).double().softmax(-1).cpu().numpy()
    np.testing.assert_allclose(probabilities, model.predict(texts(*TEXTS)), atol=1e-5)


@pytest.mark.parametrize("architecture", ["gpt2", "llama"])
def test_the_geometry_is_that_of_the_literal_fisher_matrix(causal: Folders, architecture: str) -> None:
    model = CausalClassifier(causal(architecture), PROMPT, LONG)
    examples = texts(*TEXTS[:2])
    for example, point in zip(examples, FisherGeometry(model).at(examples), strict=True):
        information = fisher_matrix(model, example)
        assert largest_eigenvalue(information) > 1e-6
        assert point.lambda_max == pytest.approx(largest_eigenvalue(information), rel=1e-3)
        embedded = model.embed([example])
        part = (embedded.mask & ~embedded.special)[0].cpu()
        vector = point.eigenvector[part].flatten()
        assert not point.eigenvector[~part].any(), "the prompt's own words take no part"
        torch.testing.assert_close(information @ vector, point.lambda_max * vector, rtol=1e-2, atol=1e-4)


def test_a_prompt_without_a_text_has_nothing_to_move(causal: Folders) -> None:
    (point,) = FisherGeometry(CausalClassifier(causal("gpt2"), PROMPT, LONG)).at(texts(""))
    assert point.lambda_max == 0


def test_a_gradient_is_the_limit_of_differences(causal: Folders) -> None:
    model = CausalClassifier(causal("gpt2"), PROMPT, LONG)
    model.network._model.double()
    embedded = model.embed(texts(*TEXTS))
    random = torch.Generator().manual_seed(3)
    step = torch.randn(embedded.embeddings.shape, generator=random, dtype=torch.float64).to(embedded.embeddings.device)
    x = embedded.embeddings.clone().requires_grad_()
    (gradient,) = torch.autograd.grad(model.logits(x, embedded)[:, 1].sum(), x)
    assert not gradient[~embedded.mask].any(), "padding has no influence"
    h = 1e-6
    above, below = (model.logits(embedded.embeddings + side * step, embedded)[:, 1] for side in (h, -h))
    expected = (gradient * step).sum((1, 2))
    assert expected.abs().max() > 0.1
    torch.testing.assert_close((above - below) / (2 * h), expected, rtol=1e-5, atol=1e-7)
    _, forward = torch.func.jvp(lambda each: model.logits(each, embedded)[:, 1], (embedded.embeddings,), (step,))
    torch.testing.assert_close(forward, expected, rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize("labels", [WORDS, LONG])
def test_normalised_words_are_what_the_formulas_say(causal: Folders, labels: dict[str, Any]) -> None:
    folder = causal("llama")
    for normalise, neutral in (("tokens", None), ("pmi", "It was")):
        model = CausalClassifier(folder, PROMPT, labels, normalise=normalise, neutral=neutral)  # type: ignore[arg-type]  # a literal of two
        found = model.predict(texts(*TEXTS[:3]))
        for row, text in zip(found, TEXTS, strict=False):
            expected = literal(folder, PROMPT.format(text=text), labels, normalise, "It was")
            np.testing.assert_allclose(row, expected, atol=1e-5)
        example = texts("good x")
        (point,) = FisherGeometry(model).at(example)
        assert point.lambda_max == pytest.approx(largest_eigenvalue(fisher_matrix(model, example[0])), rel=1e-3)
    with pytest.raises(UsageError, match=r"normalise: pmi compares.*'neutral'"):
        CausalClassifier(folder, PROMPT, labels, normalise="pmi")
    with pytest.raises(UsageError, match=r"'neutral' is for normalise: pmi, and normalise='none'"):
        CausalClassifier(folder, PROMPT, labels, neutral="It was")


def test_models_that_are_no_causal_language_models_are_refused(
    causal: Folders, folders: Folders, tmp_path: Path
) -> None:
    for name in ("bart", "t5"):
        with pytest.raises(ModelError, match=f"is an encoder-decoder model .{name}."):
            CausalClassifier(folders(name), PROMPT, WORDS).predict(texts("x"))
    with pytest.raises(ModelError, match=r"trained as GPT2ForSequenceClassification.*'use: huggingface'"):
        CausalClassifier(folders("gpt2"), PROMPT, WORDS).predict(texts("x"))
    with pytest.raises(ModelError, match="sees the words behind"):
        CausalClassifier(causal("bidirectional"), PROMPT, WORDS).predict(texts("x"))
    save("gpt2", tmp_path)
    config = json.loads((tmp_path / "config.json").read_text())
    config.update(architectures=["GPT2LMHeadModel"], tie_word_embeddings=False)
    (tmp_path / "config.json").write_text(json.dumps(config))
    with pytest.raises(ModelError, match=r"not a trained causal language model: its weights lack lm_head\.weight"):
        CausalClassifier(tmp_path, PROMPT, WORDS).predict(texts("x"))


def test_the_fingerprint_knows_every_option_that_alters_a_prediction(causal: Folders) -> None:
    options: list[dict[str, Any]] = [
        {}, {"prompt": "{text}"}, {"labels": LONG}, {"labels": dict(reversed(WORDS.items()))}, {"normalise": "tokens"},
        {"normalise": "pmi", "neutral": "a"}, {"normalise": "pmi", "neutral": "b"}, {"max_length": 20},
        {"dtype": "bfloat16"},
    ]  # fmt: skip
    plain = {"prompt": PROMPT, "labels": WORDS}
    found = [CausalClassifier(causal("gpt2"), **{**plain, **option}).fingerprint for option in options]
    assert len(set(found)) == len(options)
    assert CausalClassifier(causal("gpt2"), PROMPT, WORDS, batch_size=1).fingerprint == found[0]
    assert CausalClassifier(causal("llama"), PROMPT, WORDS).fingerprint != found[0]


@pytest.mark.parametrize("dtype", ["bfloat16", "float16"])
def test_half_precision_gives_finite_numbers_near_the_exact_ones(causal: Folders, dtype: Any) -> None:
    exact = CausalClassifier(causal("llama"), PROMPT, LONG)
    half = CausalClassifier(causal("llama"), PROMPT, LONG, dtype=dtype, device="cpu")
    examples = texts(*TEXTS[:4])
    np.testing.assert_allclose(half.predict(examples), exact.predict(examples), atol=0.1)
    for near, point in zip(FisherGeometry(half).at(examples), FisherGeometry(exact).at(examples), strict=True):
        assert near.lambda_max == pytest.approx(point.lambda_max, rel=0.3)
        assert near.eigenvector.isfinite().all()
        assert abs(float((near.eigenvector.float() * point.eigenvector).sum())) > 0.9


@pytest.mark.slow
def test_a_suite_of_label_words_runs_all_that_needs_gradients(
    causal: Folders, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    changes = {"use": "invariant", "counts": "changes"}
    suite = {
        "model": {"use": "huggingface/causal", "path": str(causal("llama")), "prompt": PROMPT,
                  "labels": {"positive": " good", "negative": " bad"}, "max_length": 60},
        "data": {"use": "reviews", "limit": 6},
        "scores": ["fisher", "boundary", "smallest_step"],
        "select": {"by": "fisher", "difficult": 3, "control": 2},
        "checks": {
            "typos": {"perturb": {"use": "typos", "words": 1, "candidates": 2, "order": "guided"}, "expect": changes},
            "eigenvector": {"perturb": {"use": "eigenvector"}, "expect": changes},
            "step": {"perturb": "smallest_step", "expect": changes},
        },
    }  # fmt: skip
    record = ran(suite, capsys)
    assert min(example["scores"]["fisher"] for example in record["examples"]) > 0
    assert min(check["candidates"]["tested"] for check in record["checks"]) >= 5
