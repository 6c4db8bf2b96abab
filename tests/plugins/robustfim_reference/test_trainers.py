"""The trainers: what the command trains, from examples in memory."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from robustfim.errors import DataError
from robustfim.example import Example
from robustfim_reference import robustfim_offers
from robustfim_reference.corpus import read_rows
from robustfim_reference.model import FastText
from robustfim_reference.trainers import CnnTrainer, FastTextTrainer

pytest.importorskip("torch")


def quiet(line: str) -> None:
    """Say nothing."""


def read(corpus: Path, name: str) -> list[Example]:
    return [Example({"text": row.text}, row.label) for row in read_rows(corpus / name, "text", "label")]


@pytest.mark.slow
def test_a_trainer_writes_the_weights_that_the_command_writes(
    corpus: Path, trained: dict[str, Path], tmp_path: Path
) -> None:
    told: list[str] = []
    spec = FastTextTrainer(epochs=2).train(
        read(corpus, "train.csv"), read(corpus, "dev.csv"), tmp_path / "new", seed=0, report=told.append
    )
    assert spec == {"use": "reference/fasttext", "path": str(tmp_path / "new")}
    for name in ("model.safetensors", "vocabulary.txt", "config.json"):
        assert (tmp_path / "new" / name).read_bytes() == (trained["fasttext"] / name).read_bytes()
    assert [line.split(":")[0] for line in told] == ["epoch 1/2", "epoch 2/2"]


def test_what_was_trained_predicts(corpus: Path, tmp_path: Path) -> None:
    data = read(corpus, "train.csv")
    FastTextTrainer().train(data * 20, data, tmp_path, seed=1, report=quiet)
    model = FastText(path=tmp_path)
    right = sum(
        model.labels[row.argmax()] == example.label for row, example in zip(model.predict(data), data, strict=True)
    )
    assert right == len(data)


@pytest.mark.parametrize(
    ("example", "told"),
    [
        (Example({"text": "good"}, None), "no gold label"),
        (Example({"premise": "a", "hypothesis": "b"}, "x"), "the fields premise, hypothesis"),
        (None, "no example"),
    ],
)
def test_what_cannot_be_learnt_from_is_refused(example: Example | None, told: str, tmp_path: Path) -> None:
    given: list[Any] = [] if example is None else [example]
    with pytest.raises(DataError, match=told):
        CnnTrainer().train(given, given, tmp_path / "none", seed=0, report=quiet)
    assert not (tmp_path / "none").exists()


def test_every_model_has_its_trainer() -> None:
    assert list(robustfim_offers()["trainers"]) == [f"reference/{name}" for name in ("fasttext", "cnn", "lstm", "bert")]
