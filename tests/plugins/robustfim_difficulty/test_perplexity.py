"""Perplexity: counts of pairs against a slow computation, a network against its loss."""

from __future__ import annotations

from itertools import pairwise
from math import exp, isnan, log

import pytest

from robustfim_difficulty.perplexity import Pairs, Perplexity
from tests.plugins.robustfim_difficulty.toy import bench, example

TEXTS = ("the cat sat on the mat", "the dog sat", "a cat and a dog", "the mat")


def slow(text: str, others: list[str]) -> float:
    """Witten and Bell's estimate, counted anew for each word."""
    words = [word for other in others for word in other.split()]
    pairs = [pair for other in others for pair in pairwise(other.split())]
    kinds = len(set(words))

    def chance(first: str, word: str) -> float:
        alone = (words.count(word) + kinds / (kinds + 1)) / (len(words) + kinds)
        behind = len({second for one, second in pairs if one == first})
        number = sum(one == first for one, _ in pairs)
        return (pairs.count((first, word)) + behind * alone) / (number + behind) if number else alone

    logs = [log(chance(*pair)) for pair in pairwise(text.split())]
    return exp(-sum(logs) / len(logs))


@pytest.mark.parametrize("place", range(4))
def test_a_text_is_unlikely_by_the_counts_of_all_the_others(place: int) -> None:
    examples = [example(text) for text in TEXTS]
    found = Perplexity().score(examples, bench(examples).context)
    others = [text for text in TEXTS if text != TEXTS[place]]
    assert found[place] == pytest.approx(slow(TEXTS[place], others), rel=1e-9)


def test_a_text_that_was_not_counted_takes_nothing_away() -> None:
    assert Pairs([example(text) for text in TEXTS]).perplexity(example("the cat sat")) == pytest.approx(
        slow("the cat sat", list(TEXTS))
    )
    assert isnan(Pairs([example("film")]).perplexity(example("film")))
