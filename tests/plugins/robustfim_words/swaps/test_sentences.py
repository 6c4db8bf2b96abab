"""Sentences that are added or dropped."""

from __future__ import annotations

from pathlib import Path

import pytest

from robustfim.errors import UsageError
from robustfim_words.swaps.drop_sentence import DropSentence
from robustfim_words.swaps.sentences import Links, NegativeSentence, NeutralSentence, PositiveSentence
from robustfim_words.swaps.turning import RAISES
from robustfim_words.text.lexicon import LEXICONS, read_table
from tests.plugins.robustfim_words.samples import candidates, texts
from tests.plugins.robustfim_words.swaps.labelled import prepared_on_labels, proposed

REPORT = (
    "Shares of the airline fell in Tokyo on Monday after a pilot left, its chief executive said in a statement to "
    "Reuters."
)
REVIEW = (
    "I liked the plot of this film more than its songs, and the actors were at their best in the scenes by the sea, "
    "where my favourite of them sings. It is a lovely film."
)


def test_many_sentences_of_praise_and_of_blame_ship() -> None:
    tones = [tone for _, tone, _, _ in read_table(LEXICONS / "opinions.tsv", ("sentence", "tone", "of", "who"))]
    assert min(tones.count("positive"), tones.count("negative")) >= 25
    sorts = [sort for _, _, sort in read_table(LEXICONS / "neutral.tsv", ("sentence", "at", "fits"))]
    assert len(sorts) >= 80


def test_praise_stands_behind_a_label_of_praise_alone_which_must_not_lose_by_it() -> None:
    made = prepared_on_labels(PositiveSentence())
    assert "It ends. I loved every minute." not in proposed(made, "It ends.", "positive")  # of what is watched
    assert "It ends. It was excellent." in proposed(made, "It ends.", "positive")
    assert proposed(made, "It ends.", "negative") == proposed(made, "It ends.", "other") == []
    assert made.contract.expects == RAISES
    assert "It ends. It was awful." in proposed(prepared_on_labels(NegativeSentence()), "It ends.", "negative")


def test_with_a_label_every_text_gets_a_sentence_and_the_other_side_somebody_else_s() -> None:
    made = prepared_on_labels(PositiveSentence(label="positive"))
    assert made.contract.expects == {"use": "directional", "direction": "up", "label": "positive"}
    assert "A movie. It was great." in proposed(made, "A movie.", "positive")
    others = proposed(made, "A movie.", "negative")
    assert "A movie. My sister loved it." in others
    assert not any("I loved" in text for text in others)


@pytest.mark.parametrize(
    ("text", "added", "fits"),
    [
        ("I make too much noise.", "I make too much noise. Just so you know.", True),
        ("The neighbours make too much noise.", "The neighbours make too much noise. Just saying.", True),
        ("The neighbours make too much noise.", "The neighbours make too much noise. Just so you know.", False),
        ("Please make no noise.", "Please make no noise. Just saying.", False),  # a request
        ("Where is the harbour?", "Where is the harbour? Just wondering.", True),
        (REPORT, f"{REPORT} No further details were given.", True),
        (REPORT.replace("said", "had"), f"{REPORT.replace('said', 'had')} No further details were given.", False),
        (REVIEW, f"I don't write many reviews. {REVIEW}", True),
        (REVIEW, f"I watched this last night. {REVIEW}", True),
        (REVIEW, f"{REVIEW} That is just my opinion.", True),
        (f"{REVIEW} I saw it in May.", f"I watched this last night. {REVIEW} I saw it in May.", False),
        (f"{REVIEW} I saw it in May.", f"{REVIEW} I saw it in May. That is just my opinion.", False),
    ],
)
def test_a_neutral_sentence_is_one_that_its_writer_may_put_there(text: str, added: str, fits: bool) -> None:
    assert (added in texts(NeutralSentence(), text)) is fits


