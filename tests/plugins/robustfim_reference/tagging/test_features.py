"""Tokens, tags and spans: a way there and back."""

from __future__ import annotations

from robustfim.spans import Span
from robustfim_reference.tagging.features import spans_of, tags_of, tokens_of

LABELS = ("person", "place")


def test_tokens_are_runs_of_letters_and_digits_and_single_marks() -> None:
    text = "Hi Zoë,  mail a_b@x.org — ok?"
    places = tokens_of(text, 8).places
    assert [text[start:end] for start, end in places] == [
        "Hi", "Zoë", ",", "mail", "a", "_", "b", "@", "x", ".", "org", "—", "ok", "?",
    ]  # fmt: skip


def test_a_text_without_a_token_has_none() -> None:
    assert tokens_of(" \n", 8).rows == []


def test_digits_look_alike_and_letters_and_capitals_do_not() -> None:
    (one,), (other,), (word,), (capital,) = (tokens_of(text, 2**15).rows for text in ("4071", "9326", "from", "From"))
    assert one == other
    assert one != word != capital


def test_half_of_a_surrogate_pair_is_a_token() -> None:
    assert len(tokens_of("\ud800", 8).rows) == 1


def test_spans_of_whole_tokens_come_back_from_their_tags() -> None:
    text = "Ana Sol met Bo in New York, Oslo."
    spans = [Span(0, 7, "person"), Span(12, 14, "person"), Span(18, 26, "place"), Span(28, 32, "place")]
    places = tokens_of(text, 8).places
    tags = tags_of(places, spans, LABELS)
    assert tags == [1, 2, 0, 1, 0, 3, 4, 0, 3, 0]
    assert [span.bare for span in spans_of(places, tags, [1.0] * len(tags), LABELS)] == spans


def test_a_span_is_as_sure_as_its_least_sure_token() -> None:
    assert spans_of([(0, 3), (4, 7)], [1, 2], [0.9, 0.4], LABELS) == [Span(0, 7, "person", 0.4)]


def test_spans_of_other_labels_have_no_tags() -> None:
    assert tags_of([(0, 3)], [Span(0, 3, "product")], LABELS) == [0]
