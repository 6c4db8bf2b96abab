"""Runs ``robustfim`` inside the process of ``benchmarks.faults``, and checks what no run may do."""

from __future__ import annotations

import contextlib
import io
import json
import re
import signal
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.counted import Found

__all__ = ["LIMIT", "Shown", "attempt", "problems"]

LIMIT = 30
"""Seconds after which a case hangs; none does anything that takes one."""


_FOREIGN = re.compile(
    r"object has no attribute|object is not|objects? (cannot|can't) be|validation errors? for|"
    r"unhashable|unexpected keyword|positional argument|not supported between|codec can't|invalid literal|"
    r"recursion depth|cannot unpack|must be str, not|is not JSON serializable|object of type|has no len|"
    r"cannot convert|could not convert|pydantic"
)
"""How libraries speak; who uses ``robustfim`` reads of what was given instead."""

_BLAMED = re.compile(r"\bcannot be (loaded|read)\b|the model|\bplugin\b")
"""What comes before a library's words where ours say whose they are."""

_WHOLE = re.compile(r"([^\s])\1{199}")
"""A long name that is told whole."""


@dataclass(frozen=True)
class Shown:
    """The visible result of a run.

    Attributes:
        code: The exit code; -1 if the run gave no number, -2 if it hung, -3 if it raised an exception.
        text: The output of the run.
        seconds: The duration of the run.
        traceback: Whether a traceback was printed.
    """

    code: int
    text: str
    seconds: float
    traceback: bool


class _Hangs(BaseException):
    """Raised when a case takes longer than its time limit."""


def _stop(number: int, frame: object) -> None:
    raise _Hangs


@contextlib.contextmanager
def _limited() -> Iterator[None]:
    """Raise :class:`_Hangs` in the body of the ``with`` statement after ``LIMIT`` seconds, and again each second."""
    signal.signal(signal.SIGALRM, _stop)
    signal.setitimer(signal.ITIMER_REAL, LIMIT, 1)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def attempt(*words: str) -> Shown:
    """Run ``robustfim`` in this process.

    Args:
        words: The words of the command line.
    """
    from robustfim.cli import main

    out, err = io.StringIO(), io.StringIO()
    started = time.monotonic()
    code: Any = -1
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            with _limited():
                main(list(words))
        except SystemExit as stop:
            code = int(stop.code) if isinstance(stop.code, int) else -1
        except _Hangs:
            code = -2
        except BaseException as error:
            code = -3
            err.write(f"Traceback of {type(error).__name__}")
    outputs = [each.getvalue() for each in (out, err) if not each.closed]  # a plugin may have closed one
    return Shown(code, "".join(outputs), time.monotonic() - started, not err.closed and "Traceback" in err.getvalue())


def problems(shown: Shown, found: Found, kind: str) -> Iterator[str]:
    """Name everything that a run did and no run may do: crash, hang, print a traceback, or pass wrongly.

    Args:
        shown: The result of the run.
        found: The counts, to which the run's exit code is added.
        kind: The kind of the case.
    """
    found.codes[f"{kind}: exit {shown.code}"] += 1
    last = (shown.text.strip().splitlines() or [""])[-1][:160]
    if shown.code == 3:
        yield f"exit 3: {last}"
    elif shown.code == -2 or shown.seconds > LIMIT or "TimeoutReached" in shown.text or "raised _Hangs" in shown.text:
        yield f"hangs: {last}"
    elif shown.code not in (0, 1, 2, 4, 5, 6):
        yield f"leaves by {shown.code}: {last}"
    elif shown.traceback:
        yield f"traceback of robustfim: {last}"
    if shown.code != 0 and kind != "plugins":  # what a plugin raises, it tells in words of its own
        yield from _foreign(shown.text)
    if shown.code == 0:
        yield from _unproved(shown.text)


def _foreign(text: str) -> Iterator[str]:
    """What an error says in the words of a library alone, or whole where a reader needs its beginning."""
    for line in text.splitlines():
        if (words := _FOREIGN.search(line)) and not _BLAMED.search(line[: words.start()]):
            yield f"a library's words: {line[:200]}"
        if line.startswith("ERROR:") and _WHOLE.search(line):  # a verdict names its check as a command wants it
            yield f"{len(line):,} characters: {line[:100]}"


def _unproved(text: str) -> Iterator[str]:
    """Why a run that exits with 0 has not passed."""
    records = list(Path().glob("**/results.json"))
    if not records and " passed" not in text and "nothing is gated" not in text:  # a suite may want no report
        yield "wrong pass: exit 0 without a record"
    for path in records:
        record = json.loads(path.read_text(encoding="utf-8"))
        if record["exit_code"] != 0 or record["interrupted"] or record["message"]:
            yield "wrong pass: exit 0, and the record says otherwise"
        for check in record["checks"]:
            if check["outcome"] == "passed" and not check["tested"]:
                yield f"wrong pass: {check['name']} passed, and tested nothing"
            if check["outcome"] in ("failed", "error", "xpassed"):
                yield f"wrong pass: exit 0, and {check['name']} {check['outcome']}"
