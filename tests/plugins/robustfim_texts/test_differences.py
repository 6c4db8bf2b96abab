"""Edits recovered from texts: re-applied, they give the texts; words stay whole."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from robustfim.candidate import Candidate
from robustfim.example import Example
from robustfim_texts import one_edit

TEXTS = st.text(st.sampled_from("ab é'’-.\n漢\u200b😀"), max_size=12) | st.text(max_size=12)


@given(TEXTS, TEXTS, TEXTS, TEXTS)
def test_the_edit_leads_from_the_one_to_the_other(a: str, b: str, c: str, d: str) -> None:
    source, after = Example({"x": a, "y": b}), {"x": c, "y": d}
    edit = one_edit(source, after)
    assert (edit is None) == ((a != c) == (b != d))
    if edit is not None:
        assert dict(Candidate(source, (edit,)).example.fields) == after
        assert edit.before != edit.after


def test_one_edit_spans_all_that_differs() -> None:
    source = Example({"a": "one two three four", "b": "same"})
    edit = one_edit(source, {"a": "one 2 three 4", "b": "same"})
    assert edit is not None
    assert (edit.field, edit.before, edit.after) == ("a", "two three four", "2 three 4")
