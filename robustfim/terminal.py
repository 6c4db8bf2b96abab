"""The terminal report, in pytest's manner: itself a plugin."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    SpinnerColumn,
    TaskID,
    TextColumn,
    TimeRemainingColumn,
)
from rich.rule import Rule
from rich.text import Text

import robustfim
from robustfim.collect import Check, Collection
from robustfim.config import RunConfig
from robustfim.hookspecs import hookimpl
from robustfim.outcome import ExitCode, Outcome
from robustfim.record import (
    CheckRecord,
    ExampleRecord,
    Failure,
    ModelRecord,
    Record,
    ScoreRecord,
    SelectionRecord,
)
from robustfim.terminal_diff import inline_diff, printable
from robustfim.verdicts import percent

__all__ = ["Terminal", "make_console"]

_STYLES = {
    Outcome.PASSED: "green",
    Outcome.FAILED: "bold red",
    Outcome.INCONCLUSIVE: "yellow",
    Outcome.ERROR: "bold magenta",
    Outcome.SKIPPED: "cyan",
    Outcome.XFAILED: "cyan",
    Outcome.XPASSED: "bold red",
}
_SHOWN = {-1: 0, 0: 3, 1: 10}
"""Failing examples shown for each check, by verbosity."""


def make_console(color: str = "auto", *, stderr: bool = False) -> Console:
    """Make a console.

    Args:
        color: ``auto`` (colours on a terminal, none with NO_COLOR), ``yes`` or ``no``.
        stderr: Whether it writes to standard error.
    """
    force = {"yes": True, "no": None, "auto": None}[color]
    return Console(
        stderr=stderr,
        force_terminal=force,
        no_color=True if color == "no" else None,
        highlight=False,
        markup=False,
        emoji=False,
    )


class Terminal:
    """Prints a run.

    Args:
        console: Where it prints.
        hook: The hooks, for the lines other plugins add.
        verbosity: −1 quiet, 0, 1 or 2.
    """

    def __init__(self, console: Console, hook: Any, verbosity: int = 0) -> None:
        self._console, self._hook, self._verbosity = console, hook, verbosity
        self._progress: Progress | None = None
        self._task: TaskID | None = None
        self._stage = ""
        self._done = self._number = self._width = 0

    # ---- moments --------------------------------------------------------------------------------------

    @hookimpl
    def robustfim_configure(self, config: RunConfig) -> None:
        """Print the header."""
        if self._verbosity < 0 or config.options.collect_only:
            return
        self._rule("robustfim session starts", style="bold")
        model, data = config.suite.model, config.suite.data
        self._line(f"robustfim {robustfim.__version__}, seed {config.seed}")
        self._line(f"suite: {config.shown_path}")
        self._line(f"model: {model.use}{_options(model.options)}; data: {data.use}{_options(data.options)}")
        self._line(f"plugins: {', '.join(name for name in config.plugins if not name.startswith('robustfim.'))}")
        for lines in self._hook.robustfim_report_header(config=config):
            for line in [lines] if isinstance(lines, str) else lines or ():
                self._line(line)

    @hookimpl
    def robustfim_run_start(self, collection: Collection) -> None:
        """Print what was collected and start the progress bar."""
        self._number = len(collection.checks)
        self._width = max(len(check.name) for check in collection.checks)
        if self._verbosity >= 0:
            left_out = ", ".join(f"{number} {reason}" for reason, number in collection.skipped.items())
            left_out = f" (left out: {left_out})" if left_out else ""
            self._line(f"collected {len(collection.examples)} examples{left_out} and {self._number} checks")
        if self._console.file.isatty() and self._verbosity >= 0:
            self._progress = Progress(
                SpinnerColumn(),
                TextColumn("{task.description}"),
                BarColumn(bar_width=30),
                MofNCompleteColumn(),
                TimeRemainingColumn(),
                console=self._console,
                transient=True,
            )
            self._progress.start()

    @hookimpl
    def robustfim_progress(self, stage: str, done: int, total: int) -> None:
        """Move the progress bar."""
        if self._progress is None:
            return
        if self._task is None or stage != self._stage:
            if self._task is not None:
                self._progress.remove_task(self._task)
            self._task = self._progress.add_task(stage, total=total)
            self._stage = stage
        self._progress.update(self._task, completed=done, total=total)

    @hookimpl
    def robustfim_selection_finish(
        self, model: ModelRecord, scores: Sequence[ScoreRecord], selection: SelectionRecord
    ) -> None:
        """Print the accuracy on unperturbed data, and the arms."""
        if self._verbosity < 0:
            return
        if model.accuracy is not None and model.accuracy_interval is not None:
            low, high = model.accuracy_interval
            self._line(f"accuracy: {percent(model.accuracy)} [{percent(low)}, {percent(high)}] on unperturbed examples")
        if selection.by is not None:
            threshold = "" if selection.threshold is None else f" (down to {selection.threshold:.3g})"
            self._line(
                f"testing: {selection.difficult} difficult by {selection.by}{threshold}, {selection.control} control"
            )
        elif selection.control:
            self._line(f"testing: {selection.control} examples drawn at random")
        for score in scores:
            if score.message:
                self._line(f"score {score.name}: {score.message}", style="yellow")
        self._line("")

    @hookimpl
    def robustfim_check_start(self, check: Check) -> None:
        """Name the check on the progress bar."""
        self.robustfim_progress(check.name, 0, 1)

    @hookimpl
    def robustfim_check_finish(self, check: Check, result: CheckRecord) -> None:
        """Print the check's line."""
        self._done += 1
        if self._verbosity < 0:
            self._console.print(Text(result.outcome.value[0].upper(), style=_STYLES[result.outcome]), end="")
            return
        share = f"[{round(100 * self._done / max(1, self._number)):3d}%]"
        line = Text(f"{check.name:<{self._width}}  ")
        line.append(f"{result.outcome.value.upper():<12}", style=_STYLES[result.outcome])
        if result.outcome in (Outcome.ERROR, Outcome.SKIPPED) and result.rate is None:
            line.append(f"  {printable(result.message)}")
            room = self._console.width - len(share) - 2
            line.truncate(max(20, room), overflow="ellipsis")
        else:
            line.append(_numbers(result, wide=self._console.width >= 110))
        self._console.print(
            line.append(" " * max(1, self._console.width - line.cell_len - len(share))).append(share, style="dim")
        )

    @hookimpl(trylast=True)
    def robustfim_run_finish(self, record: Record) -> None:
        """Take the progress bar away."""
        if self._progress is not None:
            self._progress.stop()
            self._progress = None

    @hookimpl(trylast=True)
    def robustfim_session_finish(self, record: Record, written: Sequence[Path]) -> None:
        """Print errors, failures, the summary and the last line."""
        if self._verbosity < 0:
            self._console.print()
        if record.message:
            self._line(record.message, style="bold yellow" if record.interrupted else "bold red")
        examples = {example.id: example for example in record.examples}
        self._errors(record)
        self._failures(record, examples)
        self._summary(record)
        for lines in self._hook.robustfim_terminal_summary(record=record):
            for line in [lines] if isinstance(lines, str) else lines or ():
                self._line(line)
        if self._verbosity >= 0:
            calls = f"{record.model_calls:,} texts sent to the model, {record.cached_calls:,} answered by the store"
            more = (
                f", {record.gradient_calls:,} differentiated, {record.step_calls:,} steps"
                if record.gradient_calls or record.step_calls
                else ""
            )
            self._line(f"{calls}{more}", style="dim")
            for path in written:
                self._line(f"wrote {path}")
        self._last_line(record)

    # ---- parts ----------------------------------------------------------------------------------------

    def durations(self, record: Record, number: int) -> None:
        """Print the slowest checks.

        Args:
            record: The run record.
            number: How many.
        """
        self._rule(f"slowest {number} checks")
        for check in sorted(record.checks, key=lambda each: -each.duration_s)[:number]:
            self._line(f"{check.duration_s:8.2f}s  {check.id}")

    def _errors(self, record: Record) -> None:
        errors = [check for check in record.checks if check.outcome is Outcome.ERROR]
        if not errors or (
            record.message and not record.failures and all(each.message == record.message for each in errors)
        ):
            return
        self._rule("ERRORS", style="magenta")
        for check in errors:
            self._rule(check.id, characters="_", style="magenta")
            self._line(check.message)
            if check.traceback and self._verbosity >= 0:
                lines = check.traceback.splitlines()
                kept = (
                    lines
                    if self._verbosity >= 1 or len(lines) <= 12
                    else ["…", *lines[-10:], "('-v' shows the whole traceback)"]
                )
                for line in kept:
                    self._line(f"    {line}", style="dim")

    def _failures(self, record: Record, examples: dict[str, ExampleRecord]) -> None:
        shown = _SHOWN.get(self._verbosity, 1_000_000)
        if not record.failures or not shown:
            return
        by_check: dict[str, list[Failure]] = {}
        for failure in record.failures:
            by_check.setdefault(failure.check, []).append(failure)
        bad = {Outcome.FAILED, Outcome.INCONCLUSIVE, Outcome.ERROR, Outcome.XPASSED}
        told = [
            check for check in record.checks if check.id in by_check and (check.outcome in bad or self._verbosity >= 1)
        ]
        if not told:
            return
        self._rule("FAILURES", style="red")
        for check in told:
            self._rule(check.id, characters="_", style="red")
            smallest = _smallest(by_check[check.id])
            for failure in smallest[:shown]:
                self._failure(failure, examples[failure.example], record)
            rest = len(smallest) - shown
            if rest > 0:
                self._line(
                    f"… and {rest} more failing examples of this check ('-v' shows more, the HTML report all)",
                    style="dim",
                )

    def _failure(self, failure: Failure, example: ExampleRecord, record: Record) -> None:
        head = Text(f"{failure.example} ", style="bold")
        facts = [failure.arm] if failure.arm not in (None, "all") else []
        if example.label is not None:
            facts.append(f"gold {example.label}")
        if (fisher := example.scores.get("fisher")) is not None:
            facts.append(f"λmax {fisher:.3g}")
        head.append(f"({', '.join(map(str, facts))})  " if facts else " ", style="dim")
        before, after = failure.before, failure.after
        head.append(
            f"{before.label} {max(before.probabilities):.2f} → {after.label} {max(after.probabilities):.2f}",
            style="yellow",
        )
        self._console.print(head, soft_wrap=True)
        if failure.step is not None:
            self._line(
                f"    a step of {failure.step.norm:+g} along the {failure.step.direction}; the text is unchanged"
            )
        for name in failure.fields:
            text, edits = example.fields[name], [edit for edit in failure.edits if edit.field == name]
            if edits or failure.step is not None:
                label = f"{name}: " if len(failure.fields) > 1 else ""
                self._console.print(
                    Text(f"    {label}").append(inline_diff(text, edits)),
                    soft_wrap=not self._console.is_terminal,
                )
        self._line(f"    {failure.reproduce}", style="dim")

    def _summary(self, record: Record) -> None:
        quiet = {Outcome.PASSED, Outcome.XFAILED} if self._verbosity < 1 else set()
        told = [check for check in record.checks if check.outcome not in quiet]
        if not told:
            return
        self._rule("short test summary info", style="bold")
        for check in told:
            line = Text(check.outcome.value.upper(), style=_STYLES[check.outcome]).append(
                f" {check.id} - {printable(check.message)}", style="none"
            )
            self._console.print(line, soft_wrap=not self._console.is_terminal)

    def _last_line(self, record: Record) -> None:
        counts = {Outcome(name): number for name, number in record.summary.items() if number}
        order = [
            Outcome.FAILED,
            Outcome.ERROR,
            Outcome.XPASSED,
            Outcome.INCONCLUSIVE,
            Outcome.PASSED,
            Outcome.SKIPPED,
            Outcome.XFAILED,
        ]
        parts = [f"{counts[each]} {each.value}" for each in order if each in counts] or ["no check ran"]
        if record.interrupted:
            parts.insert(0, "interrupted")
        style = "green" if record.exit_code == ExitCode.OK else "yellow" if record.interrupted else "red"
        self._rule(f"{', '.join(parts)} in {record.duration_s:.2f}s", style=style)

    def _rule(self, title: str, *, characters: str = "=", style: str = "none") -> None:
        self._console.print(Rule(Text(printable(title), style=style), characters=characters, style=style))

    def _line(self, text: str, style: str = "none") -> None:
        self._console.print(Text(printable(text), style=style), soft_wrap=not self._console.is_terminal)


