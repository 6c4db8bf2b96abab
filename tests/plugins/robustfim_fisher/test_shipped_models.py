"""λmax of the models that come with robustfim, against the literal algorithm."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from robustfim.candidate import Candidate, Edit, Step
from robustfim.errors import UsageError
from robustfim.example import Example
from robustfim_fisher.autograd import held_modules
from robustfim_fisher.differences import differentiate
from robustfim_fisher.eigenvector import Eigenvector
from robustfim_fisher.geometry import FisherGeometry
from robustfim_fisher.guided import Guided
from robustfim_fisher.information import lambda_max
from tests.plugins.robustfim_fisher.models import Run, Tokens, seeded
from tests.plugins.robustfim_fisher.reference import fisher_matrix, largest_eigenvalue

EXAMPLES = [
    Example({"text": "a slow film ."}),
    Example({"text": "nobody wanted this film"}),
    Example({"text": "bright"}),
]


def shipped(name: str) -> Any:
    """A fresh model, skipped where its plugin or its weights are not there."""
    module = pytest.importorskip("robustfim_reference.model")
    try:
        return getattr(module, name)()
    except UsageError as error:
        pytest.skip(str(error))


def tiny_sequence_classifier(folder: Path) -> Any:
    """The Hugging Face plugin on a folder with a BERT of random weights."""
    transformers = pytest.importorskip("transformers")
    module = pytest.importorskip("robustfim_huggingface.classifier.model")
    words = sorted({word for example in EXAMPLES for word in example.text.split()} - {"wanted"})
    vocabulary = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *words, "want", "##ed", "grief"]
    (folder / "vocab.txt").write_text("\n".join(vocabulary), encoding="utf-8")
    transformers.BertTokenizerFast(str(folder / "vocab.txt")).save_pretrained(folder)
    config = transformers.BertConfig(
        vocab_size=len(vocabulary),
        hidden_size=8,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=12,
        max_position_embeddings=32,
        num_labels=3,
        initializer_range=0.6,
    )
    with seeded(0):
        transformers.BertForSequenceClassification(config).save_pretrained(folder)
    return module.SequenceClassifier(path=folder)


def assert_matches_the_literal_algorithm(single: Any, exact: Any, tokens: Tokens) -> None:
    """Compare both precisions of one model with the algorithm in double precision."""
    exact.embed(EXAMPLES)  # Loads the weights.
    for module in held_modules(exact):
        module.double()
    literal = [largest_eigenvalue(fisher_matrix(exact, example, tokens)) for example in EXAMPLES]
    expected = torch.tensor(literal, dtype=torch.float64)
    for model, tolerance in ((single, 1e-4), (exact, 1e-8)):
        found = lambda_max(differentiate(model, model.embed(EXAMPLES), tokens=tokens))
        assert ((found - expected).abs() <= tolerance * expected).all()


@pytest.mark.parametrize("tokens", ["text", "all"])
@pytest.mark.parametrize("name", ["FastText", "Cnn", "Lstm", "Bert"])
def test_a_reference_model_matches_the_literal_algorithm(name: str, tokens: Tokens) -> None:
    assert_matches_the_literal_algorithm(shipped(name), shipped(name), tokens)


@pytest.mark.parametrize("tokens", ["text", "all"])
def test_a_sequence_classifier_matches_the_literal_algorithm(tmp_path: Path, tokens: Tokens) -> None:
    single = tiny_sequence_classifier(tmp_path)
    assert_matches_the_literal_algorithm(single, tiny_sequence_classifier(tmp_path), tokens)


@pytest.mark.parametrize("name", ["FastText", "Cnn", "Lstm", "Bert"])
def test_a_step_of_norm_0_equals_the_prediction_of_a_reference_model(name: str) -> None:
    model = shipped(name)
    perturbation = Eigenvector()
    perturbation.prepare(Run(model))
    found = perturbation.predict([Candidate(example, step=Step("eigenvector", 0.0)) for example in EXAMPLES])
    np.testing.assert_allclose(found, np.asarray(model.predict(EXAMPLES)), atol=1e-6)


@pytest.mark.parametrize("name", ["FastText", "Cnn", "Lstm", "Bert"])
def test_a_reference_model_can_be_guided(name: str) -> None:
    model = shipped(name)
    run = Run(model, FisherGeometry(model))
    source = EXAMPLES[1]
    candidates = [
        Candidate(source, (Edit("text", 0, 6, "nobody", "everybody"),)),
        Candidate(source, (Edit("text", 7, 13, "wanted", "asked for"),)),
        Candidate(source, (Edit("text", 13, 18, " this", ""),)),
    ]
    found = Guided().effects(candidates, run)
    assert np.isfinite(found).all()
    assert any(found)
    assert run.geometry.calls == 1
