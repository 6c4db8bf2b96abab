from __future__ import annotations

from typing import Any

import pytest

from robustfim.errors import DataError
from robustfim_checklist.cases import Cases
from robustfim_checklist.lines import TestLine


def line(kind: Any, *data: Any) -> TestLine:
    return TestLine(kind, "words", list(data), place="tests.jsonl:7")


def texts(cases: list[Any]) -> list[list[str]]:
    return [[each.example.text for each in case] for case in cases]


def test_the_cases_of_an_mft_are_their_own_candidates() -> None:
    cases = Cases(["text"]).read(line("MFT", "good", ["great", "fine"]), ["positive", ["positive", "neutral"]])
    assert texts(cases) == [["good"], ["great", "fine"]]
    assert [[candidate.label for candidate in case] for case in cases] == [["positive"], ["positive", "neutral"]]
    assert [[candidate.unchanged for candidate in case] for case in cases] == [[True], [True, False]]
    assert {candidate.source.text for candidate in cases[1]} == {"great"}


@pytest.mark.parametrize("kind", ["INV", "DIR"])
def test_the_first_text_of_another_case_is_the_source_of_the_rest(kind: str) -> None:
    reader = Cases(["text"])
    cases = reader.read(line(kind, ["a film", "a movie", "the film"], "alone", ["alone"]), [None] * 3)
    assert texts(cases) == [["a movie", "the film"]]
    assert {candidate.source.text for candidate in cases[0]} == {"a film"}
    assert reader.skipped["test case without a second text"] == 2


def test_an_example_of_several_fields_is_a_list_of_as_many_texts() -> None:
    reader = Cases(["one", "two"])
    (mft,) = reader.read(line("MFT", ["a", "b"]), ["same"])
    assert dict(mft[0].example.fields) == {"one": "a", "two": "b"}
    (inv,) = reader.read(line("INV", [["a", "b"], ["a", "c"]]), [None])
    assert [dict(candidate.example.fields) for candidate in inv] == [{"one": "a", "two": "c"}]


def test_empty_texts_and_repeated_cases_are_counted() -> None:
    reader = Cases(["text"])
    cases = reader.read(line("INV", ["a", "b", " "], ["a", "c"], ["", "d"]), [None] * 3)
    assert texts(cases) == [["b"], ["c"]]
    assert reader.skipped == {"empty text": 2, "repeated test case": 1}


@pytest.mark.parametrize(
    ("data", "labels", "message"),
    [
        ([3], [None], "case 1 of 'words' is neither a text nor a list of such entries: 3."),
        (["a", {"text": "b"}], [None, None], "case 2 of 'words' is neither a text"),
        ([[]], [None], "case 1 of 'words' is neither a text"),
        ([["a", ["b"]]], [None], "case 1 of 'words' is neither a text"),
        ([["a", "b"]], [["x"]], "case 1 of 'words' has 2 texts and 1 labels."),
        (
            ["good", "good"],
            ["positive", "neutral"],
            "case 2 of 'words': the text 'good' has the label positive in one test case and neutral in another.",
        ),
    ],
)
def test_a_case_that_cannot_be_read_is_told(data: list[Any], labels: list[Any], message: str) -> None:
    with pytest.raises(DataError) as raised:
        Cases(["text"]).read(line("MFT", *data), labels)
    assert str(raised.value).startswith("tests.jsonl:7: ")
    assert message in str(raised.value)
