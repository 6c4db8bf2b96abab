"""SQuAD files: what is read of them, and what is wrong with them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from robustfim import DataError, Example
from robustfim_files.squad_file import SquadFile

WHOLE = {
    "version": "v2.0",
    "data": [
        {
            "title": "Towers",
            "paragraphs": [
                {
                    "context": "The tower of 1871 is red.",
                    "qas": [
                        {
                            "id": "a",
                            "question": "When?",
                            "answers": [
                                {"text": "1871", "answer_start": 13},
                                {"text": "1871", "answer_start": 13},
                                {"text": "of 1871", "answer_start": 10},
                            ],
                        },
                        {"id": "b", "question": "Who?", "is_impossible": True, "answers": [],
                         "plausible_answers": [{"text": "tower", "answer_start": 4}]},
                        {"id": "c", "question": " ", "answers": []},
                    ],
                }
            ],
        },
        {"title": "Hills", "paragraphs": [{"context": "A hill.", "qas": [{"id": "d", "question": "What?"}]}]},
    ],
}  # fmt: skip


def write(folder: Path, value: Any) -> Path:
    path = folder / "squad.json"
    path.write_text(value if isinstance(value, str) else json.dumps(value), encoding="utf-8")
    return path


def test_each_question_is_an_example_with_its_answers(tmp_path: Path) -> None:
    source = SquadFile(write(tmp_path, WHOLE))
    context = "The tower of 1871 is red."
    assert list(source.load()) == [
        Example({"question": "When?", "context": context}, "1871", {"title": "Towers", "id": "a"}, ("of 1871",)),
        Example({"question": "Who?", "context": context}, "(no answer)", {"title": "Towers", "id": "b"}),
        Example({"question": "What?", "context": "A hill."}, None, {"title": "Hills", "id": "d"}),
    ]
    assert source.skipped == {"empty question": 1}


def test_a_limit_counts_examples(tmp_path: Path) -> None:
    path = write(tmp_path, WHOLE)
    assert [example.meta["id"] for example in SquadFile(path, limit=2).load()] == ["a", "b"]


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("{", "cannot be read as JSON"),
        ([], "not in SQuAD's form.*TypeError"),
        ({"rows": []}, "not in SQuAD's form.*KeyError: 'data'"),
        ({"data": [{"paragraphs": [{"context": "x"}]}]}, "article 1, paragraph 1: not in SQuAD's form.*'qas'"),
        ({"data": [{"paragraphs": [{"context": 3, "qas": []}]}]}, "'context' is not a text but 3"),
        ({"data": [{"paragraphs": [{"context": "x", "qas": [{"question": "y", "answers": [{}]}]}]}]}, "'text'"),
        ({"data": []}, "no question in it"),
    ],
)
def test_what_is_not_in_squads_form_is_told_with_its_place(tmp_path: Path, value: Any, message: str) -> None:
    with pytest.raises(DataError, match=message):
        list(SquadFile(write(tmp_path, value)).load())


def test_a_missing_file_is_told(tmp_path: Path) -> None:
    write(tmp_path, WHOLE)
    with pytest.raises(DataError, match=r"no file .*squat\.json\. Did you mean 'squad\.json'\?"):
        list(SquadFile(tmp_path / "squat.json").load())
