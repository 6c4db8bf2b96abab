from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from robustfim.errors import DataError
from robustfim.record import Card, read_cards
from robustfim.statistics import expected_count, wilson


def card(**other: Any) -> Card:
    given: dict[str, Any] = {
        "natural": (2, 6, 16),
        "holds": 23,
        "sound": 21,
        "changed": 300,
        "tried": 1000,
        "by": "Ada",
    }
    return Card(**given | other)


def test_a_card_says_each_share_with_its_interval() -> None:
    said = card().sentence
    for counted, count, of in (("23", 23, 24), ("22", 22, 24), ("16", 16, 24), ("300 of 1,000 texts", 300, 1000)):
        low, high = wilson(count, of) or (0.0, 1.0)
        assert f"{counted} [{low:.0%}, {high:.0%}]" in said
    assert said.startswith("Ada rated 24 pairs: ")
    assert said.endswith(", 26% of all texts validly.")
    assert card(edits=7.4).sentence.endswith(" validly, with 7 different edits in effect.")
    assert "a person could have written all [" in card(natural=(0, 4, 20)).sentence
    assert "expects" not in card(holds=None, sound=None).sentence
    assert card(tried=0, changed=0).sentence.endswith("read as naturally as the original.")


def test_failures_are_told_with_prediction_intervals_from_the_counts_of_the_card() -> None:
    said = card().of_failures(22)
    for count in (23, 22, 16):
        mean, (low, high) = expected_count(count, 24, 22)
        assert f"{mean:.0f} [{low}, {high}]" in said
    assert "keep the label" in said
    assert "other pairs, which Ada read" in said
    assert "keep the label" not in card(holds=None, sound=None).of_failures(1)
    assert "Of 1 failure about" in card().of_failures(1)


@pytest.mark.parametrize(
    ("natural", "grade"), [((0, 4, 20), 2), ((0, 9, 15), 1), ((2, 14, 8), 1), ((9, 8, 7), 0), ((0, 0, 1), 0)]
)
def test_the_class_is_what_more_than_half_of_all_pairs_surely_reach(natural: tuple[int, int, int], grade: int) -> None:
    assert Card(natural=natural, by="Ada").naturalness == grade


@pytest.mark.parametrize(
    "wrong", [{"natural": (0, 0, 0)}, {"holds": 25}, {"sound": 24, "holds": 23}, {"changed": 1001}, {"by": ""}]
)
def test_counts_that_cannot_be_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        card(**wrong)


def test_a_file_of_cards_is_read_as_it_was_written(tmp_path: Path) -> None:
    path = tmp_path / "cards.json"
    path.write_text(json.dumps({"shout": card().model_dump()}), encoding="utf-8")
    assert read_cards(path) == {"shout": card()}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[1]", "no file of cards"),
        ("{", "no file of cards"),
        ('{"shout": {"natural": [1, 2], "by": "Ada"}}', "shout.natural"),
        ('{"shout": {"natural": [1, 2, 3], "by": "Ada", "hold": 1}}', "Did you mean 'holds'"),
        ('{"shout": {"natural": [1, 2, 3], "by": "Ada", "holds": 9}}', "holds: 9 of 6"),
    ],
)
def test_a_file_that_holds_something_else_is_refused_with_its_place(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "cards.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(DataError, match=r"cards\.json") as error:
        read_cards(path)
    assert said in str(error.value)
