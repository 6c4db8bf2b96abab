"""``robustfim review``: people say which failures are valid."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from robustfim.collect import named_part
from robustfim.commands import Chosen, print_line, progress_bar, shared_options

if TYPE_CHECKING:
    from rich.console import Console

    from robustfim.record import JudgeVerdicts, Record

__all__ = ["review"]

_FILE = click.Path(path_type=Path)


@click.command(epilog="Example: robustfim review reports/sentiment/results.json")
@click.argument("record_file", type=_FILE, metavar="RECORD")
@click.option("--file", "path", type=_FILE, help="The review file; reviews/<suite>.json where it is not given.")
@click.option("--check", "checks", multiple=True, metavar="NAME", help="Look at this check alone; several are allowed.")
@click.option(
    "--sample", default=30, show_default=True, type=click.IntRange(min=1), help="Failing examples a check to look at."
)
@click.option("--who", help="Your name, to be kept with your answers.")
@click.option("--status", is_flag=True, help="Ask nothing; print what the answers say so far.")
@click.option(
    "--judge",
    metavar="CONSTRAINT",
    help="Let this constraint say of all failing pairs which are valid: similarity, equivalent, or your own.",
)
@click.option("-o", "options", multiple=True, metavar="KEY=VALUE", help="An option of the judge: -o limit=0.85.")
@shared_options("offline", "store", "plugins", "color")
def review(
    chosen: Chosen, record_file: Path, path: Path | None, checks: Sequence[str], sample: int, who: str | None,
    status: bool, judge: str | None, options: Sequence[str],
) -> None:  # fmt: skip
    """Look at a random sample of a run's failures, and say which are valid.

    Does the perturbed text still mean the same? Each failing pair is shown as a diff with its label; one key answers:
    valid, not valid, unsure. A review can be left and continued. It is written to a small file without any text, to be
    committed; 'review: FILE' in a suite, or 'robustfim report RECORD --review FILE', then shows each failure rate
    beside the rate of valid failures, with an interval that counts the sampling.

    With --judge a constraint says the same of all failing pairs, and its verdicts are kept in that file: people's
    answers correct the judge, however wrong it is, and a good judge narrows the interval.
    """
    from robustfim.errors import UsageError, did_you_mean, shown
    from robustfim.judge import next_pair, validity
    from robustfim.record import Record, ReviewFile
    from robustfim_explore.reviewer import Reviewer, print_validity

    record = Record.load(record_file)
    names = [each.name for each in record.checks]
    for name in checks:
        if name not in names:
            raise UsageError(
                f"the run has no check {shown(name)}.{did_you_mean(name, names)} It has: {', '.join(names)}."
            )
    if options and judge is None:
        raise UsageError("-o gives an option of the judge: name one by --judge.")
    path = path or Path("reviews") / f"{record.suite}.json"
    console, file = chosen.console(), ReviewFile.load(path)
    if judge is not None:
        file.judge = _judged(record, judge, options, chosen, console)
        file.save(path)
        valid = sum(file.judge.verdicts.values())
        line = f"{path}: {file.judge.by} takes {valid:,} of {len(file.judge.verdicts):,} failing pairs for valid"
        print_line(console, line)
    if not status:
        reviewer = Reviewer(console, click.getchar if sys.stdin.isatty() else _next_letter, file, path, who)
        given = reviewer.run(lambda answers: next_pair(record, answers, checks, sample))
        told = f"{path}: {len(file.answers)} answers, {given} of them new" if file.answers else "nothing was answered"
        print_line(console, told)
    print_validity(console, record, validity(record, file.by_pair, file.judged))


def _judged(record: Record, judge: str, options: Sequence[str], chosen: Chosen, console: Console) -> JudgeVerdicts:
    """Ask the judge about every failing pair."""
    from robustfim.session import judge_pairs

    part = named_part("constraints", judge, chosen.manager(), "--judge", options)
    with progress_bar(console) as progress:
        return judge_pairs(
            record, part, offline=chosen.offline, store=chosen.store, progress=partial(progress, "judge the pairs"),
            tell=partial(print_line, console),
        )  # fmt: skip


def _next_letter() -> str:
    """Read one letter of what is piped in; "" at its end."""
    while (letter := sys.stdin.read(1)).isspace():
        pass
    return letter
