"""The terminal report, in the style of pytest; it is a plugin."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.text import Text

from robustfim.collect import Check, Collection
from robustfim.commands import print_line, print_rule, printable
from robustfim.errors import PluginError, shown, shown_path
from robustfim.hookspecs import hookimpl
from robustfim.judge import claim_text, kind_text, limit_text, rate_of, rate_text
from robustfim.outcome import Outcome
from robustfim.record import (
    CandidateCounts,
    CheckRecord,
    Comparison,
    ModelRecord,
    Record,
    ScoreRecord,
    SelectionRecord,
    hide_secrets,
    public_value,
)
from robustfim.statistics import percent
from robustfim.suite import RunConfig
from robustfim.version import __version__
from robustfim_drawing import counted
from robustfim_terminal.area import learned, print_area
from robustfim_terminal.comparison import print_answer, print_comparison
from robustfim_terminal.effort import print_effort
from robustfim_terminal.summary import (
    STYLES,
    print_causes,
    print_durations,
    print_errors,
    print_failures,
    print_last_line,
    print_outcomes,
    print_reach,
)
from robustfim_terminal.tables import align_rate, print_confusion, print_matrix, print_slices

__all__ = ["Terminal"]


_OPTION = 60
"""The most characters of an option's value in the header."""


_FEW = 5
"""The most checks that cannot pass and are listed before the run; if there are more, their number is printed."""


