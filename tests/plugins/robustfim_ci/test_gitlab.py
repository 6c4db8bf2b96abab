"""The code quality report has the shape that GitLab documents (docs.gitlab.com/ci/testing/code_quality)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from robustfim.outcome import Outcome
from robustfim.printable import printable
from robustfim.record import Record
from robustfim_ci import gitlab
from robustfim_ci.gitlab import GitLabReport

SHAPE = {
    "type": "array",
    "items": {
        "type": "object",
        "properties": {
            "description": {"type": "string", "minLength": 1},
            "check_name": {"type": "string", "minLength": 1},
            "fingerprint": {"type": "string", "minLength": 1},
            "severity": {"enum": ["info", "minor", "major", "critical", "blocker"]},
            "location": {
                "type": "object",
                "properties": {
                    "path": {"type": "string", "pattern": r"^(?!\.?/)"},
                    "lines": {
                        "type": "object",
                        "properties": {"begin": {"type": "integer", "minimum": 1}},
                        "required": ["begin"],
                        "additionalProperties": False,
                    },
                },
                "required": ["path", "lines"],
                "additionalProperties": False,
            },
        },
        "required": ["description", "check_name", "fingerprint", "severity", "location"],
        "additionalProperties": False,
    },
}


def entries(record: Record) -> list[dict[str, Any]]:
    read: list[dict[str, Any]] = json.loads(GitLabReport().text(record))
    jsonschema.validate(read, SHAPE)
    assert len({entry["fingerprint"] for entry in read}) == len(read)
    return read


def test_an_entry_is_a_check_or_an_example_that_it_breaks(record: Record) -> None:
    read = entries(record)
    for check in record.checks:
        own = [entry for entry in read if entry["check_name"] == check.id]
        broken = {failure.example for failure in record.failures if failure.check == check.id}
        if check.outcome in (Outcome.PASSED, Outcome.SKIPPED, Outcome.XFAILED):
            assert not own
            continue
        assert len(own) == 1 + len(broken)
        assert own[0]["description"] == f"{check.name}: {check.message}"
        assert {entry["location"]["lines"]["begin"] for entry in own} == {check.line}
        assert {entry["location"]["path"] for entry in own} == {"suites/sentiment.yaml"}


def test_the_severity_follows_the_outcome(record: Record) -> None:
    severity = {entry["check_name"].partition("::")[2]: entry["severity"] for entry in entries(record)}
    assert severity == {
        "synonyms": "major",
        "typos": "major",
        "eigenvector": "major",
        "neighbours": "critical",
        "numbers": "minor",
    }


def test_the_same_failure_has_the_same_fingerprint_in_another_run(record: Record) -> None:
    first = {entry["fingerprint"] for entry in entries(record)}
    moved = [check.model_copy(update={"line": 1, "message": "other", "rate": 0.1}) for check in record.checks]
    later = record.model_copy(update={"checks": moved[::-1], "failures": record.failures[::-1], "started": "later"})
    assert {entry["fingerprint"] for entry in entries(later)} == first
    fewer = record.model_copy(
        update={"failures": [failure for failure in record.failures if "typos" not in failure.check]}
    )
    assert {entry["fingerprint"] for entry in entries(fewer)} < first


def test_the_number_of_entries_of_a_check_is_bounded(
    record: Record, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gitlab, "_RESULTS", 2)
    read = json.loads(GitLabReport().write(record, tmp_path).read_text(encoding="ascii"))
    assert len([entry for entry in read if entry["check_name"] == "sentiment.yaml::synonyms"]) == 3


def test_a_run_in_a_folder_of_the_repository_names_files_from_its_root(
    record: Record, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "ml").mkdir()
    monkeypatch.chdir(tmp_path / "ml")
    monkeypatch.setenv("CI_PROJECT_DIR", str(tmp_path))
    assert {entry["location"]["path"] for entry in entries(record)} == {"ml/suites/sentiment.yaml"}
    monkeypatch.setenv("CI_PROJECT_DIR", str(tmp_path / "elsewhere"))
    assert {entry["location"]["path"] for entry in entries(record)} == {"suites/sentiment.yaml"}


def test_hostile_texts_survive_as_text(hostile_record: Record) -> None:
    read = entries(hostile_record)
    for check in hostile_record.checks:
        own = [entry for entry in read if entry["check_name"] == printable(check.id)]
        assert own[0]["description"] == printable(f"{check.name}: {check.message}")
        assert all("\n" not in entry["description"] for entry in own)
