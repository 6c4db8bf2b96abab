"""A diagnosis: the state of one thing, and a remedy if there is a problem."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any, Literal

from rich.console import Console
from rich.table import Table
from rich.text import Text

from robustfim.commands import print_command, print_line, printable
from robustfim.record import hide_secrets

__all__ = ["OF_THE_RUN", "Diagnosis", "print_diagnoses"]

_STYLES = {"ok": "green", "note": "yellow", "problem": "bold red"}


@dataclass(frozen=True)
class Diagnosis:
    """A finding about one part of an installation, model or data set, such as a library or a label.

    Attributes:
        section: The section of the output: ``plugins``, ``libraries``, ``labels`` …
        name: The name of the thing.
        state: ``ok``; ``note`` if it may matter; ``problem`` if it prevents something from working.
        message: The state in one sentence.
        remedy: Commands, or lines of a suite, that fix the problem, to be copied whole.
        facts: The numbers behind the message, plain JSON values.
    """

    section: str
    name: str
    state: Literal["ok", "note", "problem"]
    message: str
    remedy: tuple[str, ...] = ()
    facts: Mapping[str, Any] = field(default_factory=dict)


OF_THE_RUN = "model and data"
"""The section of what a run would load; all others are of the installation."""


def print_diagnoses(console: Console, diagnoses: Sequence[Diagnosis], *, folded: bool = False) -> None:
    """Print diagnoses by section: as tables on a terminal, otherwise as lines that are never wrapped.

    Args:
        console: Where to print.
        diagnoses: The diagnoses; diagnoses of a section follow one another.
        folded: Whether problems come first, and diagnoses of the installation without a problem are only counted.
    """
    problems = [diagnosis for diagnosis in diagnoses if diagnosis.state == "problem"]
    of_the_run = [diagnosis for diagnosis in diagnoses if diagnosis.section == OF_THE_RUN]
    first = [problem for problem in problems if problem.section != OF_THE_RUN] if folded else []
    _print_sections(console, [*first, *of_the_run] if folded else diagnoses)
    if folded:
        rest = [
            diagnosis for diagnosis in diagnoses if diagnosis.state != "problem" and diagnosis.section != OF_THE_RUN
        ]
        _print_numbers(console, rest)
    notes = [diagnosis for diagnosis in of_the_run if diagnosis.state == "note"]
    if problems:
        print_line(console, _listed("problem", problems), "bold red")
    else:
        beside = f", {_listed('note', notes)}" if notes else ""
        print_line(console, f"no problem found{beside}", "yellow" if notes else "green")


def _listed(kind: str, diagnoses: Sequence[Diagnosis]) -> str:
    return (
        f"{len(diagnoses)} {kind}{'s' * (len(diagnoses) > 1)}: {', '.join(diagnosis.name for diagnosis in diagnoses)}"
    )


def _print_numbers(console: Console, diagnoses: Sequence[Diagnosis]) -> None:
    """Print how many things of each section are well, and how many may matter."""
    for state, begin in (("ok", "well"), ("note", "notes")):
        numbers = Counter(diagnosis.section for diagnosis in diagnoses if diagnosis.state == state)
        if numbers:
            counted = ", ".join(f"{number} of {section}" for section, number in numbers.items())
            print_line(console, f"{begin}: {counted} (-v lists them)", "dim")


def _print_sections(console: Console, diagnoses: Sequence[Diagnosis]) -> None:
    width = max((len(printable(diagnosis.name)) for diagnosis in diagnoses), default=0)
    for section, group in groupby(diagnoses, key=lambda diagnosis: diagnosis.section):
        console.print(Text(section, style="underline"))
        for diagnosis in group:
            state = Text(f"  {diagnosis.state:<8}", style=_STYLES[diagnosis.state])
            table = Table(box=None, pad_edge=False, show_header=False, padding=(0, 2, 0, 0))
            table.add_column(no_wrap=True)
            table.add_column(no_wrap=True, min_width=width)
            table.add_column()
            table.add_row(state, Text(printable(diagnosis.name)), Text(printable(hide_secrets(diagnosis.message))))
            console.print(table)
            for remedy in diagnosis.remedy:
                print_command(console, f"        {remedy}")
        console.print()
