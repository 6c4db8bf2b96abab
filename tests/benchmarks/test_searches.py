"""The comparison of searches under a budget: its own arithmetic, on models whose answers can be told by hand."""

from __future__ import annotations

import math
from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from benchmarks.environment import environment
from benchmarks.results import Results, render
from benchmarks.searches import Case, Searched, _context, _greedy, _opening, _ranked, typos_against_deepwordbug
from robustfim.candidate import Candidate, Edit
from robustfim.example import Example
from robustfim.propose.search import Opening
from tests.plugins.robustfim_textattack.library import Library
from tests.plugins.robustfim_textattack.library import library as library  # the fixture, which pytest finds by its name


class Sum:
    """Log-odds of ``positive``: the sum of what its words are worth."""

    labels = ("negative", "positive")
    fingerprint = "sum"

    def __init__(self, worth: dict[str, float], rest: float = 0.0) -> None:
        self._worth, self._rest = worth, rest
        self.asked: list[str] = []

    def predict(self, examples: Sequence[Example]) -> Any:
        self.asked += [each.text for each in examples]
        odds = [self._rest + sum(self._worth.get(word, 0.0) for word in each.text.split()) for each in examples]
        return np.array([[1 / (1 + math.exp(each)), 1 / (1 + math.exp(-each))] for each in odds])


WORTH = {"great": 2.0, "fine": 2.0, "nice": -0.5, "poor": -1.5, "bad": -1.5}
EASY = Example({"text": "a fine film"}, "positive")
HARD = Example({"text": "a great and fine film"}, "positive")
NEVER = Example({"text": "great great fine films"}, "positive")


def edits(example: Example, *swaps: tuple[str, str]) -> list[Edit]:
    found = []
    for before, after in swaps:
        start = example.text.index(before)
        found.append(Edit("text", start, start + len(before), before, after))
    return found


OPENINGS = [
    Opening(EASY, edits(EASY, ("fine", "bad"), ("film", "movie")), 1),
    Opening(HARD, edits(HARD, ("great", "nice"), ("great", "poor"), ("fine", "bad"), ("film", "movie")), 2),
    Opening(NEVER, edits(NEVER, ("fine", "poor"), ("films", "movies")), 2),
]
"""One edit flips the first, two edits together the second alone; nothing flips the third."""


def test_a_search_counts_what_it_flips_asks_and_changes() -> None:
    model = Sum(WORTH)
    context = _context(model, [each.example for each in OPENINGS])
    found = _greedy("some order", OPENINGS, context, 200, {EASY.id, NEVER.id})
    assert (found.name, found.queries, found.ours) == ("some order", 200, True)
    assert found.flipped == 2, "the third has no text of another label"
    assert found.shared == 1, "of the two that it flips TextAttack flips one"
    assert found.edits == 3, "one word of the first text, two of the second"
    assert found.asked == len(model.asked) - 3, "every text but the three sources was asked for once, and counted once"


@pytest.mark.parametrize("queries", [1, 2, 5])
def test_no_text_has_more_queries_than_its_budget(queries: int) -> None:
    context = _context(Sum(WORTH), [each.example for each in OPENINGS])
    found = _greedy("some order", OPENINGS, context, queries, ())
    assert found.asked <= queries * len(OPENINGS)
    spent = [Opening(each.example, each.edits, each.words, spent=queries) for each in OPENINGS]
    nothing = _greedy("some order", spent, context, queries, ())
    assert (nothing.flipped, nothing.asked) == (0, queries * len(OPENINGS)), "what ranks words is counted, too"


