"""The matrix of capabilities and test types (Ribeiro et al. 2020, fig. 1)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from robustfim.record import CheckRecord
from robustfim.statistics import Rate

__all__ = ["TYPES", "Cell", "Matrix", "capability_matrix"]

TYPES = {"MFT": "minimum functionality", "INV": "invariance", "DIR": "directional"}
"""The types of tests, and their names."""


@dataclass(frozen=True)
class Cell:
    """The checks of one capability and type, taken together.

    Attributes:
        checks: The number of checks.
        broken: Checks without any tested example: errors and skipped ones.
        rate: The fraction of tested examples with a failing candidate, over all checks.
    """

    checks: int
    broken: int
    rate: Rate


@dataclass(frozen=True)
class Matrix:
    """A table of checks: a row for each capability, a column for each test type.

    Attributes:
        types: The columns, keys of ``TYPES``.
        rows: Each capability with its cells; None for a cell without checks.
    """

    types: tuple[str, ...]
    rows: tuple[tuple[str, tuple[Cell | None, ...]], ...]


def capability_matrix(checks: Sequence[CheckRecord]) -> Matrix | None:
    """Gather checks by capability and type.

    Returns:
        The matrix, with capabilities in the order of the checks; None if no check has both a capability and a type.
    """
    placed = [check for check in checks if check.capability is not None and check.type is not None]
    if not placed:
        return None
    types = tuple(each for each in TYPES if any(check.type == each for check in placed))
    rows = []
    for capability in dict.fromkeys(check.capability or "" for check in placed):
        own = [check for check in placed if check.capability == capability]
        rows.append((capability, tuple(_cell([check for check in own if check.type == each]) for each in types)))
    return Matrix(types, tuple(rows))


def _cell(checks: Sequence[CheckRecord]) -> Cell | None:
    if not checks:
        return None
    return Cell(
        len(checks),
        sum(not check.tested for check in checks),
        Rate(sum(check.failing for check in checks), sum(check.tested for check in checks)),
    )
