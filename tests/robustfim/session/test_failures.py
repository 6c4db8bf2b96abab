"""Failures as the record has them: how failing texts move the embedding, and when that is asked at all."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import inf, isnan, nan
from pathlib import Path
from typing import Any

import pytest

from robustfim.candidate import Candidate, Edit, Step
from robustfim.errors import ModelError, PluginError
from robustfim.example import Example
from robustfim.judgement import Judgement, Verdict
from robustfim.predict.context import RunContext
from robustfim.predict.queue import PredictionQueue
from robustfim.predict.store import Store
from robustfim.prediction import Prediction
from robustfim.record import Failure, ShiftRecord
from robustfim.roles import Shift
from robustfim.select.draw import TestedExample
from robustfim.session.failures import add_shifts, describe_failure
from tests.robustfim.toys import Swap, check

SOURCE = Example({"text": "a slow film"}, "negative")
LABELS = ("negative", "positive")
CHECK = check(Swap({}))


class Constant:
    """A model, for its fingerprint."""

    labels = LABELS
    fingerprint = "constant"

    def predict(self, examples: Sequence[Example]) -> Any:
        return [[0.5, 0.5]] * len(examples)


def geometry(*answers: Any) -> Any:
    """A class of geometries that gives these shifts, and notes what it was asked."""

    class Given:
        asked: list[str] = []  # noqa: RUF012  # read by the test from the class
        times: list[int] = []  # noqa: RUF012  # likewise: of how many candidates at a time
        calls = 0

        def __init__(self, model: Any) -> None:
            self.left = iter(answers)

        def at(self, examples: Sequence[Example], *, tokens: str = "text") -> list[Any]:
            return []

        def shifts(self, candidates: Sequence[Candidate]) -> list[Any]:
            self.asked += [candidate.example.text for candidate in candidates]
            self.times.append(len(candidates))
            found = [next(self.left) for _ in candidates]
            for each in found:
                if isinstance(each, Exception):
                    raise each
            return [each for each in found if each is not None]

    return Given


def swap(after: str) -> Candidate:
    return Candidate(SOURCE, (Edit("text", 2, 6, "slow", after),))


def described(*candidates: Candidate) -> list[Failure]:
    tested = TestedExample(SOURCE, Prediction.of([0.8, 0.2], LABELS), "all")
    after = Prediction.of([0.3, 0.7], LABELS)
    return [
        describe_failure(CHECK, tested, candidate, after, Judgement(Verdict.FAILED, inf, "why"), "run it")
        for candidate in candidates
    ]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = Store(tmp_path / "store.sqlite")
    yield opened
    opened.close()


def context(kind: Any, store: Store, *, shifts: bool = True) -> RunContext:
    return RunContext(Constant(), PredictionQueue(Constant(), store), kind, seed=0, store=store, shifts=shifts)


def test_a_failure_says_what_was_changed_and_what_became_of_it() -> None:
    text, step = described(swap("quick"), Candidate(SOURCE, step=Step("eigenvector", 0.5)))
    assert text.fields == {"text": "a quick film"}
    assert (text.before.label, text.after.label, text.margin, text.reason) == ("negative", "positive", 0.0, "why")
    assert text.edits[0].after == "quick"
    assert step.step is not None
    assert (step.step.norm, step.edits) == (0.5, [])
    assert text.id != step.id
    assert described(swap("quick"))[0].id == text.id
    assert all(len(failure.id) == 12 and int(failure.id, 16) >= 0 for failure in (text, step))


def test_the_label_of_a_failure_is_that_which_its_text_is_given() -> None:
    edit = (Edit("text", 2, 6, "slow", "quick"),)
    given, same = described(Candidate(SOURCE, edit, label="positive"), Candidate(SOURCE, edit))
    assert (given.label, same.label) == ("positive", None)


def test_the_gold_spans_of_a_failure_are_where_its_edits_leave_them() -> None:
    ana = Example({"text": "then Ana came"}, "⟦5:8 person⟧")
    before, inside = Edit("text", 0, 4, "then", "now"), Edit("text", 5, 8, "Ana", "she")
    moved, gone, carried, given = described(
        Candidate(ana, (before,)),
        Candidate(ana, (before, inside)),
        Candidate(ana, (inside,), carries=True),
        Candidate(ana, (inside,), label="⟦⟧"),
    )
    assert (moved.label, gone.label, carried.label, given.label) == ("⟦4:7 person⟧", None, "⟦5:8 person⟧", "⟦⟧")


def test_a_margin_that_is_a_number_is_kept() -> None:
    after = Prediction.of([0.3, 0.7], LABELS)
    tested = TestedExample(SOURCE, Prediction.of([0.8, 0.2], LABELS), "all")
    failure = describe_failure(CHECK, tested, swap("quick"), after, Judgement(Verdict.FAILED, -0.5, ""), "run it")
    assert failure.margin == -0.5


@pytest.mark.parametrize("shift", [Shift(0.0, 0.5, (2.5, 3.0)), Shift(0.25, -1.0), Shift(inf, 0.5), Shift(nan, nan)])
def test_what_was_measured_once_is_read_from_the_store_even_where_it_is_nothing(shift: Shift, store: Store) -> None:
    kind = geometry(shift)
    for _ in range(2):
        failures = described(swap("quick"))
        add_shifts(failures, [swap("quick")], context(kind, store))
        lambdas = None if isnan(shift.lambda_max[0]) else shift.lambda_max
        told = ShiftRecord(norm=shift.norm, cosine=shift.cosine, lambda_max=lambdas) if shift.norm < inf else None
        assert failures[0].shift == told
    assert (kind.asked, kind.times) == (["a quick film"], [1])


def test_failing_texts_are_measured_once_and_steps_never(store: Store) -> None:
    kind = geometry(Shift(2.0, 0.5), Shift(3.0, nan), Shift(1.0, -1.0))
    candidates = [swap("quick"), Candidate(SOURCE, step=Step("eigenvector", 0.5)), swap("long")]
    failures = described(swap("older"), *candidates)
    add_shifts(failures, candidates, context(kind, store))
    assert [failure.shift for failure in failures] == [
        None,
        ShiftRecord(norm=2.0, cosine=0.5),
        None,
        ShiftRecord(norm=3.0, cosine=None),
    ]
    assert kind.asked == ["a quick film", "a long film"]
    again = described(swap("long"), swap("new"))
    add_shifts(again, [swap("long"), swap("new")], context(kind, store))
    assert kind.asked[2:] == ["a new film"]
    assert again[0].shift == ShiftRecord(norm=3.0, cosine=None)


def test_an_unchanged_text_that_fails_moves_nothing_and_is_not_measured(store: Store) -> None:
    kind, same = geometry(Shift(2.0, 0.5)), Candidate(SOURCE)
    assert same.unchanged
    failures = described(same, swap("quick"))
    add_shifts(failures, [same, swap("quick")], context(kind, store))
    assert [failure.shift for failure in failures] == [None, ShiftRecord(norm=2.0, cosine=0.5)]
    assert kind.asked == ["a quick film"]


def test_without_a_score_that_takes_gradients_nothing_is_asked(store: Store) -> None:
    kind, failures = geometry(), described(swap("quick"))
    add_shifts(failures, [swap("quick")], context(kind, store, shifts=False))
    assert (failures[0].shift, kind.asked) == (None, [])


@pytest.mark.parametrize(
    "kind",
    [None, type("Without", (), {"__init__": lambda self, model: None, "calls": 0, "at": lambda self, examples: []})],
)
def test_a_run_whose_geometry_knows_no_shifts_has_none(kind: Any, store: Store) -> None:
    failures = described(swap("quick"))
    add_shifts(failures, [swap("quick")], context(kind, store))
    assert failures[0].shift is None


def test_a_model_without_gradients_has_none(store: Store) -> None:
    failures = described(swap("quick"))
    add_shifts(failures, [swap("quick")], context(geometry(ModelError("no gradients")), store))
    assert failures[0].shift is None


@pytest.mark.parametrize(
    ("answer", "message"),
    [(RuntimeError("oh"), "^the geometry raised RuntimeError: oh"), (None, "gave 0 shifts for 1 candidates")],
)
def test_a_geometry_that_is_broken_is_named(answer: Any, message: str, store: Store) -> None:
    with pytest.raises(PluginError, match=message):
        add_shifts(described(swap("quick")), [swap("quick")], context(geometry(answer), store))


@pytest.mark.parametrize(
    "forged",
    [{"norm": 2.0, "cosine": 1.5}, {"norm": 2.0, "cosine": -1.5}, {"norm": -0.1}, {"norm": inf}, {}, [2.0, 0.5], 3],
)
def test_a_store_that_holds_what_is_no_shift_is_not_believed(forged: Any, store: Store) -> None:
    kind = geometry(Shift(3.0, -1.0))
    add_shifts(described(swap("quick")), [swap("quick")], context(kind, store))
    ((key,),) = store._connection.execute("SELECT key FROM answers").fetchall()
    store.put({key: forged})
    failures = described(swap("quick"))
    add_shifts(failures, [swap("quick")], context(kind, store))
    assert failures[0].shift == ShiftRecord(norm=3.0, cosine=-1.0)
    assert kind.asked == ["a quick film"] * 2
