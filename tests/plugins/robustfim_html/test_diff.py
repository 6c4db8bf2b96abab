"""The inline diff shows whole words, and applied it gives the perturbed text."""

from __future__ import annotations

from random import Random

import pytest

from robustfim.record import EditRecord
from robustfim_html.diff import changes, edits_between, fits, marked, named_edits, quoted, segments


def edit(start: int, before: str, after: str) -> EditRecord:
    return EditRecord(field="text", start=start, end=start + len(before), before=before, after=after)


@pytest.mark.parametrize(
    ("text", "edits", "shown"),
    [
        ("a good film", [edit(2, "good", "fine")], "a <del>good</del><ins>fine</ins> film"),
        ("a film", [edit(1, "", " really")], "a<ins> really</ins> film"),
        ("a very good film", [edit(2, "very ", "")], "a <del>very </del>good film"),
        ("a movie", [edit(5, "i", "")], "a <del>mov<b>i</b>e</del><ins>move</ins>"),
        ("do not go", [edit(2, " not", "n’t")], "<del>do<b> not</b></del><ins>do<b>n’t</b></ins> go"),
        ("word", [edit(0, "w", "v"), edit(3, "d", "t")], "<del><b>w</b>or<b>d</b></del><ins><b>v</b>or<b>t</b></ins>"),
        ("a b", [edit(1, " ", "  ")], 'a<del><span class="ctl">␣</span></del><ins><span class="ctl">␣␣</span></ins>b'),
        ("a & b", [edit(2, "&", "<")], "a <del>&amp;</del><ins>&lt;</ins> b"),
        ("这部电影很好看", [edit(4, "很", "不")], "这部电影<del>很</del><ins>不</ins>好看"),
        ("same", [], "same"),
    ],
)
def test_edits_are_shown_in_whole_words(text: str, edits: list[EditRecord], shown: str) -> None:
    assert str(marked(text, edits)) == shown


def test_a_run_too_long_for_a_word_is_not_taken_in() -> None:
    (change,) = changes("x" * 100, [edit(50, "x", "y")])
    assert (change.start, change.end) == (50, 51)


@pytest.mark.parametrize("seed", range(40))
def test_changes_applied_give_what_the_edits_give(seed: int) -> None:
    random = Random(seed)  # letters, not secrets
    text = "".join(random.choice("ab .") for _ in range(60))
    edits, place = [], 0
    while (start := place + random.randrange(12)) < len(text):
        end = min(len(text), start + random.randrange(5))
        edits.append(edit(start, text[start:end], "".join(random.choice("xy ") for _ in range(random.randrange(4)))))
        place = end + 1
    expected = text
    for edit_record in reversed(edits):
        expected = expected[: edit_record.start] + edit_record.after + expected[edit_record.end :]
    found = text
    for change in reversed(changes(text, edits)):
        assert text[change.start : change.end] == "".join(piece for piece, _ in change.before)
        found = found[: change.start] + "".join(piece for piece, _ in change.after) + found[change.end :]
    assert found == expected
    assert fits(text, edits)


def test_a_long_unchanged_stretch_is_folded_and_kept() -> None:
    text = "start " + "word " * 400 + "end"
    shown = str(marked(text, [edit(0, "start", "begin")]))
    assert '<details class="far"><summary>… 1,784 characters …</summary>' in shown
    assert shown.count("word") == 400
    assert "<details" not in str(marked(text, []))


@pytest.mark.parametrize("near", range(7, 25))
def test_what_is_folded_begins_and_ends_between_words(near: int) -> None:
    text = "They accept proposals of every kind from anybody who works at the park or beside it"
    (folded,) = (
        segment
        for segment in segments(text, [edit(0, "They", "We"), edit(len(text) - 2, "it", "us")], long=50, near=near)
        if segment.folded
    )
    words = text.split()
    assert [each for each in folded.text.split() if each not in words] == []


@pytest.mark.parametrize(
    "edits",
    [[edit(0, "b", "")], [edit(2, "", "")], [edit(0, "a", ""), edit(0, "a", "")]],
    ids=["another text", "past the end", "overlapping"],
)
def test_edits_that_do_not_fit_are_noticed(edits: list[EditRecord]) -> None:
    assert not fits("a", edits)


@pytest.mark.parametrize(("before", "after"), [("a b c", "a x c"), ("aa", "aaa"), ("aaa", "aa"), ("", "x"), ("x", "")])
def test_the_difference_of_two_texts_turns_one_into_the_other(before: str, after: str) -> None:
    (found,) = edits_between("text", before, after, [])
    assert fits(before, [found])
    assert before[: found.start] + found.after + before[found.end :] == after


def test_equal_texts_have_no_difference() -> None:
    assert edits_between("text", "same", "same", []) == []


def test_edits_that_a_sentence_quotes_are_marked_and_everything_is_escaped() -> None:
    assert quoted("5 % of “a [-<b>-]{+fine+} film[-,-]” [--] {++}") == (
        "5\u00a0% of “a <del>&lt;b&gt;</del><ins>fine</ins> film<del>,</del>” [--] {++}"
    )


def test_a_long_edit_is_named_with_both_of_its_sides() -> None:
    text = "Which dinosaur was the largest of all that ever lived?"
    edit = EditRecord(field="text", start=0, end=len(text), before=text, after="Juvpu qvabfnhe jnf gur ynetrfg bs nyy?")
    assert named_edits({"text": text}, [edit], 36) == "Which dinosaur was … → Juvpu qvabfnhe jnf …"
    short = EditRecord(field="text", start=6, end=14, before="dinosaur", after="of the many dinosaurs that lived then")
    assert named_edits({"text": text}, [short], 36) == "dinosaur → of the many …"
    put = EditRecord(field="text", start=5, end=5, before="", after=" . that is all, for now.")
    assert named_edits({"text": "great"}, [put]) == "+ that is all, for now."
