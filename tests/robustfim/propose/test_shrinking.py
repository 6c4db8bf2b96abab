"""A failing text is shrunk to the fewest edits that fail it, as a search over all choices of its edits finds them."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from robustfim.candidate import Candidate, Edit
from robustfim.example import Example
from robustfim.propose import in_step
from robustfim.propose.shrinking import Shrinking
from robustfim.roles import Answer

SOURCE = Example({"text": " ".join(f"w{place}" for place in range(9))})


def candidate(number: int) -> Candidate:
    return Candidate(SOURCE, tuple(Edit("text", 3 * at, 3 * at + 2, f"w{at}", "x") for at in range(number)))


def shrunk(
    number: int, fails: Callable[[Collection[int]], bool], *, queries: int = 10_000,
    accept: Callable[[Candidate], bool] = lambda _: True, worth: Mapping[int, float] = {},
) -> tuple[set[int], Shrinking, list[set[int]]]:  # fmt: skip
    """The places that are left of so many edits, and all that was asked."""
    asked: list[set[int]] = []

    def ask(pairs: list[tuple[int, Candidate]]) -> list[Answer]:
        sets = [{edit.start // 3 for edit in one.edits} for _, one in pairs]
        asked.extend(sets)
        return [Answer(sum(worth.get(place, 0.0) for place in each), fails(each)) for each in sets]

    shrinking = Shrinking(candidate(number), queries, accept)
    in_step([shrinking.run()], ask)
    return {edit.start // 3 for edit in shrinking.edits}, shrinking, asked


@settings(max_examples=200, deadline=None)
@given(number=st.integers(2, 6), data=st.data())
def test_no_smaller_choice_of_the_edits_fails_whatever_the_model(number: int, data: st.DataObject) -> None:
    """The reference tries every choice of the edits, for models to which edits neither add up nor only help."""
    choices = [each for size in range(1, number) for each in combinations(range(number), size)]
    failing = set(data.draw(st.lists(st.sampled_from(choices))))
    accepted = set(data.draw(st.lists(st.sampled_from(choices)))) if data.draw(st.booleans()) else set(choices)

    def accept(one: Candidate) -> bool:
        return tuple(edit.start // 3 for edit in one.edits) in accepted

    left, shrinking, asked = shrunk(number, lambda places: tuple(sorted(places)) in failing, accept=accept)
    assert len(left) == min((len(each) for each in failing & accepted), default=number)
    assert left == set(range(number)) or tuple(sorted(left)) in failing & accepted
    assert shrinking.asked == len(asked) == len({frozenset(each) for each in asked}), "nothing is asked twice"


@pytest.mark.parametrize("guilty", range(8))
def test_one_guilty_edit_of_eight_takes_six_texts(guilty: int) -> None:
    left, shrinking, _ = shrunk(8, lambda places: guilty in places)
    assert left == {guilty}
    assert shrinking.asked == 2 * 3, "both halves, log₂ 8 times"


def test_of_several_that_do_the_clearest_is_kept() -> None:
    assert shrunk(2, lambda places: True, worth={0: 0.1, 1: 0.4})[0] == {1}


@pytest.mark.parametrize("queries", [0, 1, 5, 20])
def test_no_more_texts_are_asked_for_than_allowed_and_what_is_left_fails(queries: int) -> None:
    left, shrinking, _ = shrunk(9, lambda places: {1, 4, 7} <= set(places), queries=queries)
    assert shrinking.asked <= queries
    assert {1, 4, 7} <= left


def test_equal_edits_stay_together_where_they_are_mentions_of_one_name() -> None:
    source = Example({"text": "Ann Lee met Bob; ANN sang, Lee did not"})
    named = {"Ann": "Mia", "ANN": "MIA", "Lee": "Fox", "Bob": "Tim"}
    edits = tuple(
        Edit("text", match.start(), match.end(), match[0], named[match[0]])
        for match in re.finditer("|".join(named), source.text)
    )
    asked: list[str] = []

    def ask(pairs: list[tuple[int, Candidate]]) -> list[Answer]:
        asked.extend(one.example.text for _, one in pairs)
        return [Answer(0, "MIA sang" in one.example.text) for _, one in pairs]

    alone = Shrinking(Candidate(source, edits), 50, lambda _: True)
    in_step([alone.run()], ask)
    assert [edit.before for edit in alone.edits] == ["ANN"]
    asked.clear()
    together = Shrinking(Candidate(source, edits), 50, lambda _: True, mentions=True)
    in_step([together.run()], ask)
    assert together.edits == (edits[0], edits[3])
    assert not any("Ann" in each and "MIA" in each for each in asked)
