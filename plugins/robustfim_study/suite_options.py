"""The options of experiments on a suite."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from robustfim.commands import shared_options

__all__ = ["EXAMPLES", "of_a_suite"]

EXAMPLES = click.option(
    "--examples",
    default=300,
    show_default=True,
    type=click.IntRange(min=1),
    metavar="N",
    help="Size of the random sample that is tested.",
)
"""The option ``--examples``."""


def of_a_suite(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add the argument SUITE and the options that every experiment on a suite has.

    Args:
        function: The experiment; it is given the suite's path, and the options as ``chosen``.
    """
    shared = shared_options(
        *("model", "data", "override", "seed", "offline", "max_calls", "store", "reports", "plugins", "color"),
        reports={"help": "Folder of record and page."},
    )
    return click.argument("suite", type=click.Path(path_type=Path))(shared(function))
