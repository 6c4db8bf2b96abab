"""The arguments of the functions of :mod:`robustfim.api`, checked before anything is loaded."""

from __future__ import annotations

import functools
import inspect
import os
import sys
import typing
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, ParamSpec, TypeAlias, TypeVar

from robustfim.errors import UsageError, did_you_mean, shown
from robustfim.reading import LONGEST_NAME
from robustfim.run_options import RunOptions, SharedOptions, declared, option

if TYPE_CHECKING:
    from robustfim.record import Record
    from robustfim.result import Run

__all__ = ["RunKeywords", "check_given", "takes_keywords"]

_Parameters = ParamSpec("_Parameters")
_Keywords = TypeVar("_Keywords")
_Result = TypeVar("_Result")

_Accepts: TypeAlias = Callable[[Any], bool]
_Accepted: TypeAlias = tuple[_Accepts, str]
"""Whether a value is accepted, and how an error names the accepted values."""

_SUITE_KEYS = ("model", "data", "scores", "select", "slices", "attribution", "checks")


@dataclass(frozen=True)
class RunKeywords(SharedOptions):
    """The keywords of :func:`robustfim.run`."""

    suite: str | Path | Mapping[str, Any] | None = option(
        None, help="A suite file; or what one would hold; or nothing, and the parts follow."
    )
    _: KW_ONLY
    name: str | None = option(None, help="The suite's name; 'python' where neither this nor a suite says one.")
    model: Any = option(
        None,
        help="A function from texts to probabilities or labels, a pipeline of scikit-learn, transformers or spaCy, any "
        "model role, a name, or ``{'use': …, **options}``, where ``use`` is one of all these.",
    )
    labels: Sequence[str] | Mapping[str, str] | None = option(
        None, help="The model's labels, in the order of its probabilities."
    )
    decide: Mapping[str, Any] | None = option(
        None, help="How the model's probabilities become decisions: ``{'label': 'block', 'at': 0.7}``."
    )
    data: Any = option(
        None,
        help="A data frame, a ``datasets.Dataset``, a list of mappings, examples or texts, any data role, a name, or "
        "``{'use': …, **options}``: ``{'use': frame, 'text': 'review', 'label': 'stars'}``.",
    )
    scores: Sequence[Any] | None = option(None, help="Difficulty scores.")
    select: Mapping[str, Any] | None = option(
        None, help="Which examples are tested: ``{'by': 'fisher', 'difficult': 100, 'control': 100}``."
    )
    slices: Mapping[str, Any] | None = option(None, help="Parts of the data whose rates are reported on their own.")
    attribution: bool | Mapping[str, Any] | None = option(
        None, help="Whether to show how much each word speaks for the label; or its options."
    )
    checks: Mapping[str, Any] | None = option(None, help="The checks by name, as a suite writes them.")
    plugins: Sequence[str] = option((), help="Plugin modules or ``.py`` files to load; ``'no:NAME'`` blocks one.")
    only: Sequence[str] = option((), help="Names of the checks to run; all by default.")
    store: str | Path | None = option(
        None, help="The file of a prediction store, so that a later run asks nothing again; none by default."
    )
    reports: str | Path | None = option(
        None, help="A folder to write the suite's reports to; none is written by default."
    )
    lock: str | Path | None = option(None, help="A lock file that says what is tested.")
    baseline: Run | Record | str | Path | None = option(None, help="A run to compare with, or its file.")
    verbosity: int | None = option(
        None,
        takes=(-1, 2),
        help="How much of the terminal report to print, from −1 to 2; by default a progress bar alone.",
    )

    @property
    def suite_keys(self) -> dict[str, Any]:
        """The given values for keys of the suite."""
        keys = {"suite": self.name, **{key: getattr(self, key) for key in _SUITE_KEYS}}
        return {key: value for key, value in keys.items() if value is not None}

    @property
    def options(self) -> RunOptions:
        """The options of the run, without a baseline that is an object instead of a file."""
        given: dict[str, Any] = {field.name: getattr(self, field.name) for field in fields(SharedOptions)}
        for name in ("store", "reports", "lock"):
            path = getattr(self, name)
            given[name] = None if path is None else Path(path)
        paths = {"": Path(self.baseline)} if isinstance(self.baseline, str | Path) else {}
        return RunOptions(**given, only=tuple(self.only), verbosity=self.verbosity or 0, baselines=paths)


def check_given(function: Callable[..., Any], given: Mapping[str, Any]) -> None:
    """Check the kinds and ranges of arguments. Values of the suite's keys are checked with the suite.

    Args:
        function: The function; ``None`` is accepted where its annotation allows it.
        given: The arguments by name.

    Raises:
        UsageError: An argument has a wrong value; the message names the argument and the accepted values.
    """
    for name, parameter in inspect.signature(function).parameters.items():
        takes = _BY_NAME.get(name) or _as_declared(name) or _BY_ANNOTATION.get(parameter.annotation)
        value = given.get(name)
        if value is None and (parameter.default is None or "None" in str(parameter.annotation)):
            continue
        if takes is not None and not takes[0](value):
            raise UsageError(f"{name}={shown(value)} must be {takes[1]}.")


