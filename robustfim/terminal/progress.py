"""The progress display: a bar on a terminal or in a notebook, else a line now and then. A run uses it as a plugin."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Sequence
from datetime import timedelta
from importlib.util import find_spec
from pathlib import Path
from types import TracebackType
from typing import Self

from rich.console import Console
from rich.progress import BarColumn, Progress, SpinnerColumn, TaskID, TextColumn, TimeRemainingColumn

from robustfim.collect.check import Check
from robustfim.collect.collection import Collection
from robustfim.hookspecs import hookimpl
from robustfim.record import CheckRecord, Record
from robustfim.terminal.console import make_console, print_line

__all__ = ["ProgressBar", "ProgressLines"]

_SECONDS = 10.0
"""Seconds between two lines, if no bar can be drawn."""


class ProgressLines:
    """A progress display that prints a line every ten seconds, with the work done, the rate and the time left."""

    def __init__(self, tell: Callable[[str], None]) -> None:
        self._tell, self._told, self._speed = tell, time.monotonic(), _Speed("", 0)
        self._last = "", "", self._told

    def __call__(self, stage: str, done: int, total: int) -> None:
        """Record progress.

        Args:
            stage: The stage.
            done: Examples done in this stage.
            total: All examples; 0 if unknown.
        """
        done = min(done, total or done)
        self._speed = self._speed.of(stage, done)
        self.line(stage, self._speed.told(done, total), self._speed.left(done, total))

    def line(self, stage: str, counts: str, left: str) -> None:
        """Print a line, unless the last line was printed less than ten seconds ago."""
        self._last = stage, counts, time.monotonic()
        if time.monotonic() - self._told >= _SECONDS:
            self._told = time.monotonic()
            self._tell(stage + (counts and f": {counts}") + (left and f", {left} left"))

    def again(self) -> None:
        """Print how long there has been no progress, unless the last line was printed less than ten seconds ago."""
        stage, counts, since = self._last
        if stage and time.monotonic() - self._told >= _SECONDS:
            self._told = time.monotonic()
            waited = timedelta(seconds=round(self._told - since))
            self._tell(stage + (counts and f": {counts}") + f", at work for {waited}")


class ProgressBar:
    """A progress bar for a run, or for any caller, which disappears at the end.

    Args:
        console: The console. If it is neither a terminal nor a notebook with ipywidgets, a line is printed on standard
            error every ten seconds instead of a bar.
    """

    def __init__(self, console: Console) -> None:
        self._console = console
        self._progress: Progress | None = None
        self._task: TaskID | None = None
        self._stage, self._checking, self._open = "", False, False
        self._done = self._number = 0
        self._under_way: dict[str, float] = {}
        self._speed = _Speed("", 0)
        self._lines = ProgressLines(_to_stderr)
        self._ended = threading.Event()

    def __enter__(self) -> Self:
        """Follow until the end of the block: what takes long in one piece is told of, too."""
        self._begin()
        if self._progress is None:
            threading.Thread(target=self._watch, daemon=True).start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._ended.set()
        self.close()

    def _watch(self) -> None:
        while not self._ended.wait(_SECONDS / 10):
            self._lines.again()

    def __call__(self, stage: str, done: int, total: int) -> None:
        """Move the bar, for a caller that is not a run.

        Args:
            stage: The stage.
            done: Examples done in this stage.
            total: All examples; 0 if unknown.
        """
        self.robustfim_progress(stage, done, total)

    def close(self) -> None:
        """Remove the bar, however the run ended."""
        if self._progress is not None:
            self._progress.stop()
            self._progress = None

    def _begin(self) -> None:
        """Draw the bar, where that can be."""
        self._open = True
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
    def robustfim_run_start(self, collection: Collection) -> None:
        """Note the number of checks when the run starts."""
        self._number, self._done, self._checking = len(collection.checks), 0, False
        self._under_way.clear()
        if not self._open:
            self._begin()

    @hookimpl
    def robustfim_progress(self, stage: str, done: int, total: int) -> None:
        """Move the bar; while checks run, the bar shows all checks together, each with the same length."""
        if not self._open:
            self._begin()
        done = min(done, total or done)
        name = stage.partition(": ")[0]
        self._speed = self._speed.of(name, done)
        counts = self._speed.told(done, total)
        if self._checking:
            if name in self._under_way:  # not what a check waits for
                self._under_way[name] = done / max(1, total)
            counts = f"{self._done} of {self._number} checks done" + (f", {counts}" if counts else "")
        if self._progress is None:
            self._lines.line(stage, counts, self._speed.left(done, total))
            return
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
            completed=self._done + sum(self._under_way.values()) if self._checking else done,
            total=self._number if self._checking else total or None,
        )

    @hookimpl
    def robustfim_check_start(self, check: Check) -> None:
        """Show the name of the check that starts."""
        self._checking = True
        self._under_way[check.name] = 0.0
        self.robustfim_progress(check.name, 0, 0)

    @hookimpl
    def robustfim_check_finish(self, check: Check, result: CheckRecord) -> None:
        """Count a finished check."""
        self._done += 1
        self._under_way.pop(check.name, None)

    @hookimpl(trylast=True)
    def robustfim_run_finish(self, record: Record) -> None:
        """Remove the bar at the end of the run; writing many examples draws a new bar."""
        self.close()
        self._checking = self._open = False
        self._task = None

    @hookimpl(tryfirst=True)
    def robustfim_session_finish(self, record: Record, written: Sequence[Path]) -> None:
        """Remove the bar that was drawn while writing."""
        self.close()


def _to_stderr(line: str) -> None:
    print_line(make_console(stderr=True), line)
    sys.stderr.flush()


class _Speed:
    """The speed of a stage.

    Args:
        stage: Its name.
        first: The number of examples done at its beginning.
    """

    def __init__(self, stage: str, first: int) -> None:
        self.stage, self.first, self._began = stage, first, time.monotonic()

    def of(self, stage: str, done: int) -> _Speed:
        """Return the speed of a stage: this object, or a new one if another stage begins."""
        return self if stage == self.stage and done >= self.first else _Speed(stage, done)

    def _rate(self, done: int) -> float:
        """Examples a second; 0 where that is not known yet."""
        seconds = time.monotonic() - self._began
        return (done - self.first) / seconds if seconds > 0.5 else 0.0

    def told(self, done: int, total: int) -> str:
        """Write how many examples are done, and how many per second."""
        if not total and not done:
            return ""
        rate = self._rate(done)
        shown = f", {rate:,.0f}/s" if rate >= 10 else f", {rate:.2g}/s" if rate else ""
        return f"{done:,}{f'/{total:,}' if total else ''} examples{shown}"

    def left(self, done: int, total: int) -> str:
        """Write how long the stage will take; empty if unknown."""
        rate = self._rate(done)
        return str(timedelta(seconds=round((total - done) / rate))) if rate and total > done else ""
