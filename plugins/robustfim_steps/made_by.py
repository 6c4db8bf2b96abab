"""The command that made a model, for the model card, without the folders of the machine."""

from __future__ import annotations

import shlex
from collections.abc import Container, Sequence
from pathlib import Path, PurePath

import click

__all__ = ["command_line", "shown"]


def shown(text: str | Path) -> str:
    """Return the last component of an absolute path, also after ``KEY=``, and any other text unchanged.

    >>> shown("/srv/me/train.csv"), shown("path=/srv/me/train.csv"), shown("data/train.csv")
    ('train.csv', 'path=train.csv', 'data/train.csv')
    """
    if isinstance(text, Path):
        text = text.as_posix()
    key, equals, rest = ("", "", text) if PurePath(text).is_absolute() else text.partition("=")
    return f"{key}{equals}{PurePath(rest).name}" if PurePath(rest).is_absolute() else text


def command_line(start: Sequence[str], hidden: Container[str]) -> str:
    """Write down the current command as it was given, without defaults.

    Args:
        start: The words before the options.
        hidden: The names of parameters that are left out.
    """
    context, parts = click.get_current_context(), [*start]
    for option in context.command.params:
        value = context.params.get(str(option.name))
        if option.name not in hidden and value is not None and value != option.default:
            for each in value if isinstance(value, tuple) else (value,):
                parts += [option.opts[0], shown(each if isinstance(each, Path) else str(each))]
    return shlex.join(parts)
