"""Negation: the forms of denials, where they stand, and what they do to a text."""

from __future__ import annotations

import pytest

from robustfim.errors import UsageError
from robustfim_words.swaps.negation import Negation
from robustfim_words.swaps.turning import FALLS, LOWERS
from robustfim_words.text.denials import affirmed, auxiliaries, denies
from tests.plugins.robustfim_words.samples import sentences, texts
from tests.plugins.robustfim_words.swaps.labelled import edited


def test_every_denied_form_denies_and_leads_back() -> None:
    for word, (_, form) in auxiliaries().items():
        assert any(denies(part) for part in form.split())
        assert not denies(word)
        assert " " in form or affirmed()[form] == word


@pytest.mark.parametrize(
    ("text", "turned"),
    sentences("test_a_denial_is_taken_away_and_the_verb_takes_its_form"),
)
def test_a_denial_is_taken_away_and_the_verb_takes_its_form(text: str, turned: str) -> None:
    assert edited(Negation(), text, "negative") == [turned]
    assert edited(Negation(kinds=["add"]), text, "negative") == []


@pytest.mark.parametrize("label", ["positive", "negative"])
def test_only_statements_for_the_label_are_denied(label: str) -> None:
    text = "The plot is good." if label == "positive" else "The cast is dull."
    other = "negative" if label == "positive" else "positive"
    assert edited(Negation(), text, label) == [text.replace("is", "isn't"), text.replace("is", "is not")]
    assert edited(Negation(), text, other) == []


def test_a_text_of_one_sentence_turns_as_a_whole_where_a_suite_says_so() -> None:
    one = Negation(sentences="one")
    assert (one.contract.expects, Negation().contract.expects) == (FALLS, LOWERS)
    assert texts(one, "The plot is good.") == ["The plot isn't good.", "The plot is not good."]
    assert texts(one, "The plot is good. The cast is clever.") == []
    assert texts(one, "The plot is good, though dull.") == []


@pytest.mark.parametrize(
    "text",
    [
        "The plot is good and the cast is clever.",
        "The plot is good, as the cast knows.",
        "The plot is good, especially the end.",
        "The plot is the best.",
        "It is good to hear.",
        "The plot is good. The cast is clever.",
    ],
)
def test_a_statement_stays_that_goes_on_or_compares_or_that_another_one_repeats(text: str) -> None:
    assert edited(Negation(), text, "positive") == []


def test_unknown_options_are_refused_with_the_nearest_word() -> None:
    with pytest.raises(UsageError, match=r"kinds: unknown 'ad'. Did you mean 'add'"):
        Negation(kinds=["ad"])
    with pytest.raises(UsageError, match=r"sentences: unknown 'all'"):
        Negation(sentences="all")
