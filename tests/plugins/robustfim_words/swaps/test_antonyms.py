"""Opposites: which words turn, with what else, and where none does."""

from __future__ import annotations

import pytest

from robustfim_words.swaps.antonyms import Antonyms
from tests.plugins.robustfim_words.samples import texts


@pytest.mark.parametrize(
    ("text", "turned"),
    [
        ("It was a good film.", "It was a bad film."),
        ("The actors succeeded.", "The actors failed."),
        ("It was the best film.", "It was the worst film."),
        ("A thoughtful and clever tale.", "A thoughtless and stupid tale."),
        ("It was a memorable, clever story.", "It was a forgettable, stupid story."),
        ("We absolutely love their new oven.", "We absolutely hate their new oven."),
        ("The pies were great and the staff was friendly.", "The pies were terrible and the staff was unfriendly."),
        ("Great pies, friendly staff!", "Terrible pies, unfriendly staff!"),
        ("The best bakery in Ulm!", "The worst bakery in Ulm!"),
        ("I find his pies disgusting.", "I find his pies delightful."),
        ("They make me furious.", "They make me delighted."),
        ("a well acted piece .", "a badly acted piece ."),
        ("Well, it was a great place to eat pies.", "Well, it was a terrible place to eat pies."),
    ],
)
def test_an_antonym_takes_the_form_of_its_word(text: str, turned: str) -> None:
    assert turned in texts(Antonyms(), text)


@pytest.mark.parametrize(
    "text",
    [
        "We came to the same place.",
        "The song is smart, not silly.",
        "It was a good indication of what he wanted.",
        "The new law was made to improve the roads.",
        "They want to provide better meals.",
        "Sit down and enjoy yourself.",
        "The second edition improves upon the first.",
        "I would recommend him for a great haircut.",
        "It must be nice to have a garden.",
        "Only 'perfect' will do.",
        "A soulless, clever book.",
        "It is good enough.",
        "It lacks a good ending.",
        "If you like good pies, come in.",
        "Do you know a good baker?",
        "He stays utterly satisfied to sell pies.",
        "Still, the pies were good.",
        "The pies were unbearably good.",
        "The pie was good because she baked it.",
        "The pie was good. But nobody ate it.",
        "A terrible storm came.",
        "The cook takes pleasure in onions.",
        "Best regards, Olga",
        "A good pie that nobody forgets.",
        "The greatest pies of the town.",
        "A riveting tale, well told.",
        "The bakery is quick and efficient.",
        "He came home early on Monday with a bag of onions. A wonderful baker!",
        "A lively, vibrant play.",
        "The pies were good :)",
        "The cook is careless and unfocused.",
        "Well kept bakery with friendly staff.",
    ],
)
def test_an_opposite_that_turns_nothing_round_or_reads_wrong_is_left(text: str) -> None:
    assert texts(Antonyms(), text) == []


_LONG = "He sells a house and travels to the coast, where he meets a woman who repairs boats for the harbour. " * 8


def test_in_a_longer_text_what_is_said_of_one_aspect_turns() -> None:
    assert texts(Antonyms(), f"{_LONG}The music is terrible.") == [f"{_LONG}The music is great."]


@pytest.mark.parametrize(
    "more",
    [
        "The music is terrible. The songs annoyed us.",
        "The music is terrible. It was by an amateur.",
        "Second, the music is terrible.",
        "Everything annoyed us. The music is terrible.",
        "The music is terrible. A dull hum.",
        "The sea is terrible.",
    ],
)
def test_in_a_longer_text_nothing_turns_that_another_sentence_judges_or_leans_on(more: str) -> None:
    assert texts(Antonyms(), f"{_LONG}{more}") == []
