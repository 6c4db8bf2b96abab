"""Gold labels: whatever a column holds."""

from __future__ import annotations

from typing import Any

import pytest

from robustfim import DataError
from robustfim_files.labels import GoldLabels, LabelNames


def gold_label(value: Any, names: LabelNames, place: str = "f:1") -> str | None:
    return next(iter(GoldLabels(names).of(value, place)), None)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (0, "no"),
        (1, "yes"),
        (1.0, "yes"),
        ("1", "yes"),
        ("1.0", "yes"),
        ("True", "yes"),
        ("YES", "yes"),
        (-1, None),
        (False, "no"),
        ("true", "yes"),
        ("yes", "yes"),
        ("", None),
    ],
)
def test_a_list_names_the_positions(value: Any, expected: str | None) -> None:
    assert gold_label(value, ["no", "yes"], "f:1") == expected


def test_a_list_of_numbers_keeps_the_numbers() -> None:
    assert gold_label("1", ["1", "2"], "f:1") == "1"


@pytest.mark.parametrize("value", [2, -2, "maybe", 0.5, "nan", "inf"])
def test_a_value_that_a_list_does_not_name_is_refused(value: Any) -> None:
    with pytest.raises(DataError, match=r"f:7: label .* has no name in 'labels' \(no, yes\).*0 to 1"):
        gold_label(value, ["no", "yes"], "f:7")


def test_a_mapping_renames_what_it_mentions() -> None:
    names = {"0": "no", "pos": "yes", "true": "yes", "x": ""}
    found = [gold_label(value, names) for value in (0, "0.0", "pos", "True", "other", "x", None)]
    assert found == ["no", "no", "yes", "yes", "other", None, None]


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("red", ["red"]),
        (1, ["1"]),
        (None, []),
        (["1871", "in 1871", "1871", ""], ["1871", "in 1871"]),
        ({"text": ["1871"], "answer_start": [13]}, ["1871"]),
        ({"text": []}, ["(no answer)"]),
    ],
)
def test_several_answers_are_all_right(value: Any, expected: list[str]) -> None:
    assert GoldLabels(None).of(value, "f:1") == expected


def test_each_of_several_labels_is_named() -> None:
    assert GoldLabels(["no", "yes"]).of(["0", "yes"], "f:1") == ["no", "yes"]
    assert GoldLabels({"n": "no"}).of(["n", "y"], "f:1") == ["no", "y"]


@pytest.mark.parametrize("value", [[1, 2], {"start": [1]}, [["a"]]])
def test_a_list_of_something_else_than_texts_is_refused(value: Any) -> None:
    with pytest.raises(DataError, match="f:3: a label is text or a number"):
        GoldLabels(None).of(value, "f:3")


@pytest.mark.parametrize(
    ("values", "found"),
    [
        (("1", "0"), ["toxic"]), ((0, 1), ["insult"]), ((1.0, True), ["toxic", "insult"]), (("0", ""), None),
        ((None, 1), None), ((0, False), ["(none)"]), ((2, 0), None), (("yes", 0), None),
    ],
)  # fmt: skip
def test_columns_of_several_labels_hold_0_or_1(values: tuple[Any, Any], found: list[str] | None) -> None:
    flags = list(zip(("toxic", "insult"), values, strict=True))
    if found is None:
        with pytest.raises(DataError, match=r"a.csv:3: column '\w+' of a label holds .*; it must hold 0 or 1"):
            GoldLabels(None).flagged(flags, "a.csv:3")
    else:
        assert GoldLabels(None).flagged(flags, "a.csv:3") == found


def test_columns_of_several_labels_are_renamed_as_labels_are() -> None:
    flags = [("t", 1), ("i", 1)]
    assert GoldLabels({"t": "toxic"}).flagged(flags, "a.csv:3") == ["toxic", "i"]
    assert GoldLabels(["toxic", "insult"]).flagged(flags, "a.csv:3") == ["toxic", "insult"]
    with pytest.raises(DataError, match="'labels' has 1 names for 2 columns of labels"):
        GoldLabels(["toxic"]).flagged(flags, "a.csv:3")
