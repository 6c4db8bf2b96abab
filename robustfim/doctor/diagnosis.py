"""A diagnosis: one thing that was looked at, whether it is well, and what to do if it is not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any, Literal

from rich.console import Console
from rich.table import Table
from rich.text import Text

from robustfim.terminal.console import print_command, print_line
from robustfim.terminal.printable import printable

__all__ = ["Diagnosis", "print_diagnoses"]

_STYLES = {"ok": "green", "note": "yellow", "problem": "bold red"}


@dataclass(frozen=True)
class Diagnosis:
    """What was found of one thing.

    Attributes:
        section: What it belongs to: ``plugins``, ``libraries``, ``labels`` …
        name: What was looked at.
        state: ``ok``; ``note`` for what may matter; ``problem`` for what keeps something from working.
        message: What was found, in one sentence.
        remedy: Commands or lines of a suite that change it, to be copied whole.
        facts: The numbers behind the message, plain JSON values.
    """

    section: str
    name: str
    state: Literal["ok", "note", "problem"]
    message: str
    remedy: tuple[str, ...] = ()
    facts: Mapping[str, Any] = field(default_factory=dict)


def print_diagnoses(console: Console, diagnoses: Sequence[Diagnosis]) -> None:
    """Print diagnoses by section: as tables on a terminal, else as plain lines that are never broken.

    Args:
        console: Where to print.
        diagnoses: Those of a section stand together.
    """
    width = max((len(printable(each.name)) for each in diagnoses), default=0)
    for section, group in groupby(diagnoses, key=lambda each: each.section):
        console.print(Text(section, style="underline"))
        for each in group:
            state = Text(f"  {each.state:<8}", style=_STYLES[each.state])
            if console.file.isatty():
                table = Table(box=None, pad_edge=False, show_header=False, padding=(0, 2, 0, 0))
                table.add_column(no_wrap=True)
                table.add_column(no_wrap=True, min_width=width)
                table.add_column()
                table.add_row(state, Text(printable(each.name)), Text(printable(each.message)))
                console.print(table)
            else:
                line = state.append(f"  {printable(each.name):<{width}}  {printable(each.message)}")
                print_line(console, line)
            for remedy in each.remedy:
                print_command(console, f"        {remedy}")
        console.print()
    problems = [each for each in diagnoses if each.state == "problem"]
    told = f"{len(problems)} problem{'s' * (len(problems) > 1)}: {', '.join(each.name for each in problems)}"
    print_line(console, told if problems else "no problem found", "bold red" if problems else "green")
