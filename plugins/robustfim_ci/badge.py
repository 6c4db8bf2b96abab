"""The report ``badge``: JSON for a badge of shields.io that shows how the checks ended."""

from __future__ import annotations

from pathlib import Path

from robustfim.commands import printable
from robustfim.outcome import Outcome
from robustfim.record import Record
from robustfim_ci.output import FileReport, as_json
from robustfim_ci.ranking import broke, fails, level_of
from robustfim_ci.rates import headline

__all__ = ["BadgeReport"]


class BadgeReport(FileReport):
    """Writes the answer of an endpoint badge (https://shields.io/badges/endpoint-badge).

    Args:
        path: The file to write; ``badge.json`` in the suite's report folder when None.
        label: The badge's left side; the suite's name when None.
    """

    file = "badge.json"

    def __init__(self, path: Path | None = None, label: str | None = None) -> None:
        super().__init__(path)
        self.label = label

    def text(self, record: Record) -> str:
        """Write the report as a text."""
        broken = broke(record) or any(check.outcome is Outcome.ERROR for check in record.checks)
        badge = {
            "schemaVersion": 1,
            "label": printable(record.suite if self.label is None else self.label),
            "message": headline(record),
            "color": _color(record, broken),
        }
        if broken:
            badge["isError"] = True
        return as_json(badge)


def _color(record: Record, broken: bool) -> str:
    if any(level_of(each, record) == "error" for each in record.comparisons):
        return "red"
    outcomes = {check.outcome for check in record.checks}
    if any(fails(check, record) and check.outcome is not Outcome.ERROR for check in record.checks):
        return "red"
    if broken:
        return "orange"
    if Outcome.INCONCLUSIVE in outcomes or not all(each.proven for each in record.comparisons):
        return "yellow"
    return "brightgreen" if Outcome.PASSED in outcomes else "lightgrey"
