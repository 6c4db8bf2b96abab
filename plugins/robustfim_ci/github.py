"""The report ``github``: annotations of the suite's lines, and a summary of the step, for GitHub Actions."""

from __future__ import annotations

import atexit
import contextlib
import os
import secrets
import sys
from collections import Counter
from pathlib import Path

from robustfim.commands import printable
from robustfim.contract import ReportContract
from robustfim.errors import UsageError
from robustfim.outcome import Outcome
from robustfim.record import Record
from robustfim_ci import markdown
from robustfim_ci.baseline import answers, sentences
from robustfim_ci.output import write_file
from robustfim_ci.pair import first_pairs
from robustfim_ci.place import suite_line, suite_path
from robustfim_ci.ranking import beside_checks, level, level_of, stopped_by_run, worst_first

__all__ = ["GitHubReport", "commands"]

_KINDS = {"error": "error", "warning": "warning", "note": "notice", "": ""}
_MOST = 10
"""Annotations of one kind that GitHub takes from a step."""
_SUMMARY = 1024 * 1024
"""Bytes of the step summary that GitHub takes; it drops a larger one whole."""
_stopped = ""
"""The word that makes GitHub read commands again; empty while it reads them."""


class GitHubReport:
    """Prints GitHub workflow commands that annotate the suite file, and appends to the step's summary.

    Args:
        path: A file to which the commands are also written; ``annotations.txt`` in the suite's report folder when None.
    """

    contract = ReportContract(summary=True)

    def __init__(self, path: Path | None = None) -> None:
        self.path = path

    def write(self, record: Record, folder: Path) -> Path:
        """Print the annotations, write them to a file, and append to ``$GITHUB_STEP_SUMMARY`` if it is set."""
        text = commands(record)
        _print(text)
        written = write_file(self.path or folder / "annotations.txt", text)
        if summary := os.environ.get("GITHUB_STEP_SUMMARY"):
            _append(Path(summary), record)
        return written


def commands(record: Record) -> str:
    """Return GitHub workflow commands for a run's message and for each check that did not pass, worst first.

    Returns:
        Lines such as ``::error file=suites/sentiment.yaml,line=14,title=synonyms%3A failed::…``, at most ten of each
        level. Empty if every check passed or was skipped.
    """
    pairs = first_pairs(record, 1)
    found = [(_KINDS[weight], 0, "robustfim", printable(text)) for weight, _, text in beside_checks(record)]
    found += [("warning", 0, "robustfim", printable(warning)) for warning in record.warnings]
    for comparison, answer in zip(record.comparisons, answers(record), strict=True):
        found.append((_KINDS[level_of(comparison, record)], 0, "baseline", printable(answer)))
    for check in worst_first(record):
        kind = _KINDS[level(check, record)]
        if kind and not stopped_by_run(check, record):
            shown = pairs[check.id] if check.outcome is not Outcome.ERROR else []
            text = "\n".join(filter(None, [sentences(check, record), *(pair.text for pair in shown)]))
            found.append((kind, suite_line(check), f"{check.name}: {check.outcome}", text))
    written: Counter[str] = Counter()
    lines, path = [], _property(suite_path(record))
    for kind, line, title, text in found:
        written[kind] += 1
        if written[kind] <= _MOST:
            place = f"file={path},line={line}" if line else f"file={path}"
            lines.append(f"::{kind} {place},title={_property(printable(title))}::{_data(text)}")
    lines += [
        f"robustfim: {number - _MOST} more check{'s' * (number > _MOST + 1)} would be annotated as {kind}; "
        f"GitHub takes {_MOST} from a step."
        for kind, number in written.items()
        if number > _MOST
    ]
    return "".join(f"{line}\n" for line in lines)


def _data(text: str) -> str:
    """Escape the text of a command as GitHub's toolkit does."""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    """Escape a property of a command, in which colon and comma have a meaning, too."""
    return _data(text).replace(":", "%3A").replace(",", "%2C")


def _print(text: str) -> None:
    """Print commands, and let GitHub read none in what follows, which quotes texts of the data, until the exit."""
    global _stopped
    encoding = sys.stdout.encoding or "utf-8"
    # A command must begin its line, and the terminal report may have left one begun.
    sys.stdout.write(f"\n{_resumed()}{text}".encode(encoding, "backslashreplace").decode(encoding))
    if os.environ.get("GITHUB_ACTIONS") == "true":
        _stopped = secrets.token_hex(16)
        sys.stdout.write(f"::stop-commands::{_stopped}\n")
    sys.stdout.flush()


@atexit.register
def _resume() -> None:
    """Let GitHub read the commands of what runs after robustfim in the same step."""
    with contextlib.suppress(OSError, ValueError):  # whoever read the output may be gone by now
        sys.stdout.write(_resumed())


def _resumed() -> str:
    global _stopped
    token, _stopped = _stopped, ""
    return token and f"::{token}::\n"


def _append(path: Path, record: Record) -> None:
    """Append to the summary of the step, which earlier commands may have begun."""
    try:
        room = _SUMMARY - (path.stat().st_size if path.exists() else 0)
        text = markdown.render(record, room - 1, size=lambda part: len(part.encode("utf-8")))
        with path.open("a", encoding="utf-8", newline="\n") as file:
            file.write(text and f"\n{text}")
    except OSError as error:
        raise UsageError(f"the step's summary (GITHUB_STEP_SUMMARY): {error.strerror or error}.") from error
