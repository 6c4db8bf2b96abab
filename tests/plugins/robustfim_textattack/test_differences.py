"""Edits recovered from texts: re-applied, they give the texts; words stay whole."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from robustfim.candidate import Candidate
from robustfim.example import Example
from robustfim_textattack.differences import edits_between, one_edit

TEXTS = st.text(st.sampled_from("ab é'’-.\n漢\u200b😀"), max_size=12) | st.text(max_size=12)


@given(TEXTS, TEXTS, TEXTS, TEXTS)
def test_the_edits_lead_from_the_one_to_the_other(a: str, b: str, c: str, d: str) -> None:
    source, after = Example({"x": a, "y": b}), {"x": c, "y": d}
    assert dict(Candidate(source, tuple(edits_between(source, after))).example.fields) == after
    edit = one_edit(source, after)
    assert (edit is None) == ((a != c) == (b != d))
    if edit is not None:
        assert dict(Candidate(source, (edit,)).example.fields) == after
        assert edit.before != edit.after


def test_words_stay_whole() -> None:
    source = Example({"text": "A dull story isn't a well-made film, is it?"})
    fields = {"text": "A bull story is a well-worn movie, is it!"}
    found = [(edit.before, edit.after) for edit in edits_between(source, fields, "why")]
    assert found == [("dull", "bull"), ("isn't", "is"), ("well-made", "well-worn"), ("film", "movie"), ("?", "!")]
    assert {edit.origin for edit in edits_between(source, fields, "why")} == {"why"}


def test_one_edit_spans_all_that_differs() -> None:
    source = Example({"a": "one two three four", "b": "same"})
    edit = one_edit(source, {"a": "one 2 three 4", "b": "same"})
    assert edit is not None
    assert (edit.field, edit.before, edit.after) == ("a", "two three four", "2 three 4")
