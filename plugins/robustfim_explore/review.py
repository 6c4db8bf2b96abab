"""``robustfim review``: ask people which failures are valid."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import click

from robustfim.commands import COUNT, INPUT, OUTPUT_FILE, Chosen, print_line, shared_options

__all__ = ["review"]


@click.command(epilog="Example: robustfim review reports/sentiment/results.json")
@click.argument("record_file", type=INPUT, metavar="RECORD")
@click.option("--file", "path", type=OUTPUT_FILE, help="The review file; reviews/<suite>.json where it is not given.")
@click.option("--check", "checks", multiple=True, metavar="NAME", help="Look at this check alone; several are allowed.")
@click.option("--sample", default=30, show_default=True, type=COUNT, help="Failing examples a check to look at.")
@click.option("--who", help="Your name, to be kept with your answers.")
@click.option("--status", is_flag=True, help="Ask nothing; print what the answers say so far.")
@shared_options("plugins", "color")
def review(
    chosen: Chosen, record_file: Path, path: Path | None, checks: Sequence[str], sample: int, who: str | None,
    status: bool,
) -> None:  # fmt: skip
    """Look at a random sample of a run's failures, and say which are valid.

    Does the perturbed text still mean the same? Each failing pair is shown as a diff with its label; one key answers:
    valid, not valid, unsure. A review can be left and continued. It is written to a small file without any text, to be
    committed; 'review: FILE' in a suite, or 'robustfim report RECORD --review FILE', then shows each failure rate
    beside the rate of valid failures, with an interval that counts the sampling.
    """
    from robustfim.errors import UsageError, shown, suggestions
    from robustfim.judge import next_pair, validity
    from robustfim.record import Record, ReviewFile
    from robustfim_explore.reviewer import Reviewer

    record = Record.load(record_file)
    names = [check.name for check in record.checks]
    for name in checks:
        if name not in names:
            raise UsageError(f"the run has no check {shown(name)}.{suggestions(name, names)}")
    path = path or Path("reviews") / f"{record.suite}.json"
    console, file = chosen.console(), ReviewFile.load(path)
    if not status:
        reviewer = Reviewer(console, click.getchar if sys.stdin.isatty() else _next_letter, file, path, who)
        given = reviewer.run(lambda answers: next_pair(record, answers, checks, sample))
        sentence = (
            f"{path}: {len(file.answers)} answers, {given} of them new" if file.answers else "nothing was answered"
        )
        print_line(console, sentence)
    found = validity(record, file.by_pair)
    for check in record.checks:
        if check.id in found and check.rate is not None:
            print_line(console, f"{check.name}: {found[check.id].told(check.rate)}")


def _next_letter() -> str:
    """Read one letter of what is piped in; "" at its end."""
    while (letter := sys.stdin.read(1)).isspace():
        pass
    return letter
