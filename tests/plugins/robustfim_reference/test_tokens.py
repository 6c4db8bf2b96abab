"""Words and their places."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from robustfim.example import Example
from robustfim_reference.tokens import Token, bigrams, keys_of, tokenise
from robustfim_reference.vocabulary import Vocabulary


def keys(text: str) -> list[str]:
    return [token.key for token in tokenise(Example({"text": text}))]


def pieces(text: str) -> list[str]:
    spans = [token.span for token in tokenise(Example({"text": text}))]
    return [text[span[1] : span[2]] for span in spans if span is not None]


@pytest.mark.parametrize(
    ("natural", "corpus"),
    [
        ("It’s a GREAT film!", "it's a great film !"),
        ("The film's cast, (mostly) fine...", "the film's cast , ( mostly ) fine . . ."),
        ("A well-acted “gem” — truly.", 'a well-acted " gem " -- truly .'),
        ("Clichéd; naïve.", "clichÃ©d ; naÃ¯ve ."),
        ("Fine.<br /><br />Really", "fine . really"),
        ("[the] end", "( the ) end"),
    ],
)
def test_natural_text_and_a_tokenised_corpus_have_the_same_keys(natural: str, corpus: str) -> None:
    assert keys(natural) == keys(corpus)


def test_a_contraction_is_one_token_and_a_hyphen_its_own() -> None:
    assert keys("doesn't film's self-aware") == ["doesn't", "film's", "self", "-", "aware"]


def test_spans_are_places_in_the_original_text() -> None:
    assert pieces("İstanbul’da ÉTÉ… 日本 e\u0301t ½") == ["İstanbul’da", "ÉTÉ", "…", "日本", "e\u0301t", "½"]


@given(st.text())
def test_tokens_are_in_order_without_overlap_and_leave_out_only_space_and_markup(text: str) -> None:
    end = 0
    for token in tokenise(Example({"text": text})):
        assert " " not in token.key
        if token.span is None:
            assert not text.strip()
            continue
        _, start, stop = token.span
        assert token.key
        assert end <= start < stop
        left_out = text[end:start].lower().replace("<br", "").replace("/>", "").replace(">", "")
        assert not left_out.strip()
        end = stop


@pytest.mark.parametrize("text", ["", " \n\t ", "<br />"])
def test_an_empty_text_is_one_token_without_a_place(text: str) -> None:
    assert tokenise(Example({"text": text})) == [Token("", None)]


def test_a_limit_keeps_the_first_tokens() -> None:
    assert [token.key for token in tokenise(Example({"text": "a b c d"}), 2)] == ["a", "b"]


def test_bigrams_reach_over_both_words_and_never_over_two_fields() -> None:
    example = Example({"premise": "No,  never.", "hypothesis": "Yes"})
    assert bigrams(tokenise(example)) == [
        Token("no ,", ("premise", 0, 3)),
        Token(", never", ("premise", 2, 10)),
        Token("never .", ("premise", 5, 11)),
    ]


@given(st.text(), st.text(alphabet="aZ'’-. \n<br/>ÃÂ\x80\xa9µμι\u0345\u0301ſ"), st.none() | st.integers(1, 5))
def test_keys_without_places_are_those_of_the_tokens(one: str, two: str, limit: int | None) -> None:
    example = Example({"one": one, "two": two})
    tokens = tokenise(example, limit)
    fields = keys_of(example, limit)
    vocabulary = Vocabulary.count([[*tokens, *tokens, *tokens]], largest=3, pairs=3)
    assert [key for keys in fields for key in keys] == [token.key for token in tokens]
    assert vocabulary.rows_in(fields, pairs=False) == vocabulary.rows_of(tokens)
    assert vocabulary.rows_in(fields, pairs=True) == vocabulary.rows_of([*tokens, *bigrams(tokens)])
