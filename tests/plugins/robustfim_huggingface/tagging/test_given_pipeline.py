"""A pipeline of transformers that finds spans is a tagger, with the spans that its weights find."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import robustfim
from robustfim import Example, ModelError, UsageError
from robustfim_huggingface import robustfim_translate
from robustfim_huggingface.tagging.given_pipeline import GivenTagger
from robustfim_huggingface.tagging.model import TokenClassifier
from tests.plugins.robustfim_huggingface.tagging.test_model import TEXTS, examples, folder

__all__ = ["folder"]

transformers = pytest.importorskip("transformers")


def pipeline(path: Path, **options: Any) -> Any:
    return transformers.pipeline("token-classification", str(path), device="cpu", **options)


@pytest.mark.parametrize("architecture", ["bert", "roberta"])
def test_it_finds_the_spans_of_its_folder(folder: Callable[[str], Path], architecture: str) -> None:  # a fixture
    path = folder(architecture)
    found = GivenTagger(pipeline(path, aggregation_strategy="simple")).tag(examples(TEXTS))
    expected = TokenClassifier(path, device="cpu").tag(examples(TEXTS))
    assert sum(map(len, found)) > 5
    assert [[span.bare for span in spans] for spans in found] == [[span.bare for span in spans] for spans in expected]


def test_a_run_takes_it_as_a_tagger(folder: Callable[[str], Path]) -> None:  # a fixture
    given = pipeline(folder("bert"), aggregation_strategy="simple")
    data = [Example({"text": text}, "⟦4:8 name⟧") for text in TEXTS[:2]]
    run = robustfim.run(model=given, data=data, checks={"itself": {"perturb": "itself", "expect": "correct"}})
    assert run.checks["itself"].tested == 2
    assert [recall.label for recall in run.checks["itself"].recall] == ["name"]


def test_labels_of_word_pieces_are_no_spans(folder: Callable[[str], Path]) -> None:  # a fixture
    with pytest.raises(ModelError, match="aggregation_strategy='simple'"):
        GivenTagger(pipeline(folder("bert"))).tag(examples(TEXTS))
    with pytest.raises(UsageError, match="a pipeline for token-classification is needed"):
        GivenTagger(object())


@pytest.mark.parametrize(
    ("architecture", "use"),
    [
        ("BertForTokenClassification", "huggingface/token-classification"),
        ("BertForQuestionAnswering", "huggingface/question-answering"),
        ("BertForMultipleChoice", "huggingface/choice"),
        ("BertForSequenceClassification", "huggingface"),
    ],
)
def test_a_folder_is_taken_for_what_its_architecture_does(architecture: str, use: str, tmp_path: Path) -> None:
    config = f'{{"model_type": "bert", "architectures": ["{architecture}"]}}'
    (tmp_path / "config.json").write_text(config, encoding="utf-8")
    assert robustfim_translate("models", tmp_path) == {"use": use, "path": tmp_path}
