"""Alterations of cues keep every other word, whatever the text."""

from __future__ import annotations

from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from robustfim_cues.choices.tokens import words
from robustfim_cues.copa.alterations import CueRemoval, CueSwap
from tests.plugins.robustfim_cues.conftest import make

PIECE = st.sampled_from(["a", "was", "A", "Was", "it's", "it’s", "dog", "a's", "_a", "wash", "  ", ",", ".", "'", "\n"])
TEXT = st.lists(PIECE, min_size=1, max_size=12).map(" ".join)
CUES = ["a", "was", "it's"]


@settings(deadline=None, max_examples=300, derandomize=True)
@given(TEXT, TEXT)
def test_the_cues_of_one_alternative_go_and_all_other_words_stay(first: str, second: str) -> None:
    example = make(first, second)
    before = [words(text) for text in (first, second)]
    for candidate in CueRemoval(CUES).propose(example, Random(0)):
        for side, name in enumerate(("choice1", "choice2")):
            cues = set(CUES) & (set(before[side]) - set(before[1 - side]))
            kept = [word for word in before[side] if word not in cues]
            assert words(candidate.example.fields[name]) == (kept or before[side])


@settings(deadline=None, max_examples=300, derandomize=True)
@given(TEXT, TEXT)
def test_swapped_cues_are_found_at_the_beginning_of_the_other_side(first: str, second: str) -> None:
    before = [words(text) for text in (first, second)]
    for candidate in CueSwap(CUES).propose(make(first, second), Random(0)):
        own = [sorted(set(CUES) & (set(before[side]) - set(before[1 - side]))) for side in (0, 1)]
        moved = [own[side] if set(before[side]) - set(own[side]) else [] for side in (0, 1)]
        for side, name in enumerate(("choice1", "choice2")):
            kept = [word for word in before[side] if word not in moved[side]]
            assert words(candidate.example.fields[name]) == [*moved[1 - side], *kept]
