"""Docstrings in Google's form, read for the catalogue: what a class is, and what each of its options means."""

from __future__ import annotations

import inspect
import re
from dataclasses import dataclass

__all__ = ["Docstring", "read_docstring"]

_SECTION = re.compile(r"^(Args|Attributes|Returns|Raises|Yields|Example|Examples|Note):$")
_ARGUMENT = re.compile(r"^(\w+)(?: \([^)]*\))?: (.*)$")
_MARKUP = re.compile(r":\w+:`~?([^`]*)`|``([^`]*)``|`([^`]*)`")


@dataclass(frozen=True)
class Docstring:
    """The parts of a docstring, as plain text without line breaks of their own.

    Attributes:
        paragraphs: What stands before the first section.
        arguments: Name to meaning, from ``Args``.
    """

    paragraphs: tuple[str, ...]
    arguments: dict[str, str]


def read_docstring(owner: object) -> Docstring:
    """Read the docstring of a class or function.

    Args:
        owner: The class or function.

    Returns:
        Its parts; empty ones where it has no docstring.
    """
    paragraphs: list[list[str]] = [[]]
    arguments: dict[str, list[str]] = {}
    section, name = "", ""
    for line in (inspect.getdoc(owner) or "").splitlines():
        heading = _SECTION.match(line)
        if heading:
            section, name = heading[1], ""
        elif not section:
            if line.strip():
                paragraphs[-1].append(line.strip())
            else:
                paragraphs.append([])
        elif section == "Args" and line.strip():
            found = _ARGUMENT.match(line.strip())
            if found and len(line) - len(line.lstrip()) <= 4:
                name = found[1]
                arguments[name] = [found[2]]
            elif name:
                arguments[name].append(line.strip())
    return Docstring(
        tuple(_plain(lines) for lines in paragraphs if lines),
        {each: _plain(lines) for each, lines in arguments.items()},
    )


def _plain(lines: list[str]) -> str:
    """Join lines, and take reStructuredText's marks away."""
    return _MARKUP.sub(lambda mark: next(each for each in mark.groups() if each is not None), " ".join(lines))
