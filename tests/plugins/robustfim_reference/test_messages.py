"""The bundled messages are many, varied, and no two are alike."""

from __future__ import annotations

from collections import Counter
from functools import cache

from robustfim.example import Example
from robustfim.spans import read_spans
from robustfim_reference.bundled import Messages


@cache
def messages() -> tuple[Example, ...]:
    return tuple(Messages().load())


def test_there_are_201_and_no_two_are_alike() -> None:
    assert len({message.text for message in messages()}) == len(messages()) == 201


def test_the_labels_are_those_of_the_tagger_and_each_comes_at_least_eight_times() -> None:
    counts = Counter(span.label for message in messages() for span in read_spans(message.label or ""))
    assert counts.keys() == {"person", "place", "organisation", "address", "mail", "phone", "account"}
    assert min(counts.values()) >= 8
    assert counts["person"] >= 150


def test_spans_begin_and_end_with_a_word_and_cut_none() -> None:
    for message in messages():
        for span in read_spans(message.label or ""):
            assert not message.text[span.start].isspace()
            assert not message.text[span.end - 1].isspace()
            assert not (message.text[span.start - 1 : span.start].isalnum() and message.text[span.start].isalnum())


def test_most_names_come_once() -> None:
    names = [
        message.text[span.start : span.end]
        for message in messages()
        for span in read_spans(message.label or "")
        if span.label == "person"
    ]
    assert len({name.casefold() for name in names}) >= 0.95 * len(names)


def test_a_message_of_the_kind_none_has_nothing_to_find() -> None:
    assert all(
        (message.label == "⟦⟧") == (message.meta["kind"] == "none")
        for message in messages()
        if message.meta["kind"] != "chat"
    )


def test_a_limit_takes_the_first() -> None:
    assert [example.text for example in Messages(limit=2).load()] == [message.text for message in messages()[:2]]
