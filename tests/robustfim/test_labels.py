"""Labels: one reading, wherever they come from."""

from __future__ import annotations

import unicodedata
from decimal import Decimal
from typing import Any

import numpy as np
import pytest

from robustfim.errors import DataError, UsageError
from robustfim.labels import Unlabelled, class_names, labels_option, match_name, read_label, relabelled

NFD = unicodedata.normalize("NFD", "négatif")


class NAType:  # pandas' name, without pandas
    pass


class Tensor:
    shape = ()

    def item(self) -> int:
        return 3


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("positive", "positive"), (" yes\u00a0", "yes"), ("", None), ("  ", None), (NFD, "négatif"), ("0.0", "0.0"),
        (1, "1"), (1.0, "1"), (-1.0, "-1"), (0.5, "0.5"), (Decimal("2.0"), "2"), (True, "true"), (False, "false"),
        (np.int64(0), "0"), (np.float32(1), "1"), (np.bool_(1), "true"), (np.str_("a "), "a"), (np.array(4), "4"),
        (Tensor(), "3"), (None, None), (float("nan"), None), (np.float64("nan"), None), (NAType(), None),
    ],
)  # fmt: skip
def test_a_value_becomes_its_text(value: Any, expected: str | None) -> None:
    assert read_label(value) == expected


@pytest.mark.parametrize("value", [["a"], {"a": 1}, b"a", np.zeros(2), object()])
def test_a_structure_is_no_label(value: Any) -> None:
    with pytest.raises(ValueError, match=f"a label is text or a number, not {type(value).__name__}"):
        read_label(value)


@pytest.mark.parametrize(
    ("name", "labels", "expected"),
    [
        ("up", ["up", "Up"], "up"), ("UP", ["up", "Up"], None), ("UP", ["up"], "up"), ("", ["up"], None),
        ("0.0", ["0", "1"], "0"), ("0", ["0.0", "1.0"], "0.0"), ("01", ["1", "2"], None), ("0.5", ["0", "1"], None),
        ("1", ["1", "1.0"], "1"), ("True", ["false", "true"], "true"), (NFD, ["négatif", "b"], "négatif"),
        ("négatif", [NFD, "b"], NFD), ("very  good", ["very good", "bad"], "very good"),
    ],
)  # fmt: skip
def test_a_name_means_the_only_label_that_is_like_it(name: str, labels: list[str], expected: str | None) -> None:
    assert match_name(name, labels) == expected


def test_case_may_count() -> None:
    assert [match_name(name, ["a", "true"], case=False) for name in ("A", "True", " a ")] == [None, "true", "a"]


def test_classes_are_named_by_a_list_or_by_name_or_number() -> None:
    assert class_names(np.array([0.0, 1.0])) == class_names([0, 1]) == ("0", "1")
    assert class_names([False, True], ["no", np.str_("yes")]) == ("no", "yes")
    assert class_names([1, 2], {"1": "a", "0": "b"}) == ("b", "2")  # a name comes before a number
    assert class_names(["neg", "pos"], {"1": "good"}) == ("neg", "good")
    assert class_names([NFD, "b"], {"négatif": "a"}) == ("a", "b")
    assert class_names(["a", "a "]) == ("a", "a ")


@pytest.mark.parametrize(
    ("names", "message"),
    [
        (["a"], "'labels' has 1 names, and the model has 2 classes: neg, pos"),
        ({"negg": "a"}, "renames 'negg', no class of the model. Did you mean 'neg'[?] It has: neg, pos"),
        (["a", "a"], r'two classes are named .a.\. Name all 2 with a list: labels: \["neg-0", "pos-1"\]'),
    ],
)
def test_names_that_do_not_fit_are_refused(names: Any, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        class_names(["neg", "pos"], names)


def test_minus_one_says_that_a_row_has_no_label_where_the_others_are_numbered() -> None:
    numbered = Unlabelled({"0": "no", "1": "yes"})
    assert [numbered(each) for each in ("0", "-1", "1", "-1.0")] == [False, True, False, True]
    assert numbered.require("a.csv") == {"gold label -1 (read as unlabelled)": 2}
    for classes in (["-1", "1"], ["-1", "0", "1"], ["neg", "pos"], ["1", "2"], []):
        assert not Unlabelled(dict.fromkeys(classes, ""))("-1")


def test_minus_one_beside_1_alone_may_be_a_class() -> None:
    found = Unlabelled({"0": "no", "1": "yes"})
    assert [found(each) for each in ("1", "-1")] == [False, True]
    with pytest.raises(DataError, match=r"1 gold labels are -1, and the others are 1, not 0 to 1") as caught:
        found.require("a.csv")
    assert """--data 'labels={"-1": "no", "1": "yes"}'""" in str(caught.value)
    assert """--data 'labels={"-1": "", "0": "no", "1": "yes"}'""" in str(caught.value)
    declared = Unlabelled({"0": "no", "1": "yes"}, declared=True)
    assert [declared("1"), declared("-1")] == [False, True]
    assert declared.require("a hub's").values()


def test_new_names_are_laid_over_those_that_are_there() -> None:
    assert relabelled(None, {"a": "b"}) == {"a": "b"}
    assert relabelled(["neg", "pos"], {"neg": "bad"}) == ["bad", "pos"]
    assert relabelled({"0": "neg"}, {"neg": "bad", "x": "y"}) == {"0": "bad", "x": "y"}


def test_the_option_survives_a_shell() -> None:
    option, line = labels_option("data", {"it's": "no"})
    assert (option, line) == ("""--data 'labels={"it'"'"'s": "no"}'""", 'labels: {"it\'s": "no"}')
