"""A suite before validation: safely read YAML with the line of every key, or values from a script."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from robustfim.blame import blame
from robustfim.errors import SuiteError, UsageError, shown, shown_place

__all__ = ["SCRIPT", "Location", "SuiteFile", "as_plain", "copied", "parse_override", "read_suite_file", "written"]

_KINDS = {
    dict: "a mapping",
    list: "a list",
    str: "a text",
    int: "a number",
    float: "a number",
    bool: "true/false",
}

Location = tuple[str | int, ...]
"""A place in the suite: ``("checks", "synonyms", "limit")``."""

_MOST_BYTES = 2 * 2**20
_MOST_NODES = 100_000
_DEEPEST = 40
_TOO_LARGE = "is too large or too deeply nested for a suite."
_TAG = "tag:yaml.org,2002:"
_PLAIN = {_TAG + kind for kind in ("str", "int", "float", "bool", "null", "timestamp")}


SCRIPT = ""
"""Stands for the option if a script overrides a suite: messages then name the key itself."""


@dataclass
class SuiteFile:
    """The content of a suite file before validation, with the line of each value.

    Attributes:
        path: The file, as the user named it; the suite's name if a script made the suite.
        data: The mapping, with the overrides of the command line or a script applied.
        lines: The line of each key and list item.
        overridden: The command-line option behind each overridden location; ``""`` for a script.
    """

    path: Path
    data: dict[str, Any]
    lines: dict[Location, int] = field(default_factory=dict)
    overridden: dict[Location, str] = field(default_factory=dict)
    here: Path = field(default_factory=Path.cwd)
    """The folder in which the run began, since a model may change the current folder."""

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> SuiteFile:
        """Make a suite from the values of a script, without any file.

        Args:
            data: The content of a suite file; an object may be given instead of a name.
        """
        plain = copied(data)
        name = plain.get("suite")
        return cls(Path(name if isinstance(name, str) and name else "suite"), plain, {}, {(): SCRIPT})

    @property
    def from_script(self) -> bool:
        """Whether a script made or changed the suite, so that no command line can repeat the run."""
        return SCRIPT in self.overridden.values()

    @property
    def folder(self) -> Path:
        """The folder to which relative paths in the suite refer."""
        return self.here / self.path.parent

    def line(self, location: Location) -> int | None:
        """Return the line of a location, or of the nearest enclosing location with a line."""
        while location:
            if location in self.lines:
                return self.lines[location]
            location = location[:-1]
        return self.lines.get(())

    def base(self, location: Location) -> Path:
        """Return the folder to which a relative path at a location refers: the suite's or the current folder."""
        return self.folder if self._option(location) is None else self.here

    def error(self, message: str, location: Location = ()) -> SuiteError | UsageError:
        """Return an error whose message names the location: a line of the file, an option, or the key of a script."""
        option = self._option(location)
        if option is None:
            return SuiteError(message, path=str(self.path), line=self.line(location))
        if option:
            return UsageError(f"{option}: {message}")
        place = shown_place(written(location, self.data))
        if not place or message.startswith(place):
            return SuiteError(message)
        return SuiteError(f"{place}: {message}")

    def override(self, location: Location, value: Any, option: str) -> None:
        """Replace a value of the file by a command-line value.

        Args:
            location: The place; missing mappings are made, list items must exist.
            value: The new value.
            option: The command-line words with the value, for error messages; ``""`` for a script.

        Raises:
            UsageError: The location leads through something that is neither a mapping nor an existing list item, or
                the value contains itself.
        """
        here: Any = self.data
        value = copied(value)
        way: list[str | int] = []
        for depth, key in enumerate(location, start=1):
            if isinstance(here, dict):
                way.append(str(key))
                here.setdefault(way[-1], None)
            elif isinstance(here, list) and isinstance(key, int) and key < len(here):
                way.append(key)
            else:
                begin = f"{option}: " if option else ""
                raise UsageError(f"{begin}there is no {shown_place(location)!r} in {self.path}.")
            if depth == len(location):
                here[way[-1]] = value
            elif here[way[-1]] is None:
                here[way[-1]] = {}
            elif isinstance(here[way[-1]], str):  # shorthand: ``perturb: synonyms`` is ``perturb: {use: synonyms}``
                here[way[-1]] = {"use": here[way[-1]]}
            here = here[way[-1]]
        self.overridden[tuple(way)] = option

    def _option(self, location: Location) -> str | None:
        """The option behind a location or what is around it, else behind a part of it."""
        for length in range(len(location), -1, -1):
            if location[:length] in self.overridden:
                return self.overridden[location[:length]]
        parts = (option for place, option in self.overridden.items() if place[: len(location)] == location)
        return next(parts, None) if location else None


