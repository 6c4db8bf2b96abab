"""The kind of a text, told by its words or by a suite."""

from __future__ import annotations

import pytest

from robustfim.errors import UsageError
from robustfim_words.swaps.insertions import Adverbs, Openers
from robustfim_words.swaps.sentences import NegativeSentence, NeutralSentence, PositiveSentence
from robustfim_words.text.lexicon import LEXICONS
from robustfim_words.text.text_kind import register, text_kind
from tests.plugins.robustfim_words.samples import texts

NEWS = "Shares of the airline fell 4 percent in Tokyo on Monday, its chief executive said in a statement to Reuters."


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("The acting is wooden, the plot is silly, and I laughed at the wrong scenes of this film.", "review"),
        (NEWS, "news"),
        ("How can I learn to cook quickly?", "question"),
        ("Hi Anna, please find the contract attached and call me tomorrow. Thanks, Tom", "message"),
        ("Blub.", ""),
    ],
)
def test_the_kind_is_told_by_the_words(text: str, kind: str) -> None:
    assert text_kind(text) == kind


@pytest.mark.parametrize(
    ("text", "follows"),
    [
        (NEWS, "news"),
        ("A dull film with a silly plot.", "review"),
        ("I spilled tea on the screen of our old laptop.", "message"),
        ("Is the harbour deep enough?", "question"),
        ("My neighbours make too much noise.", "message"),
        ("The neighbours make too much noise.", "any"),
        ('Signs that say "I am sorry" help nobody.', "any"),
        ("You left your hat here. I can bring it tomorrow. Best regards, Anna Blum", "closed"),
        ("I left your hat here. I can bring it tomorrow. Anna", "closed"),
        ("Thanks for the airline, whose shares fell in Tokyo on Monday, its chief executive told Reuters.", "news"),
        ("Harbour Office, ext. 5512", ""),
    ],
)
def test_a_sentence_follows_that_its_kind_its_writer_and_its_end_allow(text: str, follows: str) -> None:
    assert register(text) == follows


def test_no_sentence_follows_a_heading_unless_the_suite_says_what_it_is() -> None:
    heading = "Harbour Office, ext. 5512"
    assert texts(NeutralSentence(), heading) == []
    assert f"{heading}. Just saying." in texts(NeutralSentence(texts="message"), heading)


def test_an_unknown_kind_is_refused_with_the_nearest() -> None:
    with pytest.raises(UsageError, match=r"texts: unknown 'reviews'.* Did you mean 'review'"):
        Openers(texts="reviews")


def test_nothing_evaluative_is_added_to_news_unless_the_suite_says_it_is_none() -> None:
    assert texts(PositiveSentence(), NEWS) == texts(NegativeSentence(), NEWS) == texts(Adverbs(), NEWS) == []
    assert texts(PositiveSentence(label="positive"), NEWS) != []
    rows = [line.split("\t") for line in (LEXICONS / "neutral.tsv").read_text(encoding="utf-8").splitlines()]
    added = {text.removeprefix(NEWS).strip() for text in texts(NeutralSentence(), NEWS)}
    assert added == {row[0] for row in rows if row[-1] == "news"}


def test_what_only_a_show_can_be_said_of_is_said_of_shows() -> None:
    meal = "The soup was cold and the waiter was rude, we will not come back to this restaurant, it is awful."
    made = NeutralSentence(texts="review")
    assert "A dull film. Now in cinemas." in texts(made, "A dull film.")
    assert not any("cinemas" in text for text in texts(made, meal))
