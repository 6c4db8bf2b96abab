"""Lines at the end of the terminal report: calls to the model, and inputs that were left out."""

from __future__ import annotations

from rich.console import Console

from robustfim.commands import print_line
from robustfim.record import WITHOUT_NUMBERS, Record
from robustfim_drawing import counted

__all__ = ["print_effort"]


def print_effort(console: Console, record: Record, verbosity: int) -> None:
    """Print how many texts the model was asked about, and how many inputs were left out.

    Args:
        console: The console.
        record: The run record.
        verbosity: From 1 on, also print the numerical error of λmax, the largest eigenvalue of the Fisher information.
    """
    text = f"{counted(record.model_calls, 'text')} sent to the model, {record.cached_calls:,} answered by the store"
    if record.gradient_calls or record.step_calls:
        text += f", {record.gradient_calls:,} differentiated, {counted(record.step_calls, 'step')}"
    print_line(console, text, style="dim")
    if (again := record.model.asked_again) is not None and again.stored and not (again.changed or again.unasked):
        print_line(console, again.sentence, style="dim")  # the rest is a warning
    if verbosity > 0 and (residual := record.residual) is not None:
        print_line(
            console,
            f"λmax by Lanczos iterations for {counted(residual.examples, 'example')}: "
            f"residual {residual.median:.1e} in the median, {residual.worst:.1e} at worst",
            style="dim",
        )
    if verbosity > 0:
        for score in record.scores:
            if score.infinite:
                print_line(
                    console, f"score {score.name}: infinite for {counted(score.infinite, 'example')}", style="dim"
                )
    if lost := record.data.skipped.get(WITHOUT_NUMBERS):
        print_line(console, f"left out: {counted(lost, 'example')}, since {WITHOUT_NUMBERS}", style="yellow")
    if (window := record.data.window) is not None and window.partly:
        print_line(console, window.sentence, style="yellow")
