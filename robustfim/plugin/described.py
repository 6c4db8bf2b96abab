"""The docstring of a plugin's class as plain text: the meaning of each option."""

from __future__ import annotations

import re

from docstring_parser.google import parse

__all__ = ["meanings", "plain"]

_MARKUP = re.compile(r":\w+:`~?([^`]*)`|``([^`]*)``|`([^`]*)`")


def meanings(cls: type[object]) -> dict[str, str]:
    """Return the description of each option of a class, from the docstrings of the class and its base classes."""
    return {
        parameter.arg_name.removesuffix("_"): plain(parameter.description or "")
        for base in reversed(cls.__mro__[:-1])
        for parameter in parse(base.__doc__ or "").params
        if parameter.args[0] == "param"
    }


def plain(text: str) -> str:
    """Join lines, and remove reStructuredText markup."""
    return _MARKUP.sub(lambda mark: next(group for group in mark.groups() if group is not None), " ".join(text.split()))
