"""The report ``sarif``: SARIF 2.1.0, for GitHub code scanning and editors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from urllib.parse import quote

from robustfim.commands import printable
from robustfim.contract import ReportContract
from robustfim.judge import limit_text
from robustfim.outcome import Outcome
from robustfim.record import CheckRecord, Record
from robustfim_ci.baseline import answers, sentences
from robustfim_ci.output import FileReport, as_json
from robustfim_ci.pair import Pair, first_pairs
from robustfim_ci.place import fingerprint, suite_line, suite_path
from robustfim_ci.ranking import beside_checks, broke, level, level_of
from robustfim_drawing import rate_lines

__all__ = ["SarifReport"]

_RESULTS = 100
"""Failing examples listed for each check, the worst first."""


class SarifReport(FileReport):
    """Writes a run in SARIF (Static Analysis Results Interchange Format): checks are rules, failures are results.

    Args:
        path: The file to write; ``results.sarif`` in the suite's report folder when None.
    """

    file = "results.sarif"
    contract = ReportContract(suffix=".sarif", summary=True)

    def text(self, record: Record) -> str:
        """Return the report as JSON."""
        pairs = first_pairs(record, _RESULTS)
        found = [
            result
            for index, check in enumerate(record.checks)
            if level(check, record)
            for result in _results(record, check, index, pairs[check.id])
        ]
        compared = zip(record.comparisons, answers(record), strict=True)
        said = [(weight, text) for weight, _, text in beside_checks(record)]
        said += [(level_of(comparison, record), answer) for comparison, answer in compared]
        said += [("warning", warning) for warning in record.warnings]
        notes = [{"level": weight, "message": {"text": printable(text)}} for weight, text in said]
        run = {
            "tool": {
                "driver": {
                    "name": "robustfim",
                    "version": record.environment.robustfim,
                    "rules": [_rule(check, record) for check in record.checks],
                }
            },
            "automationDetails": {"id": f"robustfim/{printable(record.suite)}/"},
            "columnKind": "unicodeCodePoints",
            "invocations": [
                {
                    "executionSuccessful": not broke(record),
                    "exitCode": record.exit_code,
                    "toolExecutionNotifications": notes,
                }
            ],
            "results": found,
        }
        return as_json({"$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0", "runs": [run]})


def _rule(check: CheckRecord, record: Record) -> dict[str, Any]:
    expectation = printable(str(check.expectation.get("use", "")))
    perturbation = printable(str(check.perturbation.get("use", check.name)))
    told = {"rate": ", ".join(rate_lines(check)), "limit": limit_text(check)}
    return {
        "id": printable(check.id),
        "name": printable(check.name),
        "shortDescription": {"text": f"Perturbation {perturbation}, expectation {expectation or 'unknown'}."},
        "fullDescription": {"text": sentences(check, record) or f"The check {check.outcome}."},
        "defaultConfiguration": {"level": level(check, record) or "note"},
        "properties": {
            "tags": list(dict.fromkeys(["robustness", *map(printable, check.marks)]))[:20],
            "outcome": check.outcome.value,
            **{name: value for name, value in told.items() if value},
        },
    }


def _results(record: Record, check: CheckRecord, index: int, pairs: Sequence[Pair]) -> list[dict[str, Any]]:
    """One result for each failing example; one for the check itself where there are none."""
    if check.outcome in (Outcome.ERROR, Outcome.XPASSED) or not pairs:
        return [_result(record, check, index, printable(check.message) or check.outcome.value, "check")]
    return [_result(record, check, index, pair.text, pair.id) for pair in pairs]


def _result(record: Record, check: CheckRecord, index: int, text: str, identity: str) -> dict[str, Any]:
    mark = fingerprint(record, check.id, identity)
    result: dict[str, Any] = {
        "ruleId": printable(check.id),
        "ruleIndex": index,
        "level": level(check, record),
        "message": {"text": text},
        "locations": [
            {
                "physicalLocation": {
                    "artifactLocation": {"uri": quote(suite_path(record)), "uriBaseId": "%SRCROOT%"},
                    "region": {"startLine": suite_line(check)},
                },
                "logicalLocations": [{"fullyQualifiedName": printable(check.id), "kind": "member"}],
            }
        ],
        # GitHub matches alerts by the first name only; all results of a check stand on one line of the suite.
        "partialFingerprints": {"primaryLocationLineHash": f"{mark[:16]}:1", "robustfimFailure/v1": mark},
    }
    if check.outcome is Outcome.XFAILED:
        result["suppressions"] = [{"kind": "external", "justification": printable(check.message)}]
    return result
