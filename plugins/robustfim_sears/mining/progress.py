"""A progress bar for mining, on a terminal only."""

from __future__ import annotations

from types import TracebackType

from rich.console import Console
from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn

__all__ = ["ProgressBar"]


class ProgressBar:
    """Shows what is being done while it is done, and nothing where the console is no terminal.

    Args:
        console: Where to draw.
    """

    def __init__(self, console: Console) -> None:
        self._progress = Progress(
            SpinnerColumn(),
            TextColumn("{task.description}"),
            BarColumn(bar_width=20),
            TextColumn("{task.fields[counts]}"),
            console=console,
            transient=True,
            disable=not console.is_terminal,
        )
        self._task = self._progress.add_task("mine", counts="")

    def __enter__(self) -> ProgressBar:
        self._progress.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._progress.stop()

    def __call__(self, stage: str, done: int, total: int) -> None:
        """Show a stage, and how much of it is done."""
        counts = f"{done:,}/{total:,}" if total else ""
        self._progress.update(self._task, description=stage, completed=done, total=max(1, total), counts=counts)