def read_suite_file(path: Path) -> SuiteFile:
    """Read a suite file.

    Raises:
        SuiteError: The file is missing, unreadable, not a YAML mapping, or repeats a key.
    """
    try:
        with path.open("rb") as stream:
            raw = stream.read(_MOST_BYTES + 1)
        if len(raw) > _MOST_BYTES:  # before it is parsed: that takes a second for each of its megabytes
            raise SuiteError(_TOO_LARGE, path=str(path))
        text = raw.decode("utf-8")
    except FileNotFoundError:
        raise SuiteError("no such suite file. 'robustfim scan --write FILE' writes one.", path=str(path)) from None
    except IsADirectoryError:
        raise SuiteError("is a folder; name a suite file in it.", path=str(path)) from None
    except UnicodeDecodeError as error:
        raise SuiteError(f"is not UTF-8 text: byte {error.start} cannot be read.", path=str(path)) from None
    except OSError as error:
        raise SuiteError(f"cannot be read: {error.strerror}.", path=str(path)) from None
    reader = _Reader(path)
    try:
        node = _composed(text)
        data = {} if node is None else reader.read(node, ())
    except RecursionError:
        raise SuiteError(_TOO_LARGE, path=str(path)) from None
    except yaml.reader.ReaderError as error:
        line = text.count("\n", 0, error.position) + 1
        raise SuiteError(f"holds the control character U+{error.character:04X}.", path=str(path), line=line) from None
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        problem = f"{error.context}, {error.problem}" if "document" in str(error.context) else error.problem
        raise SuiteError(
            f"is not valid YAML: {problem}.", path=str(path), line=mark.line + 1 if mark else None
        ) from None
    if not isinstance(data, dict):
        raise SuiteError(f"a suite is a mapping of keys, not {_KINDS.get(type(data), 'this')}.", path=str(path), line=1)
    if isinstance(data.get("schema"), int) and "summary" in data:
        raise SuiteError("is the record of a run, not a suite; 'robustfim report' shows one.", path=str(path))
    return SuiteFile(path, data, reader.lines)


