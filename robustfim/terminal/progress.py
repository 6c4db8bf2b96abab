"""The progress bar of a run, on a terminal or in a notebook: itself a plugin."""

from __future__ import annotations

from importlib.util import find_spec

from rich.console import Console
from rich.progress import BarColumn, Progress, SpinnerColumn, TaskID, TextColumn, TimeRemainingColumn

from robustfim.collect.check import Check
from robustfim.collect.collection import Collection
from robustfim.hookspecs import hookimpl
from robustfim.record import CheckRecord, Record

__all__ = ["ProgressBar"]


class ProgressBar:
    """Follows a run, and is gone when the run is over.

    Args:
        console: Where it is drawn, if that is a terminal, or a notebook that has ipywidgets; else nothing is.
    """

    def __init__(self, console: Console) -> None:
        self._console = console
        self._progress: Progress | None = None
        self._task: TaskID | None = None
        self._stage, self._checking = "", False
        self._done = self._number = 0

    def close(self) -> None:
        """Take the bar away, however the run ended."""
        if self._progress is not None:
            self._progress.stop()
            self._progress = None

    @hookimpl
    def robustfim_run_start(self, collection: Collection) -> None:
        """Draw the bar."""
        self._number = len(collection.checks)
        notebook = self._console.is_jupyter and find_spec("ipywidgets") is not None
        if notebook or self._console.file.isatty():
            self._progress = Progress(
                SpinnerColumn(),
                TextColumn("{task.description}"),
                BarColumn(bar_width=20),
                TextColumn("{task.fields[counts]}"),
                TimeRemainingColumn(),
                TextColumn("left"),
                console=self._console,
                transient=True,
            )
            self._progress.start()

    @hookimpl
    def robustfim_progress(self, stage: str, done: int, total: int) -> None:
        """Move the bar; while checks run it is that of all checks, of which each is as long as another."""
        if self._progress is None:
            return
        counts = f"{done:,}/{total:,} examples" if total else ""
        if self._checking:
            counts = f"check {self._done + 1} of {self._number}" + (f", {counts}" if counts else "")
        # Between two stages, the time that the last one took says nothing of the next.
        kind = "checks" if self._checking else stage
        if self._task is None or kind != self._stage:
            if self._task is not None:
                self._progress.remove_task(self._task)
            self._task = self._progress.add_task(stage, counts=counts)
            self._stage = kind
        self._progress.update(
            self._task,
            description=stage,
            counts=counts,
            completed=self._done + done / max(1, total) if self._checking else done,
            total=self._number if self._checking else total,
        )

    @hookimpl
    def robustfim_check_start(self, check: Check) -> None:
        """Name the check."""
        self._checking = True
        self.robustfim_progress(check.name, 0, 0)

    @hookimpl
    def robustfim_check_finish(self, check: Check, result: CheckRecord) -> None:
        """Count the check."""
        self._done += 1

    @hookimpl(trylast=True)
    def robustfim_run_finish(self, record: Record) -> None:
        """Take the bar away."""
        self.close()
