"""The report ``gitlab``: failing examples as a code quality report, which GitLab compares with the target branch."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

from robustfim.commands import printable
from robustfim.contract import ReportContract
from robustfim.judge import failures_by_check
from robustfim.outcome import Outcome
from robustfim.record import CheckRecord, Comparison, Record
from robustfim_ci.baseline import against_baseline, answers
from robustfim_ci.output import FileReport, as_json
from robustfim_ci.pair import make_pair
from robustfim_ci.place import suite_line, suite_path
from robustfim_ci.ranking import level, level_of, worst_first

__all__ = ["GitLabReport"]

_RESULTS = 100
_SEVERITY = {"error": "major", "warning": "minor"}
"""GitLab's severities; a check that passed, or failed as expected, has nothing to be looked at."""


class GitLabReport(FileReport):
    """Writes GitLab's code quality report, with an entry for each example that fails a check.

    Args:
        path: The file to write; ``gl-code-quality.json`` in the suite's report folder when None.
        results: The largest number of failing examples listed for each check, the worst first.
    """

    file = "gl-code-quality.json"
    contract = ReportContract(summary=True)

    def __init__(self, path: Path | None = None, results: int = _RESULTS) -> None:
        super().__init__(path)
        self.results = results

    def text(self, record: Record) -> str:
        """Return the report as JSON."""
        examples = record.example_by_id
        failures = failures_by_check(record)
        entries = [
            _run_entry(record, comparison, answer)
            for comparison, answer in zip(record.comparisons, answers(record), strict=True)
            if not comparison.proven
        ]
        for check in worst_first(record):
            if level(check, record) not in _SEVERITY:
                continue
            entries.append(_entry(record, check, " ".join([check.message, against_baseline(check, record)]), "check"))
            for failure in failures[check.id][: self.results]:
                pair = make_pair(failure, examples.get(failure.example))
                changed = "; ".join(f"{before} → {after}" for _, before, after in pair.sides) or pair.note
                entries.append(_entry(record, check, f"{pair.title}: {changed}", failure.id))
        return as_json(entries)


def _run_entry(record: Record, comparison: Comparison, answer: str) -> dict[str, Any]:
    """The entry of a baseline that the run may not replace, or is not proved to be allowed to."""
    identity = f"{record.suite}\0baseline\0{comparison.name}".encode(errors="backslashreplace")
    return {
        "description": printable(answer),
        "check_name": "baseline",
        "fingerprint": hashlib.sha256(identity).hexdigest(),
        "severity": _SEVERITY[level_of(comparison, record)],
        "location": {"path": suite_path(record), "lines": {"begin": 1}},
    }


def _entry(record: Record, check: CheckRecord, text: str, identity: str) -> dict[str, Any]:
    """One entry; its fingerprint tells GitLab whether the target branch has it, too."""
    words = f"{record.suite}\0{check.id}\0{identity}".encode(errors="backslashreplace")
    return {
        "description": printable(f"{check.name}: {text}").rstrip(),
        "check_name": printable(check.id),
        "fingerprint": hashlib.sha256(words).hexdigest(),
        "severity": "critical" if check.outcome is Outcome.ERROR else _SEVERITY[level(check, record)],
        "location": {"path": suite_path(record), "lines": {"begin": suite_line(check)}},
    }
