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
    """A cell of the table of checks: the results of all checks of one capability and test type.

    Attributes:
        checks: The number of checks.
        broken: The number of checks without any tested example, because of an error or a skip.
        rate: The fraction of tested examples with a failing perturbed text, over all checks.
    """

    checks: int
    broken: int
    rate: Rate


@dataclass(frozen=True)
class Matrix:
    """A table of checks, as in CheckList: a row for each capability, a column for each test type.

    Attributes:
        types: The columns, test types such as ``INV`` (invariance).
        rows: Each capability with its cells; None for a cell without checks.
    """

    types: tuple[str, ...]
    rows: tuple[tuple[str, tuple[Cell | None, ...]], ...]


def capability_matrix(checks: Sequence[CheckRecord]) -> Matrix | None:
    """Arrange checks in a table by capability and test type.

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
