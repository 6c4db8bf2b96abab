"""Insertions: intensifiers, adverbs and openers."""

from __future__ import annotations

from pathlib import Path

import pytest

from robustfim.errors import UsageError
from robustfim_words.swaps.insertions import Adverbs, Intensifiers, Openers
from tests.plugins.robustfim_words.samples import texts


@pytest.mark.parametrize(
    ("text", "strengthened"),
    [
        ("It was a good film.", "It was a very good film."),
        ("It was a good film.", "It was an extremely good film."),
        ("It was an awful film.", "It was a really awful film."),
        ("It was superb.", "It was absolutely superb."),
        ("Funny and sad.", "Very funny and sad."),
        ("GREAT FILM", "TRULY GREAT FILM"),
    ],
)
def test_an_adjective_is_strengthened_and_its_article_agrees(text: str, strengthened: str) -> None:
    assert strengthened in texts(Intensifiers(alternatives=99), text)


def test_an_adverb_fits_the_degree_of_its_adjective() -> None:
    found = texts(Intensifiers(alternatives=99), "It was superb and funny.")
    assert "It was very superb and funny." not in found
    assert "It was superb and absolutely funny." not in found


@pytest.mark.parametrize(
    "text",
    [
        "It was so good.",
        "It was not good.",
        "It wasn't a good film.",
        "It is better, the best.",
        "It is good enough.",
        "It is as good as that.",
        "A Korean film of the main sort.",
        'We saw "Good Morning".',
        "The roads aren #39;t looking good here.",
        "We drove past the huge Weller Bridge.",
        "I love ice cold beer.",
        "Ice cold beer came.",
    ],
)
def test_degrees_and_negations_and_what_has_no_degree_are_left(text: str) -> None:
    assert texts(Intensifiers(), text) == []


@pytest.mark.parametrize(
    ("text", "assured"),
    [
        ("I enjoyed it.", "I really enjoyed it."),
        ("It doesn't work for me.", "It actually doesn't work for me."),
        ("We have seen it.", "We have certainly seen it."),
        ("It is a comedy.", "It is really a comedy."),
        ("This is a film that moves us.", "This is a film that really moves us."),
        ("There is a plot.", "There certainly is a plot."),
    ],
)
def test_an_adverb_stands_before_the_verb_of_a_pronoun_and_behind_its_auxiliary(text: str, assured: str) -> None:
    assert assured in texts(Adverbs(alternatives=99), text)


@pytest.mark.parametrize(
    "text",
    [
        "Did I enjoy it?",
        "I really enjoyed it.",
        "The film I saw was long.",
        "It's good.",
        "More than I knew, it",
        "Mayor Opens Fourth Bridge Over Canal",
    ],
)
def test_questions_and_what_has_an_adverb_are_left(text: str) -> None:
    assert texts(Adverbs(), text) == []


@pytest.mark.parametrize(
    ("text", "opened"),
    [
        ("The plot is dull.", "Honestly, the plot is dull."),
        ("I was bored by the film.", "Honestly, I was bored by the film."),
        ("Dunst plays a queen.", "Well, Dunst plays a queen."),
        ("NASA helped with this.", "Well, NASA helped with this."),
        ("the plot is dull", "honestly, the plot is dull"),
        ("Manning threw far. We saw Manning again.", "Well, Manning threw far. We saw Manning again."),
    ],
)
def test_an_opener_takes_the_capital_but_not_that_of_a_name(text: str, opened: str, tmp_path: Path) -> None:
    (tmp_path / "own.txt").write_text("Well,\nHonestly,\n")
    assert opened in texts(Openers(alternatives=99, source=tmp_path / "own.txt"), text)


@pytest.mark.parametrize(
    "text",
    [
        "Is it any good?",
        "But the plot is dull.",
        "Well, the plot is dull.",
        "Great film.",
        "A film that moves you.",
        "can't remember a good joke in it",
        "drops you into a dizzying world",
        "Bakers Fear A Rise The price of flour is up.",
        "Harbour radio - the price of flour is up.",
    ],
)
def test_questions_greetings_and_opened_sentences_are_left(text: str) -> None:
    assert texts(Openers(), text) == []


def test_the_phrases_fit_the_kind_of_the_text_and_of_what_the_sentence_says() -> None:
    review, news = (Openers(alternatives=99, texts=kind) for kind in ("review", "news"))
    assert "In my opinion, the soup was awful." in texts(review, "The soup was awful.")
    assert not any("opinion" in text for text in texts(review, "The soup was on the table."))
    told = "The mill has closed. The town bought the site."
    assert {text.partition(". ")[2] for text in texts(news, told)} == {
        "As reported, the town bought the site.",
        "According to the report, the town bought the site.",
        "In fact, the town bought the site.",
    }


def test_a_list_of_ones_own_is_read_and_a_count_checked(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("Folks,\n", encoding="utf-8")
    assert texts(Openers(source=tmp_path / "mine.txt"), "The plot is dull.") == ["Folks, the plot is dull."]
    with pytest.raises(UsageError, match="alternatives: 0 is below 1"):
        Adverbs(alternatives=0)
