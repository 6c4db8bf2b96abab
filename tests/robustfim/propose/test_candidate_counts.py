"""What becomes of edits and candidates is counted, whatever a perturbation, its constraints and an order do."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import repeat
from random import Random
from typing import Any

import pytest

from robustfim.candidate import Candidate, Edit
from robustfim.contract import Contract
from robustfim.errors import PluginError
from robustfim.example import Example
from robustfim.importance import Importance, WordImportance
from robustfim.propose.candidate_counts import RunningCounts
from robustfim.propose.proposal import Proposer
from tests.robustfim.toys import Bench, Push, Refuse, Rewrite, Swap, check, composed, example, texts

TABLE = {"good": ["fine", "great"], "film": ["movie"]}


def made_of(bench: Bench, perturbation: Any, **options: Any) -> tuple[Proposer, list[list[str]]]:
    made = Proposer(check(perturbation, **options), bench.context)
    return made, [texts(candidate) for candidate in made.candidates(bench.examples)]


class Many:
    """So many edits of the first letter."""

    def __init__(self, number: int) -> None:
        self.number = number

    def edits(self, example: Example, random: Random) -> Iterator[Edit]:
        return (Edit("text", 0, 1, "a", f"a{number}") for number in range(self.number))


@pytest.mark.parametrize(("number", "left"), [(10_000, {}), (10_001, {"beyond the first 10,000 of an example": 1})])
def test_ten_thousand_edits_of_an_example_are_read_and_no_more(number: int, left: dict[str, int]) -> None:
    made, _ = made_of(Bench([example("a")]), Many(number))
    assert (made.counts.edits, made.counts.edits_rejected) == (10_000, left)


class Same:
    """Puts its edits together in one way only, without end."""

    def edits(self, example: Example, random: Random) -> Iterator[Edit]:
        yield Edit("text", 0, 1, "a", "b")

    def combine(self, example: Example, edits: Sequence[Edit], words: int) -> Iterator[Candidate]:
        return repeat(Candidate(example, tuple(edits)))


class Alike:
    """Proposes one text without end."""

    def propose(self, example: Example, random: Random) -> Iterator[Candidate]:
        return repeat(Candidate.replacing(example, {"text": "b"}))


@pytest.mark.parametrize("perturbation", [Same(), Alike()])
def test_six_proposals_are_looked_at_for_each_candidate_wanted(perturbation: Any) -> None:
    made, found = made_of(Bench([example("a")]), perturbation, perturb={"candidates": 3})
    assert (found, made.counts.proposed, made.counts.duplicate) == ([["b"]], 18, 17)


def test_what_wants_to_test_the_text_as_it_is_may() -> None:
    class Itself(Rewrite):
        contract = Contract(unchanged=True)

    made, found = made_of(Bench([example("a film")]), Itself(str, str.upper))
    assert (found, made.counts.unchanged) == ([["a film", "A FILM"]], 0)


def test_a_constraint_on_edits_is_asked_about_whole_candidates_where_there_are_no_single_edits() -> None:
    refuse = Refuse("A", per_edit=True)
    made, found = made_of(Bench([example("a film")]), Rewrite(str.upper, str.title), constraints={"no": refuse})
    assert (found, made.counts.rejected, made.counts.edits_rejected) == ([[]], {"no: has A": 2}, {})


def test_edits_of_other_fields_are_no_edits_and_steps_have_no_fields() -> None:
    pair = Example({"one": "good", "two": "good film"})
    made, found = made_of(Bench([pair]), Swap(TABLE), perturb={"fields": ["one"]})
    assert (made.counts.edits, len(found[0])) == (2, 2)
    made, found = made_of(Bench([pair]), Push([0.5]), perturb={"fields": ["one"]})
    assert len(found[0]) == 1


def test_a_composed_candidate_carries_a_change_of_every_part_or_is_none() -> None:
    both = composed(Swap({"good": ["fine"]}), Rewrite(str, lambda text: text.replace("film", "movie")))
    bench = Bench([example("a good film"), example("a good play"), example("a dull film")])
    made, found = made_of(bench, both)
    assert found == [["a fine movie"], [], []]
    assert (made.counts.edits, made.counts.proposed) == (2, 1)


@pytest.mark.parametrize(
    "edit",
    [
        Edit("text", 0.0, 1.0, "a", "b"),  # type: ignore[arg-type]  # what a plugin may give
        Edit("text", 0, 1.0, "a", "b"),  # type: ignore[arg-type]  # what a plugin may give
        Edit("text", False, 1, "a", "b"),
        Edit("text", 0, 1, "a", 5),  # type: ignore[arg-type]  # likewise
    ],
)
def test_an_edit_of_other_kinds_is_an_error_of_its_perturbation(edit: Edit) -> None:
    class Odd:
        def edits(self, example: Example, random: Random) -> list[Edit]:
            return [edit]

    with pytest.raises(PluginError, match="an Edit holds texts, and whole numbers as its start and end"):
        made_of(Bench([example("a film")]), Odd())


class Weights:
    """Importance of words, of those examples that it is asked about: that of a word is its length."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def of(self, examples: Sequence[Example]) -> list[Importance]:
        self.asked += [each.text for each in examples]
        return [Importance(tuple(self._words(each)), 0.0, 0.0) for each in examples]

    def _words(self, example: Example) -> Iterator[WordImportance]:
        start = 0
        for word in example.text.split(" "):
            yield WordImportance("text", start, start + len(word), float(len(word)))
            start += len(word) + 1


