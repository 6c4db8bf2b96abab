"""The arguments of ``robustfim run``: find the suites that they name."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from robustfim.commands import Chosen
from robustfim.errors import UsageError

__all__ = ["named_suites", "refuse_one_file"]


def named_suites(names: Sequence[str]) -> list[tuple[Path, tuple[str, ...]]]:
    """Group arguments such as ``suite.yaml::check`` by suite; a folder stands for the suites in it.

    Returns:
        Suite files in the given order, each with the names of its checks; empty for all checks.

    Raises:
        UsageError: A folder holds no suite.
    """
    wanted: dict[Path, list[str]] = {}
    whole: set[Path] = set()
    for name in names:
        place, _, check = name.partition("::")
        path = Path(place)
        found = sorted(path.glob("*.y*ml")) if os.path.isdir(path) else [path]  # noqa: PTH112  # Path.is_dir raises where a name is too long
        if not found:
            raise UsageError(f"the folder {path} holds no suite (*.yaml).")
        for path in found:
            wanted.setdefault(path, [])
            if check:
                wanted[path].append(check)
            else:
                whole.add(path)
    return [(path, () if path in whole else tuple(checks)) for path, checks in wanted.items()]


def refuse_one_file(chosen: Chosen, number: str) -> None:
    """Refuse an option that names one file for the reports of several runs.

    Args:
        chosen: The typed options.
        number: The number of runs: ``"2 suites"``.

    Raises:
        UsageError: An option such as ``--html`` is given.
    """
    for option in chosen.files:
        raise UsageError(
            f"{option} names one file, and each of {number} would overwrite that file. Leave {option} out and "
            f"list the report in the suite: each report has a folder of its own in {chosen.reports}."
        )
