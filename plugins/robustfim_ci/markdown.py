"""The report ``markdown``: a comment for a pull or merge request."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from robustfim.commands import printable
from robustfim.contract import ReportContract
from robustfim.judge import limit_text
from robustfim.outcome import Outcome
from robustfim.record import CheckRecord, Record
from robustfim_ci.baseline import against_baseline, answers, has_regressed
from robustfim_ci.output import FileReport
from robustfim_ci.pair import Pair, first_pairs
from robustfim_ci.ranking import level, worst_first
from robustfim_ci.rates import first_line
from robustfim_drawing import counted, rate_lines, reach_lines

__all__ = ["MarkdownReport", "code", "escaped", "fenced", "render"]

_COMMENT = 65_536 - 1
"""Characters of a comment that GitHub takes."""
_PAIRS = 5
"""Failing pairs shown for each check, the worst first."""
_CORNER = 120
_SIGNS = {"error": "❌", "warning": "⚠️", "note": "➖", "": "➖"}
_PASSED = "✅"
_PUNCTUATION = re.compile(r"[!\"#$&*+\-.:<=>@\[\\\]^_`{|}~]")
"""Whatever may act in Markdown, in HTML or in a table."""


class MarkdownReport(FileReport):
    """Writes a comment for a pull or merge request: a table of the checks, and the worst failures as diffs.

    Args:
        path: The file to write; ``comment.md`` in the suite's report folder when None.
    """

    file = "comment.md"
    contract = ReportContract(suffix=".md", summary=True)

    def text(self, record: Record) -> str:
        """Return the report in Markdown."""
        return render(record, _COMMENT)


def render(record: Record, room: int, *, size: Callable[[str], int] = len) -> str:
    """Return a run as GitHub-flavoured Markdown.

    Args:
        record: The run.
        room: The largest size of the text. Less important content is left out and counted.
        size: A function that returns the size of a text, in characters or bytes.

    Returns:
        The text; empty if ``room`` is too small for the first lines. Texts of the record are escaped, so they add no
        markup, HTML, mentions or links.
    """
    ranked = worst_first(record)
    pairs = first_pairs(record, _PAIRS)
    page = _Page(room, size)
    page.add(_head(record))
    page.add_all([_row(check, record) for check in ranked], "checks", title=_TABLE)
    page.add(f"\n{_effort(record)}\n")
    shown = [check for check in ranked if level(check, record) in ("error", "warning")]
    folds = [_details(record, check, pairs[check.id]) for check in shown]
    page.add_all(folds, "checks with failures")
    return page.text


class _Page:
    """Parts that fit into a room, of which a corner is kept free for the line that counts what was left out."""

    def __init__(self, room: int, size: Callable[[str], int]) -> None:
        self.text, self._left, self._size = "", room - _CORNER, size
        self._corner = _CORNER

    def add(self, part: str) -> bool:
        """Add a part if there is room for it."""
        needed = self._size(part)
        if needed > self._left:
            return False
        self.text += part
        self._left -= needed
        return True

    def add_all(self, parts: Sequence[str], noun: str, title: str = "") -> None:
        """Add parts as long as there is room, and say how many were left out."""
        if not parts or not self.add(title):
            return
        for number, part in enumerate(parts):
            if not self.add(part):
                self._left, self._corner = self._corner, 0
                self.add(f"\n… and {len(parts) - number:,} more {noun}: see the other reports.\n")
                self._left = 0
                return


_TABLE = "| check | outcome | rate [95 % interval] | limit |\n| --- | --- | --- | --- |\n"


def _head(record: Record) -> str:
    model = f"Model {code(record.model.use)} on {record.data.examples:,} examples of {code(record.data.use)}"
    if record.model.accuracy.tested:
        model += f", accuracy {record.model.accuracy.text} unperturbed"
        model += escaped(record.model.labelled_text)
    if record.model.threshold is not None:
        model += f"; threshold: {escaped(record.model.threshold.sentence)}"
    if record.model.noise is not None:
        model += f"; own noise: {escaped(record.model.noise.sentence)}"
    if record.model.association.coefficient is not None:
        model += f", Matthews' coefficient {record.model.association}"
    lines = [f"### {escaped(record.suite)}: {first_line(record)}", ""]
    for comparison, answer in zip(record.comparisons, answers(record), strict=True):
        sign = _SIGNS["error"] if comparison.failed else _PASSED if comparison.proven else _SIGNS["warning"]
        lines += [f"{sign} {escaped(answer)}", ""]
        lines += [f"- {escaped(note)}" for note in comparison.notes] + [""]
    lines += [f"{model}.", "", *(f"{escaped(line)}.\n" for line in reach_lines(record))]
    if record.message:
        lines += [f"**{escaped(record.message)}**", ""]
    for warning in record.warnings:
        lines += [f"{_SIGNS['warning']} {escaped(warning)}", ""]
    return "\n".join(lines) + "\n"


def _row(check: CheckRecord, record: Record) -> str:
    rate = "<br>".join(map(escaped, rate_lines(check))) or "–"
    weight = level(check, record)
    sign = _PASSED if check.outcome is Outcome.PASSED and not weight else _SIGNS[weight]
    excused = check.outcome is Outcome.FAILED and weight == "warning"  # since a baseline decides
    outcome = f"{sign} {'above its limit' if excused else check.outcome}"
    if has_regressed(check, record):
        outcome += ", regressed"
    if check.unseen:
        outcome += ", not seen by the model"
    return f"| {code(check.name)} | {outcome} | {rate} | {escaped(limit_text(check)) or '–'} |\n"


def _details(record: Record, check: CheckRecord, pairs: Sequence[Pair]) -> str:
    """What a check says of itself and its worst pairs, folded."""
    parts = [f"\n<details><summary>{code(check.name)}: {escaped(check.message) or check.outcome.value}</summary>\n"]
    if compared_with := against_baseline(check, record):
        parts.append(f"{escaped(compared_with)}\n")
    parts += [f"{escaped(told)}\n" for told in (check.by_card, check.by_review) if told]
    if check.outcome is Outcome.ERROR and check.traceback:
        parts.append(fenced("\n".join(map(printable, check.traceback.strip().split("\n"))), "text"))
    for pair in pairs:
        parts.append(f"{escaped(pair.title)} ({escaped(pair.facts)})\n\n{fenced(pair.diff, 'diff')}")
    rest = check.failing - len(pairs)
    if pairs and rest > 0:
        parts.append(f"… and {counted(rest, 'more failing example')}\n")
    if pairs:
        parts.append(f"The first one alone:\n\n{fenced(pairs[0].reproduce, 'shell')}")
    return "\n".join([*parts, "</details>\n"])


def _effort(record: Record) -> str:
    return (
        f"<sub>robustfim {escaped(record.environment.robustfim)}, seed {record.seed}; {record.model_calls:,} texts "
        f"sent to the model, {record.cached_calls:,} answered by the store; {record.duration_s:.0f} s.</sub>"
    )


def escaped(text: str) -> str:
    """Escape a text so that Markdown shows it unchanged: no markup, HTML, table cells, mentions or links.

    Returns:
        One line. Punctuation is written as character references. A comment after ``@`` and ``#`` keeps GitHub and
        GitLab from finding a mention in the finished page.
    """

    def reference(found: re.Match[str]) -> str:
        return f"&#{ord(found[0])};" + ("<!-- -->" if found[0] in "@#" else "")

    return _PUNCTUATION.sub(reference, printable(text))


def code(text: str) -> str:
    """Return a text as HTML code, with everything in it escaped.

    Args:
        text: Any text.
    """
    return f"<code>{escaped(text)}</code>"


def fenced(text: str, language: str) -> str:
    """Return a text in a fenced code block, with a fence longer than any in the text."""
    longest = max(map(len, re.findall("`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{language}\n{text}\n{fence}\n"
