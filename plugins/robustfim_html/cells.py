"""Tables of rates: capabilities by test type, and slices of the data."""

from __future__ import annotations

from dataclasses import dataclass

from robustfim.collect import flow
from robustfim.judge import TYPES, Cell, capability_matrix, worst_slices
from robustfim.printable import counted
from robustfim.record import Record
from robustfim_html.check import RateCell, rate_cell

__all__ = ["RateRow", "matrix", "slices"]


@dataclass(frozen=True)
class RateRow:
    """One row of a table: a name, its meaning, and its rates."""

    name: str
    meaning: str
    cells: tuple[RateCell | None, ...]
    link: str = ""
    """The slice that its name leads to."""


def matrix(record: Record) -> tuple[list[tuple[str, str]], list[RateRow]] | None:
    """Make the table of failure rates by capability (what the model must master) and test type.

    Returns:
        The test types with their names, and a row for each capability; None if no check has a capability or a type.
    """
    found = capability_matrix(record.checks)
    if found is None:
        return None
    rows = [
        RateRow(name, "", tuple(_matrix_cell(kind, cell) for kind, cell in zip(found.types, cells, strict=True)))
        for name, cells in found.rows
    ]
    return [(found_type, TYPES[found_type]) for found_type in found.types], rows


def _matrix_cell(kind: str, cell: Cell | None) -> RateCell | None:
    if cell is None:
        return None
    checks = f"in {counted(cell.checks, 'check')}"
    broken = f", {cell.broken} of which tested nothing" if cell.broken else ""
    return rate_cell(kind, cell.rate, "failed", more=f" {checks}{broken}")


def slices(record: Record) -> list[RateRow]:
    """Make a row for each slice (subset of the examples), significantly worse slices first, untested slices last."""
    worst = worst_slices(record)
    made = []
    for each in [*worst, *(record_slice for record_slice in record.slices if record_slice not in worst)]:
        rates = (("failing", each.failures, "failed"), ("accuracy", each.accuracy, "accuracy"))
        cells = tuple(rate_cell(heading, rate, kind) if rate.tested else None for heading, rate, kind in rates)
        meaning = ", ".join(f"{key}: {flow(value)}" for key, value in each.definition.items())
        made.append(RateRow(each.name, meaning, cells, each.name if each.members else ""))
    return made
