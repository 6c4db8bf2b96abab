from __future__ import annotations

import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from robustfim.printable import printable
from robustfim.record import EditRecord
from robustfim_drawing import inline_diff


def edit(start: int, end: int, before: str, after: str) -> EditRecord:
    return EditRecord(field="text", start=start, end=end, before=before, after=after)


def test_a_replacement_an_insertion_and_a_deletion_are_drawn_in_their_place() -> None:
    assert inline_diff("a good film", [edit(2, 6, "good", "fine")]).plain == "a [-good-]{+fine+} film"
    assert inline_diff("a film", [edit(2, 2, "", "good ")]).plain == "a {+good +}film"
    assert inline_diff("a good film.", [edit(11, 12, ".", "")]).plain == "a good film[-.-]"


def test_several_edits_are_drawn_in_the_order_of_the_text() -> None:
    edits = [edit(7, 11, "film", "plot"), edit(0, 1, "a", "the")]
    assert inline_diff("a good film", edits).plain == "[-a-]{+the+} good [-film-]{+plot+}"


def test_a_long_text_is_shortened_to_whole_words_around_its_edits() -> None:
    text = " ".join(f"word{number:03}" for number in range(100))
    place = text.index("word050")
    drawn = inline_diff(text, [edit(place, place + 7, "word050", "it")]).plain
    before, after = re.fullmatch(r"… (.*) \[-word050-\]\{\+it\+\} (.*) …", drawn).groups()  # type: ignore[union-attr]  # no match fails the test, too
    assert text.index(before) < place < text.index(after)
    assert before.split() == [f"word{number:03}" for number in range(50 - len(before.split()), 50)]
    assert after.split() == [f"word{number:03}" for number in range(51, 51 + len(after.split()))]
    assert 50 <= len(before) <= 60
    assert 50 <= len(after) <= 60


def test_between_two_far_edits_both_their_surroundings_are_kept() -> None:
    text = "x " + "filler " * 60 + "y"
    drawn = inline_diff(text, [edit(0, 1, "x", "z"), edit(len(text) - 1, len(text), "y", "w")]).plain
    assert drawn.startswith("[-x-]{+z+} filler")
    assert drawn.endswith("filler [-y-]{+w+}")
    assert drawn.count("…") == 1


def test_a_text_without_edits_shows_its_beginning() -> None:
    text = "The beginning tells which text it is. " + "More follows. " * 30
    drawn = inline_diff(text, []).plain
    assert drawn.startswith("The beginning tells which text it is. More follows.")
    assert drawn.endswith(" …")
    assert 100 <= len(drawn) <= 122
    assert inline_diff("short", []).plain == "short"


def test_a_word_longer_than_the_room_is_cut() -> None:
    drawn = inline_diff("x" * 500, []).plain
    assert drawn == "x" * 120 + " …"


@given(st.text(max_size=60))
def test_nothing_that_a_terminal_obeys_is_printed(text: str) -> None:
    shown = printable(text)
    assert not [each for each in shown if unicodedata.category(each) in {"Cc", "Cf", "Cs", "Zl", "Zp"}]
    if all(unicodedata.category(each)[0] in "LNP" for each in text):
        assert shown == text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\nb\tc", "a⏎b c"),
        ("\x1b[31mred", r"\u001b[31mred"),
        ("\u202eback", r"\u202eback"),
        ("\ud83d", r"\ud83d"),
        ("\U000e0041", r"\U000e0041"),
        ("zoë 😀", "zoë 😀"),
    ],
)
def test_hidden_characters_are_written_as_escapes(text: str, shown: str) -> None:
    assert printable(text) == shown


@given(st.text(alphabet="ab \n\x1b", max_size=30), st.data())
def test_the_diff_without_its_marks_is_the_old_or_the_new_text(source: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(source)))
    end = data.draw(st.integers(start, len(source)))
    after = data.draw(st.text(alphabet="xy", max_size=4))
    drawn = inline_diff(source, [edit(start, end, source[start:end], after)]).plain
    old = re.sub(r"\{\+.*?\+\}", "", drawn).replace("[-", "").replace("-]", "")
    new = re.sub(r"\[-.*?-\]", "", drawn).replace("{+", "").replace("+}", "")
    assert old == printable(source)
    assert new == printable(source[:start] + after + source[end:])


@pytest.mark.parametrize(
    ("text", "safe"),
    [
        ("##vso[task.setvariable variable=x]y", r"##vso\u005btask.setvariable variable=x]y"),
        ("a ##VSO[task.complete] b", r"a ##VSO\u005btask.complete] b"),
        ("##[error]no", r"##\u005berror]no"),
        ("::set-env name=x::y", r"\u003a:set-env name=x::y"),
        ("  ::add-mask::x", r"  \u003a:add-mask::x"),
        ("a::b and c[d]", "a::b and c[d]"),
    ],
)
def test_no_text_is_a_command_of_a_ci_system(text: str, safe: str) -> None:
    assert printable(text) == safe
