"""A search combines edits until a text fails, within its queries, and asks for nothing twice."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import combinations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from robustfim.candidate import Candidate, Edit
from robustfim.example import Example
from robustfim.judgement import Judgement, Verdict
from robustfim.propose import in_step, nearness
from robustfim.roles import Answer, Opening
from robustfim_evasion.search import Beam, Greedy

SOURCE = Example({"text": " ".join(f"w{i}" for i in range(9))})


def edit(place: int, other: int = 0) -> Edit:
    return Edit("text", 3 * place, 3 * place + 2, f"w{place}", f"x{other}")


def searched(
    worth: Mapping[Edit, float], *, wanted: float, words: int = 9, queries: int = 200, beam: int = 1,
    effects: Sequence[float] | None = None, accept: Callable[[Candidate], bool] = lambda _: True,
    shown: Callable[[float], float] = lambda value: value,
) -> tuple[list[tuple[Edit, ...]], list[tuple[Edit, ...]]]:  # fmt: skip
    """Everything asked, and what of it failed, of a model to which the edits add up; it fails from ``wanted`` on."""
    opening = Opening(SOURCE, list(worth), words, effects)
    opening = opening if effects is None else opening.by_effect()
    asked: list[tuple[Edit, ...]] = []

    def ask(pairs: list[tuple[int, Candidate]]) -> list[Answer]:
        asked.extend(candidate.edits for _, candidate in pairs)
        values = [sum(worth[candidate_edit] for candidate_edit in candidate.edits) for _, candidate in pairs]
        return [Answer(shown(value), value >= wanted) for value in values]

    in_step([Beam(queries, beam).search(opening, 0.0, accept, 1)], ask)
    return asked, [each for each in asked if sum(map(worth.__getitem__, each)) >= wanted]


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 10**6), words=st.integers(1, 4), beam=st.integers(1, 3), guided=st.booleans())
def test_what_exhaustive_search_finds_is_found_where_edits_add_up(
    seed: int, words: int, beam: int, guided: bool
) -> None:
    random = Random(seed)
    worth = {edit(place, other): random.uniform(-1, 1) for place in range(5) for other in range(2)}
    wanted = random.uniform(0.2, 2.5)
    sets = [
        each
        for number in range(1, words + 1)
        for each in combinations(worth, number)
        if len({one.start for one in each}) == number and sum(map(worth.__getitem__, each)) >= wanted
    ]
    asked, failing = searched(
        worth, wanted=wanted, words=words, beam=beam, effects=list(worth.values()) if guided else None
    )
    assert bool(failing) == bool(sets)
    assert len(set(asked)) == len(asked)
    assert all(1 <= len(each) <= words for each in asked)
    if guided and sets:
        assert min(map(len, failing)) == min(map(len, sets)), "the effects are exact, so no smaller set is passed over"


@pytest.mark.parametrize("queries", [1, 7, 20])
def test_no_more_texts_are_asked_for_than_the_queries_allow(queries: int) -> None:
    worth = {edit(place, other): 0.01 for place in range(9) for other in range(5)}
    assert len(searched(worth, wanted=9.0, queries=queries)[0]) == queries


def test_a_right_order_needs_one_leap_and_its_bisection() -> None:
    worth = {edit(place): 1.0 / (place + 1) for place in range(9)}
    asked, failing = searched(worth, wanted=1.7, effects=list(worth.values()))
    assert asked[0] == tuple(worth), "everything at once"
    assert failing[-1] == (edit(0), edit(1), edit(2))
    assert len(asked) == 8 + 3, "one round, and log₂ 9 more"


def test_the_search_ends_with_the_round_in_which_a_text_fails() -> None:
    asked, failing = searched({edit(place): float(place == 3) for place in range(9)}, wanted=1.0)
    assert (len(asked), failing) == (8, [(edit(3),)])


def test_a_wrong_order_is_corrected_by_what_is_measured() -> None:
    worth = {edit(place): 1.0 if place in (0, 1) else -1.0 for place in range(9)}
    _, failing = searched(worth, wanted=2.0, effects=[-value for value in worth.values()])
    assert failing[-1] == (edit(0), edit(1))


def test_a_model_that_gives_labels_alone_is_searched_by_more_and_more_edits() -> None:
    worth = {edit(place): 1.0 for place in range(9)}
    asked, failing = searched(worth, wanted=3.0, queries=100, shown=lambda _: 0.0)
    assert len(failing[0]) == 3
    assert {len(each) for each in asked} == {1, 2, 3}


def test_what_the_constraints_refuse_is_not_asked_for() -> None:
    asked, failing = searched(
        {edit(place): 1.0 for place in range(4)}, wanted=2.0, accept=lambda candidate: edit(0) not in candidate.edits
    )
    assert failing
    assert not any(edit(0) in each for each in asked)


def test_nothing_to_change_asks_for_nothing() -> None:
    assert searched({}, wanted=1.0) == ([], [])


def test_a_text_without_an_answer_ends_nothing() -> None:
    opening = Opening(SOURCE, [edit(place) for place in range(9)], 2)
    rounds: list[int] = []
    in_step(
        [Greedy(50).search(opening, 0.0, lambda _: True, 1)],
        lambda pairs: rounds.append(len(pairs)) or [None] * len(pairs),  # type: ignore[func-returns-value]  # for its effect
    )
    assert rounds == [8, 1], "each edit once; none of them is gone on from"


def test_searches_in_step_are_asked_about_together() -> None:
    openings = [Opening(SOURCE, [edit(place) for place in range(number)], 1) for number in (3, 0, 5)]
    seen = []

    def ask(pairs: list[tuple[int, Candidate]]) -> list[Answer]:
        seen.append([index for index, _ in pairs])
        return [Answer(0.0, False) for _ in pairs]

    in_step([Greedy(9).search(opening, 0.0, lambda _: True, 1) for opening in openings], ask)
    assert seen == [[0, 0, 0, 2, 2, 2, 2, 2]]


def test_nearness_is_half_the_log_odds_of_two_classes() -> None:
    assert nearness(Judgement(Verdict.PASSED, 0.2 - 0.8)) == pytest.approx(0.5 * -1.3862943611)
    assert nearness(Judgement(Verdict.FAILED, 1.0)) < 20, "and finite of a certain model"
