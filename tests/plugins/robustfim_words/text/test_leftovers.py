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
