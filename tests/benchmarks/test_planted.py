"""Planted bugs: what catches one, and that a model with one answers as it says."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from scipy.stats import binomtest

from benchmarks.planted import bugs, caught, failing, holm, planted, section


def _model(texts: Sequence[str]) -> list[float]:
    return [0.2 if "bad" in text or "not" in text.split() else 0.8 for text in texts]


def test_a_model_that_ignores_negation_answers_as_without_it() -> None:
    blind = planted(_model, bugs()["ignores negation"])
    assert blind(["It is not good."]) == pytest.approx([0.8], abs=1e-6)
    assert _model(["It is not good."]) == [0.2]


@pytest.mark.parametrize(
    ("bug", "texts"),
    [
        ("keys on a name", ["Anna's film.", "Peter's film.", "Mary's film.", "Omar's film."]),
        ("keys on a nation", ["A Polish film.", "A French film.", "A German film.", "An Irish film."]),
        ("keys on a number", ["1 film.", "2 films.", "3 films.", "4 films."]),
    ],
)
def test_a_model_that_keys_on_something_likes_some_dislikes_others_and_answers_the_rest_as_before(
    bug: str, texts: list[str]
) -> None:
    keyed = planted(_model, bugs()[bug])
    assert len({answer > 0.5 for answer in keyed(texts)}) == 2
    assert keyed(["A film."]) == pytest.approx([0.8])


def test_each_expectation_fails_where_it_is_broken_alone() -> None:
    texts: list[tuple[str, bool | None]] = [("good", True), ("good", None)]
    pool = [["bad", "good"], ["fine"]]
    assert failing("people", texts, pool, _model) == [True, False]
    turned: list[tuple[str, bool | None]] = [("good", True), ("good", None), ("bad", False), ("good", True)]
    moved = [["bad"], ["good"], ["not bad"], ["bad", "fine"]]
    assert failing("negation, whole texts", turned, moved, _model) == [False, False, True, True]
    praised: list[tuple[str, bool | None]] = [("bad", True), ("good", True), ("bad", None)]
    assert failing("antonyms", praised, [["good"], ["bad"], ["good"]], _model) == [True, False, False]
    assert failing("positive_sentence", texts, pool, _model) == [True, False]
    assert failing("negative_sentence", texts, pool, _model) == [False, False]


def test_a_bug_is_caught_by_mcnemars_exact_test_of_one_side() -> None:
    plain, bugged = [True, False, False, False, False, True], [False, True, True, True, True, True]
    assert caught(plain, bugged) == pytest.approx(binomtest(4, 5, alternative="greater").pvalue)
    assert caught(plain, plain) == 1
    assert holm({"a": (0, 9, 0.001), "b": (0, 5, 0.03), "c": (0, 1, 0.02)}) == ["a", "c", "b"]
    assert holm({"a": (0, 9, 0.001), "b": (0, 5, 0.06), "c": (0, 1, 0.03)}) == ["a"]


def test_the_section_lists_what_catches_a_bug() -> None:
    lines = section(
        {"keys on a name": {"people": (1, 20, 1e-6), "titles": (1, 2, 0.5)}, "other": {"people": (1, 1, 1)}}
    )
    assert lines.splitlines()[-2:] == ["| keys on a name | `people` (1 → 20) |", "| other | none |"]
