"""Privacy: remove the paths of this machine and the secrets of its user from a record, so that you can share it."""

from __future__ import annotations

import os
import re
import shlex
import sys
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from robustfim.errors import working_folder
from robustfim.record.format import Record
from robustfim.record.secrets import hide_secrets, public_text, public_value

__all__ = ["private_text", "private_value", "shareable", "short_path"]

_PATH = re.compile(r"(?<![\w.:/~\-])/[^\s'\"`,;:()<>\[\]{}|]+")
"""An absolute path within a text; the host of an address (``https://…``) does not match."""

_COMMAND = "robustfim run"


def short_path(path: str) -> str:
    """Shorten an absolute path, so that it names no folder that is specific to this machine.

    Returns:
        The path relative to the working folder, if that folder contains the path; else relative to the folder from
        which Python imports the file (``torch/nn/functional.py``); else the file name. A relative path is unchanged.
    """
    if not Path(path).is_absolute():
        return path
    here = working_folder()
    # The deepest folder of sys.path first: site-packages lies below the standard library.
    roots = [str(here), os.path.realpath(here), *sorted(sys.path, key=len, reverse=True)]
    for root in roots:
        if len(Path(root).parts) > 1 and Path(path).is_relative_to(root):
            return Path(path).relative_to(root).as_posix()
    return Path(path).name


def private_text(text: str) -> str:
    """Remove absolute paths and the values of secret environment variables from a text.

    Returns:
        The text with paths of this machine shortened by :func:`short_path`, and without secrets, as by
        :func:`robustfim.record.secrets.public_text`.
    """
    return _short_paths(public_text(text))


def _short_paths(text: str) -> str:
    if "/" not in text:
        return text
    for root in {str(Path.home()), str(working_folder()), os.path.realpath(working_folder())}:
        if " " in root:  # the pattern below ends a path at a blank
            text = text.replace(root + "/", "")
    return _PATH.sub(lambda found: short_path(found[0]) if _is_here(found[0]) else found[0], text)


def _is_here(path: str) -> bool:
    """Whether a path begins with a folder that this machine has: ``/data/0/label`` may point into JSON instead."""
    return os.path.exists(Path(*Path(path).parts[:2]))  # noqa: PTH110  # Path.exists raises where a name is too long


def private_value(value: Any) -> Any:
    """Remove absolute paths and secrets from the options of a suite.

    Returns:
        The options with :func:`private_text` applied to each text, and without secrets, as by
        :func:`robustfim.record.secrets.public_value`.
    """
    return _without_paths(public_value(value))


def _without_paths(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _without_paths(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_without_paths(item) for item in value]
    if not isinstance(value, str):
        return value
    absolute = os.path.isabs(value)  # noqa: PTH117  # thousands of Paths of texts take longer than the run
    return short_path(value) if absolute and _is_here(value) else _short_paths(value)


def shareable(record: Record) -> Record:
    """Remove private data from the options, messages, tracebacks and command lines of a record.

    Returns:
        The record for reports; the texts and labels of the examples are unchanged.
    """
    text, value = private_text, private_value
    command = cache(_private_command)  # only the example differs among thousands of them
    texts = ("message", "traceback")
    set_up = ("perturbation", "constraints", "expectation", "fails")
    return record.model_copy(
        update={
            "path": short_path(record.path),
            "command": command(record.command),
            "message": text(record.message),
            "warnings": [text(warning) for warning in record.warnings],
            "attribution": record.attribution
            and record.attribution.model_copy(update={"message": text(record.attribution.message)}),
            "model": record.model.model_copy(
                update={
                    "options": value(record.model.options),
                    "fingerprint": record.model.fingerprint
                    and hide_secrets(record.model.fingerprint),  # a plugin may make it of its options
                }
            ),
            "data": record.data.model_copy(update={"options": value(record.data.options)}),
            "scores": [score.model_copy(update={"message": text(score.message)}) for score in record.scores],
            "checks": [
                check.model_copy(
                    update={name: text(getattr(check, name)) for name in texts}
                    | {name: value(getattr(check, name)) for name in set_up}
                    | {"capability": check.capability and text(check.capability)}
                )
                for check in record.checks
            ],
            "failures": [
                failure.model_copy(
                    update={"reproduce": failure.example.join(map(command, failure.reproduce.split(failure.example)))}
                )
                if failure.reproduce.startswith(_COMMAND)
                else failure  # a call of a script, which holds names and ids alone
                for failure in record.failures
            ],
        }
    )


def _private_command(part: str) -> str:
    """Take what is private out of a part of a command line, word by word."""
    begin, end = part[: len(part) - len(part.lstrip())], part[len(part.rstrip()) :]
    return begin + shlex.join(map(private_text, shlex.split(part))) + end
