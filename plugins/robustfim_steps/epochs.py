"""Print a line for each epoch of a training: on the console, or to the report function of a trainer."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from robustfim.commands import print_line

if TYPE_CHECKING:
    from rich.console import Console

    from robustfim_steps.fitting import Epoch

__all__ = ["EpochLines", "epoch_report"]


class EpochLines:
    """Prints a line for each epoch of a training, with the best accuracy so far.

    Args:
        console: Where to print.
        epochs: The largest number of epochs.
        tested: The number of examples of the development data.
    """

    def __init__(self, console: Console, epochs: int, tested: int) -> None:
        self._console, self._epochs, self._tested, self._best = console, epochs, tested, 0

    def __call__(self, epoch: Epoch) -> None:
        """Print the line of an epoch."""
        self._best = epoch.correct if epoch.best else self._best
        mark = "best so far" if epoch.best else f"best {self._best / self._tested:.3f}"
        dev_loss = "".join(f"dev loss {-each:.4f}  " for each in epoch.score[1:])
        print_line(
            self._console,
            f"epoch {epoch.number:>2}/{self._epochs}  train loss {epoch.loss:.4f}  {dev_loss}"
            f"dev accuracy {epoch.correct / self._tested:.3f}  {mark}",
        )


def epoch_report(report: Callable[[str], None], epochs: int, tested: int) -> Callable[[Epoch], None]:
    """Return a function that reports an epoch of a training in one line.

    Args:
        report: Called with the line.
        epochs: The largest number of epochs.
        tested: The number of examples of the development data.
    """
    return lambda epoch: report(
        f"epoch {epoch.number}/{epochs}: train loss {epoch.loss:.4f}, dev accuracy {epoch.correct / tested:.3f}"
    )
