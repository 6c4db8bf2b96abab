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
        "The pie was bad. It was very, very bad.",
        "If you like good pies, come in.",
        "Do you know a good baker?",
        "He stays utterly satisfied to sell pies.",
        "Still, the pies were good.",
        "The pies were unbearably good.",
        "The pie was good because she baked it.",
        "The pie was good. But nobody ate it.",
        "A terrible storm came.",
        "The cook takes pleasure in onions.",
    ],
)
def test_an_opposite_that_turns_nothing_round_or_reads_wrong_is_left(text: str) -> None:
    assert texts(Antonyms(), text) == []