def test_only_edits_of_important_words_are_kept_and_the_others_are_counted() -> None:
    bench, weights = Bench([example("a good sandwich"), example("dull"), example("a film of sandwiches")]), Weights()
    bench.context.attributions = weights  # type: ignore[assignment]  # the part of it that is asked
    swap = Swap({"good": ["fine"], "sandwich": ["roll"], "film": ["movie", "play"]})
    made, found = made_of(bench, swap, perturb={"words": {"important": 0.3}})
    assert found == [["a good roll"], [], []]
    assert (made.counts.edits, made.counts.edits_rejected) == (4, {"words: not important": 3})
    assert weights.asked == ["a good sandwich", "a film of sandwiches"]  # what has no edit costs no gradient


class Longest:
    """Longer replacements first; it tells what it was asked about."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def effects(self, candidates: Sequence[Candidate], context: object) -> list[float]:
        self.asked += texts(candidates)
        return [float(len(candidate.edits[0].after)) for candidate in candidates]


def test_an_order_is_asked_about_what_is_not_known_yet_and_each_example_keeps_its_own_numbers() -> None:
    bench, order = Bench([example("a film")]), Longest()
    table = {"good": ["x", "great"], "film": ["movie", "o"]}
    options: dict[str, Any] = {"order": order, "perturb": {"order": "longest"}}
    assert made_of(bench, Swap(table), **options)[1] == [["a movie", "a o"]]
    bench.examples = [example("no such word"), example("so good"), example("a film"), example("good")]
    _, found = made_of(bench, Swap(table), **options)
    assert found == [[], ["so great", "so x"], ["a movie", "a o"], ["great", "x"]]
    assert order.asked == ["a movie", "a o", "so x", "so great", "x", "great"]
    # Another list of edits of the same text is another question.
    _, found = made_of(Bench([example("a film")], store=bench.store), Swap({"film": ["o", "longer"]}), **options)
    assert found == [["a longer", "a o"]]


def test_of_examples_that_a_perturbation_leaves_alone_the_others_are_told_too() -> None:
    told = RunningCounts().vacuous("places", 300, {"not English": 161})
    assert told == (
        "tested nothing: 'places' found nothing to change in 300 examples; 161 left alone: not English; the other 139 "
        "hold nothing that it changes."
    )
    assert "the other" not in RunningCounts().vacuous("places", 161, {"not English": 161})
