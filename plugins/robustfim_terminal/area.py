"""Lines on the score that selects examples: how well it predicted failures."""

from __future__ import annotations

from rich.console import Console

from robustfim.commands import print_line, printable
from robustfim.record import AreaRecord, Record
from robustfim_terminal.effort import counted

__all__ = ["area_text", "print_area"]


def area_text(area: AreaRecord) -> str:
    """Write an AUROC with its interval: ``0.71 [0.63, 0.79]``; empty if there is no AUROC."""
    if area.auroc is None:
        return ""
    ends = "" if area.interval is None else f" [{area.interval[0]:.2f}, {area.interval[1]:.2f}]"
    return f"{area.auroc:.2f}{ends}"


def print_area(console: Console, record: Record) -> None:
    """Print how well the score that selected the examples predicted the failures of this run."""
    selection = record.selection
    area = next((score.area for score in record.scores if score.name == selection.by), None)
    if selection.by is None or area is None or area.auroc is None:
        return
    line = f"{selection.by} ranks the {area.failing:,} of {counted(area.examples, 'control example')} that fail: "
    line += f"AUROC {area_text(area)}"
    line += ", without the examples that it chose itself" if selection.difficult or selection.easiest else ""
    print_line(console, printable(line))
