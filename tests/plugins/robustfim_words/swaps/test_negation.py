"""Negation and antonyms: what turns a text round."""

from __future__ import annotations

import pytest

from robustfim.errors import UsageError
from robustfim_words.swaps.negation import Negation
from tests.plugins.robustfim_words.samples import texts


@pytest.mark.parametrize(
    ("text", "turned"),
    [
        ("The plot is good.", "The plot isn't good."),
        ("I enjoyed it.", "I didn't enjoy it."),
        ("She loves it.", "She doesn't love it."),
        ("They have seen it.", "They haven't seen it."),
        ("It's good.", "It isn't good."),
        ("I’m happy here.", "I’m not happy here."),
        ("you should see it", "you shouldn't see it"),
        ("The plot isn't good.", "The plot is good."),
        ("The plot is not good.", "The plot is good."),
        ("I didn't enjoy it.", "I enjoyed it."),
        ("She doesn't love it.", "She loves it."),
        ("You can't miss it.", "You can miss it."),
    ],
)
def test_a_statement_is_denied_or_affirmed(text: str, turned: str) -> None:
    assert texts(Negation(), text) == [turned]


@pytest.mark.parametrize(
    "text",
    [
        "Is it good?",
        "Nobody is there.",
        "I had a dog.",
        "She does the dishes.",
        "It's been fun.",
        "He never saw anything.",
        "If it is good, see it.",
        "I know where it is.",
    ],
)
def test_questions_denials_and_main_verbs_that_look_like_auxiliaries_are_left(text: str) -> None:
    assert all(turned.split()[0] not in ("had", "does") for turned in texts(Negation(), text))
    assert texts(Negation(kinds=["add"]), text) in ([], ["I don't know where it is."])


def test_one_kind_can_be_chosen() -> None:
    assert texts(Negation(kinds=["remove"]), "The plot is good.") == []
    assert texts(Negation(kinds=["add"]), "The plot isn't good.") == []
    with pytest.raises(UsageError, match=r"kinds: unknown 'ad'. Did you mean 'add'"):
        Negation(kinds=["ad"])
