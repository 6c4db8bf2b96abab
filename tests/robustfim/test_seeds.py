from __future__ import annotations

import hashlib
import random
from collections import Counter

from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chisquare

from robustfim.seeds import random_for

parts = st.lists(st.text(alphabet="abc:#é\ud83d", max_size=6), max_size=3)


def test_the_generator_is_the_standard_one_seeded_by_a_hash() -> None:
    digest = hashlib.blake2b(b"7\x1fsuite.yaml::typos\x1f0123", digest_size=16).digest()
    expected = random.Random(int.from_bytes(digest, "big"))
    drawn = random_for(7, "suite.yaml::typos", "0123")
    assert [drawn.random() for _ in range(5)] == [expected.random() for _ in range(5)]


@given(st.integers(), parts)
def test_the_same_purpose_draws_the_same_numbers(seed: int, given_parts: list[str]) -> None:
    assert random_for(seed, *given_parts).random() == random_for(seed, *given_parts).random()


@given(st.integers(), parts, st.integers(), parts)
def test_another_seed_or_purpose_draws_other_numbers(
    seed: int, first: list[str], other_seed: int, second: list[str]
) -> None:
    same = (seed, first) == (other_seed, second)
    assert (random_for(seed, *first).random() == random_for(other_seed, *second).random()) is same


def test_the_global_generator_is_left_alone() -> None:
    random.seed(1)
    before = random.getstate()
    random_for(1, "a").random()
    assert random.getstate() == before


def test_first_draws_are_uniform_over_examples() -> None:
    counts = Counter(int(20 * random_for(0, "control", f"{i:012x}").random()) for i in range(10_000))
    assert chisquare([counts[i] for i in range(20)]).pvalue > 0.001
