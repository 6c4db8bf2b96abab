"""Write the files of all reports of a run, even if a report fails."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from robustfim.blame import blame
from robustfim.errors import PluginError, RobustfimError, UsageError
from robustfim.parts import ReportPart
from robustfim.record import Record

__all__ = ["prepare_folder", "write_reports"]


def prepare_folder(folder: Path) -> None:
    """Create the folder of the reports, so that a run fails early if it cannot write.

    Raises:
        UsageError: The folder cannot be made or written to.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise _unwritable(folder, error.strerror or str(error)) from None
    if not os.access(folder, os.W_OK | os.X_OK):
        raise _unwritable(folder, "permission denied")


def write_reports(
    reports: Mapping[str, ReportPart], record: Record, folder: Path, before: Record | None = None
) -> tuple[list[Path], RobustfimError | None]:
    """Write every report, and pass ``before`` to the reports that compare two runs.

    Returns:
        The written files, and the error or None: a ``PluginError`` if a report raised or wrote nothing, a
        ``UsageError`` if a file cannot be written.
    """
    written: list[Path] = []
    problems: list[RobustfimError] = []
    for name, report in reports.items():
        try:
            with blame(report.who):
                folder.mkdir(parents=True, exist_ok=True)
            written.append(report.write(record, folder, before if report.contract.compares else None))
        except PluginError as error:
            full = isinstance(error.__cause__, OSError)
            problems.append(UsageError(f"report {name!r} cannot be written: {error.__cause__}") if full else error)
        except RobustfimError as error:
            problems.append(UsageError(f"report {name!r} cannot be written: {error}"))
    if not problems:
        return written, None
    broken = next((problem for problem in problems if isinstance(problem, PluginError)), None)
    problem = (UsageError if broken is None else PluginError)("; ".join(map(str, problems)))
    problem.__cause__ = None if broken is None else broken.__cause__
    return written, problem


def _unwritable(folder: Path, reason: str) -> UsageError:
    return UsageError(f"reports cannot be written to {folder}: {reason}. Name another folder with --reports.")
