"""The transformer with a fitted head that searches are compared on."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch

pytest.importorskip("transformers")

from benchmarks.minilm import LABELS, MeanPooled, fit_head
from benchmarks.transformer import Transformer, open_transformer
from robustfim.example import Example
from robustfim.seeds import random_for
from robustfim_fisher.geometry import FisherGeometry
from robustfim_reference.bundled import Reviews
from tests.plugins.robustfim_textattack.library import library as library  # the fixture, which pytest finds by its name

REVIEWS = list(Reviews(limit=24).load())


@pytest.fixture(scope="module")
def transformer(tmp_path_factory: pytest.TempPathFactory) -> Transformer:
    shape = {"hidden_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 32}
    return open_transformer(None, tmp_path_factory.mktemp("transformer"), **shape)


def test_the_mean_pooled_model_reads_padded_texts_alone(transformer: Transformer) -> None:
    model = MeanPooled(transformer.folder)
    model.head.weight[:] = torch.eye(2, 16)
    together = model.predict(REVIEWS[:3])
    for row, example in zip(together, REVIEWS, strict=False):
        assert row == pytest.approx(model.predict([example])[0], abs=1e-6)
        embedded = model.embed([example])
        hidden = model.bert(**model._tokenizer(example.text, return_tensors="pt")).last_hidden_state
        logits = model.logits(embedded.embeddings, embedded)
        assert logits[0].tolist() == pytest.approx(hidden[0].mean(0)[:2].tolist(), abs=1e-5)
        words = [example.text[span[1] : span[2]] for span in embedded.spans[0] if span]
        assert "".join(words).lower() == "".join(example.text.split()).lower()
    assert FisherGeometry(model).at(REVIEWS[:1])[0].lambda_max > 0


def test_the_head_is_fitted_to_the_training_data(transformer: Transformer, tmp_path: Path) -> None:
    pytest.importorskip("sklearn")
    (tmp_path / "rotten_tomatoes").mkdir()
    random = random_for(0, "texts")
    words = dict(zip(LABELS, (["film", "story", "cast"], ["plot", "song", "joke"]), strict=True))
    texts = [(label, " ".join(random.choices(words[label], k=6))) for label in LABELS for _ in range(30)]
    lines = ["text,label", *(f"{text},{label}" for label, text in texts)]
    (tmp_path / "rotten_tomatoes" / "train.csv").write_text("\n".join(lines), encoding="utf-8")
    model = fit_head(transformer, tmp_path)
    found = model.predict([Example({"text": text}) for _, text in texts]).argmax(1)
    assert np.mean([LABELS[row] == label for row, (label, _) in zip(found, texts, strict=True)]) > 0.8
