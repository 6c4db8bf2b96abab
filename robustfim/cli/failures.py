"""The option ``--tests-from-failures``: the failing texts of a run as a suite, which the next model must pass."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from robustfim.commands import Chosen, print_line

if TYPE_CHECKING:
    from robustfim.plugin.manager import PluginManager
    from robustfim.record import Record
    from robustfim.suite.file import SuiteFile

__all__ = ["write_failures"]


def write_failures(
    path: Path, records: Sequence[Record], files: Sequence[SuiteFile | None], manager: PluginManager, chosen: Chosen,
    command: str,
) -> None:  # fmt: skip
    """Write the failing texts of the runs of one suite as a suite, and say what was written.

    Raises:
        UsageError: It cannot be written.
    """
    from robustfim.session.regression_suite import RegressionSuite

    regression, console = RegressionSuite(records, manager), chosen.console()
    for reason, number in regression.left_out.items():
        print_line(console, f"left out of {path}: {number:,} failing: {reason}")
    if not regression.texts:
        print_line(console, f"no failing text, so {path} is not written")
        return
    written = regression.write(path, files, chosen.plugin_options, command)
    print_line(console, f"wrote {' and '.join(map(str, written))}: {regression}; run it: robustfim run {path}")
