"""Label words: votes and log-probabilities."""

from __future__ import annotations

from math import isnan
from typing import Any

import pytest

from robustfim import UsageError
from robustfim_blackbox.chat.label_words import LabelWords
from tests.plugins.robustfim_blackbox.serving import token

LABELS = ["negative", "neutral", "positive"]


@pytest.mark.parametrize(
    ("answer", "label"),
    [
        ("positive", "positive"),
        (" Positive.", "positive"),
        ('**"NEGATIVE"**', "negative"),
        ("positive, though not as good as the first", "positive"),
        ("The label is neutral.", "neutral"),
        ("It is positive, not negative", None),
        ("positively", None),
        ("unpositive", None),
        ("pos", None),
        ("I cannot say", None),
        ("", None),
    ],
)
def test_a_label_is_read_in_an_answer(answer: str, label: str | None) -> None:
    assert LabelWords(LABELS).read(answer) == label


def test_a_label_may_have_several_words_of_its_own() -> None:
    words = LabelWords({"entails": ["yes", "entailment"], "contradicts": "no", "10": "10", "1": "1"})
    assert words.labels == ("entails", "contradicts", "10", "1")
    assert words.first == ("yes", "no", "10", "1")
    assert [words.read(each) for each in ("Yes!", "entailment", "no", "not", "10", "1", "1.")] == [
        *("entails", "entails", "contradicts", None, "10", "1", "1"),
    ]


def test_votes_are_the_shares_of_the_labels() -> None:
    assert LabelWords(LABELS).votes(["positive", "negative", "positive", "positive"]) == [0.25, 0, 0.75]


def test_an_answer_without_a_label_does_not_vote_unless_it_has_a_label() -> None:
    answers = ["positive", "who knows", "positive", "negative"]
    assert LabelWords(LABELS).votes(answers) == pytest.approx([1 / 3, 0, 2 / 3])
    assert LabelWords(LABELS, unparsed="neutral").votes(answers) == [0.25, 0.25, 0.5]
    assert all(isnan(share) for share in LabelWords(LABELS).votes(["who", "knows"]))
    assert LabelWords(LABELS, unparsed="neutral").votes(["who", "knows"]) == [0, 1, 0]


def masses(*tokens: Any, unparsed: str | None = None) -> list[float]:
    return LabelWords(LABELS, unparsed).masses(tokens)


def test_the_probability_of_a_label_is_that_of_its_first_tokens() -> None:
    first = token("positive", positive=0.6, _Positive=0.1, negative=0.1, neutral=0.1, The=0.1)
    assert masses(first) == pytest.approx([0.1 / 0.9, 0.1 / 0.9, 0.7 / 0.9])


def test_a_beginning_that_several_words_share_is_read_on_by_the_chain_rule() -> None:
    tokens = [token("ne", ne=0.8, pos=0.2), token("utral", utral=0.75, gative=0.25), token("x", x=1.0)]
    assert masses(*tokens) == pytest.approx([0.2, 0.6, 0.2])


def test_blanks_and_quotes_before_the_word_are_read_over() -> None:
    tokens = [token(" ", _=1.0), token("pos", pos=0.5, neg=0.5), token("itive", itive=1.0)]
    assert masses(*tokens) == pytest.approx([0.5, 0, 0.5])


def test_what_is_left_goes_to_the_label_of_unparsed_answers() -> None:
    first = token("positive", positive=0.5, negative=0.1, Well=0.3)
    assert masses(first, unparsed="neutral") == pytest.approx([0.1, 0.4, 0.5])


def test_a_model_that_does_not_answer_with_a_label_has_no_prediction() -> None:
    assert all(isnan(share) for share in masses(token("I", I=0.99, positive=0.001)))
    assert masses(token("I", I=0.99, positive=0.001), unparsed="neutral") == pytest.approx([0, 0.999, 0.001])


def test_a_word_that_begins_another_is_told_from_it_by_what_follows() -> None:
    words = LabelWords(["1", "10"])
    assert words.masses([token("1", **{"1": 1.0})]) == [1, 0]
    assert words.masses([token("1", **{"1": 1.0}), token("0", **{"0": 0.75, ".": 0.25})]) == [0.25, 0.75]


def test_a_list_without_alternatives_gives_the_chosen_one() -> None:
    assert masses({"token": "positive", "logprob": 0.0, "top_logprobs": None}) == [0, 0, 1]


@pytest.mark.parametrize(
    ("labels", "unparsed", "message"),
    [
        ({"a": "yes", "b": ["no", "Yes"]}, None, "the word 'Yes' stands for two labels, 'a' and 'b'"),
        ({"a": [], "b": "no"}, None, "the label 'a' needs a word"),
        ({"a": " ", "b": "no"}, None, "the label 'a' needs a word"),
        (["a", "b"], "c", "unparsed='c' is none of the labels: a, b"),
    ],
)
def test_words_that_cannot_be_told_apart_are_refused(labels: Any, unparsed: str | None, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        LabelWords(labels, unparsed)