class Terminal:
    """The terminal report: prints a run as it proceeds.

    Args:
        console: The console.
        hook: The hooks, for the lines that other plugins add.
        verbosity: −1 (quiet), 0 (default), 1 or 2 (most lines).
    """

    def __init__(self, console: Console, hook: Any, verbosity: int) -> None:
        self._console, self._hook, self._verbosity = console, hook, verbosity
        self._fallbacks: tuple[str, ...] = ()
        self._done = self._number = self._width = self._durations = 0
        self._inconclusive: set[str] = set()

    # ---- moments --------------------------------------------------------------------------------------

    @hookimpl
    def robustfim_configure(self, config: RunConfig) -> None:
        """Print the header of the run."""
        self._durations = config.options.durations
        if self._verbosity < 0 or config.options.collect_only:
            return
        print_rule(self._console, "robustfim session starts", style="bold")
        model, data = config.suite.model, config.suite.data
        source = config.suite.source
        self._line(f"robustfim {__version__}, seed {config.seed}")
        self._line(f"suite: {config.shown_path}")
        parts = {"model": model, "data": data, "checks": source}
        self._line("; ".join(f"{key}: {use.use}{_options(use.options)}" for key, use in parts.items() if use))
        self._line(
            f"plugins: {', '.join(name for name in config.plugins if not name.startswith('robustfim.')) or 'none'}"
        )
        self._added("robustfim_report_header", self._hook.robustfim_report_header(config=config))

    @hookimpl
    def robustfim_run_start(self, collection: Collection) -> None:
        """Print how many examples and checks were collected."""
        self._number = len(collection.checks)
        self._width = max(len(check.name) for check in collection.checks)
        if self._verbosity < 0:
            return
        left_out = ", ".join(f"{number} {reason}" for reason, number in collection.skipped.items())
        left_out = f" (left out: {left_out})" if left_out else ""
        others = len(collection.left_out)
        deselected = f" / {others} deselected" if others else ""
        own = len(collection.own_examples)
        with_own = f" with {counted(own, 'example')} of their own" if own else ""
        data = f"{counted(len(collection.examples), 'example')}{left_out} and " if collection.data else ""
        self._line(f"collected {data}{counted(self._number, 'check')}{with_own}{deselected}{'' if data else left_out}")
        self._fallbacks = collection.fallbacks
        for told in collection.cannot_pass[:_FEW]:
            self._line(f"cannot pass: {told}", style="yellow")
        if (more := len(collection.cannot_pass) - _FEW) > 0:
            self._line(f"cannot pass: {counted(more, 'more check')}, likewise", style="yellow")

    @hookimpl
    def robustfim_selection_finish(
        self, model: ModelRecord, scores: Sequence[ScoreRecord], selection: SelectionRecord
    ) -> None:
        """Print the accuracy on unperturbed data, and the arms."""
        if self._verbosity < 0:
            return
        if model.threshold is not None:
            self._line(f"threshold: {model.threshold.sentence}")
        if model.accuracy.tested:
            right = model.accuracy.text
            self._line(f"accuracy: {right} on unperturbed examples{model.labelled_text}")
        if selection.pilot is not None:
            self._line(learned(selection.pilot, selection.by))
        if selection.of_baseline:
            self._line("testing the examples that the baseline drew:")
        if selection.testable is not None:
            arms = f"{selection.difficult} difficult by {selection.by}, and " if selection.by else ""
            self._line(f"testing: {arms}for each check so many at random that {selection.testable} can be tested")
        elif selection.strata:
            self._line(f"testing: examples of {len(selection.strata)} strata by {selection.by}, hard ones most")
        elif selection.by is not None:
            lowest = any(score.name == selection.by and score.hardest == "lowest" for score in scores)
            way = "up" if lowest else "down"
            threshold = "" if selection.threshold is None else f" ({way} to {selection.threshold:.3g})"
            hits = selection.right.get("difficult")
            hard = f"{threshold}, {hits} of them right," if hits is not None else f"{threshold},"
            easy = f" {selection.easiest} easiest," if selection.easiest else ""
            self._line(
                f"testing: {selection.difficult} difficult by {selection.by}{hard}{easy} {selection.control} control"
            )
        elif selection.control:
            self._line(f"testing: {counted(selection.control, 'example')} drawn at random")
        for score in scores:
            if score.message:
                self._line(f"score {score.name}: {score.message}", style="yellow")
        self._line("")

    @hookimpl
    def robustfim_check_finish(self, check: Check, result: CheckRecord) -> None:
        """Print the line of a finished check; its outcome counts only the checks so far."""
        self._done += 1
        word = result.outcome.value
        if result.outcome is Outcome.INCONCLUSIVE:
            self._inconclusive.add(result.id)
        if self._verbosity < 0:
            self._console.print(Text(word[0].upper(), style=STYLES[result.outcome]), end="")
            return
        share = f"[{round(100 * self._done / max(1, self._number)):3d}%]"
        line = Text(f"{check.name:<{self._width}}  ")
        line.append(f"{word.upper():<12} ", style=STYLES[result.outcome])
        below = ""
        if result.outcome in (Outcome.ERROR, Outcome.SKIPPED) and result.rate is None:
            line.append(printable(hide_secrets(result.message)))
        else:
            numbers, below = _numbers(result, self._console.width - line.cell_len - len(share) - 1)
            line.append(numbers)
        line.truncate(max(20, self._console.width - len(share) - 1), overflow="ellipsis", pad=True)
        self._console.print(line.append(" ").append(share, style="dim"))
        if below:
            print_line(self._console, below, indent=True)
        if self._verbosity > 0 and result.candidates.proposed:
            print_line(self._console, _account(result.candidates), style="dim", indent=True)
        if self._verbosity > 0 and result.by_card:
            print_line(self._console, result.by_card, style="dim", indent=True)

    @hookimpl(tryfirst=True)
    def robustfim_session_finish(self, record: Record, written: Sequence[Path]) -> None:
        """Print errors, failures, the summary and the last line."""
        console, verbosity = self._console, self._verbosity
        if verbosity < 0:
            console.print()
        if record.message:
            self._line(record.message, style="bold yellow" if record.interrupted else "bold red")
        for warning in (record_warning for record_warning in record.warnings if record_warning not in self._fallbacks):
            self._line(f"warning: {warning}", style="yellow")
        print_errors(console, record, verbosity)
        print_failures(console, record, verbosity)
        print_causes(console, record, verbosity)
        print_matrix(console, record)
        print_slices(console, record, verbosity)
        print_confusion(console, record)
        print_durations(console, record, self._durations)
        print_outcomes(console, record, verbosity, self._inconclusive)
        for check in record.checks:
            if verbosity > 0 and check.by_review:
                self._line(f"{check.name}: {check.by_review}")
        for comparison in record.comparisons:
            self.compare(comparison, record)
        try:
            self._added("robustfim_terminal_summary", self._hook.robustfim_terminal_summary(record=record))
        finally:
            if verbosity >= 0:
                print_reach(console, record)
                print_area(console, record)
                print_effort(console, record, verbosity)
                for fallback in self._fallbacks:
                    self._line(f"fallback: {fallback}", style="dim")
                for path in written:
                    self._line(f"wrote {shown_path(path)}")
            for comparison in record.comparisons:
                print_answer(console, comparison)
            print_last_line(console, record)

    def compare(self, comparison: Comparison, record: Record) -> None:
        """Print a comparison; ``record`` is the later run."""
        print_comparison(self._console, comparison, record, self._verbosity)

    # ---- parts ----------------------------------------------------------------------------------------

    def _added(self, hook: str, answers: Sequence[object]) -> None:
        """Print the lines that other plugins add."""
        for answer in answers:
            lines = [answer] if isinstance(answer, str) else [] if answer is None else answer
            if not isinstance(lines, Sequence) or not all(isinstance(line, str) for line in lines):
                raise PluginError(f"{hook} must give a line, several or None, not {shown(answer)}.")
            for line in lines:
                self._line(line)

    def _line(self, text: str, style: str = "none") -> None:
        print_line(self._console, text, style)