class _Loader(yaml.SafeLoader):
    """Parses with libyaml, eight times as fast, but composes with PyYAML, since libyaml crashes on deep nesting."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        if yaml.__with_libyaml__:
            parser = yaml.CSafeLoader(text)
            for name in ("check_event", "get_event", "peek_event"):
                setattr(self, name, getattr(parser, name))


def _composed(text: str) -> yaml.Node | None:
    with suppress(yaml.YAMLError):
        return yaml.compose(text, _Loader)
    return yaml.compose(text, yaml.SafeLoader)  # whose messages say more


class _Reader:
    """Builds plain data from YAML nodes and notes lines on the way."""

    def __init__(self, path: Path) -> None:
        self._path, self._scalars = path, yaml.SafeLoader("")
        self._nodes = self._depth = 0
        self.lines: dict[Location, int] = {}

    def read(self, node: yaml.Node, location: Location) -> Any:
        self._nodes += 1
        self._depth += 1  # more than the location's length: a merge goes down without a key
        if self._nodes > _MOST_NODES or self._depth > _DEEPEST:
            raise self._error(_TOO_LARGE, node)
        try:
            return self._value(node, location)
        finally:
            self._depth -= 1

    def _value(self, node: yaml.Node, location: Location) -> Any:
        self.lines.setdefault(location, node.start_mark.line + 1)
        if isinstance(node, yaml.MappingNode) and node.tag == _TAG + "map":
            return self._mapping(node, location)
        if isinstance(node, yaml.SequenceNode) and node.tag == _TAG + "seq":
            return [self.read(item, (*location, index)) for index, item in enumerate(node.value)]
        if not isinstance(node, yaml.ScalarNode) or node.tag not in _PLAIN:
            tag = node.tag.replace(_TAG, "!!")
            raise self._error(
                f"the tag {shown(tag)} is not allowed: a suite is texts, numbers, lists and mappings.", node
            )
        try:
            return self._scalars.construct_object(node)
        except ValueError as error:  # 2024-99-99 looks like a date
            raise self._error(f"{shown(node.value)} cannot be read: {error}; put it in quotes.", node) from None
        except (LookupError, AttributeError, TypeError, ArithmeticError):  # !!bool x
            kind = node.tag.removeprefix(_TAG)
            raise self._error(f"{shown(node.value)} cannot be read as {kind}; put it in quotes.", node) from None

    def _error(self, message: str, node: yaml.Node) -> SuiteError:
        return SuiteError(message, path=str(self._path), line=node.start_mark.line + 1)

    def _mapping(self, node: yaml.MappingNode, location: Location) -> dict[str, Any]:
        result: dict[str, Any] = {}
        seen: set[str] = set()
        for source in reversed([each for key, value in node.value if _is_merge(key) for each in _sources(value)]):
            if not isinstance(source, yaml.MappingNode):
                raise self._error("'<<' takes a mapping, or a list of mappings.", source)
            result |= self.read(source, location)
        for key_node, value_node in node.value:
            if _is_merge(key_node):
                continue
            key = key_node.value
            if not isinstance(key, str):
                raise self._error("a list or a mapping cannot be a key.", key_node)
            if (
                key_node.tag == _TAG + "null"
            ):  # any other is its text: labels can be 0 and no, which YAML 1.1 takes for false
                raise self._error(f"the key {shown(key)} is not a text; put it in quotes.", key_node)
            if key in seen:
                raise self._error(f"the key {shown(key)} stands twice.", key_node)
            seen.add(key)
            here = (*location, key)
            self.lines[here] = key_node.start_mark.line + 1
            result[key] = self.read(value_node, here)
        return result


def _is_merge(key: yaml.Node) -> bool:
    return bool(key.tag == _TAG + "merge")


def _sources(value: yaml.Node) -> list[yaml.Node]:
    return list(value.value) if isinstance(value, yaml.SequenceNode) else [value]


def written(place: Iterable[str | int], data: Any) -> Location:
    """Convert the location in a pydantic error, which may name types, to a location in the validated data.

    Args:
        place: Keys, list items, and names of the types of a union.
        data: The data that was validated.

    Returns:
        The location in the data.
    """
    existing: list[str | int] = []
    for part in place:
        known = dict(enumerate(data)) if isinstance(data, list) else data
        if isinstance(known, Mapping) and part in known:
            existing.append(part)
            data = known[part]
    return tuple(existing)


def parse_override(text: str, option: str) -> tuple[Location, Any]:
    """Split an override of the command line, ``checks.synonyms.limit=0.2``, into a location and a value.

    Args:
        text: Key and value around the first ``=``; dots in the key separate levels, numbers are list items.
        option: The command-line option with this text, for the message.

    Returns:
        The location, and the value read as YAML (so ``0.2`` is a number and ``[a, b]`` a list).

    Raises:
        UsageError: There is no ``=``, or the value is not YAML.
    """
    key, equals, raw = text.partition("=")
    if not equals or not key.strip():
        raise UsageError(f"{option} {text!r}: write it as KEY=VALUE, for example {option} use=reference/cnn.")
    if key.strip() == "use" and "=" in raw:
        apart = " ".join(f"{option} {each.strip()}" for each in text.split(","))
        raise UsageError(f"{option} {text!r}: each KEY=VALUE is an option of its own: {apart}.")
    try:
        node = _composed(raw)
        value = None if node is None else _Reader(Path(option)).read(node, ())
    except (yaml.YAMLError, SuiteError, RecursionError):  # 2024-99-99 looks like a date and is none
        raise UsageError(f"{option} {shown(text)}: the value is not valid YAML; put it in quotes.") from None
    return tuple(int(part) if part.isdecimal() else part for part in key.strip().split(".")), value


def copied(value: Any, depth: int = 0) -> Any:
    """Return a deep copy of mappings and lists, which may be changed; tuples become lists.

    Raises:
        SuiteError: The value is nested too deeply, or contains itself.
    """
    if depth > _DEEPEST:
        raise SuiteError(f"what a script gives {_TOO_LARGE} Does a mapping or a list hold itself?")
    if isinstance(value, Mapping):
        with blame("a mapping that a script gives", SuiteError, did="cannot be read:"):
            return {_plain_number(key): copied(each, depth + 1) for key, each in value.items()}
    value = _plain_number(value)
    return [copied(each, depth + 1) for each in value] if isinstance(value, list | tuple) else value


def _plain_number(value: Any) -> Any:
    return value.tolist() if type(value).__module__ == "numpy" else value  # also an array of them


def as_plain(data: Mapping[str, Any]) -> dict[str, Any]:
    """Copy options into plain JSON values for the record: paths become text; all other values must be JSON values."""
    return {key: _plain(value) for key, value in data.items()}


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return value if value is None or isinstance(value, bool | int | float | str) else str(value)
