"""What a text still says of a thing whose mentions change."""

from __future__ import annotations

import pytest

from robustfim_words.text.leftovers import left_over, short_forms
from robustfim_words.text.tokens import tokenise
from tests.plugins.robustfim_words.samples import texts as written


def test_short_forms_are_initials_and_the_words_that_name() -> None:
    assert short_forms("Bank of England") == {"england", "be"}
    assert short_forms("Oslo") == {"oslo"}


@pytest.mark.parametrize(
    ("text", "stems", "left"),
    [
        ("Oslo is cold.", False, False),
        ("Oslo is cold, says OSLO.", False, True),
        ("Oslo is cold, an Oslo-based firm says.", False, True),
        ("Oslo is cold, its Osloites say.", False, False),
        ("Oslo is cold, its Osloites say.", True, True),
    ],
)
def test_a_mention_in_another_form_is_left_over(text: str, stems: bool, left: bool) -> None:
    assert left_over({"text": tokenise(text)}, {"text": [(0, 4)]}, {"oslo"}, stems=stems) is left


@pytest.mark.parametrize(
    "text",
    [
        "Norway votes. Oil prices rise for Norwegians.",
        "The Houston Astros won in Houston.",
        "US troops left.",
        "south london is loud",
    ],
)
def test_a_place_that_is_named_otherwise_too_stays(text: str) -> None:
    from robustfim_words.things.places import Places

    assert written(Places(), text) == []


@pytest.mark.parametrize(
    "text",
    [
        "Nokia (NOK) fell.",
        "The African Union met, and AU troops left.",
    ],
)
def test_an_organisation_that_is_named_otherwise_too_stays(text: str) -> None:
    from robustfim_words.things.organisations import Organisations

    assert written(Organisations(), text) == []
