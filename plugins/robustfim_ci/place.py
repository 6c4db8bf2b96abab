"""The suite file and line of a check."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

from robustfim.commands import printable
from robustfim.record import CheckRecord, Record

__all__ = ["fingerprint", "suite_line", "suite_path"]


def suite_path(record: Record) -> str:
    """Return the path of the suite file from the root of the repository, even if the run's folder is below the root.

    Returns:
        The path relative to ``GITHUB_WORKSPACE`` or ``CI_PROJECT_DIR``. If neither is set, or the file is elsewhere,
        the path in the record.
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
    """Return the line of a check in its suite file; 1 if the record does not have it."""
    return max(1, check.line or 1)


def fingerprint(record: Record, name: str, identity: str) -> str:
    """Return a hash by which a CI system finds a finding of an earlier run again.

    Args:
        record: The run.
        name: The id of the check, or another name of what was found.
        identity: The id of the failure, or the kind of the finding.
    """
    words = f"{record.suite}\0{name}\0{identity}".encode(errors="backslashreplace")
    return hashlib.sha256(words).hexdigest()