def _numbers(result: CheckRecord, room: int) -> tuple[str, str]:
    """Rates with their limits, as much of what is known as there is room for; and what must stand below them."""
    if result.rate is None or result.interval is None:
        return "", ""
    arms = {name: arm for name, arm in result.arms.items() if arm.rate is not None}
    arms = {name: arms[name] for name in ("difficult", "control", "easiest") if name in arms}
    if isinstance(result.limit, dict):
        claims = sorted(result.limit_claims, key=lambda claim: [*result.parts].index(claim.where))
        rates = [f"{kind_text(claim.where)} {rate_of(result, claim.estimate.rate)}" for claim in claims]
        limits = [rate_of(result, claim.limit) for claim in claims]
        whole = [f"{kind_text(claim.where)} {claim_text(result, claim)}" for claim in claims]
        versions = [
            "  ".join(f"{text}, limit {limit}" for text, limit in zip(whole, limits, strict=True)),
            ", ".join(f"{rate} (limit {limit})" for rate, limit in zip(rates, limits, strict=True)),
            ", ".join(rates),
        ]
    else:
        limit = limit_text(result)
        text = align_rate(rate_text(result)) + f", limit {limit}" * bool(limit)
        each = "".join(f"  {name} {percent(arm.rate)}" for name, arm in {**arms, **result.limited}.items())
        versions = [text + each, text]
    beside = _beside(result)
    for version in versions:
        if len(version) + len(beside) <= room:
            return version + beside if version else beside.lstrip(" ;"), ""
    shortest = versions[-1]
    cut = next(part for part in (shortest, shortest.partition(", limit")[0], "") if not part or len(part) <= room)
    return cut, (shortest.removeprefix(cut) + beside).strip(" ,;")


def _beside(result: CheckRecord) -> str:
    """What the rate says less of than it sounds like."""
    unseen = "  not seen by the model" if result.unseen and result.outcome is Outcome.PASSED else ""
    partly = "; read in part" if result.partly else ""
    if not result.mostly_unmoved:
        return unseen + partly
    return f"{unseen}{partly}; {percent(result.candidates.unmoved / result.candidates.tested)} move nothing"


def _account(counts: CandidateCounts) -> str:
    """What became of the candidates; parts of nothing are left out."""
    refused = {"edit": counts.edits_rejected, "candidate": counts.rejected}
    parts = [f"{counted(counts.proposed, 'candidate')} of {counted(counts.edits, 'edit')}"]
    parts[0] = parts[0] if counts.edits else counted(counts.proposed, "candidate")
    parts += [
        f"{number:,} {word}"
        for number, word in (
            (counts.unchanged, "unchanged"),
            (counts.duplicate, "proposed before"),
            (counts.undefined, "without finite numbers"),
            (counts.not_applicable, "to which the expectation does not apply"),
        )
        if number
    ]
    parts += [f"{counted(n, word)} rejected ({why})" for word, each in refused.items() for why, n in each.items()]
    asked = f"; {counted(counts.queries, 'text')} asked about by the search" if counts.queries else ""
    return f"{', '.join(parts)}; {counts.tested:,} tested, {counts.failed:,} failed{asked}"


def _options(options: dict[str, Any]) -> str:
    """Options in brackets; a long one, such as the tests of a source, is not told."""
    told = {key: str(value) for key, value in public_value(options).items()}
    short = ", ".join(f"{key}={value if len(value) <= _OPTION else '…'}" for key, value in told.items())
    return f" ({short})" if options else ""
