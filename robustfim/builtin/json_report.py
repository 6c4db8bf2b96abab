"""The JSON report: the run record itself. It is a plugin, like any other."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from robustfim.contract import ReportContract

if TYPE_CHECKING:
    from robustfim.record import Record

__all__ = ["JsonReport"]


class JsonReport:
    """Writes the whole run record as JSON.

    Args:
        path: The file; by default ``results.json`` in the suite's report folder.
    """

    contract = ReportContract(suffix=".json", default=True)

    def __init__(self, path: Path | None = None) -> None:
        self.path = path

    def write(self, record: Record, folder: Path) -> Path:
        """Write the record and return its path."""
        from robustfim.judge import write_record

        path = self.path or folder / "results.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        return write_record(record, path)
