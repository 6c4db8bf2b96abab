"""The configuration of one run: the suite and the options."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from robustfim.errors import shown_path
from robustfim.run_options import RunOptions
from robustfim.suite.file import SuiteFile
from robustfim.suite.format import Suite

__all__ = ["RunConfig"]


@dataclass(frozen=True)
class RunConfig:
    """The configuration of one run of one suite.

    Attributes:
        suite: The validated suite, with overrides applied.
        file: The suite file, for line numbers and relative paths.
        options: The options of the command line.
        plugins: Names of the loaded plugins.
    """

    suite: Suite
    file: SuiteFile
    options: RunOptions = RunOptions()
    plugins: tuple[str, ...] = field(default=())

    @property
    def seed(self) -> int:
        """The run's seed."""
        return self.suite.seed if self.options.seed is None else self.options.seed

    @property
    def margin(self) -> float | None:
        """The loss that is tolerated in a comparison with an earlier run; None if it is not set."""
        return self.suite.baseline.margin if self.options.margin is None else self.options.margin

    @property
    def lock(self) -> Path | None:
        """The lock file that the command line or the suite names; None if neither does."""
        named = self.suite.lock
        return self.options.lock or (self.file.folder / named if named else None)

    @property
    def folder(self) -> Path | None:
        """The folder of the run's reports; None if no report is written."""
        folder = self.options.reports
        return None if folder is None else folder / self.suite.suite / self.options.variant

    @property
    def shown_path(self) -> str:
        """The path of the suite as the user named it, relative to the current folder if the file is inside."""
        return shown_path(self.file.path, self.file.here)
