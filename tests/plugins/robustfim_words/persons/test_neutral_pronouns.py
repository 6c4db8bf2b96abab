"""Neutral pronouns, and the verbs that go with them."""

from __future__ import annotations

import pytest

from robustfim_words.persons.neutral_pronouns import NeutralPronouns
from tests.plugins.robustfim_words.samples import texts


@pytest.mark.parametrize(
    ("text", "neutral"),
    [
        ("She works hard and loves her garden.", "They work hard and love their garden."),
        ("He was late, and I saw him.", "They were late, and I saw them."),
        ("Has she left? I know she doesn't care.", "Have they left? I know they don't care."),
        ("She said that she'll come.", "They said that they'll come."),
        ("the cook did it himself .", "the cook did it themself ."),
        ("HE IS LATE.", "THEY ARE LATE."),
        ("She made 9 of her 12 shots.", "They made 9 of their 12 shots."),
        ("He’s happy.", "They’re happy."),
    ],
)
def test_pronouns_and_their_verbs_change_together(text: str, neutral: str) -> None:
    assert texts(NeutralPronouns(), text) == [neutral]


@pytest.mark.parametrize(
    "text",
    [
        "She met them.",
        "He sets a tone that grows and moves me.",
        "She's gone.",
        "She dreamt of him.",
        "He talkes a lot.",
        "The dog barks.",
        'We saw "She Is Gone" twice.',
    ],
)
def test_a_text_in_which_one_would_be_two_or_a_form_is_not_sure_stays(text: str) -> None:
    assert texts(NeutralPronouns(), text) == []
