"""A run against its baseline, in the terminal."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.text import Text

from robustfim.judge.reading_order import failures_by_check
from robustfim.judge.release_sentence import accuracy_text, points, told
from robustfim.printable import printable
from robustfim.record import CheckComparison, Comparison, PairedRecord, Record
from robustfim.terminal.console import print_line, print_rule
from robustfim.terminal.summary import print_failure

__all__ = ["print_answer", "print_comparison"]

_STYLES = {"worse": "bold red", "no worse": "green", "measured": "none"}
_SHOWN = {-1: 0, 0: 2, 1: 10}
"""Newly broken examples shown for each check, by verbosity."""


def print_comparison(console: Console, comparison: Comparison, after: Record, verbosity: int) -> None:
    """Print the answer first, then the whole suite and each check, the worst first, with what broke.

    Args:
        console: Where to print.
        comparison: The comparison.
        after: The new run, for the texts.
        verbosity: −1 for the counts alone, 0 with a few newly broken examples, 1 with more, 2 with all.
    """
    print_rule(console, printable(f"against the baseline ({_called(comparison)}{comparison.baseline})"), style="bold")
    print_answer(console, comparison)
    for note in comparison.notes:
        print_line(console, printable(f"note: {note}"), style="yellow")
    width = max(len(check.id) for check in comparison.checks)
    style = _STYLES.get(comparison.accuracy.verdict, "yellow")
    print_line(console, Text(accuracy_text(comparison.accuracy), style=style))
    print_line(console, _line("all checks", comparison.whole, width))
    for check in comparison.worst_first:
        print_line(console, _line(check.id, check, width).append_text(_outcomes(check)))
        for kind, error in check.errors.items():
            print_line(console, _line(f"  {kind.replace('_', ' ')}", error, width, ("wrong", "right")))
        _print_newly_broken(console, check, after, verbosity)
    for ids, where in ((comparison.only_before, "the baseline"), (comparison.only_after, "this run")):
        if ids:
            print_line(console, printable(f"only in {where}: {', '.join(ids)}"), style="yellow")


def print_answer(console: Console, comparison: Comparison) -> None:
    """Print whether the run may replace the baseline: a refusal red, a proof green, what is open yellow."""
    style = "bold red" if comparison.failed else "bold green" if comparison.proven else "bold yellow"
    print_line(console, printable(f"{_called(comparison)}{comparison.answer}"), style=style)


def _called(comparison: Comparison) -> str:
    return f"{comparison.name}: " if comparison.name else ""


def _line(name: str, compared: PairedRecord, width: int, words: Sequence[str] = ()) -> Text:
    line = Text(f"{printable(name):<{width}}  ")
    word = compared.verdict.upper() if compared.verdict == "worse" else compared.verdict
    if isinstance(compared, CheckComparison) and compared.regressed and compared.verdict != "worse":
        word = "REGRESSED"
    style = _STYLES.get(compared.verdict, "red" if compared.fails else "yellow")
    line.append(f"{word:<9}  ", style=style)
    line.append(told(compared, *words))
    if compared.newly_broken or compared.newly_fixed:
        line.append(f", p = {compared.p_value:.2g}")
    if compared.margin is not None:
        line.append(f", margin {points(compared.margin)}")
    if compared.needed is not None:
        line.append(f"; about {compared.needed:,} more matched examples decide in 80 % of cases")
    return line


def _outcomes(check: CheckComparison) -> Text:
    """What a check was before and is now, and what only one of the runs tested."""
    line = Text()
    if check.before is not check.after:
        line.append(f"; {check.before.value} → {check.after.value}", style="bold red" if check.regressed else "none")
    if check.only_before or check.only_after:
        line.append(f"; {check.only_before} tested only before, {check.only_after} only now", style="dim")
    return line


def _print_newly_broken(console: Console, check: CheckComparison, after: Record, verbosity: int) -> None:
    broken = set(check.newly_broken)
    found = [each for each in failures_by_check(after).get(check.id, ()) if each.example in broken]
    shown = _SHOWN.get(verbosity, len(found))
    examples = {example.id: example for example in after.examples}
    for failure in found[:shown]:
        print_failure(console, failure, examples[failure.example], after.symbols)
