"""The shipped weights: small, documented, and as good as they say."""

from __future__ import annotations

import csv
import re
from functools import cache
from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest

from robustfim.example import Example
from robustfim_reference.bundled import Requests, Reviews
from robustfim_reference.model import Bert, Cnn, FastText, Guard, Lstm
from robustfim_reference.reference import Reference

MODELS: dict[str, type[Reference]] = {"fasttext": FastText, "cnn": Cnn, "lstm": Lstm, "bert": Bert}
WEIGHTS = Path(str(files("robustfim_reference"))) / "weights"
DATA = Path(__file__).parents[4] / "shared" / "data"
GUARD_PAGE = Path(__file__).parents[3] / "docs" / "guard.md"
MODELS_PAGE = Path(__file__).parents[3] / "docs" / "models.md"
AIMS = {"fasttext": 0.76, "cnn": 0.75, "lstm": 0.75, "bert": 0.72}


@cache
def card(name: str) -> str:
    return (WEIGHTS / name / "MODEL_CARD.md").read_text(encoding="utf-8")


def test_all_weights_together_take_at_most_13_megabytes() -> None:
    sizes = {path: path.stat().st_size for path in WEIGHTS.rglob("*") if path.is_file()}
    assert {path.parent.name for path in sizes} == {*MODELS, "guard", "tagger"}
    assert sum(sizes.values()) <= 13 * 10**6


def test_nothing_is_pickled() -> None:
    kinds = {path.suffix for path in WEIGHTS.rglob("*") if path.is_file()}
    assert kinds == {".json", ".txt", ".safetensors", ".md"}


@pytest.mark.parametrize("name", MODELS)
def test_labels_are_negative_then_positive(name: str) -> None:
    assert MODELS[name]().labels == ("negative", "positive")


@pytest.mark.parametrize("name", MODELS)
def test_a_card_tells_the_command_the_data_and_their_licences(name: str) -> None:
    assert f"robustfim train {name} --data ../shared/data/rotten_tomatoes/train.csv" in card(name)
    assert f"--out plugins/robustfim_reference/weights/{name}" in card(name)
    assert "CC BY 4.0" in card(name)
    assert not re.search(r"contrast|[` ]/(?!shared)", card(name))


@pytest.mark.parametrize("name", MODELS)
def test_the_documentation_tells_how_many_of_the_shipped_reviews_are_labelled_rightly(name: str) -> None:
    pytest.importorskip("torch")
    if name == "bert":
        pytest.importorskip("transformers")
    model, reviews = MODELS[name](), list(Reviews().load())
    found = [row for start in range(0, 480, 60) for row in model.predict(reviews[start : start + 60]).argmax(axis=1)]
    right = sum(model.labels[row] == review.label for row, review in zip(found, reviews, strict=True))
    page = MODELS_PAGE.read_text(encoding="utf-8")
    ((count, share),) = re.findall(rf"`{name}`\s(?:gets\s)?(\d+)\s(?:right\s)?\(([\d.]+)\s%\)", page)
    assert right == pytest.approx(int(count), abs=2)  # of 480; the last bits differ from processor to processor
    assert float(share) == round(100 * int(count) / 480, 1)


@pytest.mark.parametrize("name", MODELS)
def test_a_plain_opinion_is_understood(name: str) -> None:
    pytest.importorskip("torch")
    if name == "bert":
        pytest.importorskip("transformers")
    texts = ("A wonderful, moving film with a brilliant cast.", "A dull, lifeless mess. What a waste of time!")
    (_, good), (bad, _) = MODELS[name]().predict([Example({"text": text}) for text in texts])
    assert good > 0.7
    assert bad > 0.7


@pytest.mark.parametrize("name", MODELS)
def test_the_accuracy_on_the_development_data_is_that_of_the_card_and_reaches_the_aim(name: str) -> None:
    pytest.importorskip("torch")
    if name == "bert":
        pytest.importorskip("transformers")
    correct, rows = right_of(MODELS[name](), DATA / "rotten_tomatoes" / "dev.csv")
    assert stated(name) == [correct, rows]
    assert correct / rows >= AIMS[name]


def test_the_guard_s_accuracy_is_that_of_its_card_and_it_tells_a_request_that_is_none_of_its_business() -> None:
    assert stated("guard") == list(right_of(Guard(), DATA / "oos_eval" / "dev.csv"))
    model, examples = Guard(), list(Requests().load())
    blocked = model.predict(examples)[:, model.labels.index("oos")] >= 0.05
    strange = np.array([example.label == "oos" for example in examples])
    page = " ".join(GUARD_PAGE.read_text(encoding="utf-8").split())
    told = re.search(r"stops (\d+) of the 150 .* and (\d+) of the 150", page)
    assert told is not None
    assert [int(group) for group in told.groups()] == [blocked[strange].sum(), blocked[~strange].sum()]


def stated(name: str) -> list[int]:
    """The rows that are right, and all rows, as a card has them."""
    found = re.search(r"\(([\d,]+) of ([\d,]+) rows; ", card(name))
    assert found is not None
    return [int(number.replace(",", "")) for number in found.groups()]


def right_of(model: Reference, path: Path) -> tuple[int, int]:
    """How many rows of a file a model labels rightly, and how many there are."""
    if not path.exists():
        pytest.skip("the reference data is not beside this checkout")
    with path.open(encoding="utf-8", newline="") as file:
        examples = [Example({"text": row["text"]}, label=row["label"]) for row in csv.DictReader(file)]
    correct = 0
    for start in range(0, len(examples), 100):
        batch = examples[start : start + 100]
        found = model.predict(batch).argmax(axis=1)
        correct += sum(model.labels[column] == example.label for column, example in zip(found, batch, strict=True))
    return correct, len(examples)
