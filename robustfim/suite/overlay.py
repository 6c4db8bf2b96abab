"""The overlay of a suite file: command-line values that replace values of the file."""

from __future__ import annotations

import re
from collections.abc import Sequence

from robustfim.suite.file import SuiteFile, parse_override

__all__ = ["lay_over"]

_NAME = re.compile(r"/?[\w.-]+(/[\w.-]+)*/?")


def lay_over(file: SuiteFile, model: Sequence[str], data: Sequence[str], override: Sequence[str] = ()) -> None:
    """Replace values of a suite by values that the command line gives.

    Args:
        file: The file; its data is changed.
        model: The values of ``--model KEY=VALUE``; a different ``use`` drops the suite's own model options. A bare name
            is the value of ``use``.
        data: The values of ``--data KEY=VALUE``, applied in the same way.
        override: The values of ``-o KEY=VALUE``, with dotted keys.

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
