"""The reducers: which example fails by its candidates, held against a literal count under every order and search."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from robustfim.builtin.reducers import AllFail, AnyFails, AtMost, MeanShare, Share
from robustfim.candidate import Candidate
from robustfim.collect.check import Check
from robustfim.example import Example
from robustfim.judgement import Judgement, Verdict
from robustfim.outcome import Outcome
from robustfim.parts import ReducerPart
from robustfim.prediction import Prediction
from robustfim.propose.proposal import Proposer
from robustfim.select.draw import Budget
from robustfim.session.check_run import check_by_blocks, run_check
from robustfim.statistics.mean import Mean
from robustfim_testing import check_reducer
from tests.robustfim.toys import Bench, Judge, Swap, check, example, prediction

TABLE = {"good": ["bad", "fine", "dull"], "fine": ["dull", "bad"], "film": ["movie", "bad"], "mine": ["dull"]}
FORMS: dict[str, tuple[Any, Callable[[int, int], bool]]] = {
    "any": (None, lambda failed, tested: failed >= 1),
    "all": (AllFail(), lambda failed, tested: failed == tested),
    "none borne": (AtMost(0), lambda failed, tested: failed >= 1),
    "one borne": (AtMost(1), lambda failed, tested: failed >= 2),
    "two borne": (AtMost(2), lambda failed, tested: failed >= 3),
    "half borne": (Share(0.5), lambda failed, tested: 2 * failed > tested),
}


class Chance:
    """An order that ranks candidates by chance."""

    def effects(self, candidates: Sequence[Candidate], context: Any) -> list[float]:
        return [random.Random(candidate.example.text).random() for candidate in candidates]


class Locked:
    """What a lock file answers: the candidates that were made before."""

    def __init__(self, made: Check, bench: Bench) -> None:
        pools = Proposer(made, bench.context).candidates(list(bench.examples))
        self._pools = {bench_example.id: pool for bench_example, pool in zip(bench.examples, pools, strict=True)}
        self.checks: dict[str, Any] = {}

    def candidates(self, name: str, settings: Any, source: Example) -> list[Candidate]:
        return self._pools[source.id]


def texts_of(source: Example) -> list[str]:
    """Every text with one word changed."""
    words = source.text.split()
    return [
        " ".join([*words[:at], other, *words[at + 1 :]])
        for at, word in enumerate(words)
        for other in TABLE.get(word, ())
    ]


def literally(sources: Sequence[Example], fails: Callable[[int, int], bool]) -> set[str]:
    """Ask all candidates of all examples and count."""
    found = set()
    for source in sources:
        changed = [prediction(text).label != prediction(source.text).label for text in dict.fromkeys(texts_of(source))]
        if changed and fails(sum(changed), len(changed)):
            found.add(source.id)
    return found


def drawn_sources(seed: int, number: int = 12) -> list[Example]:
    chosen = random.Random(seed)
    texts = {" ".join(chosen.choices(["good", "fine", "film", "mine", "so"], k=4)) for _ in range(number)}
    return [example(text) for text in sorted(texts)]


def failing(made: Check, bench: Bench, **how: Any) -> set[str]:
    counts, failures = run_check(
        check_by_blocks(made, bench.tested(), bench.context, reproduce=lambda *_: "", progress=lambda *_: None, **how)
    )
    assert counts.ended is None, counts.message
    assert counts.failing == len({failure.example for failure in failures}), (
        "the candidates of the others are no failures"
    )
    return {failure.example for failure in failures}


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 10**6), form=st.sampled_from(sorted(FORMS)), way=st.sampled_from(["all", "order", "lock"]))
def test_an_example_fails_as_its_candidates_say_under_every_order_and_a_lock(seed: int, form: str, way: str) -> None:
    reducer, fails = FORMS[form]
    bench = Bench(drawn_sources(seed), seed=seed)
    made = check(Swap(TABLE), perturb={"candidates": 50}, order=Chance() if way == "order" else None)
    made = made if reducer is None else replace(made, reducer=ReducerPart(reducer))
    found = failing(made, bench, lock=Locked(made, bench) if way == "lock" else None)
    assert found == literally(bench.examples, fails)


@settings(max_examples=25, deadline=None)
@given(
    seed=st.integers(0, 10**6), borne=st.integers(0, 3), search=st.sampled_from(["greedy", "beam"]),
    queries=st.sampled_from([3, 100]), ordered=st.booleans(),
)  # fmt: skip
def test_at_most_is_right_under_every_search(seed: int, borne: int, search: str, queries: int, ordered: bool) -> None:
    bench = Bench(drawn_sources(seed), seed=seed)
    perturb = {"search": {"use": search, "queries": queries}, "words": 1}
    made = replace(
        check(Swap(TABLE), perturb=perturb, order=Chance() if ordered else None), reducer=ReducerPart(AtMost(borne))
    )
    found = failing(made, bench)
    expected = literally(bench.examples, lambda failed, tested: failed > borne)
    assert found == expected if queries == 100 else found <= expected, "few queries find no example that holds"


@pytest.mark.parametrize(("borne", "edits"), [(0, [2]), (1, [2, 3]), (2, [])])
def test_a_search_goes_on_until_as_many_texts_fail_as_are_needed(borne: int, edits: list[int]) -> None:
    made = check(Swap({"good": ["bad"], "film": ["movie"]}), perturb={"search": {"use": "beam"}, "words": 3})
    counts, failures = Bench([example("good good film", "positive")]).run(
        replace(made, reducer=ReducerPart(AtMost(borne)))
    )
    assert [len(failure.edits) for failure in failures] == edits, "both words, and both with the third"
    assert counts.failing == bool(edits)
    assert counts.candidates.queries <= 7, "there are no more texts"


def test_a_budget_counts_the_examples_that_the_reducer_fails() -> None:
    sources = [example(f"fine film {'mine ' * number}so") for number in range(1, 60)]
    made = check(Swap(TABLE), limit=0.2, perturb={"candidates": 50})
    any_fails, borne = (
        Bench(sources).run(each, budget=Budget(59, 0.025, 0.025))[0]
        for each in (made, replace(made, reducer=ReducerPart(AtMost(90))))
    )
    assert any_fails.budget is not None
    assert any_fails.budget.tails[""].side is Outcome.FAILED
    assert borne.failing == 0
    assert borne.candidates.failed > 0, "the candidates that are borne are counted as failed"
    assert borne.budget is not None
    assert borne.budget.tails[""].side is Outcome.PASSED


@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 10**6), way=st.sampled_from(["all", "order", "lock"]), clustered=st.booleans())
def test_a_mean_is_that_of_the_shares_of_each_examples_candidates(seed: int, way: str, clustered: bool) -> None:
    bench = Bench(drawn_sources(seed), seed=seed)
    clusters = {bench_example.id: f"c{at // 3}" for at, bench_example in enumerate(bench.examples)} if clustered else {}
    bench.context.clusters = clusters
    made = check(Swap(TABLE), perturb={"candidates": 50}, order=Chance() if way == "order" else None)
    made = replace(made, reducer=ReducerPart(MeanShare()))
    locked: Any = Locked(made, bench) if way == "lock" else None
    counts, failures = run_check(
        check_by_blocks(
            made,
            bench.tested(),
            bench.context,
            lock=locked,
            reproduce=lambda *_: "",
            progress=lambda *_: None,
        )
    )
    shares: dict[str, float] = {}
    for source in bench.examples:
        flips = [prediction(text).label != prediction(source.text).label for text in dict.fromkeys(texts_of(source))]
        if flips:
            shares[source.id] = sum(flips) / len(flips)
    expected = Mean.of(shares, clusters)
    assert counts.rate == pytest.approx(expected.rate)
    assert counts.numbers == {id: share for id, share in shares.items() if share}
    assert counts.interval == pytest.approx(expected.interval)
    assert {failure.example for failure in failures} == set(counts.numbers)
    assert counts.arms["all"].rate == pytest.approx(expected.rate)
    assert counts.clustered[""] == counts.clustered["all"] == expected


def test_an_expectation_that_counts_over_its_calls_is_an_error_that_names_the_way() -> None:
    """At most one flip of an example, said by an expectation that remembers them."""
    flips: dict[str, set[str]] = {}

    def judge(before: Prediction, after: Prediction, candidate: Candidate) -> Judgement:
        found = flips.setdefault(candidate.source.id, set())
        if before.label != after.label:
            found.add(candidate.example.text)
        return Judgement(Verdict.FAILED if len(found) > 1 else Verdict.PASSED)

    for perturb in ({"candidates": 50}, {"search": "greedy"}):
        flips.clear()
        made = check(Swap(TABLE), perturb=perturb, expectation=Judge(judge))
        counts, _ = Bench([example("good film", "positive"), example("fine mine film", "positive")]).run(made)
        assert counts.ended is Outcome.ERROR
        assert "when asked again: it must judge each candidate alone" in counts.message
        assert "'fails: {at_most: 1}'" in counts.message


@pytest.mark.parametrize(
    ("given", "message"),
    [("yes", "must give True, False or a number from 0.0 to 1.0, not 'yes'"), (1.5, "not 1.5"), (math.nan, "not nan")],
)
def test_a_reducer_that_gives_no_truth_value_is_an_error_with_its_name(given: Any, message: str) -> None:
    broken = type("Broken", (), {"fails": lambda self, failed, tested: given})()
    counts, _ = Bench([example("good film")]).run(
        replace(check(Swap(TABLE)), reducer=ReducerPart(broken, "odd", "toys"))
    )
    assert counts.ended is Outcome.ERROR
    assert message in counts.message
    assert "plugin 'toys', reducer" in counts.message


REDUCERS: list[tuple[Any, set[tuple[int, int]]]] = [
    (AnyFails(), {(1, 1), (1, 2), (2, 2), (1, 3), (2, 3), (3, 3)}),
    (AllFail(), {(1, 1), (2, 2), (3, 3)}),
    (AtMost(0), {(1, 1), (1, 2), (2, 2), (1, 3), (2, 3), (3, 3)}),
    (AtMost(1), {(2, 2), (2, 3), (3, 3)}),
    (AtMost(2), {(3, 3)}),
    (Share(0), {(1, 1), (1, 2), (2, 2), (1, 3), (2, 3), (3, 3)}),
    (Share(0.5), {(1, 1), (2, 2), (2, 3), (3, 3)}),
    (Share(0.7), {(1, 1), (2, 2), (3, 3)}),
]


@pytest.mark.parametrize(("reducer", "failing"), REDUCERS)
def test_which_counts_of_failing_candidates_fail_an_example(reducer: Any, failing: set[tuple[int, int]]) -> None:
    counts = {(failed, tested) for tested in range(1, 4) for failed in range(tested + 1)}
    assert {count for count in counts if reducer.fails(*count)} == failing
    check_reducer(reducer)


def test_the_mean_keeps_the_promises_of_a_reducer() -> None:
    check_reducer(MeanShare())
    odd = type("Odd", (), {"fails": lambda self, failed, tested: failed / tested if tested > 1 else failed > 0})()
    with pytest.raises(AssertionError, match=r"it said 0.0, not True or False, nor always a number"):
        check_reducer(odd)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: AtMost(-1), "at_most must be 0 or more, not -1"),
        (lambda: Share(1.0), r"share must lie in \[0, 1\), not 1.0"),
        (lambda: Share(-0.1), r"share must lie in \[0, 1\)"),
    ],
)
def test_a_limit_that_bears_nothing_sensible_is_refused(make: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        make()
