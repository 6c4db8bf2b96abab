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
        ("The story of the film moves the audience.", "The story of the film doesn't move the audience."),
        ("Anna Keller often wins the game.", "Anna Keller doesn't often win the game."),
        ("The hotel has clean rooms.", "The hotel doesn't have clean rooms."),
        ("Look! You're an idiot.", "Look! You aren't an idiot."),
        ("You are nothing but a fool.", "You are anything but a fool."),
        ("They have no place in the team.", "They have a place in the team."),
        ("It is no better than a cold.", "It is better than a cold."),
        ("We have never had a dog.", "We have had a dog."),
        ("The story never catches fire.", "The story catches fire."),
        ("She proved that they can win.", "She didn't prove that they can win."),
        ("We are going to the beach.", "We aren't going to the beach."),
        ("The crew bounces around the set.", "I don't think the crew bounces around the set."),
        ("The plot does not work.", "The plot works."),
        ("A tale of love that is bold, sad and true.", "Not a tale of love that is bold, sad and true."),
        ("a warm , funny , engaging film .", "not a warm , funny , engaging film ."),
        ("A moving film about a man who sings.", "Not a moving film about a man who sings."),
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
        "It's been fun.",
        "He never saw anything.",
        "If it is good, see it.",
        "I know where it is.",
        "Some critics of the film love the ending.",
        "The film moves and amuses the audience.",
        "the film certainly moves the audience",
        "a warm film , and it is a joke",
        "a dull film , full of holes",
        "a good film but a long one",
    ],
)
def test_questions_denials_and_main_verbs_that_look_like_auxiliaries_are_left(text: str) -> None:
    assert all(turned.split()[0] not in ("had", "does") for turned in texts(Negation(), text))
    allowed: tuple[list[str], ...] = ([], ["I don't know where it is."], ["a warm film , and it isn't a joke"])
    assert texts(Negation(kinds=["add"]), text) in allowed


def test_one_kind_can_be_chosen() -> None:
    assert texts(Negation(kinds=["remove"]), "The plot is good.") == []
    assert texts(Negation(kinds=["add"]), "The plot isn't good.") == []
    with pytest.raises(UsageError, match=r"kinds: unknown 'ad'. Did you mean 'add'"):
        Negation(kinds=["ad"])


@pytest.mark.parametrize(
    "text",
    [
        "The acting is superb. The whole cast shines in every scene.",
        "The film is short and it stays with you.",
        "The film is short, it stays with you.",
        "The film is good because it is short.",
        "If you trust him, he can sell you a bridge.",
        "The best stunts any fan could want.",
        "There is a welcome lack of noise.",
        "We will gladly help.",
        "It doesn't take a lot to please them.",
        "He wouldn't lift a finger to save it.",
        "This is to inform you.",
        "The food is fine, but the price is outrageous.",
        "the spell he's spun",
        "I would rather walk than ride.",
        "They will never change so we should leave.",
        "a bright walk through town , the tour is funny and warm",
        "like an old baker , the tale is warm",
        "it's a superb film , glowing with charm and clever jokes",
        "this is a nicely made cake , a treat of fine taste but wonderful to see",
        "Excellent! The soup is warm.",
        "Quiz Show Draws Big Crowds Ratings rose on Monday.",
        "I h a t e trains.",
    ],
)
def test_no_statement_is_denied_that_others_repeat_or_that_means_more_than_its_contrary(text: str) -> None:
    assert texts(Negation(), text) == []


def test_one_sentence_of_several_is_denied_where_a_suite_says_so() -> None:
    assert "The plot isn't good. As a whole it" in texts(Negation(sentences="any"), "The plot is good. As a whole it")
    with pytest.raises(UsageError, match=r"sentences: unknown 'all'"):
        Negation(sentences="all")
