"""The report ``gitlab``: failing examples as a code quality report, which GitLab compares with the target branch."""

from __future__ import annotations

from robustfim.commands import printable
from robustfim.contract import ReportContract
from robustfim.outcome import Outcome
from robustfim.record import Record
from robustfim_ci.baseline import answers, sentences
from robustfim_ci.output import FileReport, as_json
from robustfim_ci.pair import first_pairs
from robustfim_ci.place import fingerprint, suite_line, suite_path
from robustfim_ci.ranking import beside_checks, level, level_of, worst_first

__all__ = ["GitLabReport"]

_RESULTS = 100
"""Failing examples listed for each check, the worst first."""
_SEVERITY = {"error": "major", "warning": "minor"}
"""GitLab's severities; a check that passed, or failed as expected, has nothing to be looked at."""


class GitLabReport(FileReport):
    """Writes GitLab's code quality report, with an entry for each example that fails a check.

    Args:
        path: The file to write; ``gl-code-quality.json`` in the suite's report folder when None.
    """

    file = "gl-code-quality.json"
    contract = ReportContract(summary=True)

    def text(self, record: Record) -> str:
        """Return the report as JSON."""
        pairs = first_pairs(record, _RESULTS)
        entries = []

        def add(name: str, severity: str, text: str, identities: tuple[str, str], line: int = 1) -> None:
            location = {"path": suite_path(record), "lines": {"begin": line}}
            mark = fingerprint(record, *identities)
            entries.append(
                {"description": text.rstrip(), "check_name": name, "fingerprint": mark, "severity": severity,
                 "location": location}
            )  # fmt: skip

        for beside, name, sentence in beside_checks(record):
            if beside in _SEVERITY:
                add(name, _SEVERITY[beside], printable(sentence), ("run", name))
        for comparison, answer in zip(record.comparisons, answers(record), strict=True):
            if not comparison.proven:
                severity = _SEVERITY[level_of(comparison, record)]
                add("baseline", severity, printable(answer), ("baseline", comparison.name))
        for check in worst_first(record):
            weight = level(check, record)
            if weight not in _SEVERITY:
                continue
            severity = "critical" if check.outcome is Outcome.ERROR else _SEVERITY[weight]
            found = [("check", sentences(check, record))]
            found += [
                (
                    pair.id,
                    f"{pair.title}: {'; '.join(f'{old} → {new}' for _, old, new in pair.sides) or pair.note}",
                )
                for pair in pairs[check.id]
            ]
            for identity, text in found:
                name = printable(check.id)
                add(name, severity, f"{printable(check.name)}: {text}", (check.id, identity), suite_line(check))
        return as_json(entries)
