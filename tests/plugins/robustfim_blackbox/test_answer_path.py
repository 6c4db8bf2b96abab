"""Paths into JSON."""

from __future__ import annotations

from typing import Any

import pytest

from robustfim import ModelError, UsageError
from robustfim_blackbox.answer_path import AnswerPath

DOCUMENT = {"outputs": [{"scores": [0.1, 0.9], "2": "two"}, {"scores": [0.5, 0.5], "2": "zwei"}], "model": "m"}


@pytest.mark.parametrize(
    ("path", "found"),
    [
        ("", DOCUMENT),
        ("model", "m"),
        ("outputs.1.scores.0", 0.5),
        ("outputs.*.scores", [[0.1, 0.9], [0.5, 0.5]]),
        ("outputs.*.2", ["two", "zwei"]),
    ],
)
def test_a_path_finds_its_place(path: str, found: Any) -> None:
    assert AnswerPath(path).find(DOCUMENT) == found


@pytest.mark.parametrize(
    ("path", "message"),
    [
        (
            "output",
            r"finds no 'output' in the answer: at its top it has the keys outputs, model\. Did you mean 'outputs'\?",
        ),
        ("outputs.7", r"at 'outputs' it has a list of 2, whose items are 0, 1, … or '\*'"),
        ("outputs.scores", "at 'outputs' it has a list of 2"),
        ("model.name", "at 'model' it has 'm'"),
        ("outputs.*.score", r"at 'outputs.\*' it has the keys scores, 2\. Did you mean 'scores'\?"),
    ],
)
def test_a_place_that_is_not_there_is_told_with_what_is(path: str, message: str) -> None:
    with pytest.raises(ModelError, match=message):
        AnswerPath(path).find(DOCUMENT)


@pytest.mark.parametrize("path", [".", "a..b", "a.", ".a"])
def test_an_empty_part_is_refused(path: str) -> None:
    with pytest.raises(UsageError, match="is not a path"):
        AnswerPath(path)
