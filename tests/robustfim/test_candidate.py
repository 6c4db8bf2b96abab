from __future__ import annotations

import pickle
from contextlib import nullcontext

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from robustfim.candidate import Candidate, Edit, Step
from robustfim.example import Example

SOURCE = Example({"premise": "a good film", "hypothesis": "a film"}, "entailment", {"pair": 4})

# Emoji, combining marks, right-to-left letters, half surrogates and line breaks are where offsets go wrong.
text = st.text(alphabet=st.one_of(st.sampled_from("ab é\u0301\U0001f600\ud83d\n\u202eا"), st.characters()), max_size=30)


@st.composite
def source_with_edits(draw: st.DrawFn) -> tuple[str, list[Edit]]:
    """A text and edits of it that keep at least one character between them."""
    source = draw(text)
    cuts = sorted(draw(st.sets(st.integers(0, len(source)), max_size=8)))
    pairs = list(zip(cuts[::2], cuts[1::2], strict=False))
    edits = [Edit("text", start, end, source[start:end], draw(text)) for start, end in pairs]
    return source, edits


def apply_by_parts(source: str, edits: list[Edit]) -> str:
    """The text made of the stretches between the edits and of what replaces them, from left to right."""
    parts, position = [], 0
    for edit in sorted(edits, key=lambda each: each.start):
        parts += [source[position : edit.start], edit.after]
        position = edit.end
    return "".join([*parts, source[position:]])


@given(source_with_edits(), st.randoms(use_true_random=False))
def test_edits_in_any_order_give_the_same_text(made: tuple[str, list[Edit]], random: st.DataObject) -> None:
    source, edits = made
    shuffled = sorted(edits, key=lambda _: random.random())  # type: ignore[attr-defined]  # a random.Random
    candidate = Candidate(Example({"text": source}), tuple(shuffled))
    assert candidate.example.text == apply_by_parts(source, edits)
    assert candidate.edits == tuple(sorted(edits))


@given(text, text)
def test_replacing_gives_the_new_text_by_one_edit(before: str, after: str) -> None:
    candidate = Candidate.replacing(Example({"text": before}), {"text": after}, origin="rule 3")
    assert candidate.example.text == after
    assert candidate.unchanged is (before == after)
    assert len(candidate.edits) == (before != after)
    for edit in candidate.edits:
        assert edit.origin == "rule 3"
        # What both texts share at the beginning and at the end of the edit is no part of it.
        assert not (edit.before and edit.after) or edit.before[0] != edit.after[0]
        assert not (edit.before and edit.after) or edit.before[-1] != edit.after[-1]


@pytest.mark.parametrize(
    ("before", "after", "start", "end", "old", "new"),
    [
        ("a good film", "a bad film", 2, 5, "goo", "ba"),
        ("aaa", "aaaa", 3, 3, "", "a"),
        ("abab", "ab", 2, 4, "ab", ""),
        ("", "new", 0, 0, "", "new"),
        ("old", "", 0, 3, "old", ""),
    ],
)
def test_replacing_cuts_the_common_beginning_first(
    before: str, after: str, start: int, end: int, old: str, new: str
) -> None:
    (edit,) = Candidate.replacing(Example({"text": before}), {"text": after}).edits
    assert (edit.start, edit.end, edit.before, edit.after) == (start, end, old, new)


def test_replacing_one_field_leaves_the_others() -> None:
    candidate = Candidate.replacing(SOURCE, {"hypothesis": "a movie"})
    assert dict(candidate.example.fields) == {"premise": "a good film", "hypothesis": "a movie"}
    assert {edit.field for edit in candidate.edits} == {"hypothesis"}


def test_replacing_an_unknown_field_is_refused() -> None:
    with pytest.raises(ValueError, match=r"unknown field 'text'; the example has \['premise', 'hypothesis'\]"):
        Candidate.replacing(SOURCE, {"text": "x"})


def test_edits_of_several_fields_apply_each_to_its_own() -> None:
    edits = (Edit("hypothesis", 0, 1, "a", "the"), Edit("premise", 2, 6, "good", "fine"))
    assert dict(Candidate(SOURCE, edits).example.fields) == {"premise": "a fine film", "hypothesis": "the film"}


def test_the_perturbed_example_keeps_label_and_other_columns() -> None:
    candidate = Candidate.replacing(SOURCE, {"premise": "x"})
    assert candidate.example.label == "entailment"
    assert candidate.example.meta == {"pair": 4}


def test_the_perturbed_example_keeps_the_accepted_labels_unless_the_gold_one_is_new() -> None:
    source = Example({"question": "When?"}, "1871", accepted=("in 1871",))
    assert Candidate.replacing(source, {"question": "Whn?"}).example.gold == ("1871", "in 1871")
    assert Candidate(source, label="1872").example.gold == ("1872",)


