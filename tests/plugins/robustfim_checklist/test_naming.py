from __future__ import annotations

from typing import Any

import pytest

from robustfim.errors import DataError
from robustfim_checklist.lines import TestLine
from robustfim_checklist.naming import Naming


def line(labels: Any, cases: int = 2, kind: Any = "MFT") -> TestLine:
    return TestLine(kind, "words", ["a text"] * cases, labels, place="tests.jsonl:4")


@pytest.mark.parametrize(
    ("given", "labels", "named"),
    [
        (None, 2, ["positive", "positive"]),
        (None, [0, 2], ["negative", "positive"]),
        (None, [2, 1], ["positive", "neutral"]),
        (None, 0, ["negative", "negative"]),
        (None, "sports", ["sports", "sports"]),
        (["no", "yes"], [1, 0], ["yes", "no"]),
        (["no", "yes"], ["yes", 0], ["yes", "no"]),
        ({"1": "duplicate", "0": "other"}, [1, 0], ["duplicate", "other"]),
        ({"pos": "positive"}, ["pos", "neg"], ["positive", "neg"]),
        ({"2": "good"}, [2, 0], ["good", "negative"]),
        (["no", "yes"], [[1, 0], 0], [["yes", "no"], "no"]),
    ],
)
def test_labels_are_named(given: Any, labels: Any, named: list[Any]) -> None:
    naming = Naming(given, [line(labels)])
    assert naming.of_cases(line(labels)) == named
    assert set(naming.used) == {name for each in named for name in (each if isinstance(each, list) else [each])}


@pytest.mark.parametrize(
    ("given", "labels", "message"),
    [
        (None, [0, 1], "1 may stand for neutral (as in CheckList's sentiment suite) or for the second of two"),
        (None, 1, "'labels: [negative, positive]' or 'labels: [negative, neutral, positive]'"),
        (None, 3, "label 3 of 'words' has no name; labels 0 to 2 are negative, neutral, positive."),
        (["no", "yes"], -1, "label -1 of 'words' has no name"),
        (None, [2, 2, 2], "the test 'words' has 3 labels for 2 cases."),
        (None, [2, True], "the label True of 'words' is neither a text nor a whole number."),
        (None, 2.5, "the label 2.5 of 'words'"),
        (None, [2, None], "the label None of 'words'"),
        (None, "", "the label '' of 'words'"),
    ],
)
def test_labels_that_cannot_be_named_are_refused(given: Any, labels: Any, message: str) -> None:
    with pytest.raises(DataError) as raised:
        Naming(given, [line(labels)]).of_cases(line(labels))
    assert str(raised.value).startswith("tests.jsonl:4: ")
    assert message in str(raised.value)


@pytest.mark.parametrize(
    ("given", "labels", "names"),
    [
        (None, 2, ("negative", "neutral", "positive")),
        (None, None, ("negative", "neutral", "positive")),
        (None, ["Neutral", "positive"], ("negative", "neutral", "positive")),
        (None, "sports", None),
        (["no", "yes"], "yes", ("no", "yes")),
        ({"0": "bad", "2": "good"}, 2, ("bad", "neutral", "good")),
        ({"plain": "neutral"}, "plain", ("negative", "neutral", "positive")),
    ],
)
def test_the_order_of_the_labels_is_known_where_numbers_or_neutral_are_used(
    given: Any, labels: Any, names: tuple[str, ...] | None
) -> None:
    assert Naming(given, [line(labels)]).names == names


def test_only_a_minimum_functionality_test_has_labels() -> None:
    naming = Naming(None, [line(2, kind="INV")])
    assert naming.of_cases(line(2, kind="INV")) == [None, None]
    assert naming.used == {}
