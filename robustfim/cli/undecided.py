"""The options ``--undecided`` and ``--strict``: what an undecided run comes to."""

from __future__ import annotations

import click

from robustfim.errors import UsageError
from robustfim.outcome import Undecided

__all__ = ["strict_option", "undecided_of", "undecided_option"]

undecided_option = click.option(
    "--undecided",
    type=click.Choice(["fail", "pass"]),
    help="Whether what is neither proved nor refuted fails (exit code 1) or passes (0); its exit code is 6 otherwise.",
)
"""The option ``--undecided``."""

strict_option = click.option("--strict", is_flag=True, help="The same as '--undecided fail'.")
"""The option ``--strict``."""


def undecided_of(strict: bool, undecided: Undecided | None) -> Undecided | None:
    """Join the two options.

    Args:
        strict: ``--strict``.
        undecided: ``--undecided``; None where it is not given.

    Raises:
        UsageError: They contradict each other.
    """
    if strict and undecided == "pass":
        raise UsageError("'--strict' is '--undecided fail', and '--undecided pass' says the contrary: leave one out.")
    return "fail" if strict else undecided
