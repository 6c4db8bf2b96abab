"""What is common is drawn more often than what is rare, by the root of its frequency."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from robustfim_words.text.commonness import common, drawn


def test_a_word_is_drawn_in_proportion_to_the_root_of_its_frequency() -> None:
    weights = {city: 10 ** (common(city) / 2) for city in ("Paris", "Kabul", "Malmö")}
    first = Counter(drawn([*weights], 1, Random(seed))[0] for seed in range(4000))
    for city, weight in weights.items():
        assert first[city] / 4000 == pytest.approx(weight / sum(weights.values()), abs=0.03)


def test_all_words_are_drawn_once_and_alike_with_the_same_seed() -> None:
    words = ["Paris", "Oslo", "a word of no table"]
    assert sorted(drawn(words, 8, Random(0))) == sorted(words)
    assert drawn(words, 2, Random(1)) == drawn(words, 2, Random(1))
    assert drawn([], 2, Random(1)) == []
