"""Every argument of the door from Python is checked before anything is loaded."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any
from unittest.mock import MagicMock

import docstring_parser
import numpy as np
import pytest

import robustfim
import robustfim_doctor
from robustfim.commands import Chosen
from robustfim.errors import RobustfimError, UsageError
from robustfim.given import RunKeywords
from robustfim.run_options import SharedOptions, declared
from tests.robustfim.toys import LABELS

ROWS = [{"text": "a good film", "label": "positive"}, {"text": "a bad film", "label": "negative"}]
WRONG: dict[str, list[Any]] = {
    "suite": [5, b"x", [], "", "\0", "\ud800", "x" * 300, "x" * 100_000],
    "name": [5, b"x", ""],
    "labels": [5, set(LABELS), frozenset(LABELS), "positive"],
    "decide": [5, "x", {}, {"label": "positive", "at": 2}, {"abstain": True}],
    "data": [5, b"x", iter(ROWS), {"a", "b"}, (row for row in ROWS)],
    "texts": [b"x", iter(["a"]), {"a", "b"}],
    "seed": [1.5, "1", True, 2**63, math.nan],
    "plugins": ["x", [5], 5],
    "only": ["swap", 5, [5]],
    "keyword": [5, ["x"], None],
    "marks": [5, None],
    "max_failures": ["x", 0, 10**400, -1, 1.5, True],
    "inconclusive": ["no", 5, True, np.arange(2)],
    "offline": ["no", 5, None],
    "allow_weak": ["no", 5],
    "max_calls": ["x", -1, 1.5, 10**400],
    "store": [5, "", "\0", "\ud800", "x" * 300, Path("/")],
    "reports": [5, "", "\0", "\ud800", "x" * 300],
    "lock": [5, "", "\0", "\ud800", "x" * 300],
    "baseline": [5, {}, "", "x" * 300],
    "margin": ["x", 5, math.nan, True],
    "fail_on": ["x", 5, None, np.arange(2)],
    "verbosity": ["x", 1.5, 99],
    "scores": ["fisher", 5, [5], {"fisher"}],
    "select": [5, "x", [1]],
    "slices": [5, [1]],
    "attribution": ["x", 5],
    "checks": [5, [], "x", {}],
    "model": [5, b"x", "", {}, object(), int],
    "perturbation": [5, "", {}, int],
    "by": [5, "", {}, int],
    "candidates": [0, 10**400, 1.5, "x"],
    "constrain": [5, [5]],
    "check": [5],
    "progress": [5, lambda: None, int],
    "seconds": ["x", math.nan, math.inf, 10**400],
    "examples": [5.0, [5], "abc"],
}
"""Values that an argument of a name does not take, in any of the functions."""

FUNCTIONS: list[Callable[..., Any]] = [
    robustfim.run, robustfim_doctor.scan, robustfim.score, robustfim.perturb, robustfim.context,
]  # fmt: skip


def asked(texts: list[str]) -> list[list[float]]:
    raise AssertionError("the model is asked although an argument is wrong")


def each_wrong() -> Iterator[tuple[Callable[..., Any], str, Any]]:
    for function in FUNCTIONS:
        for name in inspect.signature(function).parameters:
            yield from ((function, name, value) for value in WRONG.get(name, []))


@pytest.mark.parametrize(("function", "name", "value"), list(each_wrong()))
def test_a_wrong_argument_is_told_before_the_model_is_asked(
    function: Callable[..., Any], name: str, value: Any
) -> None:
    known = inspect.signature(function).parameters
    right: dict[str, Any] = {
        "model": asked, "labels": list(LABELS), "data": ROWS, "texts": ["a film"],
        "perturbation": "typos", "by": "margin", "checks": {"x": {"perturb": "typos", "limit": 0.1}},
    }  # fmt: skip
    given = {key: each for key, each in right.items() if key in known} | {name: value}
    with pytest.raises(RobustfimError):
        function(**given)


def test_there_is_a_wrong_value_of_every_argument() -> None:
    names = {name for function in FUNCTIONS for name in inspect.signature(function).parameters}
    assert names - set(WRONG) == {"options"}, "what else a suite would say under 'perturb'"


def test_the_message_names_the_argument_the_value_and_what_it_takes() -> None:
    with pytest.raises(UsageError, match=rf"^seed=1\.5 must be a whole number from {-(2**63)} to {2**63 - 1}\.$"):
        robustfim.run("suite.yaml", seed=1.5)  # type: ignore[arg-type]  # what is told
    with pytest.raises(UsageError, match=r"^fail_on='old' must be one of 'regression', 'new', 'any'\.$"):
        robustfim.run("suite.yaml", fail_on="old")  # type: ignore[arg-type]  # what is told


def test_a_misspelt_keyword_is_refused_with_the_nearest_one() -> None:
    with pytest.raises(
        UsageError, match=r"^run has no keyword 'chekcs'\. Did you mean 'checks'\? It takes suite, name, "
    ):
        robustfim.run("suite.yaml", chekcs={})  # type: ignore[call-arg]  # what is told


def test_run_shows_each_keyword_with_its_default_and_its_meaning() -> None:
    shown = inspect.signature(robustfim.run).parameters
    assert list(shown)[:4] == ["suite", "name", "model", "labels"], "what is of Python alone comes first"
    assert {name: parameter.default for name, parameter in shown.items()} == {
        field.name: field.default for field in fields(RunKeywords)
    }
    assert all(parameter.kind is parameter.KEYWORD_ONLY for name, parameter in shown.items() if name != "suite")
    said = {param.arg_name: param.description for param in docstring_parser.parse(robustfim.run.__doc__ or "").params}
    assert said.keys() == shown.keys()
    assert said["max_calls"] == "Send at most N texts to the model."


def test_an_option_has_one_declaration_for_the_command_line_and_for_python() -> None:
    typed = {field.name: field for field in declared(Chosen)}
    for field in fields(SharedOptions):
        given = inspect.signature(robustfim.run).parameters[field.name]
        assert (typed[field.name].default, typed[field.name].type) == (given.default, given.annotation)


class Unreadable(Mapping[str, Any]):
    """Counts a key that it does not hold."""

    def __getitem__(self, key: str) -> Any:
        raise KeyError(key)

    def __iter__(self) -> Iterator[str]:
        return iter(["use"])

    def __len__(self) -> int:
        return 1


def test_what_raises_where_it_is_read_is_named() -> None:
    class Silent:
        def __iter__(self) -> Iterator[str]:
            raise RuntimeError("no items")

    with pytest.raises(UsageError, match=r"labels cannot be read: RuntimeError: no items"):
        robustfim.score(asked, ROWS, "margin", labels=Silent())  # type: ignore[arg-type]  # what is told
    unreadable = r"a mapping that a script gives cannot be read: KeyError: 'use'"
    for call in (
        lambda: robustfim_doctor.scan(Unreadable(), ROWS, labels=LABELS),
        lambda: robustfim.run(Unreadable(), model=asked, labels=LABELS, data=ROWS),
        lambda: robustfim.perturb(Unreadable(), ["a film"]),
    ):
        with pytest.raises(UsageError, match=unreadable):
            call()
    for key in ("checks", "select", "data"):
        with pytest.raises(UsageError, match=unreadable):
            robustfim.run(model=asked, labels=LABELS, **{"data": ROWS, key: Unreadable()})  # type: ignore[arg-type]  # mappings of no kind


def test_what_holds_itself_and_a_class_are_told() -> None:
    own: dict[str, Any] = {"use": "typos"}
    own["of"] = own
    with pytest.raises(UsageError, match="hold itself"):
        robustfim.run(model=asked, labels=LABELS, data=ROWS, checks={"x": {"perturb": own}})

    class Shout:
        def edits(self, example: Any, random: Any) -> Iterator[Any]:
            yield from ()

    with pytest.raises(UsageError, match=r"Shout is a class; give an instance, Shout\(…\)"):
        robustfim.run(model=asked, labels=LABELS, data=ROWS, checks={"x": {"perturb": Shout}})


def test_a_name_that_nothing_has_is_told_as_short_as_it_can_be_recognised() -> None:
    right: dict[str, Any] = {"model": asked, "labels": LABELS, "data": ROWS, "checks": {"x": {"perturb": "typos"}}}
    long = "x" * 100_000
    wrong: list[dict[str, Any]] = [
        {"model": long}, {"data": long}, {"scores": [long]}, {"select": {long: 1}}, {"plugins": [f"no:{long}"]},
        {"checks": {"x": {"perturb": long}}}, {"checks": {"x": {"perturb": "typos", long: 1}}},
        {"checks": {"x": {"perturb": {"use": "typos", long: 1}}}},
    ]  # fmt: skip
    for given in wrong:
        with pytest.raises(UsageError, match="x…") as told:
            robustfim.run(**{**right, **given})
        assert len(str(told.value)) < 3000, given.keys()


def test_what_has_every_attribute_is_no_model_no_data_and_no_perturbation() -> None:
    class Everything:
        def __getattr__(self, name: str) -> Any:
            if name.startswith("__"):
                raise AttributeError(name)
            return lambda *_: Everything()

        def __call__(self, *_: Any) -> Everything:
            return self

    for everything in (Everything(), MagicMock()):
        told = f"{type(everything).__name__} has every attribute that it is asked for"
        with pytest.raises(UsageError, match=told):
            robustfim.perturb(everything, ["a good film"])
        with pytest.raises(UsageError, match=f"{told}.*a model is given as a function"):
            robustfim_doctor.scan(everything, ROWS, labels=LABELS)
        with pytest.raises(UsageError, match=told):
            robustfim.run(model=asked, labels=LABELS, data=everything, checks={"x": {"perturb": "typos"}})
    assert robustfim.context(model=lambda texts: everything(texts) and asked(texts), labels=LABELS, data=ROWS)