def takes_keywords(
    cls: Callable[_Parameters, _Keywords],
) -> Callable[[Callable[[_Keywords], _Result]], Callable[_Parameters, _Result]]:
    """Return a decorator that gives a function the keywords of a class of options, in signature and docstring.

    Args:
        cls: The class, whose fields are :func:`robustfim.run_options.option`.

    Returns:
        A decorator for functions that take one object of the class. The decorated function takes keywords and checks
        them; an unknown keyword raises UsageError.
    """
    keywords: type[Any] = cls  # type: ignore[assignment]  # a class is the only thing with fields
    signature = inspect.signature(keywords)
    first = [name for name in signature.parameters if name in vars(keywords)]  # before those of its bases
    order = [signature.parameters[name] for name in dict.fromkeys([*first, *signature.parameters])]
    meanings = {field.name: field.metadata["said"]["help"] for field in declared(keywords)}
    said = "".join(f"    {parameter.name}: {meanings[parameter.name]}\n" for parameter in order)

    def decorate(function: Callable[[_Keywords], _Result]) -> Callable[_Parameters, _Result]:
        @functools.wraps(function)
        def call(*arguments: _Parameters.args, **given: _Parameters.kwargs) -> _Result:
            if unknown := [name for name in given if name not in meanings]:
                raise UsageError(
                    f"{function.__name__} has no keyword {shown(unknown[0])}.{did_you_mean(unknown[0], meanings)} It "
                    f"takes {', '.join(parameter.name for parameter in order)}."
                )
            asked = cls(*arguments, **given)
            check_given(call, vars(asked))
            return function(asked)

        result = inspect.signature(function).return_annotation
        vars(call)["__signature__"] = signature.replace(parameters=order, return_annotation=result)
        about, returns, rest = inspect.cleandoc(function.__doc__ or "").partition("Returns:\n")
        call.__doc__ = f"{about}Args:\n{said}\n{returns}{rest}"
        return call

    return decorate


def _is_number(low: float, high: float, *kinds: type[Any]) -> _Accepts:
    return lambda value: isinstance(value, kinds) and not isinstance(value, bool) and low <= value <= high


def _is_word(words: Sequence[str]) -> _Accepts:
    return lambda value: isinstance(value, str) and value in words


def _is(*kinds: type[Any]) -> _Accepts:
    return lambda value: isinstance(value, kinds)


def _is_path(value: Any) -> bool:
    if not isinstance(value, str | Path) or value == "" or "\0" in str(value):
        return False
    try:
        return all(len(os.fsencode(name)) <= LONGEST_NAME for name in Path(value).parts)
    except UnicodeEncodeError:  # half of a surrogate pair
        return False


def _is_suite(value: Any) -> bool:
    return isinstance(value, Mapping) or _is_path(value)


def _is_called_with(number: int) -> _Accepts:
    def takes(value: Any) -> bool:
        if not callable(value) or isinstance(value, type):  # a class makes an object; of int nothing else is known
            return False
        try:
            inspect.signature(value).bind(*range(number))
        except TypeError:  # it takes other arguments
            return False
        except ValueError:  # of a builtin nothing is known
            return callable(value)
        return True

    return takes


def _is_list(value: Any) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str | bytes)


def _are_texts(value: Any) -> bool:
    return _is_list(value) and all(map(_is(str), value))


def _are_plugins(value: Any) -> bool:
    from robustfim.plugin.manager import PluginManager

    return isinstance(value, PluginManager) or _are_texts(value)


def _are_labels(value: Any) -> bool:
    return isinstance(value, Iterable) and not isinstance(value, str | bytes | set | frozenset)


def _are_rows(value: Any) -> bool:
    # An open file is its own iterator, and a plugin may read it.
    read_once = isinstance(value, Iterator | set | frozenset | bytes) and not hasattr(value, "readlines")
    return not read_once or callable(getattr(value, "load", None))


def _is_baseline(value: Any) -> bool:
    from robustfim.record import Record
    from robustfim.result import Run

    return isinstance(value, Run | Record) or _is_path(value)


def _as_declared(name: str) -> _Accepted | None:
    """What an option of a run takes, and how an error says it; None where its annotation says all."""
    takes = next((field.metadata["takes"] for field in declared(RunKeywords) if field.name == name), None)
    if isinstance(takes, tuple):
        low, high = takes
        if isinstance(low, float):
            return _is_number(low, high, int, float), f"a number from {low:g} to {high:g}"
        high = sys.maxsize if high is None else high
        return _is_number(low, high, int), f"a whole number from {low} to {high}"
    words = typing.get_args(takes)
    return (_is_word(words), f"one of {', '.join(map(repr, words))}") if words else None


_COUNT = (_is_number(1, sys.maxsize, int), f"a whole number from 1 to {sys.maxsize}")

_BY_NAME: dict[str, _Accepted] = {
    "suite": (_is_suite, "a suite file, or a mapping of what one would hold"),
    "labels": (_are_labels, "a list of labels in the order of the probabilities; a set has no order"),
    "data": (_are_rows, "rows that have an order and can be read again: give list(…) of a generator or a set"),
    "texts": (_are_rows, "texts that have an order and can be read again: give list(…) of a generator or a set"),
    "plugins": (_are_plugins, "a list of plugin modules or files"),
    "baseline": (_is_baseline, "a run, its record, or the file of one"),
    "seconds": (_is_number(0, sys.float_info.max, int, float), "a number of seconds, or None for as long as it takes"),
}
_BY_ANNOTATION: dict[str, _Accepted] = {
    "bool": (_is(bool), "True or False"),
    "Callable[[str, int, int], None]": (_is_called_with(3), "a function of a word and two numbers"),
    "Callable[[int, int], None]": (_is_called_with(2), "a function of two numbers"),
    "int": _COUNT,
    "int | None": _COUNT,
    "str": (_is(str), "a text"),
    "str | None": (_is(str), "a text"),
    "str | Path | None": (_is_path, "a path"),
    "Sequence[Any]": (_is_list, "a list"),
    "Sequence[str]": (_are_texts, "a list of texts"),
}
"""Accepted values by argument name or annotation, with their wording in errors; the suite checks all others."""
