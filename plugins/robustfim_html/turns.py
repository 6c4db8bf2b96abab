"""Where labels turn: the failing pairs by check and change of label, as a table to click in."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from robustfim.record import Record
from robustfim_html.pair import Group

__all__ = ["Turns", "TurnsCell", "TurnsRow", "turns"]

_CHANGES = 8
"""Changes with a column of their own; the others share one."""
_HEATS = 5
"""Shades of a cell."""


@dataclass(frozen=True)
class TurnsCell:
    """The pairs of a check with one change of label; ``change`` is empty for several."""

    pairs: int
    change: str
    heat: int


@dataclass(frozen=True)
class TurnsRow:
    """A check."""

    id: str
    name: str
    cells: tuple[TurnsCell, ...]


@dataclass(frozen=True)
class Turns:
    """The table.

    Attributes:
        changes: Labels before and after, a column each.
        others: How many changes share the last column.
        rows: The checks with failing pairs.
    """

    changes: tuple[tuple[str, str], ...]
    others: int
    rows: tuple[TurnsRow, ...]


def turns(record: Record, groups: Sequence[Group], changes: Sequence[tuple[str, str, int]]) -> Turns | None:
    """Count the pairs by check and change of label.

    Args:
        record: The run.
        groups: Its failing pairs.
        changes: Labels before and after, with their number of pairs, the most frequent first.

    Returns:
        The table; None where there is one cell, or none.
    """
    counted = Counter((pair.failure.check, pair.change) for group in groups for pair in group.pairs)
    shown = len(changes) if len(changes) <= _CHANGES + 1 else _CHANGES
    rows = []
    most = max(counted.values(), default=1)
    for check in record.checks:
        numbers = [counted[check.id, index] for index in range(len(changes))]
        if not any(numbers):
            continue
        cells = [_cell(n, most, f"{changes[i][0]} → {changes[i][1]}") for i, n in enumerate(numbers[:shown])]
        if shown < len(changes):
            cells.append(_cell(sum(numbers[shown:]), most, ""))
        rows.append(TurnsRow(check.id, check.name, tuple(cells)))
    if len(counted) < 2:
        return None
    return Turns(tuple((before, after) for before, after, _ in changes[:shown]), len(changes) - shown, tuple(rows))


def _cell(pairs: int, most: int, change: str) -> TurnsCell:
    return TurnsCell(pairs, change, min(_HEATS, -(-_HEATS * pairs // most)))
