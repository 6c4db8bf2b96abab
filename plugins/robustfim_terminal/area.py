"""Lines on the score that selects examples: how the score was chosen, and how well it predicted failures."""

from __future__ import annotations

from rich.console import Console

from robustfim.commands import print_line
from robustfim.record import PilotRecord, Record
from robustfim_drawing import area_text, counted

__all__ = ["learned", "print_area"]


def learned(pilot: PilotRecord, by: str | None) -> str:
    """Write the result of the pilot, which chooses the score that selects."""
    drawn = f"pilot: {counted(len(pilot.examples), 'random example')}, judged no more"
    if by not in pilot.scores:
        return f"{drawn}; {pilot.message}; {by}, the first score, selects"
    others = ", ".join(f"{name} {area_text(score)}" for name, score in pilot.scores.items() if name != by)
    best = f"{by} ranks them best, AUROC {area_text(pilot.scores[by])}"
    return f"{drawn}; {pilot.failing} of {pilot.tested} tested fail; {best}{f' ({others})' if others else ''}"


def print_area(console: Console, record: Record) -> None:
    """Print how well the score that selected the examples predicted the failures of this run."""
    selection = record.selection
    area = next((score.area for score in record.scores if score.name == selection.by), None)
    if selection.by is None or area is None or area.auroc is None:
        return
    line = f"{selection.by} ranks the {area.failing:,} of {counted(area.examples, 'control example')} that fail: "
    line += f"AUROC {area_text(area)}"
    line += ", without the examples that it chose itself" if selection.difficult or selection.easiest else ""
    if selection.pilot is not None and selection.by in selection.pilot.scores:
        line += f"; {area_text(selection.pilot.scores[selection.by])} on the pilot that chose it"
    print_line(console, line)
