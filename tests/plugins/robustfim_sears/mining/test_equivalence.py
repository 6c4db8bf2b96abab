from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from robustfim.contract import ParaphraserContract
from robustfim.roles import Paraphrase
from robustfim.seeds import random_for
from robustfim_sears.mining.equivalence import SAMPLE, Equivalence, Share


class Known:
    """Scores a pair by the number that its second text is, and counts what it was asked."""

    contract = ParaphraserContract(score="known", tau=0.5)

    def __init__(self) -> None:
        self.asked: list[tuple[str, str]] = []

    def paraphrase(self, texts: Sequence[str], *, seed: int) -> list[list[Paraphrase]]:
        return [[] for _ in texts]

    def score(self, texts: Sequence[str], candidates: Sequence[str]) -> list[float]:
        self.asked += zip(texts, candidates, strict=True)
        return [float(candidate.partition(" ")[2]) for candidate in candidates]


def pairs(values: list[float], name: str = "x") -> list[tuple[str, str]]:
    return [(f"{name}{number}", f"{number} {value}") for number, value in enumerate(values)]


@settings(max_examples=60)
@given(
    st.lists(st.lists(st.sampled_from([0.1, 0.5, 0.9]), min_size=1, max_size=130), max_size=4),
    st.sampled_from([0.0, 0.1, 0.25, 1.0]),
)
def test_the_share_is_that_of_the_whole_sample(rules: list[list[float]], delta: float) -> None:
    named = [(f"rule {number}", pairs(values, f"{number}:")) for number, values in enumerate(rules)]
    found = Equivalence(Known(), 0.5, seed=7).shares(named, delta)
    for (name, all_pairs), share in zip(named, found, strict=True):
        drawn = random_for(7, "equivalence", name).sample(all_pairs, min(SAMPLE, len(all_pairs)))
        good = sum(float(made.partition(" ")[2]) >= 0.5 for _, made in drawn)
        expected = Share(good, len(drawn)) if good / len(drawn) >= 1 - delta - 1e-12 else None
        assert share == expected


def test_a_rule_without_hope_is_not_scored_to_its_end_and_no_pair_twice() -> None:
    known = Known()
    equivalence = Equivalence(known, 0.5, seed=0)
    bad, good = pairs([0.1] * 300, "bad"), pairs([0.9] * 300, "good")
    assert equivalence.shares([("bad", bad), ("good", good), ("again", good[:50])], 0.01) == [
        None,
        Share(100, 100),
        Share(50, 50),
    ]
    assert sum(text.startswith("bad") for text, _ in known.asked) == 10
    assert len(known.asked) == len(set(known.asked))
    asked = len(known.asked)
    assert equivalence.score(good[:50] * 2) == [0.9] * 100
    assert len(known.asked) == asked


@pytest.mark.parametrize(("failing", "kept"), [(10, True), (11, False)])
def test_ten_of_a_hundred_may_fail_at_a_tenth(failing: int, kept: bool) -> None:
    values = [0.1] * failing + [0.9] * (100 - failing)
    (share,) = Equivalence(Known(), 0.5, seed=0).shares([("rule", pairs(values))], 0.1)
    assert (share is not None) == kept