def _numbers(result: CheckRecord, *, wide: bool) -> str:
    """Rate, interval and limit, and the arms where there is room."""
    if result.rate is None or result.interval is None:
        return ""
    low, high = (f"{100 * end:.1f}" for end in result.interval)
    text = f"{percent(result.rate):>7} [{low}, {high}] of {result.tested}"
    if isinstance(result.limit, float):
        text += f", limit {percent(result.limit)}"
    if wide or isinstance(result.limit, dict):
        for name, arm in result.arms.items():
            if name != "all" and arm.rate is not None:
                limit = f" (limit {percent(arm.limit)})" if arm.limit is not None else ""
                text += f"  {name} {percent(arm.rate)}{limit}"
    return text


def _smallest(failures: Sequence[Failure]) -> list[Failure]:
    """One failure an example, the one that changes least, the least changed example first."""

    def size(failure: Failure) -> tuple[float, ...]:
        changed = sum(len(edit.before) + len(edit.after) for edit in failure.edits)
        return (len(failure.edits), changed, abs(failure.step.norm) if failure.step else 0.0)

    best: dict[str, Failure] = {}
    for failure in failures:
        if failure.example not in best or size(failure) < size(best[failure.example]):
            best[failure.example] = failure
    return sorted(best.values(), key=size)


def _options(options: dict[str, Any]) -> str:
    return f" ({', '.join(f'{key}={value}' for key, value in options.items())})" if options else ""
