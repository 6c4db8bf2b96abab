"""The comparison of a run with its baseline, in the terminal."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.text import Text

from robustfim.commands import print_line, print_rule, printable
from robustfim.judge import accuracy_text, counts, failures_by_check, kind_text, robust_text, told
from robustfim.record import CheckComparison, Comparison, ExampleRecord, PairedRecord, Record
from robustfim.spans import is_spans, read_spans
from robustfim_terminal.summary import print_failure

__all__ = ["print_answer", "print_comparison"]

_STYLES = {"worse": "bold red", "no worse": "green", "inconclusive": "yellow"}
_SHOWN = {-1: 0, 0: 2, 1: 10}
"""Regressions shown for each check, by verbosity."""


def print_comparison(console: Console, comparison: Comparison, after: Record, verbosity: int) -> None:
    """Print a comparison of two runs: the verdict, accuracy, robust accuracy, and each check with regressions.

    Args:
        console: The console.
        comparison: The comparison.
        after: The new run, for the texts.
        verbosity: −1 for counts only, 0 with a few regressions, 1 with more regressions, 2 with all.
    """
    both = f"{comparison.baseline} (baseline) → {after.model.use}"
    print_rule(console, f"{_called(comparison)}{both}", style="bold")
    print_answer(console, comparison)
    for note in comparison.notes:
        print_line(console, f"note: {note}", style="yellow")
    accuracy, whole = comparison.accuracy, comparison.whole
    untouched = f": {counts(accuracy.newly_wrong, accuracy.newly_right)}" * (not accuracy.missing)
    print_line(console, Text(accuracy_text(accuracy) + untouched, style=_STYLES.get(accuracy.verdict, "none")))
    perturbed = f": {counts(len(whole.newly_broken), len(whole.newly_fixed))} by candidates" * (
        whole.estimate.tested > 0
    )
    print_line(console, Text(robust_text(comparison) + perturbed, style=_STYLES.get(whole.verdict, "none")))
    _print_newly_wrong(console, whole.newly_wrong, after, verbosity)
    width = max((len(check.id) for check in comparison.checks), default=0)
    for check in comparison.worst_first:
        print_line(console, _line(check.id, check, width).append_text(_outcomes(check)))
        for kind, error in check.errors.items():
            print_line(console, _line(f"  {kind_text(kind)}", error, width, "right"))
        _print_newly_broken(console, check, after, verbosity)
    for ids, where in ((comparison.only_before, "the baseline"), (comparison.only_after, "this run")):
        if ids:
            print_line(console, f"only in {where}: {', '.join(ids)}", style="yellow")


def print_answer(console: Console, comparison: Comparison) -> None:
    """Print in colour whether the new run may replace the baseline: yes, no or inconclusive."""
    style = "bold red" if comparison.failed else "bold green" if comparison.proven else "bold yellow"
    print_line(console, f"{_called(comparison)}{comparison.answer}", style=style)


def _called(comparison: Comparison) -> str:
    return f"{comparison.name}: " if comparison.name else ""


def _line(name: str, compared: PairedRecord, width: int, share: str = "") -> Text:
    line = Text(f"{printable(name):<{width}}  ")
    word = compared.verdict.upper() if compared.verdict == "worse" else compared.verdict
    if isinstance(compared, CheckComparison):
        share = "robust" if compared.label_kept else "not failing"
        if compared.other_tests:
            word = "other tests"
        elif compared.regressed and compared.verdict != "worse":
            word = "REGRESSED"
        elif compared.small:
            word = "too few texts"
    line.append(f"{word:<13}  ", style=_STYLES.get(compared.verdict, "red" if compared.fails else "none"))
    line.append(told(compared, share))
    if compared.estimate.rate:
        line.append(f", p = {compared.p_value:.2g}")
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
    """Print texts that a candidate newly breaks, then unchanged texts of which something is newly missed."""
    missed = {id: kind for kind, error in check.errors.items() for id in error.newly_broken}
    broken = {*check.newly_broken, *missed}
    failures = [failure for failure in failures_by_check(after).get(check.id, ()) if failure.example in broken]
    shown = _SHOWN.get(verbosity, len(failures) + len(missed))
    examples = after.example_by_id
    for failure in failures[:shown]:
        print_failure(console, failure, examples[failure.example], after.symbols)
    seen = {failure.example for failure in failures}
    unseen = [id for id in missed if id not in seen and id in examples]
    for id in unseen[: max(0, shown - len(failures))]:
        print_line(console, f"  untouched: {kind_text(missed[id])}  {_text(examples[id])}", style="dim")


def _print_newly_wrong(console: Console, ids: Sequence[str], after: Record, verbosity: int) -> None:
    """Print unchanged texts that the baseline has right and this model does not."""
    examples = after.example_by_id
    for id in ids[: _SHOWN.get(verbosity, len(ids))]:
        if (example := examples.get(id)) is not None:
            change = _spans_between(example) or f"{example.label} → {example.prediction}"
            print_line(console, f"  untouched: {change}  {_text(example)}", style="dim")


def _text(example: ExampleRecord) -> str:
    return " | ".join(example.fields.values())


def _spans_between(example: ExampleRecord) -> str:
    """Name the gold spans that a tagger missed, and what it found in their place; "" of any other model."""
    gold, found = example.label, example.prediction
    if not (is_spans(gold) and is_spans(found)):
        return ""
    wanted, given, text = set(read_spans(gold)), set(read_spans(found)), _text(example)
    sides = ("missed", wanted - given), ("wrong", given - wanted)
    return "; ".join(
        f"{word} {', '.join(f'{span.label} {text[span.start : span.end]!r}' for span in sorted(spans))}"
        for word, spans in sides
        if spans
    )
