"""A run as a card of 1200 × 630, to pass on: the verdict, what it stands on, and the failing text to read first."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from robustfim.drawing import percent
from robustfim.record import Failure, Record
from robustfim_html.live import changed_parts
from robustfim_html.pair import probability
from robustfim_html.spans import decision
from robustfim_html.verdict import answer
from robustfim_html.visible import plain

__all__ = ["COLOURS", "HEIGHT", "MARGIN", "WIDTH", "Line", "Run", "lines", "markdown", "svg"]

_BLANKS = re.compile(r"[ \t\n]+")
WIDTH, HEIGHT = 1200, 630
"""Of the card, in pixels: what chats and social networks show whole."""
MARGIN = 72
"""Left and right of the text, in pixels."""
_EM = 0.54
"""The width of a letter, in its size; that of a wide East Asian one is 1."""
COLOURS = {
    "": "#1b1d22", "muted": "#5c616c", "failed": "#c22f2b", "passed": "#1d7a47", "open": "#8f5c00",
    "removed": "#a31f1c", "inserted": "#12633a", "accent": "#4352c6",
}  # fmt: skip
"""What a run of text is drawn in; readable on white."""
_VERDICTS = {"failed": "failed", "xpassed": "failed", "error": "failed", "passed": "passed", "inconclusive": "open"}
_TEXT_LINES = 5


@dataclass(frozen=True)
class Run:
    """A stretch of a line.

    Attributes:
        text: What it reads.
        kind: A key of ``COLOURS``; what is removed is struck out, what is inserted underlined.
    """

    text: str
    kind: str = ""


@dataclass(frozen=True)
class Line:
    """A line of the card.

    Attributes:
        y: Its base line, in pixels from the top.
        size: Of its letters, in pixels.
        bold: Whether they are heavy.
        runs: Its stretches, from left to right.
    """

    y: float
    size: float
    bold: bool
    runs: tuple[Run, ...]


def lines(record: Record, first: Sequence[Failure]) -> list[Line]:
    """Set a run as the lines of a card.

    Args:
        record: The run; nothing in it is trusted.
        first: The failures to read first, in their order; the card shows one.
    """
    said = answer(record)
    kind = _VERDICTS.get(said.icon, "")
    made = [Line(88, 26, False, (Run(_plain(record.suite), "accent"), Run("  robustfim", "muted")))]
    y = 106.0
    evidence = Run(_plain(" ".join(said.evidence)).replace(" %", "\u00a0%"))
    for size, bold, room, text in ((46, True, 2, Run(_plain(said.verdict), kind)), (27, False, 2, evidence)):
        for runs in _wrapped([text], size, room):
            y += 1.24 * size
            made.append(Line(y, size, bold, runs))
        y += 12
    for failure in first[:1]:
        y += 50
        made.append(Line(y, 26, True, tuple(_turn(record, failure))))
        y += 8
        for runs in _wrapped(list(_text(record, failure)), 27, _TEXT_LINES):
            y += 40
            made.append(Line(y, 27, False, runs))
    foot = f"{record.model.use} on {record.data.use}, {record.data.examples:,} examples, seed {record.seed}"
    made.append(Line(HEIGHT - 46, 22, False, next(_wrapped([Run(_plain(foot), "muted")], 22, 1))))
    return made


def svg(record: Record, first: Sequence[Failure]) -> Markup:
    """Draw the card.

    Returns:
        An ``svg`` element that needs no style sheet, no font file and no network.
    """
    body = []
    for line in lines(record, first):
        runs = Markup("").join(
            Markup('<tspan fill="{}"{}>{}</tspan>').format(COLOURS[run.kind], _DECORATED.get(run.kind, ""), run.text)
            for run in line.runs
        )
        weight = 'font-weight="700" ' if line.bold else ""
        body.append(
            Markup('<text x="{}" y="{:g}" font-size="{:g}" {}xml:space="preserve">{}</text>').format(
                MARGIN, line.y, line.size, Markup(weight), runs  # noqa: S704  # one of two literals
            )
        )  # fmt: skip
    label = _plain(f"{record.suite}: {answer(record).verdict}")
    return Markup(
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {0} {1}" width="{0}" height="{1}" role="img" '
        'aria-label="{2}" font-family="system-ui, Segoe UI, Roboto, Noto Sans, DejaVu Sans, sans-serif">'
        '<rect width="{0}" height="{1}" fill="#ffffff"/><rect width="14" height="{1}" fill="{3}"/>{4}</svg>'
    ).format(WIDTH, HEIGHT, label, COLOURS[_VERDICTS.get(answer(record).icon, "muted")], Markup("").join(body))


_DECORATED = {
    "removed": Markup(' text-decoration="line-through"'),
    "inserted": Markup(' text-decoration="underline"'),
}


def markdown(record: Record, first: Sequence[Failure]) -> str:
    """Write the card as a block of Markdown, for a chat or a pull request.

    Returns:
        Lines in which no text of the record is read as Markdown: the failing texts stand in a fenced block.
    """
    said = answer(record)
    body = [f"{_plain(record.suite)}: {_plain(said.verdict)}", *map(_plain, said.evidence)]
    for failure in first:
        runs = "".join(_MARKS.get(run.kind, "{}").format(run.text) for run in _text(record, failure))
        body += ["", "".join(run.text for run in _turn(record, failure)), f"  {runs}"]
    if said.command:
        body += ["", f"Next: {_plain(said.command)}"]
    fence = "`" * max(3, 1 + max(map(_ticks, body)))
    return "\n".join([f"{fence}text", *body, fence]) + "\n"


_MARKS = {"removed": "[-{}-]", "inserted": "{{+{}+}}"}


def _ticks(text: str) -> int:
    """The longest run of back-ticks."""
    return max(map(len, "".join(letter if letter == "`" else " " for letter in text).split()), default=0)


def _plain(text: str) -> str:
    return _BLANKS.sub(" ", plain(text))


def _turn(record: Record, failure: Failure) -> Iterator[Run]:
    """What the label turned from and to, and by which check."""
    labels = record.model.labels
    before, after = (probability(each, labels) for each in (failure.before, failure.after))
    names = {check.id: check.name for check in record.checks}
    yield Run(f"{_plain(decision(failure.before.label))} {percent(before)} → ")
    yield Run(f"{_plain(decision(failure.after.label))} {percent(after)}", "failed")
    yield Run(f"  {_plain(names.get(failure.check, failure.check))}", "muted")


def _text(record: Record, failure: Failure) -> Iterator[Run]:
    """The text around its changes."""
    source = next((example for example in record.examples if example.id == failure.example), None)
    for number, parts in enumerate(
        changed_parts(failure, {} if source is None else source.fields, long=300, near=120).values()
    ):
        if number:
            yield Run(" / ", "muted")
        for part in parts:
            if part.folded:
                yield Run(" … ", "muted")
            else:
                yield Run(plain(part.text).replace("\n", " "), "" if part.kind == "same" else part.kind)


def _wide(text: str) -> float:
    """How wide a text is about, in its size."""
    return sum(1.0 if unicodedata.east_asian_width(letter) in "WF" else _EM for letter in text)


def _wrapped(runs: Sequence[Run], size: float, room: int) -> Iterator[tuple[Run, ...]]:
    """Break runs into lines, between words where there are some; what does not fit ends in an ellipsis."""
    most = (WIDTH - 2 * MARGIN) / size
    line: list[Run] = []
    used, number = 0.0, 1
    for run, word in _words(runs):
        wide = _wide(word)
        if used + wide > most and line:
            if number == room:
                yield (*_joined(line), Run("…", "muted"))
                return
            yield _joined(line)
            line, used, number = [], 0.0, number + 1
            word = word.lstrip()
        line.append(Run(word, run.kind))
        used += wide
    yield _joined(line)


def _words(runs: Iterable[Run]) -> Iterator[tuple[Run, str]]:
    """Cut runs into words with the blanks before them, none longer than a third of a line."""
    for run in runs:
        word = ""
        for letter in run.text:
            if (letter == " " and word.strip()) or len(word) >= 24:
                yield run, word
                word = ""
            word += letter
        if word:
            yield run, word


def _joined(line: Sequence[Run]) -> tuple[Run, ...]:
    """Join neighbours of one kind."""
    made: list[Run] = []
    for run in line:
        if made and made[-1].kind == run.kind:
            made[-1] = Run(made[-1].text + run.text, run.kind)
        else:
            made.append(run)
    return tuple(made)
