"""Options of a plugin's class: the keys of a suite, checked against the signature of the class."""

from __future__ import annotations

import inspect
import keyword
import os
import types
import typing
import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import is_dataclass
from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary

from pydantic import BaseModel, ConfigDict, PydanticUserError, ValidationError, create_model
from pydantic.fields import FieldInfo

from robustfim import roles
from robustfim.blame import blame
from robustfim.contract import INCIDENTAL
from robustfim.errors import PluginLoadError, RobustfimError, shown, shown_place, suggestions
from robustfim.parts import ConstraintPart, ExpectationPart, PerturbationPart
from robustfim.reading import LONGEST_NAME
from robustfim.suite.error_list import UNKNOWN, Gathering, problems, refusal
from robustfim.suite.file import Location, SuiteFile

__all__ = ["build", "held", "incidental", "options_model", "resolve"]

_HELD: Mapping[Any, str] = {
    PerturbationPart: "perturbations",
    ConstraintPart: "constraints",
    ExpectationPart: "expectations",
    roles.Model: "models",
    roles.DifferentiableModel: "models",
    roles.DataSource: "data",
    roles.Paraphraser: "paraphrasers",
    roles.SuiteFormat: "suite_formats",
}
"""The kind of offer that an option names, by a type in its annotation."""


def options_model(cls: type[Any], owner: str) -> type[BaseModel]:
    """Derive a pydantic model from the keyword arguments of a class.

    If an argument is named after a Python keyword, such as ``from_``, the option has no underscore. The keys of
    ``**options: Unpack[TypedDict]`` are options, too, with the defaults of a base class.

    Returns:
        A model with one field per argument; unknown keys are errors unless the class takes ``**options``.

    Raises:
        PluginError: An annotation cannot be resolved, or an argument is positional-only.
    """
    if cls not in _MODELS:  # a suite names a class in several checks, and each is read several times
        _MODELS[cls] = _options_model(cls, owner)
    return _MODELS[cls]


_MODELS: WeakKeyDictionary[type[Any], type[BaseModel]] = WeakKeyDictionary()


def _options_model(cls: type[Any], owner: str) -> type[BaseModel]:
    initialiser = cls.__init__
    config = ConfigDict(
        extra="forbid", arbitrary_types_allowed=True, coerce_numbers_to_str=True, protected_namespaces=()
    )
    if initialiser is object.__init__:
        return create_model(cls.__name__, __config__=config)
    fields: dict[str, Any] = {}
    try:
        hints = typing.get_type_hints(initialiser, include_extras=True)
        for parameter in list(inspect.signature(initialiser).parameters.values())[1:]:
            if parameter.kind is parameter.VAR_KEYWORD:
                shared = hints.get(parameter.name)
                if typing.get_origin(shared) is typing.Unpack:
                    fields |= _inherited(cls, typing.get_args(shared)[0])
                else:
                    config["extra"] = "allow"
            elif parameter.kind is parameter.POSITIONAL_ONLY:
                raise TypeError(f"argument {parameter.name!r} is positional-only")
            elif parameter.kind is not parameter.VAR_POSITIONAL:
                default = ... if parameter.default is parameter.empty else parameter.default
                fields[_option(parameter.name)] = (_open(hints.get(parameter.name, Any)), FieldInfo(default=default))
        with warnings.catch_warnings():  # an option may be named "json" or "copy", as BaseModel's methods are
            warnings.simplefilter("ignore", UserWarning)
            return create_model(cls.__name__, __config__=config, **fields)
    except (NameError, TypeError, PydanticUserError) as error:
        raise PluginLoadError(f"plugin {owner!r}: the options of {cls.__name__} cannot be read: {error}.") from error


def held(cls: type[Any], owner: str) -> dict[str, str]:
    """Find the options of a class that take objects of other plugins, by annotations: ``of: list[PerturbationPart]``.

    Returns:
        Option name to the kind of offer that the option takes.

    Raises:
        PluginError: An annotation cannot be resolved.
    """
    if cls.__init__ is object.__init__:
        return {}
    try:
        hints = typing.get_type_hints(cls.__init__)
    except (NameError, TypeError) as error:
        raise PluginLoadError(f"plugin {owner!r}: the options of {cls.__name__} cannot be read: {error}.") from error
    kinds = {_option(name): next(filter(None, map(_HELD.get, _types(hint))), None) for name, hint in hints.items()}
    return {name: kind for name, kind in kinds.items() if kind is not None}


def incidental(cls: type[Any], owner: str) -> Iterator[str]:
    """Find the options of a class that affect no text, by their annotations: ``timeout: Annotated[float, INCIDENTAL]``.

    Yields:
        The name of each option; ``option.field`` if the option takes a dataclass and only this field is annotated.

    Raises:
        PluginError: An annotation cannot be resolved.
    """
    for name, field in options_model(cls, owner).model_fields.items():
        if INCIDENTAL in field.metadata:
            yield name
        for inner in filter(is_dataclass, _types(field.annotation)):
            for key, hint in typing.get_type_hints(inner, include_extras=True).items():
                if INCIDENTAL in getattr(hint, "__metadata__", ()):
                    yield f"{name}.{key}"


def _types(annotation: Any) -> Iterator[Any]:
    """The types of which an annotation is made."""
    inner = typing.get_args(annotation)
    if not inner and isinstance(annotation, type):
        yield annotation
    for each in inner:
        yield from _types(each)


