"""The place of a check: its suite file and line."""

from __future__ import annotations

import os
from pathlib import Path

from robustfim.commands import printable
from robustfim.record import CheckRecord, Record

__all__ = ["suite_line", "suite_path"]


def suite_path(record: Record) -> str:
    """Return the suite file from the root of the repository, also where the run is in a folder below it.

    Returns:
        The path from ``GITHUB_WORKSPACE`` or ``CI_PROJECT_DIR``; as the record has it where neither is set, or the
        file lies elsewhere.
    """
    path = record.path or f"{record.suite}.yaml"
    root = os.environ.get("GITHUB_WORKSPACE") or os.environ.get("CI_PROJECT_DIR")
    if root:
        try:
            path = (Path.cwd() / path).resolve().relative_to(Path(root).resolve()).as_posix()
        except (OSError, ValueError):  # elsewhere, or no path at all
            return printable(path)
    return printable(path)


def suite_line(check: CheckRecord) -> int:
    """Return the line of a check in its suite file; the first where the record does not tell."""
    return max(1, check.line or 1)
