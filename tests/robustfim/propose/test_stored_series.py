"""What a perturbation makes of an example is kept in the store where it names what it works with, and nowhere else."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice
from random import Random
from typing import Any

import pytest

from robustfim.candidate import Candidate, Edit
from robustfim.contract import ConstraintContract
from robustfim.example import Example
from robustfim.predict.store import Store
from robustfim.propose.proposal import Proposer
from robustfim.roles import Context
from tests.robustfim.toys import Bench, check, composed, example


class Counting:
    """Draws numbers for a text, and remembers which texts it was asked about."""

    def __init__(self, version: str = "1") -> None:
        self.version, self.asked, self.foreseen = version, [], []  # type: ignore[var-annotated]  # lists of texts
        self.skipped: dict[str, int] = {}

    def foresee(self, examples: Sequence[Example]) -> None:
        self.foreseen += [each.text for each in examples]

    def _numbers(self, example: Example, random: Random) -> Iterator[Edit]:
        self.asked.append(example.text)
        if example.text.startswith("-"):
            self.skipped = {"marked": self.skipped.get("marked", 0) + 1}
            return
        for _ in range(9):
            yield Edit("text", 0, 0, "", f"{random.randrange(10**6)} ", origin=self.version)


class Nameless(Counting):
    def edits(self, example: Example, random: Random) -> Iterator[Edit]:
        return self._numbers(example, random)


class Named(Counting):
    def resources(self) -> dict[str, str]:
        return {"table": self.version}


class Lists(Named, Nameless):
    """Nameless, which names what it works with."""


class Proposes(Named):
    def propose(self, example: Example, random: Random) -> Iterator[Candidate]:
        return (Candidate(example, (edit,), label="positive") for edit in self._numbers(example, random))


class LeavesAsideBeforehand(Proposes):
    def foresee(self, examples: Sequence[Example]) -> None:
        self.skipped = {"no answer": len(examples)}


class AsksTheModel(Proposes):
    def prepare(self, context: Context) -> None:
        self._context = context

    def propose(self, example: Example, random: Random) -> Iterator[Candidate]:
        self._context.predict([example])
        return super().propose(example, random)


class AsksTheModelLate(AsksTheModel):
    def propose(self, example: Example, random: Random) -> Iterator[Candidate]:
        yield from islice(Proposes.propose(self, example, random), 2)
        self._context.predict([example])


DATA = [example("a good film"), example("-a dull film"), example("a film")]


def made(perturbation: Any, store: Store, *, seed: int = 0, data: Sequence[Example] = DATA, **options: Any) -> Any:
    """The candidates of a run of its own on a store, each with its label and origins."""
    bench = Bench(data, seed=seed, store=store)
    proposer = Proposer(check(perturbation, **options), bench.context)
    proposer.prepare()
    return [
        [(candidate.example.text, candidate.label, candidate.edits) for candidate in candidates]
        for candidates in proposer.candidates(data)
    ]


@pytest.mark.parametrize("kind", [Lists, Proposes])
def test_a_second_run_asks_the_perturbation_nothing_and_has_the_same_candidates(kind: type[Counting]) -> None:
    store, first, second = Store(None), kind(), kind()
    assert made(first, store) == made(second, store) == made(kind(), Store(None))
    assert first.asked == first.foreseen == [each.text for each in DATA]
    assert second.asked == second.foreseen == []


@pytest.mark.parametrize("kind", [Lists, Proposes])
def test_texts_left_alone_are_counted_in_every_run(kind: type[Counting]) -> None:
    store = Store(None)
    for _ in range(2):
        bench = Bench(DATA, store=store)
        one = check(kind())
        Proposer(one, bench.context).candidates(DATA)
        assert one.perturbation.skipped == {"marked": 1}


def test_what_decides_the_texts_is_the_key() -> None:
    store = Store(None)
    made(Lists(), store)
    changes: list[tuple[Counting, dict[str, Any]]] = [
        (Lists("2"), {}),
        (Lists(), {"seed": 1}),
        (Lists(), {"name": "another"}),
        (Lists(), {"perturb": {"words": 2}}),
        (Lists(), {"data": [replace(each, label="negative") for each in DATA]}),
        (Lists(), {"data": [replace(each, meta={"source": "x"}) for each in DATA]}),
    ]
    for perturbation, options in changes:
        made(perturbation, store, **options)
        assert perturbation.asked, options


def test_another_number_of_candidates_or_another_limit_makes_nothing_anew() -> None:
    store, again = Store(None), Lists()
    made(Lists(), store)
    made(again, store, perturb={"candidates": 3}, limit=0.1)
    assert not again.asked


def test_what_was_read_in_part_goes_on_where_it_ended() -> None:
    store, more = Store(None), Proposes()
    few = made(Proposes(), store, perturb={"candidates": 1})
    all_of_them = made(more, store, perturb={"candidates": 8})
    assert [each[:1] for each in all_of_them] == few
    assert all_of_them == made(Proposes(), Store(None), perturb={"candidates": 8})
    assert more.asked == ["a good film", "a film"]
    third = Proposes()
    assert made(third, store, perturb={"candidates": 8}) == all_of_them
    assert not third.asked


class NamelessEven:
    """Rejects odd numbers, edit by edit, and counts what it was asked."""

    contract = ConstraintContract(per_edit=True)

    def __init__(self, version: str = "1") -> None:
        self.version, self.asked, self.foreseen = version, 0, 0

    def foresee(self, candidates: Sequence[Candidate]) -> None:
        self.foreseen += len(candidates)

    def reject(self, candidate: Candidate) -> str | None:
        self.asked += 1
        return "odd" if int(candidate.edits[0].after) % 2 else None


class Even(NamelessEven):
    def resources(self) -> dict[str, str]:
        return {"numbers": self.version}


class EvenByTheModel(Even):
    def prepare(self, context: Context) -> None:
        self._context = context

    def foresee(self, candidates: Sequence[Candidate]) -> None:
        self._context.predict([candidate.source for candidate in candidates])


class EvenThatCounts(Even):
    @property
    def skipped(self) -> dict[str, int]:
        return {"looked at": self.asked}


def constrained(constraint: Any, store: Store) -> tuple[Any, dict[str, int]]:
    """The candidates of a run of its own under a constraint, and why edits were rejected."""
    bench = Bench(DATA, store=store)
    proposer = Proposer(check(Lists(), constraints={"even": constraint}), bench.context)
    proposer.prepare()
    return proposer.candidates(DATA), dict(proposer.counts.edits_rejected)


def test_what_a_constraint_said_of_single_edits_is_not_asked_again() -> None:
    store, first, again, other = Store(None), Even(), Even(), Even("2")
    candidates, rejected = constrained(first, store)
    assert constrained(again, store) == (candidates, rejected)
    assert (first.asked, first.foreseen, again.asked, again.foreseen) == (18, 18, 0, 0)
    assert 0 < rejected["even: odd"] < 18
    assert constrained(NamelessEven(), Store(None)) == (candidates, rejected)
    constrained(other, store)
    assert other.asked == 18


@pytest.mark.parametrize("kind", [NamelessEven, EvenByTheModel, EvenThatCounts])
def test_a_constraint_that_may_say_something_else_or_counts_texts_is_asked_in_every_run(
    kind: type[NamelessEven],
) -> None:
    store, again = Store(None), kind()
    constrained(kind(), store)
    constrained(again, store)
    assert again.asked == 18


@pytest.mark.parametrize("kind", [Nameless, AsksTheModel, AsksTheModelLate, LeavesAsideBeforehand])
def test_what_cannot_be_known_to_stay_is_asked_in_every_run(
    kind: type[Counting],
) -> None:
    store, again = Store(None), kind()
    made(kind(), store)
    made(again, store)
    assert again.asked == [each.text for each in DATA]


def test_a_composed_perturbation_is_asked_in_every_run() -> None:
    store, again = Store(None), Lists()
    made(composed(Lists(), Lists()), store)
    made(composed(again, Lists()), store)
    assert again.asked


@pytest.mark.parametrize(
    "value",
    [
        None,
        [],
        "x",
        [[], True],
        [[1], True, {}],
        [[["text", 0, 99, "x", "y", ""]], True, {}],
        [[["text", 0, 0, "", 7, ""]], True, {}],
        [[["label", 0, 0, "", "y", ""]], True, {}],
        [[[[["text", 0, 0, "", "y", ""]], 7]], True, {}],
        [[], True, []],
    ],
)
def test_a_value_that_cannot_be_what_was_kept_is_made_anew(value: Any) -> None:
    store, again = _Answering(value), Lists()
    assert made(again, store) == made(Lists(), Store(None))
    assert again.asked == [each.text for each in DATA]


class _Answering(Store):
    """A store that has one value for every series."""

    def __init__(self, value: Any) -> None:
        super().__init__(None)
        self._value = value

    def get(self, keys: Sequence[bytes], read: Any = None) -> dict[bytes, Any]:
        return dict.fromkeys(keys, self._value)
