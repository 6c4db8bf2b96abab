"""What a text still says of a thing whose mentions change."""

from __future__ import annotations

import pytest

from robustfim_words.text.leftovers import left_over
from robustfim_words.text.tokens import tokenise
from robustfim_words.things.places import Places
from tests.plugins.robustfim_words.samples import sentences
from tests.plugins.robustfim_words.samples import texts as written


@pytest.mark.parametrize(
    ("text", "left"),
    sentences("test_a_mention_beside_those_that_change_is_left_over"),
)
def test_a_mention_beside_those_that_change_is_left_over(text: str, left: bool) -> None:
    assert left_over({"text": tokenise(text)}, {"text": [(0, 4)]}, {"oslo"}) is left


def test_a_place_that_cannot_change_everywhere_stays() -> None:
    assert written(Places(), "The Houston Astros won in Houston.") == []


@pytest.mark.parametrize(
    ("name", "rest", "left"),
    [
        ("Kensington Trust", "The KT said so.", True),
        ("Kensington Trust", "Kensington's board said so.", True),
        ("Kensington Trust", "We trust the board.", False),
        ("FDA", "The Food and Drug Administration said so.", True),
        ("FDA", "The Farm and Drug agency said so.", False),
        ("Grant", "It was granted.", False),
        ("Ford Motor", "Then Ford sold it.", True),
        ("New Ford Bank", "A New Street bank sold it.", False),
    ],
)
def test_a_short_or_long_form_of_a_name_is_left_over(name: str, rest: str, left: bool) -> None:
    text = f"{name} won. {rest}"
    assert left_over({"text": tokenise(text)}, {"text": [(0, len(name))]}, {name}) is left
