"""A suite file as text: YAML read safely, with the line of every key."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from robustfim.errors import SuiteError, UsageError

__all__ = ["Location", "SuiteFile", "parse_override", "read_suite_file"]

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

_MOST_NODES = 100_000
_DEEPEST = 40


@dataclass
class SuiteFile:
    """The data of a suite file and where each part of it stands.

    Attributes:
        path: The file, as the user named it.
        data: The parsed mapping, with command-line overrides laid over it.
        lines: The line of each key and list item.
        overridden: The command-line option behind a location that was overridden.
    """

    path: Path
    data: dict[str, Any]
    lines: dict[Location, int] = field(default_factory=dict)
    overridden: dict[Location, str] = field(default_factory=dict)

    @property
    def folder(self) -> Path:
        """The folder that relative paths in the suite start from."""
        return self.path.parent

    def line(self, location: Location) -> int | None:
        """Return the line of a location, or of the nearest one around it."""
        while location:
            if location in self.lines:
                return self.lines[location]
            location = location[:-1]
        return None

    def base(self, location: Location) -> Path:
        """Return the folder that a relative path at a location starts from: the suite's, or the current one."""
        return Path() if self._option(location) else self.folder

    def error(self, message: str, location: Location = ()) -> SuiteError | UsageError:
        """Make the error that points at a location: a line of the file, or a command-line option."""
        option = self._option(location)
        if option:
            return UsageError(f"{option}: {message}")
        return SuiteError(message, path=str(self.path), line=self.line(location))

    def override(self, location: Location, value: Any, option: str) -> None:
        """Lay a command-line value over the file.

        Args:
            location: Where; mappings on the way are made, list items must exist.
            value: The new value.
            option: The command-line words that asked for it, for error messages.

        Raises:
            UsageError: The way leads through something that is neither a mapping nor an existing list item.
        """
        here: Any = self.data
        for key in location[:-1]:
            if isinstance(here, dict):
                if isinstance(here.get(key), str):  # shorthand: ``perturb: synonyms`` is ``perturb: {use: synonyms}``
                    here[key] = {"use": here[key]}
                here = here.setdefault(str(key), {})
            elif isinstance(here, list) and isinstance(key, int) and key < len(here):
                here = here[key]
            else:
                raise UsageError(f"{option}: there is no {'.'.join(map(str, location))!r} in {self.path}.")
        last = location[-1]
        if isinstance(here, dict):
            here[str(last)] = value
        elif isinstance(here, list) and isinstance(last, int) and last < len(here):
            here[last] = value
        else:
            raise UsageError(f"{option}: there is no {'.'.join(map(str, location))!r} in {self.path}.")
        self.overridden[location] = option

    def _option(self, location: Location) -> str | None:
        while location:
            if location in self.overridden:
                return self.overridden[location]
            location = location[:-1]
        return None


def read_suite_file(path: Path) -> SuiteFile:
    """Read a suite file.

    Args:
        path: A YAML file.

    Returns:
        Its data and lines.

    Raises:
        SuiteError: The file is missing, unreadable, no YAML mapping, or repeats a key.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise SuiteError("no such suite file.", path=str(path)) from None
    except IsADirectoryError:
        raise SuiteError("is a folder; name a suite file in it.", path=str(path)) from None
    except UnicodeDecodeError as error:
        raise SuiteError(f"is not UTF-8 text: byte {error.start} cannot be read.", path=str(path)) from None
    except OSError as error:
        raise SuiteError(f"cannot be read: {error.strerror}.", path=str(path)) from None
    loader = yaml.SafeLoader(text)
    try:
        node = loader.get_single_node()
        reader = _Reader(path, loader)
        data = {} if node is None else reader.read(node, ())
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        problem = getattr(error, "problem", None) or str(error)
        raise SuiteError(
            f"is not valid YAML: {problem}.", path=str(path), line=mark.line + 1 if mark else None
        ) from None
    finally:
        loader.dispose()
    if not isinstance(data, dict):
        raise SuiteError(f"a suite is a mapping of keys, not {_KINDS.get(type(data), 'this')}.", path=str(path), line=1)
    return SuiteFile(path, data, reader.lines if node is not None else {})


class _Reader:
    """Builds plain data from YAML nodes and notes lines on the way."""

    def __init__(self, path: Path, loader: yaml.SafeLoader) -> None:
        self._path, self._loader = path, loader
        self._nodes = 0
        self.lines: dict[Location, int] = {}

    def read(self, node: yaml.Node, location: Location) -> Any:
        self._nodes += 1
        line = node.start_mark.line + 1
        if self._nodes > _MOST_NODES or len(location) > _DEEPEST:
            raise SuiteError("is too large or too deeply nested for a suite.", path=str(self._path), line=line)
        self.lines.setdefault(location, line)
        if isinstance(node, yaml.MappingNode):
            return self._mapping(node, location)
        if isinstance(node, yaml.SequenceNode):
            return [self.read(item, (*location, index)) for index, item in enumerate(node.value)]
        return self._loader.construct_object(node)

    def _mapping(self, node: yaml.MappingNode, location: Location) -> dict[str, Any]:
        own: set[Hashable] = set()
        for key_node, _ in node.value:
            key = self._loader.construct_object(key_node)
            line = key_node.start_mark.line + 1
            if not isinstance(key, str):
                raise SuiteError(
                    f"the key {key_node.value!r} is not a text; put it in quotes.",
                    path=str(self._path),
                    line=line,
                )
            if key in own:
                raise SuiteError(f"the key {key!r} stands twice.", path=str(self._path), line=line)
            own.add(key)
        self._loader.flatten_mapping(node)
        result: dict[str, Any] = {}
        for key_node, value_node in node.value:
            key = str(key_node.value)
            here = (*location, key)
            self.lines[here] = key_node.start_mark.line + 1
            result[key] = self.read(value_node, here)
        return result


def parse_override(text: str, option: str) -> tuple[Location, Any]:
    """Read ``checks.synonyms.limit=0.2`` as a location and a value.

    Args:
        text: Key and value around the first ``=``; dots in the key go down, numbers are list items.
        option: The option that carries it, for the message.

    Returns:
        The location, and the value read as YAML (so ``0.2`` is a number and ``[a, b]`` a list).

    Raises:
        UsageError: There is no ``=``, or the value is no YAML.
    """
    key, equals, raw = text.partition("=")
    if not equals or not key.strip():
        raise UsageError(f"{option} {text!r}: write it as KEY=VALUE, for example {option} use=reference/cnn.")
    try:
        value = yaml.safe_load(raw)
    except yaml.YAMLError:
        raise UsageError(f"{option} {text!r}: the value is not valid YAML; put it in quotes.") from None
    return tuple(int(part) if part.isdigit() else part for part in key.strip().split(".")), value


def as_plain(data: Mapping[str, Any]) -> dict[str, Any]:
    """Copy options into plain JSON values for the record: paths become text, everything else must be plain already."""
    return {key: _plain(value) for key, value in data.items()}


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return value if value is None or isinstance(value, bool | int | float | str) else str(value)
