"""What one run was asked to do: the suite and the command line."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from robustfim.errors import shown_path
from robustfim.outcome import Undecided
from robustfim.suite.file import SuiteFile
from robustfim.suite.format import Suite

__all__ = ["RunConfig", "RunOptions"]


@dataclass(frozen=True)
class RunOptions:
    """The options of ``robustfim run``, apart from the suite.

    Attributes:
        keyword: ``-k``, a boolean expression of parts of check names.
        marks: ``-m``, a boolean expression of marks.
        only: Names of checks given as ``suite.yaml::name``; empty for all.
        examples: Ids (or beginnings of ids) given by ``--example``; empty for all.
        last_failed: ``--lf``, only what did not pass the last time.
        max_failures: Stop after so many failed checks or errors; None never stops.
        collect_only: ``--co``, list the checks and stop.
        seed: ``--seed``, or None for the suite's.
        undecided: ``--undecided``, whether an undecided run fails or passes; None leaves it exit code 6.
        offline: Whether nothing may be fetched.
        max_calls: The most texts that may be sent to the model.
        reports: The folder that holds one folder a suite; None writes no report.
        store: The file of the prediction store; None keeps it in memory.
        verbosity: −1 for ``-q``, 0, 1 for ``-v``, 2 for ``-vv``.
        durations: How many of the slowest checks to list; 0 for none.
        overrides: The options that change the suite, as typed, for "reproduce" lines.
        baselines: Run records to compare with, or folders of them, by name; "" for the only one without a name.
        margin: ``--margin``, the tolerated loss against a baseline; None for the suite's.
        variant: The model's name in a suite with several; "" in others.
        lock: A lock file that says what is tested; None for the suite's, if it names one.
        verify: How many answers the model is asked for again, at the end of the run.
        fail_on: What fails a run that has a baseline: ``regression``, ``new`` or ``any``.
        remember: Whether ``--lf`` may know of this run; not where it measures something else than the suite does.
    """

    keyword: str = ""
    marks: str = ""
    only: tuple[str, ...] = ()
    examples: tuple[str, ...] = ()
    last_failed: bool = False
    max_failures: int | None = None
    collect_only: bool = False
    seed: int | None = None
    undecided: Undecided | None = None
    offline: bool = False
    max_calls: int | None = None
    reports: Path | None = Path("reports")
    store: Path | None = Path(".robustfim/store.sqlite")
    verbosity: int = 0
    durations: int = 0
    overrides: tuple[str, ...] = ()
    baselines: Mapping[str, Path] = field(default_factory=dict)
    margin: float | None = None
    lock: Path | None = None
    variant: str = ""
    verify: int = 0
    fail_on: Literal["regression", "new", "any"] = "regression"
    remember: bool = True


@dataclass(frozen=True)
class RunConfig:
    """One run of one suite.

    Attributes:
        suite: The validated suite, overrides laid in.
        file: Its file, for lines and relative paths.
        options: The command line.
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
        """The loss against a baseline that is tolerated; None where neither the command line nor the suite says."""
        return self.suite.baseline.margin if self.options.margin is None else self.options.margin

    @property
    def lock(self) -> Path | None:
        """The lock file that the command line or the suite names; None where neither does."""
        named = self.suite.lock
        return self.options.lock or (self.file.folder / named if named else None)

    @property
    def folder(self) -> Path | None:
        """Where the run's reports go; None where none is written."""
        folder = self.options.reports
        return None if folder is None else folder / self.suite.suite / self.options.variant

    @property
    def shown_path(self) -> str:
        """The suite file as the user named it; from the current folder on where it lies below it."""
        return shown_path(self.file.path, self.file.here)
