"""The report ``tensorboard``: an event file."""

from __future__ import annotations

import time
from collections.abc import Sequence
from html import escape
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import ClassVar

from robustfim.record import Record
from robustfim_trackers.tracked import COLUMNS, tracked

__all__ = ["TensorBoardReport"]


class TensorBoardReport:
    """Writes a run as an event file of TensorBoard: its numbers as scalars, settings and failing texts as tables.

    Args:
        path: The folder of event files, such as that of a training; ``tensorboard`` in the suite's report folder when
            None.
        step: The step of the numbers: that of a checkpoint, so that runs become curves.
        failures: Failing texts in the table, at most.
    """

    libraries: ClassVar = {"tensorboardX": "robustfim[trackers]"}

    def __init__(self, path: Path | None = None, step: int = 0, failures: int = 200) -> None:
        self.path, self.step, self.failures = path, step, failures

    def write(self, record: Record, folder: Path) -> Path:
        """Write the file.

        Returns:
            The file written; those of earlier runs stay beside it.
        """
        from tensorboardX import SummaryWriter

        told = tracked(record, self.failures)
        target = self.path or folder / "tensorboard"
        target.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(dir=target) as scratch:
            with SummaryWriter(scratch) as writer:
                for name, value in told.numbers.items():
                    writer.add_scalar(f"{told.suite}/{name}", value, self.step)
                settings = _table(("setting", "value"), list(told.settings.items()))
                writer.add_text(f"{told.suite}/settings", settings, self.step)
                writer.add_text(f"{told.suite}/failures", _table(COLUMNS, told.rows), self.step)
            (written,) = Path(scratch).iterdir()
            # The name that it has holds this machine's, and is the same for two runs of one second.
            return written.rename(target / f"events.out.tfevents.{time.time_ns()}.robustfim")


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table in Markdown, as TensorBoard shows texts; no text of an example is markup in it."""
    lines = [_line(heads), _line(["---"] * len(heads)), *(_line([_cell(each) for each in row]) for row in rows)]
    return "\n".join(lines)


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _cell(text: str) -> str:
    plain = escape(" ".join(text.split()))
    return "".join(f"&#{ord(each)};" if each in "|`*_[]\\~!" else each for each in plain)