def test_praise_without_reserve_follows_no_text_with_blame_and_no_word_comes_again() -> None:
    made = prepared_on_labels(PositiveSentence())
    mixed = proposed(made, "The film is great, but its plot is silly.", "positive")
    assert "The film is great, but its plot is silly. Highly recommended." in mixed
    assert not any("excellent" in text for text in mixed)
    clear = proposed(made, "The film is great.", "positive")
    assert "The film is great. It was excellent." in clear
    assert "The film is great. It was great." not in clear
    assert proposed(made, "The film is great. Monday, May 6", "positive") == []


def test_a_sentence_may_come_first_and_is_never_said_twice() -> None:
    first = NegativeSentence(at="start", label="negative")
    assert "My sister hated it. The film ends." in texts(first, "The film ends.")
    assert not any(text.startswith("I hated it. I") for text in texts(first, "I hated it."))
    assert len(texts(NeutralSentence(), "The film ends.")) >= 4


@pytest.mark.parametrize(
    ("text", "said", "watched"),
    [
        ("I liked this film.", "I could watch it again and again.", True),
        ("I liked this book; no film is as wonderful as it.", "I could watch it again and again.", False),
        ("This film is a wonder.", "It never gets old.", True),
        ("This film is a wonder.", "I loved it.", False),
    ],
)
def test_what_is_watched_is_said_of_a_show_and_what_one_felt_where_the_writer_stands(
    text: str, said: str, watched: bool
) -> None:
    assert (f"{text} {said}" in proposed(prepared_on_labels(PositiveSentence()), text, "positive")) is watched


def test_a_link_is_appended_without_a_stop() -> None:
    assert "It ends @robin_k" in texts(Links(), "It ends")
    assert "@robin_k It ends" in texts(Links(at="start"), "It ends")


def test_one_sentence_is_dropped_with_its_blank() -> None:
    found = texts(DropSentence(), 'Part one is first. "Part two is next." Part three is last.')
    assert sorted(found) == [
        '"Part two is next." Part three is last.',
        'Part one is first. "Part two is next."',
        "Part one is first. Part three is last.",
    ]
    assert candidates(DropSentence(), "Part one is first. Part two is last.") == []
    assert len(candidates(DropSentence(least=2), "Part one is first. Part two is last.")) == 2


def test_defective_options_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"at: unknown 'ends'. Did you mean 'end'"):
        PositiveSentence(at="ends")
    with pytest.raises(UsageError, match="least: 1 is below 2"):
        DropSentence(least=1)
    (tmp_path / "only.tsv").write_text("Fine.\tpositive\n", encoding="utf-8")
    with pytest.raises(UsageError, match="has no negative sentence"):
        NegativeSentence(source=tmp_path / "only.tsv")


def test_the_only_sentence_that_carries_the_verdict_is_not_dropped() -> None:
    plot = "A man walks to the sea in winter. He meets a woman there and goes home."
    verdict = "The acting was poor and the jokes were not funny at all."
    found = texts(DropSentence(), f"{plot} {verdict}")
    assert found
    assert all(verdict in text for text in found)
    twice = texts(DropSentence(), f"{plot} {verdict} The songs were awful and boring from the start.")
    assert any(verdict not in text for text in twice), "another sentence says the same"


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("We met the chef. He was kind. These cakes are his work.", "He was kind."),
        ("It rained on the coast. Is the beach empty? We will see.", "Is the beach empty?"),
        ("The bay is small. It has a boat for guests. But we cannot book it.", "It has a boat for guests."),
        ("The chef is new. Anna hired him. He was kind to us.", "Anna hired him."),
        ("We asked twice. It is official. The bay has closed.", "The bay has closed."),
        ("The end. Oh. " + "The very long tale went on and on, " * 3 + "as tales do.", "as tales do."),
    ],
)
def test_no_sentence_is_dropped_that_others_lean_on_or_that_is_most_of_the_text(text: str, kept: str) -> None:
    found = texts(DropSentence(), text)
    assert all(kept in each for each in found)
