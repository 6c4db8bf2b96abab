"""The options of experiments on a suite."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from robustfim.cli.group import chosen_plugins, plugin_option
from robustfim_study.group import COLOUR, REPORTS

if TYPE_CHECKING:
    from robustfim.suite.config import RunOptions

__all__ = ["EXAMPLES", "of_a_suite", "run_options", "suite_arguments"]

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
        function: The experiment; it is given the context, and the options by name.
    """
    for decorate in reversed(
        (
            click.argument("suite", type=click.Path(path_type=Path)),
            click.option("--model", multiple=True, metavar="KEY=VALUE", help="Another model, or an option of it."),
            click.option("--data", multiple=True, metavar="KEY=VALUE", help="Other data, or an option of it."),
            click.option("-o", "override", multiple=True, metavar="KEY=VALUE", help="Any other key of the suite."),
            click.option("--seed", type=int, help="Another seed than the suite's."),
            click.option("--offline", is_flag=True, help="Fetch nothing from any hub."),
            click.option("--max-calls", type=click.IntRange(min=1), metavar="N",
                         help="Send at most N texts to the model."),
            click.option("--store", type=click.Path(path_type=Path), default=Path(".robustfim/store.sqlite"),
                         show_default=True, help="File of the prediction store."),
            click.option("--no-store", is_flag=True, help="Keep nothing on disk between runs."),
            REPORTS,
            plugin_option,
            COLOUR,
            click.pass_context,
        )
    ):  # fmt: skip
        function = decorate(function)
    return function


def run_options(given: dict[str, Any]) -> RunOptions:
    """Read the options of the run from those of the command.

    Args:
        given: The options by name.
    """
    from robustfim.suite.config import RunOptions

    return RunOptions(
        seed=given["seed"],
        offline=given["offline"],
        max_calls=given["max_calls"],
        store=None if given["no_store"] else given["store"],
    )


def suite_arguments(ctx: click.Context, given: dict[str, Any]) -> dict[str, Any]:
    """Read what opening the suite takes: plugins, options of the run, and what the command line lays over it.

    Args:
        ctx: The context of the command.
        given: The options by name.
    """
    overlays: dict[str, Sequence[str]] = {name: given[name] for name in ("model", "data", "override")}
    return {"plugins": chosen_plugins(ctx, given["plugins"]), "options": run_options(given), **overlays}
