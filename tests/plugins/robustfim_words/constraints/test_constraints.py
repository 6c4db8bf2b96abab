from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from robustfim.candidate import Candidate, Edit
from robustfim.errors import UsageError
from robustfim.example import Example
from robustfim_words.constraints.limits import EditDistance, MaxChanged, NoRepeatedEdit, StopWords, levenshtein
from robustfim_words.constraints.same_part_of_speech import SamePartOfSpeech
from tests.plugins.robustfim_words.samples import sentences


def changed(text: str, *replacements: tuple[str, str]) -> Candidate:
    """Replace the first occurrence of each text."""
    edits = [Edit("text", text.index(old), text.index(old) + len(old), old, new, "test") for old, new in replacements]
    return Candidate(Example({"text": text}), tuple(edits))


@pytest.mark.parametrize(
    ("text", "old", "new", "reason"),
    sentences("test_an_edit_keeps_the_part_of_speech_or_is_rejected"),
)
def test_an_edit_keeps_the_part_of_speech_or_is_rejected(text: str, old: str, new: str, reason: str | None) -> None:
    assert SamePartOfSpeech().reject(changed(text, (old, new))) == reason


def test_an_insertion_is_another_number_of_words() -> None:
    source = Example({"text": "It ends."})
    assert SamePartOfSpeech().reject(Candidate(source, (Edit("text", 3, 3, "", "never ", "test"),))) is not None
    assert SamePartOfSpeech().reject(Candidate(source, (Edit("text", 7, 8, ".", "!", "test"),))) is None


def test_a_share_of_the_words_may_change() -> None:
    text = "one two three four five six seven eight nine ten"
    two = changed(text, ("one", "1"), ("two", "2"))
    three = changed(text, ("one", "1"), ("two", "2"), ("three", "3"))
    assert MaxChanged(limit=0.2).reject(two) is None
    assert MaxChanged(limit=0.2).reject(three) == "too many words changed"
    assert MaxChanged(limit=1.0).reject(three) is None


def test_one_word_may_always_change_and_an_agreeing_article_does_not_count() -> None:
    assert MaxChanged(limit=0.1).reject(changed("a film", ("a film", "an opera"))) is None
    assert MaxChanged(limit=0.1).reject(changed("a film", ("a", "the"), ("film", "opera"))) is not None


@pytest.mark.parametrize(
    ("text", "old", "new", "reason"),
    sentences("test_stop_words_stay"),
)
def test_stop_words_stay(text: str, old: str, new: str, reason: str | None) -> None:
    assert StopWords().reject(changed(text, (old, new))) == reason


def test_a_list_of_stop_words_can_be_given(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("# mine\nFilm\n", encoding="utf-8")
    assert StopWords(path=tmp_path / "mine.txt").reject(changed("a film", ("film", "movie"))) == "stop word"
    (tmp_path / "none.txt").write_text("# nothing\n", encoding="utf-8")
    with pytest.raises(UsageError, match="has no entry"):
        StopWords(path=tmp_path / "none.txt")
    with pytest.raises(UsageError, match="cannot be read"):
        StopWords(path=tmp_path / "missing.txt")


def test_the_edit_distance_is_counted_in_characters_or_shares() -> None:
    candidate = changed("a good film here", ("good", "god"), ("film", "flims"))  # 1 + 3 of 16 characters
    assert EditDistance(limit=4).reject(candidate) is None
    assert EditDistance(limit=3).reject(candidate) == "edit distance too large"
    assert EditDistance(limit=0.25).reject(candidate) is None
    assert EditDistance(limit=0.2).reject(candidate) == "edit distance too large"


def full_table(one: str, other: str) -> int:
    """Wagner and Fischer's table, the reference."""
    row = list(range(len(other) + 1))
    for line, letter in enumerate(one, 1):
        new = [line]
        for column, against in enumerate(other, 1):
            new.append(min(row[column] + 1, new[-1] + 1, row[column - 1] + (letter != against)))
        row = new
    return row[-1]


@given(st.text("abc", max_size=9), st.text("abc", max_size=9), st.integers(0, 9))
def test_the_banded_distance_is_the_full_one_up_to_its_limit(one: str, other: str, most: int) -> None:
    assert levenshtein(one, other, most) == min(full_table(one, other), most + 1)


def test_a_replacement_may_be_made_once() -> None:
    source = Example({"text": "a film, a Film, a plot"})
    film, again = Edit("text", 2, 6, "film", "movie", "test"), Edit("text", 10, 14, "Film", "Movie", "test")
    plot = Edit("text", 18, 22, "plot", "story", "test")
    assert NoRepeatedEdit().reject(Candidate(source, (film, plot))) is None
    assert NoRepeatedEdit().reject(Candidate(source, (film, again))) == "repeated edit"
