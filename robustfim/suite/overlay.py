"""The overlay: values of the command line that replace values of a suite file."""

from __future__ import annotations

import re
from collections.abc import Sequence

from robustfim.suite.file import SuiteFile, parse_override

__all__ = ["lay_over"]

_NAME = re.compile(r"/?[\w.-]+(/[\w.-]+)*/?")


def lay_over(file: SuiteFile, model: Sequence[str], data: Sequence[str], override: Sequence[str] = ()) -> None:
    """Apply the command line to a suite file.

    Args:
        file: The file; its data is changed.
        model: ``--model KEY=VALUE``; another ``use`` drops the suite's own model options. A bare name is the value of
            ``use``.
        data: ``--data KEY=VALUE``, in the same way.
        override: ``-o KEY=VALUE``, with a dotted key.

    Raises:
        UsageError: An option is not ``KEY=VALUE``, or names no place in the suite.
    """
    for part, values, option in (("model", model, "--model"), ("data", data, "--data")):
        named = [f"use={value}" if _NAME.fullmatch(value) else value for value in values]
        pairs = [(value, *parse_override(value, option)) for value in named]
        if any(location == ("use",) for _, location, _ in pairs):
            file.override((part,), {}, option)
        for text, location, value in pairs:
            file.override((part, *location), value, f"{option} {text}")
    for text in override:
        location, value = parse_override(text, "-o")
        file.override(location, value, f"-o {text}")