def test_a_perturbation_that_knows_the_new_gold_label_sets_it() -> None:
    assert (
        Candidate(SOURCE, (Edit("premise", 0, 1, "a", "no"),), label="contradiction").example.label == "contradiction"
    )


def test_a_step_changes_no_text_and_is_not_unchanged() -> None:
    candidate = Candidate(SOURCE, step=Step("eigenvector", -0.5))
    assert candidate.example.fields == SOURCE.fields
    assert not candidate.unchanged


def test_edits_that_undo_each_other_leave_the_candidate_unchanged() -> None:
    assert Candidate(Example({"text": "ab"}), (Edit("text", 0, 1, "a", "ab"), Edit("text", 1, 2, "b", ""))).unchanged


@pytest.mark.parametrize(
    "edit",
    [
        Edit("premise", 2, 6, "bad", "fine"),
        Edit("premise", 2, 5, "good", "fine"),
        Edit("premise", -1, 1, "", "x"),
        Edit("premise", 5, 2, "", "x"),
        Edit("premise", 0, 99, "a good film", "x"),
        Edit("premise", 12, 12, "", "x"),
    ],
)
def test_an_edit_that_does_not_fit_the_text_is_refused(edit: Edit) -> None:
    with pytest.raises(ValueError, match=f"does not match 'premise' at {edit.start}:{edit.end}, which reads"):
        Candidate(SOURCE, (edit,))


def test_an_edit_of_an_unknown_field_is_refused() -> None:
    with pytest.raises(ValueError, match="unknown field 'text'; the example has"):
        Candidate(SOURCE, (Edit("text", 0, 0, "", "x"),))


spans = st.tuples(st.integers(0, 6), st.integers(0, 6)).map(lambda pair: (min(pair), max(pair)))


@given(st.lists(spans, min_size=1, max_size=4))
def test_edits_are_refused_exactly_when_two_of_them_overlap(places: list[tuple[int, int]]) -> None:
    source = "abcdef"
    edits = [Edit("text", start, end, source[start:end], f"<{i}>") for i, (start, end) in enumerate(places)]
    overlap = any(edits[i].overlaps(edits[j]) for i in range(len(edits)) for j in range(i))
    expected = pytest.raises(ValueError, match="edits overlap") if overlap else nullcontext()
    with expected:
        Candidate(Example({"text": source}), tuple(edits))


@given(spans, spans)
def test_replacements_overlap_exactly_when_they_share_a_character(
    first: tuple[int, int], second: tuple[int, int]
) -> None:
    assume(first[0] < first[1] and second[0] < second[1])
    one, other = (Edit("text", start, end, "x" * (end - start), "") for start, end in (first, second))
    shared = set(range(*first)) & set(range(*second))
    assert one.overlaps(other) is other.overlaps(one) is bool(shared)


@pytest.mark.parametrize(("place", "touches"), [(1, False), (2, True), (4, True), (6, True), (7, False)])
def test_an_insertion_overlaps_what_it_stands_in_or_beside(place: int, touches: bool) -> None:
    word, insertion = Edit("text", 2, 6, "good", "fine"), Edit("text", place, place, "", "x")
    assert word.overlaps(insertion) is insertion.overlaps(word) is touches


def test_two_insertions_at_one_place_overlap() -> None:
    assert Edit("text", 3, 3, "", "a").overlaps(Edit("text", 3, 3, "", "b"))


def test_edits_of_different_fields_never_overlap() -> None:
    assert not Edit("a", 0, 5, "xxxxx", "").overlaps(Edit("b", 0, 5, "xxxxx", ""))


def test_with_edits_keeps_source_and_label() -> None:
    candidate = Candidate(SOURCE, (Edit("premise", 0, 1, "a", "no"),), label="contradiction")
    other = candidate.with_edits([Edit("hypothesis", 0, 1, "a", "no")])
    assert (other.source, other.label) == (SOURCE, "contradiction")
    assert other.example.fields["premise"] == "a good film"


def test_a_candidate_survives_pickling() -> None:
    candidate = Candidate.replacing(SOURCE, {"premise": "a bad film"})
    assert pickle.loads(pickle.dumps(candidate)) == candidate  # noqa: S301  # pickled here


@given(text, text)
def test_replacing_by_words_gives_the_new_text(before: str, after: str) -> None:
    candidate = Candidate.replacing(Example({"text": before}), {"text": after}, by_words=True)
    assert candidate.example.fields["text"] == after


def test_replacing_by_words_leaves_words_whole() -> None:
    source = Example({"text": "A dull story isn't a well-made film, is it?"})
    fields = {"text": "A bull story is a well-worn movie, is it!"}
    found = [
        (edit.before, edit.after) for edit in Candidate.replacing(source, fields, origin="why", by_words=True).edits
    ]
    assert found == [("dull", "bull"), ("isn't", "is"), ("well-made", "well-worn"), ("film", "movie"), ("?", "!")]
    assert {edit.origin for edit in Candidate.replacing(source, fields, origin="why", by_words=True).edits} == {"why"}