def _open(annotation: Any) -> Any:
    """An annotation with anything in the place of a part: the factory makes it, and checks it against its role."""
    if isinstance(annotation, type) and annotation in _HELD:
        return Any
    if not any(each in _HELD for each in _types(annotation)):
        return annotation
    inner = tuple(map(_open, typing.get_args(annotation)))
    return typing.Union[inner] if _is_union(annotation) else typing.get_origin(annotation)[inner]  # noqa: UP007  # made of a tuple


def _inherited(cls: type[Any], keys: type[Any]) -> dict[str, Any]:
    """The options that a typed dictionary names, with the defaults of the nearest base that has them."""
    defaults: dict[str, Any] = {}
    for base in reversed(cls.__mro__[1:-1]):
        if "__init__" in vars(base):
            defaults |= {
                parameter.name: parameter.default
                for parameter in inspect.signature(vars(base)["__init__"]).parameters.values()
            }
    given = {name: default for name, default in defaults.items() if default is not inspect.Parameter.empty}
    hints = typing.get_type_hints(keys, include_extras=True)
    return {_option(name): (hint, FieldInfo(default=given.get(name, ...))) for name, hint in hints.items()}


def build(
    cls: type[Any], options: Mapping[str, Any], owner: str, file: SuiteFile, location: Location,
    *, name: str = "", others: Sequence[str] = (),
) -> Any:  # fmt: skip
    """Check options and construct a plugin's class with them.

    An argument annotated ``Path`` is resolved from the suite's folder, or from the current one if it comes from the
    command line. An argument annotated ``Path | str`` becomes a path only if the file exists or the text is clearly a
    path (it begins with ``.``, ``/`` or ``~``). In a list, each item is resolved.

    Args:
        cls: The class that a plugin offers.
        options: The options that the suite gives.
        owner: The plugin's name.
        file: The suite file, for messages and relative paths.
        location: The place of the options in the suite.
        name: The class's name in the suite, for messages; empty if no suite names it.
        others: Further keys that the suite may use in the same place, and that are not passed to the class.

    Raises:
        UsageError: An option is unknown, missing or of the wrong kind, or the class refuses it.
        PluginError: The class raised another exception.
    """
    model = options_model(cls, owner)
    try:
        checked = model.model_validate(dict(options))
    except ValidationError as error:
        first: dict[Location, tuple[Any, Location]] = {}
        for problem, place in problems(error, options):
            first.setdefault(place[:1], (problem, place))
        mistakes = Gathering()
        for problem, place in first.values():
            message = _message(problem, place, [*model.model_fields, *others])
            way = _way_out(str(place[0]), location, name) if problem["type"] == "missing" and name else ""
            mistakes.add(file.error(f"{message}{way}", (*location, *place)))
        raise mistakes.error() from None
    arguments = {}
    for name, field in model.model_fields.items():
        try:
            base = file.base((*location, name))
            arguments[f"{name}_" if keyword.iskeyword(name) else name] = resolve(
                getattr(checked, name), field.annotation, base
            )
        except ValueError as error:
            raise file.error(f"option {name!r}: {error}.", (*location, name)) from None
    arguments |= checked.model_extra or {}
    with blame(f"plugin {owner!r}: {cls.__name__}", PluginLoadError):
        try:
            return cls(**arguments)
        except RobustfimError as error:
            if getattr(error, "line", None) is not None:
                raise
            raise file.error(str(error), location) from error
        except ValueError as error:  # the ordinary way to refuse a value
            reason = f"{str(error).rstrip('.')}. So says {cls.__name__} of plugin {owner!r}."
            raise file.error(reason, location) from error


def _message(problem: Any, place: Location, known: list[str]) -> str:
    """Say what pydantic refuses of one option."""
    key, where = str(place[0]), shown_place(place)
    if problem["type"] not in (*UNKNOWN, "missing"):
        return refusal(problem, f"option {where!r}")
    if len(place) > 1:
        return f"{'missing' if problem['type'] == 'missing' else 'unknown'} key {where!r}."
    if problem["type"] == "missing":
        return f"the option {shown(key)} is missing."
    return f"unknown option {shown(key)}.{suggestions(key, known, 'Known')}"


def _way_out(key: str, location: Location, name: str) -> str:
    """Say how an option is given that is missing."""
    place = f"--{location[0]} {key}" if location in (("model",), ("data",)) else f"-o {shown_place((*location, key))}"
    return f" Write '{key}: …' beside '{name}', or {place}=…; 'robustfim plugins {name}' says what it takes."


def resolve(value: Any, annotation: Any, base: Path) -> Any:
    """Resolve the value of an option relative to a folder, if the option takes a path.

    Returns:
        The path for an annotation ``Path``; for ``Path | str`` only if the file exists or the text is clearly a path;
        else the unchanged value.

    Raises:
        ValueError: No file can have such a name.
    """
    if typing.get_origin(annotation) is list and isinstance(value, list):
        return [resolve(each, typing.get_args(annotation)[0], base) for each in value]
    choices = typing.get_args(annotation) if _is_union(annotation) else (annotation,)
    if Path not in choices or value is None or not isinstance(value, Path | str):
        return value
    if any(len(os.fsencode(part)) > LONGEST_NAME for part in Path(value).parts):
        raise ValueError(f"{shown(str(value))} is no path: a name in it is longer than {LONGEST_NAME} bytes")
    path = Path(value).expanduser()
    path = path if path.is_absolute() else base / path
    if str in choices and not (path.exists() or str(value).startswith((".", "/", "~"))):
        return str(value)
    return path


def _option(argument: str) -> str:
    """Name the option of an argument: ``from`` for ``from_``."""
    bare = argument.removesuffix("_")
    return bare if keyword.iskeyword(bare) else argument


def _is_union(annotation: Any) -> bool:
    return typing.get_origin(annotation) in (typing.Union, types.UnionType)
