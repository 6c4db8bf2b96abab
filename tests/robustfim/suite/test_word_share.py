"""``words`` in a suite: a count, a share, or the important words alone."""

from __future__ import annotations

import re
from typing import Any

import pytest

from robustfim.candidate import Edit
from robustfim.example import Example
from robustfim.importance import Importance, WordImportance
from robustfim.suite.format import PerturbSpec
from robustfim.suite.word_share import (
    Ranked,
    important_edits,
    important_words,
    words_that_change,
    words_that_may_change,
)

TEXT = "a truly good film, not dull"
VALUES = {"a": 0.0, "truly": 0.5, "good": 2.0, "film": 1.0, ",": 5.0, "not": -3.0, "dull": 1.0}
EXAMPLE = Example({"text": TEXT})
IMPORTANCE = Importance(
    tuple(WordImportance("text", TEXT.index(word), TEXT.index(word) + len(word), VALUES[word]) for word in VALUES),
    1.5,
    0.0,
)


def chosen(ranked: Ranked, fields: list[str] | None = None) -> list[str]:
    return [TEXT[word.start : word.end] for word in important_words(EXAMPLE, IMPORTANCE, ranked, fields)]


@pytest.mark.parametrize(
    ("written", "change", "ranked"),
    [
        (2, 2, None),
        (0.1, 0.1, None),
        ("important", 1, Ranked(top=0.2)),
        ({"important": 0.3}, 1, Ranked(top=0.3)),
        ({"important": {"top": 0.3}, "change": 2}, 2, Ranked(top=0.3)),
        ({"important": {"threshold": 0.5}, "change": 0.1}, 0.1, Ranked(threshold=0.5)),
    ],
)
def test_a_suite_says_how_many_words_change_and_which(written: Any, change: float, ranked: Ranked | None) -> None:
    words = PerturbSpec.model_validate({"use": "x", "words": written}).words
    assert words_that_change(words) == change
    assert type(words_that_change(words)) is type(change)
    assert words_that_may_change(words) == ranked


@pytest.mark.parametrize(
    "written",
    [
        "importnt", {"importnt": 0.2}, {"change": 2}, {"important": 2}, {"important": {"topp": 0.2}}, {"important": {}},
        {"important": {"threshold": 0}}, {"important": {"top": 0.1, "threshold": 0.2}}, {"important": True},
        {"important": 0.2, "change": 0}, {"important": 0.2, "change": "all"}, [0.2], 0, 1.5, -1, True, float("nan"),
    ],
)  # fmt: skip
def test_what_is_none_of_the_forms_is_refused_with_those_that_there_are(written: Any) -> None:
    with pytest.raises(ValueError, match=re.escape(f"{written!r} is neither a count of words, 1 or more (2), nor")):
        PerturbSpec.model_validate({"use": "x", "words": written})


def test_the_top_share_are_the_words_that_speak_most_for_the_label() -> None:
    assert chosen(Ranked(top=0.3)) == ["good", "film"]  # 0.3 of six words; the comma is none
    assert chosen(Ranked(top=0.01)) == ["good"]
    assert chosen(Ranked(top=1.0)) == ["good", "film", "dull", "truly"]  # never those that speak against it


def test_the_threshold_is_a_share_of_the_most_important_words_importance() -> None:
    assert chosen(Ranked(threshold=1.0)) == ["good"]
    assert chosen(Ranked(threshold=0.5)) == ["good", "film", "dull"]


def test_only_words_of_the_fields_that_may_change_are_ranked() -> None:
    assert chosen(Ranked(top=1.0), ["other"]) == []


def test_a_text_in_which_nothing_speaks_for_the_label_has_no_important_word() -> None:
    against = Importance(tuple(WordImportance(w.field, w.start, w.end, -1.0) for w in IMPORTANCE.words), -6.0, 0.0)
    for ranked in (Ranked(top=1.0), Ranked(threshold=0.5)):
        assert important_words(EXAMPLE, against, ranked) == []


def test_edits_that_touch_an_important_word_are_kept() -> None:
    good = TEXT.index("good")
    edits = [
        Edit("text", good, good + 4, "good", "fine"),
        Edit("text", good + 4, good + 4, "", " old"),
        Edit("text", 2, good + 4, "truly good", "splendid"),
        Edit("text", 2, 7, "truly", "really"),
        Edit("text", 0, 0, "", "Well, "),
    ]
    assert important_edits(EXAMPLE, edits, IMPORTANCE, Ranked(top=0.01)) == edits[:3]
