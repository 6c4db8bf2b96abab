"""A run against its baseline, in the terminal."""

from __future__ import annotations

from rich.console import Console
from rich.text import Text

from robustfim.record import CheckComparison, Comparison, Record
from robustfim.terminal.console import print_line, print_rule
from robustfim.terminal.printable import printable
from robustfim.terminal.summary import print_failure, smallest_failures

__all__ = ["print_comparison"]

_SHOWN = {-1: 0, 0: 2, 1: 10}
"""Newly broken examples shown for each check, by verbosity."""


def print_comparison(console: Console, comparison: Comparison, after: Record, verbosity: int) -> None:
    """Print what broke and what was fixed, check by check.

    Args:
        console: Where to print.
        comparison: The comparison.
        after: The new run, for the texts.
        verbosity: −1 for the counts alone, 0 with a few newly broken examples, 1 with more, 2 with all.
    """
    print_rule(console, f"against the baseline ({comparison.baseline})", style="bold")
    for note in comparison.notes:
        print_line(console, f"note: {note}", style="yellow")
    width = max(len(check.id) for check in comparison.checks)
    for check in comparison.checks:
        print_line(console, _line(check, width))
        _print_newly_broken(console, check, after, verbosity)
    for ids, where in ((comparison.only_before, "the baseline"), (comparison.only_after, "this run")):
        if ids:
            print_line(console, f"only in {where}: {', '.join(ids)}", style="yellow")
    broken = sum(len(check.newly_broken) for check in comparison.checks)
    fixed = sum(len(check.newly_fixed) for check in comparison.checks)
    regressed = sum(check.regressed for check in comparison.checks)
    verdict = f"fails with --fail-on {comparison.fail_on}" if comparison.failed else "may replace the baseline"
    print_line(
        console,
        f"{broken} newly broken, {fixed} newly fixed, {regressed} check{'s' * (regressed != 1)} regressed: {verdict}",
        style="bold red" if comparison.failed else "bold green",
    )


def _line(check: CheckComparison, width: int) -> Text:
    line = Text(f"{printable(check.id):<{width}}  ")
    if check.regressed:
        line.append("REGRESSED  ", style="bold red")
    elif len(check.newly_fixed) > len(check.newly_broken) and check.p_value <= 0.05:
        line.append("IMPROVED   ", style="green")
    else:
        line.append("no change  " if not check.newly_broken and not check.newly_fixed else "unproven   ", style="dim")
    line.append(
        f"{len(check.newly_broken)} newly broken, {len(check.newly_fixed)} newly fixed, "
        f"{len(check.still_broken)} still broken of {check.matched}"
    )
    if check.difference is not None and check.interval is not None and (check.newly_broken or check.newly_fixed):
        low, high = check.interval
        line.append(f"; {100 * check.difference:+.1f} % [{100 * low:+.1f}, {100 * high:+.1f}], p = {check.p_value:.2g}")
    if check.before is not check.after:
        line.append(f"; {check.before.value} → {check.after.value}")
    if check.only_before or check.only_after:
        line.append(f"; {check.only_before} tested only before, {check.only_after} only now", style="dim")
    return line


def _print_newly_broken(console: Console, check: CheckComparison, after: Record, verbosity: int) -> None:
    broken = set(check.newly_broken)
    found = [each for each in after.failures if each.check == check.id and each.example in broken]
    shown = _SHOWN.get(verbosity, len(found))
    examples = {example.id: example for example in after.examples}
    for failure in smallest_failures(found)[:shown]:
        print_failure(console, failure, examples[failure.example])
