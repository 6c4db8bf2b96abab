"""Neutral pronouns, and the verbs that go with them."""

from __future__ import annotations

import pytest

from robustfim_words.persons.neutral_pronouns import NeutralPronouns
from tests.plugins.robustfim_words.samples import sentences, texts


@pytest.mark.parametrize(
    ("text", "neutral"),
    sentences("test_pronouns_and_their_verbs_change_together"),
)
def test_pronouns_and_their_verbs_change_together(text: str, neutral: str) -> None:
    assert texts(NeutralPronouns(), text) == [neutral]


@pytest.mark.parametrize(
    "text",
    sentences("test_a_text_in_which_one_would_be_two_or_a_form_is_not_sure_stays"),
)
def test_a_text_in_which_one_would_be_two_or_a_form_is_not_sure_stays(text: str) -> None:
    assert texts(NeutralPronouns(), text) == []
