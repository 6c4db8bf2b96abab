"""The options of experiments that run on a suite."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING, Any

import click

from robustfim.commands import COUNT, INPUT, Chosen, shared_options
from robustfim.session import prepare_folder
from robustfim_study.paper_files import require_pandas
from robustfim_study.study_output import finish_study

if TYPE_CHECKING:
    from robustfim.record import Study

__all__ = ["EXAMPLES", "experiment", "of_a_suite", "suite_study"]

EXAMPLES = click.option(
    "--examples",
    default=300,
    show_default=True,
    type=COUNT,
    metavar="N",
    help="Size of the random sample that is tested.",
)
"""The option ``--examples``."""


def of_a_suite(function: Callable[..., Study]) -> Callable[..., Any]:
    """Add the argument SUITE and the options that every experiment on a suite has.

    Args:
        function: The experiment. It gets the suite's path, and the options as ``chosen``, and returns its study.
    """
    shared = shared_options(
        *("model", "data", "override", "seed", "offline", "max_calls", "store", "reports", "plugins", "color"),
        reports={"help": "Folder of record and page."},
    )
    return click.argument("suite", type=INPUT)(shared(experiment(function)))


def experiment(function: Callable[..., Study]) -> Callable[..., None]:
    """Print the study that an experiment returns, and write its files; add the options for files.

    Args:
        function: The experiment. It gets the options as ``chosen``, and returns its study.
    """

    @click.option("--csv", "as_csv", is_flag=True, help="Write each table, and the points of each figure, as CSV, too.")
    @click.option("--latex", is_flag=True, callback=require_pandas, help="Write each table as LaTeX (booktabs), too.")
    @wraps(function)
    def finished(chosen: Chosen, as_csv: bool, latex: bool, **given: Any) -> None:
        prepare_folder(chosen.reports)
        started = datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
        study = function(chosen=chosen, **given).model_copy(update={"started": started})
        finish_study(chosen.console(), study, chosen.reports, as_csv=as_csv, latex=latex)

    return finished


def suite_study(name: str, example: str) -> Callable[[Callable[..., Study]], click.Command]:
    """Make a command for a plugin's study on a suite, with the argument SUITE and the options of model and data.

    Args:
        name: The name under ``robustfim study``.
        example: A command line without ``robustfim``.

    Returns:
        A decorator. The decorated function gets the suite's path, its own options, and the shared options as
        ``chosen``; it returns its study.
    """
    shared = shared_options("model", "data", "override", "seed", "offline", "max_calls", "store", "plugins")

    def made(function: Callable[..., Study]) -> click.Command:
        with_suite = click.argument("suite", type=INPUT)(shared(function))
        return click.command(name=name, epilog=f"Example: robustfim {example}")(with_suite)

    return made
