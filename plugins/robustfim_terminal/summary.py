"""The end of the terminal report: errors, failures, the slowest checks, and one line for each check."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from rich.console import Console
from rich.text import Text

from robustfim.commands import print_command, print_line, print_rule, printable
from robustfim.judge import cause_texts, failures_by_check, gates, rules_command
from robustfim.outcome import ExitCode, Outcome
from robustfim.record import AttributionRecord, ExampleRecord, Failure, ImportanceRecord, Record, hide_secrets
from robustfim.spans import is_spans
from robustfim_drawing import against_labels, counted, field_diffs, outcome_counts, reach_lines

__all__ = [
    "STYLES",
    "most_important",
    "print_causes",
    "print_durations",
    "print_errors",
    "print_failure",
    "print_failures",
    "print_first",
    "print_last_line",
    "print_outcomes",
    "print_reach",
]

STYLES = {
    Outcome.PASSED: "green",
    Outcome.FAILED: "bold red",
    Outcome.INCONCLUSIVE: "yellow",
    Outcome.MEASURED: "dim",
    Outcome.ERROR: "bold magenta",
    Outcome.SKIPPED: "cyan",
    Outcome.XFAILED: "cyan",
    Outcome.XPASSED: "bold red",
}
_COLOURS: Mapping[int, str] = {ExitCode.OK: "green", ExitCode.INCONCLUSIVE: "yellow", ExitCode.INTERRUPTED: "yellow"}
"""The colour of the last line, by exit code; red for all others."""
_SHOWN = {-1: 0, 0: 3, 1: 10}
"""Failing examples shown for each check, by verbosity."""
_IMPORTANT = 4
"""The most important words that are shown."""
_FRAMES = 12
"""Lines of a traceback that are shown without ``-v``."""


def print_errors(console: Console, record: Record, verbosity: int) -> None:
    """Print for each check that ended in an error the reason, with the end of the traceback.

    Args:
        console: The console.
        record: The run record.
        verbosity: −1 without tracebacks, 0 with their ends, 1 and 2 with whole tracebacks.
    """
    errors = [check for check in record.checks if check.outcome is Outcome.ERROR]
    shared = [check for check in errors if check.message == record.message]
    if shared and shared[0].traceback:  # the message was printed above, and is the same for all of them
        print_rule(console, "ERROR", style="magenta")
        _print_traceback(console, shared[0].traceback, verbosity)
    own = [check for check in errors if check.message != record.message]
    if not own:
        return
    print_rule(console, "ERRORS", style="magenta")
    for check in own:
        print_rule(console, check.id, characters="_", style="magenta")
        print_line(console, check.message)
        _print_traceback(console, check.traceback, verbosity)


def _print_traceback(console: Console, traceback: str, verbosity: int) -> None:
    lines = traceback.splitlines()
    if verbosity < 0 or not lines:
        return
    if verbosity < 1 and len(lines) > _FRAMES:
        lines = ["…", *lines[2 - _FRAMES :], "('-v' shows the whole traceback)"]
    for line in lines:
        print_line(console, line, style="dim", indent=True)


def print_failures(console: Console, record: Record, verbosity: int) -> None:
    """Print failing examples of each check, the most important first.

    Args:
        console: The console.
        record: The run record.
        verbosity: −1 for no example, 0 for a few of each check that did not pass, 1 for more of all checks, 2 for all
            examples.
    """
    shown = _SHOWN.get(verbosity, len(record.failures))
    by_check = failures_by_check(record)
    bad = {Outcome.FAILED, Outcome.INCONCLUSIVE, Outcome.MEASURED, Outcome.ERROR, Outcome.XPASSED}
    checks = [check for check in record.checks if by_check[check.id] and (check.outcome in bad or verbosity >= 1)]
    if not checks or not shown:
        return
    print_rule(console, "FAILURES", style="red")
    examples, more = record.example_by_id, "'-v' shows more" if verbosity < 1 else "'-vv' shows all"
    for check in checks:
        print_rule(console, check.id, characters="_", style="red")
        pairs = [(failure, examples[failure.example]) for failure in by_check[check.id][:shown]]
        print_first(console, pairs, record.symbols, len(by_check[check.id]) - shown, more)
    if record.attribution is not None:
        _print_attribution(console, record.attribution, record.examples)


def print_first(
    console: Console, pairs: Sequence[tuple[Failure, ExampleRecord]], symbols: Mapping[str, str], rest: int, more: str
) -> None:
    """Print the first failing examples of a check, and how many further examples fail.

    Args:
        console: The console.
        pairs: The failures to print, each with its example.
        symbols: Score name to symbol, as for :func:`print_failure`.
        rest: The number of further failing examples; nothing is printed about 0 or fewer.
        more: A phrase on how to see the further failures.
    """
    for failure, example in pairs:
        print_failure(console, failure, example, symbols)
    if rest > 0:
        print_line(console, f"… and {rest} more failing examples of this check ({more})", style="dim")


def _print_attribution(console: Console, attribution: AttributionRecord, examples: Sequence[ExampleRecord]) -> None:
    """What the importance of words cost, and how exact it is; or why it is missing."""
    if attribution.message:
        print_line(console, f"no importance of words: {attribution.message}", style="yellow")
    found = [example.importance for example in examples if example.importance is not None]
    deltas = [abs(importance.delta) for importance in found if importance.delta is not None]
    if deltas:
        known = f"importance of words in {counted(len(found), 'example')}"
        exact = f"{attribution.calls:,} points differentiated, convergence delta at most {max(deltas):.2g}"
        print_line(console, f"{known}: {exact}", style="dim")


def print_failure(console: Console, failure: Failure, example: ExampleRecord, symbols: Mapping[str, str]) -> None:
    """Print one failure: the change of the label, the inline diff, and the command that shows only this failure.

    Args:
        console: The console.
        failure: The failure.
        example: The source example of the failure.
        symbols: The symbol of each score to show, by name; see ``Record.symbols``.
    """
    head = Text().append(failure.example, style="bold")
    facts = [failure.arm] if failure.arm not in (None, "all") else []
    if example.label is not None and not is_spans(example.label):
        facts.append(f"gold {example.label}")
    scores = [(symbol, example.scores.get(name)) for name, symbol in symbols.items()]
    numbers = {symbol: f"{number:.3g}" for symbol, number in scores if number is not None}
    if failure.shift is not None and failure.shift.lambda_max is not None:
        numbers["λmax"] = " → ".join(f"{each:.3g}" for each in failure.shift.lambda_max)
    facts += [f"{symbol} {number}" for symbol, number in numbers.items()]
    facts += filter(None, [failure.needed])
    if failure.queries is not None:
        facts.append(f"{counted(len(failure.edits), 'edit')}, {counted(failure.queries, 'text')} asked")
    head.append(f" ({', '.join(map(str, facts))})" if facts else "", style="dim")
    before, after = failure.before, failure.after
    if is_spans(before.label):
        change = "spans"  # the reason names those that are meant
    elif not failure.edits and failure.step is None:
        change = after.told()
    elif before.label == after.label and before.confidence is not None and after.confidence is not None:
        change = f"{before.told()} → {after.confidence:.2f}"
    else:
        change = f"{before.told()} → {after.told()}"
    change_text = Text(printable(change), style="yellow")
    if failure.reason and failure.reason != f"{before.label} -> {after.label}":
        change_text.append(printable(f"  {failure.reason}"), style="dim")
    if head.cell_len + 2 + change_text.cell_len > console.width:
        print_line(console, head)
        print_line(console, change_text, indent=True)
    else:
        print_line(console, head.append("  ").append_text(change_text))
    if failure.step is not None:
        step = failure.step
        print_line(console, f"a step of {step.norm:+g} along the {step.direction}; the text is unchanged", indent=True)
    for name, line in field_diffs(example.fields, failure.edits):  # whole ones of a step, or of the example itself
        print_line(console, Text(f"{name}: " if len(failure.fields) > 1 else "").append(line), indent=True)
    if example.importance is not None and example.importance.words:
        print_line(console, most_important(example, example.importance), indent=True)
    print_command(console, failure.reproduce)


def most_important(example: ExampleRecord, importance: ImportanceRecord) -> Text:
    """Write the words that contribute most for or against the predicted label: ``great +1.2, not −0.4``."""
    ranked = sorted(importance.words, key=lambda word: -abs(word.value))
    told = [
        word_record
        for word_record in ranked[:_IMPORTANT]
        if word_record.value and abs(word_record.value) >= abs(ranked[0].value) / 10
    ]
    line = Text(f"importance for {printable(example.prediction or '')}: ", style="dim")
    for index, word_record in enumerate(told):
        word = printable(example.fields.get(word_record.field, "")[word_record.start : word_record.end].strip() or "␣")
        line.append(", " if index else "").append(word, style="bold not dim").append(f" {_signed(word_record.value)}")
    if importance.change is not None and importance.delta is not None:
        line.append(f" (in all {_signed(importance.change)}, delta {_signed(importance.delta)})")
    return line


def _signed(number: float) -> str:
    return f"{number:+.2g}".replace("-", "−")


def print_causes(console: Console, record: Record, verbosity: int) -> None:
    """Print the causes of failures (rules that explain many of them), with two texts and a command each.

    Args:
        console: The console.
        record: The run record.
        verbosity: −1 to print the causes only.
    """
    if record.causes:
        print_rule(console, "causes", style="red")
    sources = {example.id: example.fields for example in record.examples}
    names = {check.id: check.name for check in record.checks}
    for cause in record.causes:
        print_line(console, f"{cause.sentence} ({names[cause.check]})")
        texts, command = cause_texts(record, cause)
        for failure in texts if verbosity >= 0 else ():
            for _, line in field_diffs(sources[failure.example], failure.edits):
                print_line(console, line, indent=True)
        if texts and verbosity >= 0:
            print_command(console, command)
    if verbosity >= 0 and (command := rules_command(record)):
        print_command(console, command)


def print_durations(console: Console, record: Record, number: int) -> None:
    """Print the slowest checks."""
    slowest = sorted(record.checks, key=lambda check: -check.duration_s)[:number]
    if not slowest:
        return
    print_rule(console, f"slowest {len(slowest)} checks" if len(slowest) > 1 else "slowest check")
    for check in slowest:
        print_line(console, f"{check.duration_s:8.2f}s  {check.id}")


def print_outcomes(console: Console, record: Record, verbosity: int, inconclusive: Collection[str] = ()) -> None:
    """Print one line for each check that did not pass, or whose edits never change the model's output.

    With ``-v`` every check has a line. A check that was reported as inconclusive during the run also has a line, since
    later checks may have changed its outcome.

    Args:
        console: The console.
        record: The run record.
        verbosity: From 1 on, print all checks.
        inconclusive: Ids of the checks that were reported as inconclusive during the run.
    """
    quiet = {Outcome.PASSED, Outcome.XFAILED, Outcome.MEASURED} if verbosity < 1 else set()
    checks = [
        check
        for check in record.checks
        # A limit for valid failures is not a limit for the rate beside it: the sentence says which rate it is for.
        if check.outcome not in quiet
        or check.unseen
        or check.recalled
        or check.caveats
        or check.limit_of_valid
        or check.id in inconclusive
    ]
    broken = [score for score in record.scores if score.broken]
    if not checks and not broken:
        return
    print_rule(console, "short test summary info", style="bold")
    for score in broken:
        print_line(
            console, Text("ERROR", style=STYLES[Outcome.ERROR]).append(printable(hide_secrets(f" {score.message}")))
        )
    for check in checks:
        why = f" - {check.message}" if check.message and check.message != record.message else ""
        outcome = Text().append(check.outcome.value.upper(), style=STYLES[check.outcome])
        print_line(console, outcome.append(printable(hide_secrets(f" {check.id}{why}"))))


def print_reach(console: Console, record: Record) -> None:
    """Print the number of tested examples on which the model breaks."""
    for line in reach_lines(record):
        print_line(console, line)
    if (left_out := record.left_out) and any(left_out):
        wrong, blank = left_out
        parts = [f"{wrong:,} wrong before any edit"] * bool(wrong) + [f"{blank:,} without a gold label"] * bool(blank)
        print_line(console, f"not perturbed, since nothing of them can break: {', '.join(parts)}", style="dim")
    if record.model.noise is not None:
        print_line(console, f"the model's own noise: {record.model.noise.sentence}")


def print_last_line(console: Console, record: Record) -> None:
    """Print the number of checks by outcome, and the duration of the run."""
    errors = sum(check.outcome is Outcome.ERROR for check in record.checks)
    parts = outcome_counts(record, {Outcome.ERROR: "errors"} if errors > 1 else {}) or ["no check ran"]
    parts += _beside_the_checks(record)
    if record.interrupted:
        parts.insert(0, "interrupted")
    style = _COLOURS.get(record.exit_code, "red")
    seconds = round(record.duration_s)
    clock = f" ({seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02})" if seconds >= 60 else ""
    head = "" if gates(record) or record.interrupted or not record.checks else "nothing is gated: "
    print_rule(console, f"{head}{', '.join(parts)} in {record.duration_s:.2f}s{clock}", style=style)


def _beside_the_checks(record: Record) -> Iterator[str]:
    """What else keeps a run from ending well: answers that do not follow the gold labels, a baseline that stays."""
    if weak := against_labels(record):
        yield weak
    for comparison in record.comparisons:
        if comparison.failed or comparison.inconclusive:
            yield f"{f'{printable(comparison.name)}: ' * bool(comparison.name)}{comparison.headline}"
