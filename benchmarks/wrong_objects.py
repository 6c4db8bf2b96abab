"""Calls of robustfim's functions with objects of a wrong type, for ``benchmarks.faults``."""

# ruff: noqa: E501  # tables of odd things, as wide as they are

from __future__ import annotations

import contextlib
import inspect
import io
import random
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from benchmarks.attempt import FOREIGN
from benchmarks.broken import FILMS

__all__ = ["broken_calls", "objects"]


class _Silent:
    """Raises whatever it is asked."""

    def __len__(self) -> int:
        raise RuntimeError("no length")

    def __repr__(self) -> str:
        raise RuntimeError("no name")

    __str__ = __repr__

    def __iter__(self) -> Iterator[Any]:
        raise RuntimeError("no items")

    def __eq__(self, other: object) -> bool:
        raise RuntimeError("no equal")

    def __hash__(self) -> int:
        raise RuntimeError("no hash")

    def __bool__(self) -> bool:
        raise RuntimeError("no truth")


class _Broken(Mapping[str, Any]):
    """A mapping that counts keys which it does not hold."""

    def __getitem__(self, key: str) -> Any:
        raise KeyError(key)

    def __iter__(self) -> Iterator[str]:
        return iter(["use", "x"])

    def __len__(self) -> int:
        return 2


class _Endless:
    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return _Endless()

    def __call__(self, *args: Any, **options: Any) -> Any:
        return _Endless()


def objects() -> dict[str, Callable[[], Any]]:
    """Map the name of each wrong object to a function that makes the object."""
    import decimal
    import pathlib

    import numpy
    import pandas

    def cyclic_list() -> Any:
        found: list[Any] = ["x"]
        found.append(found)
        return found

    def cyclic_mapping() -> Any:
        found: dict[str, Any] = {"use": "x"}
        found["again"] = found
        return found

    def deep() -> Any:
        found: Any = []
        for _ in range(100_000):
            found = [found]
        return found

    return {
        "NaN": lambda: float("nan"), "infinity": lambda: float("inf"), "a huge number": lambda: 10**400, "-1": lambda: -1,
        "1.5": lambda: 1.5, "True": lambda: True, "a complex number": lambda: 1j, "a Decimal": lambda: decimal.Decimal("NaN"),
        "an empty text": str, "a NUL": lambda: "\x00", "half a character": lambda: "\ud800", "bytes": lambda: b"\xff",
        "a long text": lambda: "x" * 100_000, "a list": list, "a list of None": lambda: [None], "a list of lists": lambda: [[[]]],
        "a tuple": lambda: (1, "x"), "a set": lambda: {"a", "b"}, "a mapping": dict, "numbers by number": lambda: {1: 2},
        "None by None": lambda: {None: None}, "a use of None": lambda: {"use": None}, "a cyclic list": cyclic_list,
        "a cyclic mapping": cyclic_mapping, "a deep list": deep, "a generator": lambda: (i for i in range(3)), "range": lambda: range(3),
        "object": object, "a class": lambda: int, "a class of ours": lambda: _Endless, "a function": lambda: lambda: 1,
        "a function of anything": lambda: lambda *a, **k: a, "a module": lambda: re, "a frame": lambda: pandas.DataFrame({"a": [1, None]}),
        "an empty frame": pandas.DataFrame, "a series": lambda: pandas.Series([1.5, None]), "an array": lambda: numpy.zeros((2, 2, 2)),
        "a scalar array": lambda: numpy.array(5), "a numpy number": lambda: numpy.float32(0.5), "a date": lambda: numpy.datetime64("NaT"),
        "an array of objects": lambda: numpy.array([object(), None]), "a folder": lambda: pathlib.Path("/"),
        "a missing file": lambda: pathlib.Path("none/none.yaml"), "a device": lambda: pathlib.Path("/dev/null"),
        "what raises whatever is asked": _Silent, "a broken mapping": _Broken, "what has every attribute": _Endless,
        "a list of what raises": lambda: [_Silent()], "a mapping to what raises": lambda: {"use": _Silent()},
        "an iterator": lambda: iter([1]), "a file": lambda: io.StringIO("x"), "an exception": lambda: ValueError("x"),
        "an exception's class": lambda: KeyboardInterrupt, "Ellipsis": lambda: ..., "NotImplemented": lambda: NotImplemented,
    }  # fmt: skip


def _model(texts: list[str]) -> list[list[float]]:
    return [[0.1, 0.9] if "good" in text or "great" in text else [0.9, 0.1] for text in texts]


def broken_calls(rng: random.Random, number: int) -> Iterator[str]:
    """Call a function with one wrong argument, taking all functions and objects in turn, or with two.

    Args:
        rng: The random source.
        number: The number of the case.

    Yields:
        A sentence for everything that a call did and no call may do.
    """
    import robustfim
    import robustfim_doctor

    labels = ["negative", "positive"]
    data = [{"text": text, "label": labels[label]} for text, label in FILMS[:12]]
    checks = {"typos": {"perturb": "typos", "limit": 0.9}}
    common = {"model": _model, "labels": labels, "data": data}
    given: dict[str, dict[str, Any]] = {
        "run": {**common, "checks": checks}, "scan": {**common, "seconds": 1, "examples": 5, "max_calls": 50},
        "score": {**common, "by": "entropy"}, "perturb": {"perturbation": "typos", "texts": ["a good film"]}, "context": common,
    }  # fmt: skip
    functions: dict[str, Callable[..., Any]] = {name: getattr(robustfim, name) for name in given if name != "scan"}
    functions["scan"] = robustfim_doctor.scan
    pairs = [
        (name, parameter)
        for name in given
        for parameter in inspect.signature(functions[name]).parameters
        if parameter != "options"
    ]
    name, parameter = pairs[number % len(pairs)]
    all_objects = objects()
    wrong = {parameter: rng.choice(list(all_objects))}
    if rng.random() < 0.2:
        other = rng.choice([each for kind, each in pairs if kind == name])
        wrong.setdefault(other, rng.choice(list(all_objects)))
    where = f"{name}({', '.join(f'{key}={value}' for key, value in wrong.items())})"
    call = {**given[name], **{key: all_objects[value]() for key, value in wrong.items()}}
    try:
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            result = functions[name](**call)
            repr(result)
    except robustfim.RobustfimError as error:
        text = str(error)
        if FOREIGN.search(text) and not re.search(r"raised|\bcannot be (loaded|read):", text):
            yield f"{where}: a library's words: {text[:200]}"
        elif not text.strip() or len(text) > 3000:
            yield f"{where}: {len(text)} characters: {text[:80]}"
    except Exception as error:
        yield f"{where}: {type(error).__name__}: {_told(error)[:200]}"


def _told(error: BaseException) -> str:
    try:
        return str(error)
    except Exception:
        return "what cannot be told"
