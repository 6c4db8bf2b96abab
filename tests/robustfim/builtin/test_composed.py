"""A candidate of a composed perturbation carries a change of every part."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from robustfim.api import perturb
from robustfim.builtin.composed import unite
from robustfim.candidate import Candidate, Edit
from robustfim.contract import Contract
from robustfim.errors import UsageError
from robustfim.propose.proposal import Proposer
from robustfim.suite.format import PerturbSpec
from tests.robustfim.toys import Bench, Push, Rewrite, Swap, check, composed, example, texts

FILM, GOOD = {"film": ["movie", "picture"]}, {"good": ["fine", "great"], "film": ["feature"]}


def proposed(text: str, *parts: Any, **options: Any) -> list[str]:
    bench = Bench([example(text)])
    made = Proposer(check(composed(*parts), **options), bench.context)
    made.prepare()
    (candidates,) = made.candidates(bench.examples)
    return texts(candidates)


def test_every_candidate_carries_a_change_of_every_part_where_they_do_not_overlap() -> None:
    assert sorted(proposed("a good film", Swap(FILM), Swap(GOOD))) == [
        "a fine movie", "a fine picture", "a great movie", "a great picture",
    ]  # fmt: skip


def test_a_text_in_which_a_part_finds_nothing_is_not_tested() -> None:
    assert proposed("a long film", Swap(FILM), Swap({"good": ["fine"]})) == []
    assert proposed("a film", Swap(FILM), Swap({"film": ["feature"]})) == []


def test_words_holds_for_each_part_and_a_part_may_make_whole_candidates() -> None:
    (one,) = proposed("good film film good", Swap({"film": ["movie"]}), Swap({"good": ["fine"]}), perturb={"words": 2})
    assert one == "fine movie movie fine"
    assert proposed("a film I saw", Swap({"film": ["movie"]}), Rewrite(lambda text: text + " really")) == [
        "a movie I saw really"
    ]


def test_the_best_of_every_part_come_first_where_an_order_is_named() -> None:
    source = example("a b")
    places = ((0, "a"), (2, "b"))
    pools = [[Candidate(source, (Edit("text", at, at + 1, was, new),)) for new in "123"] for at, was in places]
    assert texts(unite(pools, 8, None))[:3] == ["1 1", "1 2", "2 1"]
    assert sorted(texts(unite(pools, 8, Random(0)))) == sorted(texts(unite(pools, 8, None)))


def test_parts_that_disagree_about_the_label_do_not_go_together() -> None:
    source = example("a b")
    first = Candidate(source, (Edit("text", 0, 1, "a", "1"),), label="good")
    second = [Candidate(source, (Edit("text", 2, 3, "b", "2"),), label=label) for label in ("bad", None)]
    assert [candidate.label for candidate in unite([[first], second], 8, None)] == ["good"]


def test_a_step_or_a_single_perturbation_is_refused() -> None:
    with pytest.raises(UsageError, match="Push takes steps in embedding space"):
        composed(Swap(FILM), Push([1.0]))
    with pytest.raises(UsageError, match="at least two perturbations"):
        composed(Swap(FILM))


@pytest.mark.parametrize(
    "written",
    [["typos", "case"], {"use": ["typos", "case"]}, {"use": "composed", "of": ["typos", "case"]}],
)
def test_a_list_stands_for_a_composed_perturbation(written: Any) -> None:
    assert (PerturbSpec.model_validate(written).use, PerturbSpec.model_validate(written).options) == (
        "composed",
        {"of": ["typos", "case"]},
    )


@pytest.mark.parametrize(
    ("written", "message"),
    [
        ({"use": ["typos", "case"], "kinds": ["swap"]}, "'kinds' is an option of one perturbation of the list"),
        ({"use": ["typos", {"use": "case", "words": 2}]}, "'words' holds for all perturbations of the list"),
        (["typos", "tpyos"], "unknown perturbation 'tpyos'. Did you mean 'typos'"),
        (["typos", "negation"], r"expect different things \(invariant, directional\): write 'expect'"),
        ({"use": ["case", "punctuation"], "words": 2}, "'words' does not apply"),
    ],
)
def test_what_cannot_be_composed_is_refused_with_the_way_out(written: Any, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        perturb(written, ["I don't like it."])


def test_composed_candidates_follow_from_the_seed_and_the_parts_keep_their_expectation() -> None:
    given = ["The actors don't convince me, but the ending isn't bad."]
    first, again, other = (perturb(["typos", "contractions"], given, seed=seed).candidates[0] for seed in (0, 0, 1))
    assert texts(first) == texts(again) != texts(other)
    for candidate in first:
        assert {edit.origin.partition(":")[0] for edit in candidate.edits} == {"typos", "contractions"}
    assert composed(Swap(FILM), Swap(GOOD)).contract.expects == "invariant"


def test_perturbations_that_expect_the_same_with_the_same_options_are_composed_with_it() -> None:
    lower, higher = ({"use": "directional", "direction": direction} for direction in ("down", "up"))
    parts = [Swap(FILM), Swap(GOOD)]
    for part in parts:
        part.contract = Contract(expects=lower)  # type: ignore[attr-defined]  # an optional member
    assert composed(*parts).contract.expects == lower
    parts[1].contract = Contract(expects=higher)  # type: ignore[attr-defined]  # as above
    assert composed(*parts).contract.expects == ""
