"""Parts: every member of a role is there, what a plugin raises names it, and what it gives is checked."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from robustfim.candidate import Candidate, Edit
from robustfim.contract import ConstraintContract, Contract, ModelContract
from robustfim.errors import ModelError, PluginError
from robustfim.example import Example
from robustfim.parts import (
    CheckSourcePart,
    ConstraintPart,
    DataPart,
    ExpectationPart,
    GeometryPart,
    ModelPart,
    OrderPart,
    PerturbationPart,
    ReducerPart,
    ReportPart,
    ScorerPart,
)
from tests.robustfim.toys import Push, Refuse, Rewrite, Swap, example

FILM = example("a good film")
WHO = r"plugin 'toys', {} 'x' \(Shout\)"


def raising(*given: Any) -> Any:
    raise KeyError("film")


def of(part: type[Any], **members: Any) -> Any:
    return part(type("Shout", (), members)(), "x", "toys")


def test_what_is_absent_has_its_default() -> None:
    part = of(PerturbationPart, propose=lambda *_: [])
    assert (part.contract, part.fallback, part.skipped, part.resources()) == (Contract(), "", {}, {})
    assert (part.lists_edits, part.takes_steps, part.combines) == (False, False, False)
    part.foresee([FILM])
    part.prepare(None)
    constraint = of(ConstraintPart, reject=lambda *_: None)
    assert (constraint.contract, constraint.foresees) == (ConstraintContract(), False)
    assert constraint.reject(Candidate(FILM)) is None


def test_a_class_says_what_its_objects_do_not_compute() -> None:
    class Computing:
        contract = property(raising)

    class Noisy(Push):
        contract = Contract(noise=True)

    assert PerturbationPart(Computing).contract == Contract()
    assert PerturbationPart(Noisy).contract.noise
    assert PerturbationPart(Noisy).takes_steps


@pytest.mark.parametrize(
    ("member", "call"),
    [
        ("edits", lambda part: part.edits(FILM, Random(0))),
        ("propose", lambda part: list(part.propose(FILM, Random(0)))),
        ("combine", lambda part: part.combine(FILM, [], 1)),
        ("predict", lambda part: part.predict([])),
        ("prepare", lambda part: part.prepare(None)),
        ("foresee", lambda part: part.foresee([])),
        ("resources", lambda part: part.resources()),
    ],
)
def test_what_a_perturbation_raises_names_it(member: str, call: Callable[[Any], Any]) -> None:
    with pytest.raises(PluginError, match=WHO.format("perturbation") + " raised KeyError: 'film'"):
        call(of(PerturbationPart, **{member: raising}))


def test_what_a_constraint_raises_or_gives_instead_of_a_reason_names_it() -> None:
    with pytest.raises(PluginError, match=WHO.format("constraint") + " raised KeyError: 'film'"):
        of(ConstraintPart, reject=raising).reject(Candidate(FILM))
    with pytest.raises(PluginError, match="reject must give a reason or None, not True"):
        of(ConstraintPart, reject=lambda *_: True).reject(Candidate(FILM))
    assert ConstraintPart(Refuse("film")).reject(Candidate(FILM)) == "has film"


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (None, "returned None instead of a series"),
        ("ab", "returned 'ab' instead of a series"),
        (["good"], "edits must give Edits, not 'good'"),
        ([Edit("text", 0, 1, 1, "x")], "an Edit holds texts"),  # type: ignore[arg-type]  # which is refused
        ([Edit("text", 0, 3, "bad", "fine")], "bad"),
    ],
)
def test_edits_that_are_none_of_the_example_are_refused(given: Any, told: str) -> None:
    with pytest.raises(PluginError, match=told):
        of(PerturbationPart, edits=lambda *_: given).edits(FILM, Random(0))


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (3, "returned 3 instead of a series"),
        (["a film"], "propose must give Candidates, not 'a film'"),
        ([Candidate(Example({"text": "another"}))], "a candidate of another example, {'text': 'another'}"),
        (Push([1.0]).propose(FILM, Random(0)), "each candidate must be a perturbed text, since it has no 'predict'"),
    ],
)
def test_candidates_that_are_none_of_the_example_are_refused(given: Any, told: str) -> None:
    with pytest.raises(PluginError, match=told):
        list(of(PerturbationPart, propose=lambda *_: given).propose(FILM, Random(0)))


def test_no_more_is_asked_for_than_is_looked_at() -> None:
    asked: list[int] = []

    def endless(*_: Any) -> Iterator[Candidate]:
        while True:
            asked.append(len(asked))
            yield Candidate(FILM)

    found = of(PerturbationPart, propose=endless).propose(FILM, Random(0), 3)
    assert not asked
    assert next(found) == Candidate(FILM)
    assert asked == [0]
    assert (len(list(found)), asked) == (2, [0, 1, 2])
    assert len(PerturbationPart(Swap({"good": ["fine", "nice", "fair"]})).edits(FILM, Random(0), 2)) == 2
    assert [candidate.example.text for candidate in PerturbationPart(Rewrite(str.upper)).propose(FILM, Random(0))] == [
        "A GOOD FILM"
    ]


@pytest.mark.parametrize(
    ("part", "members", "call", "told"),
    [
        (OrderPart, {"effects": lambda *_: [1.0]}, lambda x: x.effects([], None), "gave 1 numbers for 0"),
        (OrderPart, {"effects": lambda *_: [math.nan]}, lambda x: x.effects([FILM], None), "gave NaN"),
        (OrderPart, {"effects": raising}, lambda x: x.effects([], None), "raised KeyError: 'film'"),
        (ExpectationPart, {"judge": raising}, lambda x: x.judge(None, None, None), "raised KeyError: 'film'"),
        (ExpectationPart, {"judge": lambda *_: "ok"}, lambda x: x.judge(None, None, None), "a Judgement, not 'ok'"),
        (ReducerPart, {"groups": lambda: {"a": "x"}}, lambda x: x.groups(), "two groups that share no .*, not a"),
        (ReducerPart, {"groups": lambda: {"a": "x", "b": "x"}}, lambda x: x.groups(), "share no example"),
        (ReducerPart, {"fails": raising}, lambda x: x.fails(1, 1), "raised KeyError: 'film'"),
        (
            ReducerPart,
            {"fails": lambda *_: 1},
            lambda x: x.fails(1, 1),
            "or a number from 0.0 to 1.0, not 1",
        ),
    ],
)
def test_what_others_raise_or_give_instead_of_their_answer_names_them(
    part: type[Any], members: dict[str, Any], call: Callable[[Any], Any], told: str
) -> None:
    made = part(SimpleNamespace(**members), "x", "toys")
    with pytest.raises(PluginError, match=rf"plugin 'toys', {made.word} 'x' \(SimpleNamespace\).*{told}"):
        call(made)


def test_the_optional_members_of_orders_expectations_and_reducers_have_their_defaults() -> None:
    order = OrderPart(SimpleNamespace(effects=lambda candidates, context: [1] * len(candidates)))
    assert order.resources() == {}
    assert order.effects([Candidate(FILM)], None) == [1.0]  # type: ignore[arg-type]  # which it does not look at
    expectation = ExpectationPart(SimpleNamespace(judge=raising))
    assert expectation.slices == ()
    reducer = ReducerPart(SimpleNamespace(fails=raising))
    assert (reducer.compares, reducer.groups()) == (False, {})


def test_what_a_model_does_not_have_has_its_default() -> None:
    bare = ModelPart(SimpleNamespace(predict=raising, fingerprint="x"))
    methods = (bare.jacobian, bare.window, bare.known_words, bare.attached, bare.stream)
    assert methods == (None,) * 5
    assert (bare.labels, bare.contract) == ((), ModelContract())
    assert (bare.answers, bare.differentiable, bare.device) == (False, False, None)
    bare.prepare(None)  # type: ignore[arg-type]  # which nothing looks at
    with pytest.raises(ModelError, match="the model raised KeyError: 'film'"):
        ModelPart(SimpleNamespace(prepare=raising)).prepare(None)  # type: ignore[arg-type]  # as above
    with pytest.raises(KeyError):  # whoever asks blames the model
        ModelPart(type("Late", (), {"labels": property(raising)})()).labels  # noqa: B018  # it computes


def test_a_geometry_that_does_not_tell_shifts_gives_none_and_is_its_own_apart() -> None:
    bare = SimpleNamespace(at=raising, calls=0)
    assert (GeometryPart(bare).shifts([]), GeometryPart(bare).apart, GeometryPart(bare).residuals) == (None, bare, ())
    with pytest.raises(PluginError, match="the geometry gave 1 shifts for 0 candidates"):
        GeometryPart(SimpleNamespace(shifts=lambda _: [None])).shifts([])


def test_what_was_left_out_is_a_count_by_reason() -> None:
    assert DataPart(SimpleNamespace(skipped={"empty": 2})).skipped == {"empty": 2}
    for given in ("two", {"empty": "two"}):
        with pytest.raises(PluginError, match=r"SimpleNamespace\.skipped must be a count by reason"):
            DataPart(SimpleNamespace(skipped=given)).skipped  # noqa: B018  # it checks


def test_what_a_score_a_source_of_checks_or_a_report_gives_is_checked(tmp_path: Path) -> None:
    with pytest.raises(PluginError, match="score gave 1 numbers for 0"):
        ScorerPart(SimpleNamespace(score=lambda *_: [1])).score([], None)  # type: ignore[arg-type]  # as above
    with pytest.raises(PluginError, match="checks must give SourcedChecks, not 3"):
        CheckSourcePart(SimpleNamespace(checks=lambda: [3])).checks(2)
    with pytest.raises(PluginError, match="must give the path of the file that it wrote, not None"):
        ReportPart(SimpleNamespace(write=lambda *_: None)).write(None, tmp_path)  # type: ignore[arg-type]  # as above

    def full(*_: Any) -> None:
        raise OSError("disk full")

    with pytest.raises(PluginError, match="disk full"):
        ReportPart(SimpleNamespace(write=full)).write(None, tmp_path, None)  # type: ignore[arg-type]  # as above