def test_an_order_ranks_the_edits_of_each_text_by_its_own_numbers() -> None:
    def order(singles: Sequence[Candidate], context: Any, queries: int) -> tuple[list[float], dict[str, int]]:
        return [float(len(each.edits[0].after)) for each in singles], {HARD.id: queries // 4}

    context = _context(Sum(WORTH), [each.example for each in OPENINGS])
    ranked = _ranked(OPENINGS, context, 40, order)
    assert [each.spent for each in ranked] == [0, 10, 0]
    for before, after in zip(OPENINGS, ranked, strict=True):
        assert sorted(after.edits) == sorted(before.edits)
        assert list(after.effects or ()) == sorted((len(each.after) for each in before.edits), reverse=True)
        assert [len(each.after) for each in after.edits] == list(after.effects or ())


def test_a_text_without_edits_is_no_opening_and_double_edits_are_one() -> None:
    own = edits(HARD, ("great", "poor"), ("great", "poor"), ("fine", "bad"))
    (opening,) = _opening(HARD, own, 2)
    assert sorted(opening.edits) == sorted(set(own))
    assert _opening(EASY, [], 2) == []


def test_typos_may_ask_as_much_as_deepwordbug_does_on_average() -> None:
    told: dict[str, list[Any]] = {}
    texts = [Example({"text": f"a splendid film number {n}"}, "positive") for n in range(6)]
    wrong = Example({"text": "a dull film"}, "positive")

    def attack(examples: Sequence[Example], labels: Sequence[str], model: Any) -> Any:
        told["texts"], told["labels"] = list(examples), list(labels)
        return SimpleNamespace(asked=47, words={examples[0].id: 2, examples[1].id: 3})

    model = Sum({"splendid": 2.0}, rest=-1.0)
    case = typos_against_deepwordbug(model, [*texts, wrong], [*texts, wrong], attack)
    assert told == {"texts": texts, "labels": ["positive"] * 6}, "what the model labels wrongly is not attacked"
    theirs, random, queries, learning = case.found
    assert (theirs.flipped, theirs.asked, theirs.edits, theirs.ours) == (2, 47, 5, False)
    assert random.queries == queries.queries == 7, "47 queries on 6 texts"
    assert max(random.asked, queries.asked) <= 47
    assert queries.flipped == 6, "a slip in 'splendid' flips each"
    assert (learning.flipped, learning.queries) == (6, 7)
    assert (queries.shared, case.theirs, case.texts) == (2, 2, 6)


def test_the_results_say_whether_the_aim_is_met() -> None:
    rows = (
        Searched("TextAttack, A", 2000, 30, 30, 9000, 60, ours=False),
        Searched("TextAttack, B", 2000, 20, 20, 60_000, 30, ours=False),
        Searched("random order", 50, 28, 20, 1500, 42),
        Searched("random order", 200, 40, 35, 4000, 60),
        Searched("order: queries", 200, 41, 36, 4000, 82),
    )
    results = Results(environment(), "python -m benchmarks")
    results.searched = [
        Case("a model, texts", 50, 40, rows, (90.0, 100.4)),
        ("a transformer", "sklearn is not installed"),
    ]
    text = render(results)
    assert "Seconds, of which TextAttack's searches took: a model, texts 100, 90." in text
    lines = [line for line in text.splitlines() if line.startswith("| a model, texts")]
    assert lines[0] == "| a model, texts | TextAttack, A | 2,000 | 180.0 | 30 of 50 | 75.0% | 2.00 |  |"
    assert lines[2].endswith("| random order | 50 | 30.0 | 28 of 50 | 50.0% | 1.50 |  |")
    assert lines[3].endswith("| random order | 200 | 80.0 | 40 of 50 | 87.5% | 1.50 | missed |")
    assert lines[4].endswith("| order: queries | 200 | 80.0 | 41 of 50 | 90.0% | 2.00 | met |")
    assert "- a transformer: not measured: sklearn is not installed" in text


@pytest.mark.parametrize("method", ["GreedyWordSwapWIR", "ParticleSwarmOptimizationLEAP"])
def test_textattack_searches_the_same_edits_within_the_same_bounds(library: Library, method: str) -> None:
    from benchmarks import textattack_search as rivals

    singles = rivals.one_word(HARD, [*OPENINGS[1].edits, *edits(HARD, ("a great", "the poor"))])
    assert singles == OPENINGS[1].edits, "an edit of two words is none that a swarm can put together"
    model = Sum(WORTH)
    found = rivals.search(model, OPENINGS, ["positive"] * 3, method, 300)
    assert found.words == {EASY.id: 1, HARD.id: 2}
    assert found.asked <= 900
    possible = {Candidate(each.example, (one,)).example.text for each in OPENINGS for one in each.edits}
    pairs = [(a, b) for a in OPENINGS[1].edits for b in OPENINGS[1].edits if a < b and not a.overlaps(b)]
    possible |= {Candidate(HARD, pair).example.text for pair in pairs} | {each.example.text for each in OPENINGS}
    possible |= {Candidate(NEVER, tuple(sorted(OPENINGS[2].edits))).example.text}
    words = {text for text in model.asked if len(text.split()) in (3, 4, 5)}
    whole = {text for text in words if len(text.split()) == len(HARD.text.split()) and "and" in text}
    assert whole <= possible, "every whole text is made of the edits; the others leave a word out"


def test_a_swarm_may_change_no_more_words_than_the_others(library: Library) -> None:
    from benchmarks import textattack_search as rivals

    one = Opening(HARD, OPENINGS[1].edits, 1)
    for method in rivals.METHODS:
        model = Sum(WORTH)
        assert rivals.search(model, [one], ["positive"], method, 300).words == {}
        assert "a poor and bad film" not in model.asked
