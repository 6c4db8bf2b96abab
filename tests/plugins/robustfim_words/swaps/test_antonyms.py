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
        ("We absolutely love our new oven.", "We absolutely hate our new oven."),
        ("The pies were great and the staff was friendly.", "The pies were terrible and the staff was unfriendly."),
        ("Great pies, friendly staff!", "Terrible pies, unfriendly staff!"),
        ("The best bakery in Ulm!", "The worst bakery in Ulm!"),
        ("I find his pies disgusting.", "I find his pies delightful."),
        ("You make me furious.", "You make me delighted."),
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
        "The bakery is brisk and efficient.",
        "He came home early on Monday with a bag of onions. A wonderful baker!",
        "A lively, vibrant play.",
        "The pies were good :)",
        "The cook is careless and unfocused.",
        "Well kept bakery with friendly staff.",
    ],
)
def test_an_opposite_that_turns_nothing_round_or_reads_wrong_is_left(text: str) -> None:
    assert texts(Antonyms(), text) == []


@pytest.mark.parametrize(
    "text",
    [
        "A hip, lively play.",
        "A lively play for all ages.",
        "A feeble knockoff.",
        "The film feels funny and true.",
        "The bakers are bad. I am one of them.",
        "Bakers think they own the town. I hate them.",
        "The pies were great - consider their bread.",
        "The pies were great. 7 of 10.",
        "The pies were great. We skipped lunch and then drove home through the rain, past the harbor and the mill.",
        "Bakers are disgusting.",
    ],
)
def test_a_text_that_says_anything_beside_its_verdict_is_left(text: str) -> None:
    assert texts(Antonyms(), text) == []


def test_what_is_rude_and_insulting_becomes_polite_and_respectful() -> None:
    assert texts(Antonyms(), "The service was rude and insulting.") == ["The service was polite and respectful."]
