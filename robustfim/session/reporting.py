"""Reporting: every report of a run is written, and one that fails keeps no other from being written."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from robustfim.errors import PluginError, RobustfimError, UsageError
from robustfim.record import Record
from robustfim.roles import Report

__all__ = ["prepare_folder", "write_reports"]


def prepare_folder(folder: Path) -> None:
    """Make the folder of the reports, before anything is computed.

    Args:
        folder: ``reports/<suite>``.

    Raises:
        UsageError: It cannot be made, or nothing can be written in it.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise _unwritable(folder, error.strerror or str(error)) from None
    if not os.access(folder, os.W_OK | os.X_OK):
        raise _unwritable(folder, "permission denied")


def write_reports(
    reports: Mapping[str, Report], record: Record, folder: Path
) -> tuple[list[Path], RobustfimError | None]:
    """Write every report.

    Args:
        reports: The reports by name.
        record: The finished record.
        folder: ``reports/<suite>``.

    Returns:
        The files written, and what went wrong: a ``PluginError`` where a report raised or wrote nothing, a
        ``UsageError`` where a file cannot be written, None where all is well.
    """
    written: list[Path] = []
    problems: list[str] = []
    raised: Exception | None = None
    broken = False
    for name, report in reports.items():
        try:
            folder.mkdir(parents=True, exist_ok=True)
            path: object = report.write(record, folder)
        except (OSError, RobustfimError) as error:
            problems.append(f"report {name!r} cannot be written: {error}")
        except Exception as error:  # a report plugin may raise anything
            problems.append(f"report {name!r} raised {type(error).__name__}: {error}")
            raised, broken = raised or error, True
        else:
            if isinstance(path, Path) and path.exists():
                written.append(path)
                continue
            what = f"{path}, where there is nothing" if isinstance(path, Path) else repr(path)
            problems.append(f"report {name!r} must give the path of the file that it wrote, not {what}")
            broken = True
    if not problems:
        return written, None
    problem = (PluginError if broken else UsageError)("; ".join(problems))
    problem.__cause__ = raised
    return written, problem


def _unwritable(folder: Path, reason: str) -> UsageError:
    return UsageError(f"reports cannot be written to {folder}: {reason}. Name another folder with --reports.")
