"""Regression: numbers as transformers' own model gives them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import robustfim
from robustfim import Example, ModelError
from robustfim_huggingface.classifier.model import SequenceClassifier
from robustfim_huggingface.rating.model import Regression
from robustfim_testing import check_model
from tests.plugins.robustfim_huggingface.conftest import save_model

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

TEXTS = ["the good film", "a bad film, a bad end", "film"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small BERT with a single output."""
    made = tmp_path_factory.mktemp("regression")
    save_model("bert", made, "ForSequenceClassification", seed=29, num_labels=1)
    return made


def examples() -> list[Example]:
    return [Example({"text": text}) for text in TEXTS]


def test_the_number_is_the_output_of_transformers_own_model(folder: Path) -> None:
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    model = transformers.AutoModelForSequenceClassification.from_pretrained(folder).eval()
    with torch.inference_mode():
        expected = [float(model(**tokenizer(text, return_tensors="pt")).logits[0, 0]) for text in TEXTS]
    assert Regression(folder).rate(examples()) == pytest.approx(expected, abs=1e-5)
    assert len({round(number, 3) for number in expected}) == len(TEXTS)


def test_it_keeps_the_promises_of_a_model_and_tells_what_it_reads(folder: Path) -> None:
    check_model(Regression(folder, max_length=16))
    read, cut = Regression(folder, max_length=4).window([Example({"text": "film"}), Example({"text": "good film end"})])
    assert read is None
    assert cut == [("text", 0, 4), ("text", 5, 9)]


def test_a_suite_asks_whether_its_number_stays(folder: Path) -> None:
    suite = {
        "suite": "s",
        "model": {"use": "huggingface/regression", "path": str(folder), "decide": {"within": 0.001}},
        "checks": {"typos": {"perturb": "typos"}, "same": {"perturb": "itself"}},
    }
    made = robustfim.run(suite, data=TEXTS)
    assert (made.checks["typos"].rate or 0) > 0
    assert made.checks["same"].rate == 0


def test_each_of_the_two_says_what_the_other_is(folder: Path, folders: Callable[[str], Path]) -> None:
    with pytest.raises(ModelError, match=r"use: huggingface/regression, path: …, decide: \{within: 0.25\}"):
        _ = SequenceClassifier(folder).labels
    with pytest.raises(ModelError, match="has several outputs, so it is no rating model"):
        _ = Regression(folders("bert")).fingerprint
