"""SARIF, held against the object model that Microsoft generated from the official schema 2.1.0."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import attr
import jsonschema
import pytest
import sarif_om
from sarif import loader

from robustfim.outcome import Outcome
from robustfim.printable import printable
from robustfim.record import Record
from robustfim_ci import sarif
from robustfim_ci.sarif import SarifReport

CLASSES = {
    "artifactLocation": sarif_om.ArtifactLocation,
    "automationDetails": sarif_om.RunAutomationDetails,
    "defaultConfiguration": sarif_om.ReportingConfiguration,
    "driver": sarif_om.ToolComponent,
    "fullDescription": sarif_om.MultiformatMessageString,
    "invocations": sarif_om.Invocation,
    "locations": sarif_om.Location,
    "logicalLocations": sarif_om.LogicalLocation,
    "message": sarif_om.Message,
    "physicalLocation": sarif_om.PhysicalLocation,
    "region": sarif_om.Region,
    "results": sarif_om.Result,
    "rules": sarif_om.ReportingDescriptor,
    "runs": sarif_om.Run,
    "shortDescription": sarif_om.MultiformatMessageString,
    "suppressions": sarif_om.Suppression,
    "tool": sarif_om.Tool,
    "toolExecutionNotifications": sarif_om.Notification,
}
"""The schema's type of each property that holds an object or a list of them."""

TEXT = {"type": "string", "minLength": 1}
VALUES: dict[str, dict[str, Any]] = {
    "level": {"enum": ["none", "note", "warning", "error"]},
    "startLine": {"type": "integer", "minimum": 1},
    "ruleIndex": {"type": "integer", "minimum": -1},
    "exitCode": {"type": "integer"},
    "executionSuccessful": {"type": "boolean"},
    "columnKind": {"enum": ["utf16CodeUnits", "unicodeCodePoints"]},
    "kind": {"type": "string"},
    "uriBaseId": TEXT,
    "uri": TEXT,
    "text": TEXT,
    "id": TEXT,
    "ruleId": TEXT,
    "name": TEXT,
    "version": TEXT,
    "justification": {"type": "string"},
    "fullyQualifiedName": {"type": "string"},
    "partialFingerprints": {"type": "object", "additionalProperties": {"type": "string"}},
    "properties": {
        "type": "object",
        "properties": {"tags": {"type": "array", "items": {"type": "string"}, "uniqueItems": True}},
    },
    "$schema": {"type": "string", "format": "uri"},
}
"""What SARIF 2.1.0 says of the other properties."""
VALIDATORS = {key: jsonschema.Draft202012Validator(schema) for key, schema in VALUES.items()}


def build(cls: Any, value: Any, place: str = "") -> Any:
    """Construct an object of the model: a property that the schema lacks, or requires and is missing, fails."""
    assert isinstance(value, dict), place
    names = {field.metadata["schema_property_name"]: field.name for field in attr.fields(cls)}
    given = {}
    for key, item in value.items():
        here = f"{place}.{key}"
        assert key in names, f"{here} is no property of {cls.__name__}"
        if key in CLASSES:
            many = isinstance(item, list)
            parts = [build(CLASSES[key], each, here) for each in (item if many else [item])]
            given[names[key]] = parts if many else parts[0]
        else:
            VALIDATORS[key].validate(item)
            given[names[key]] = item
    return cls(**given)  # a TypeError names what is missing


def read(record: Record) -> dict[str, Any]:
    log: dict[str, Any] = json.loads(SarifReport().text(record))
    assert log["version"] == "2.1.0"
    build(sarif_om.SarifLog, log)
    (run,) = log["runs"]
    rules = run["tool"]["driver"]["rules"]
    assert len({rule["id"] for rule in rules}) == len(rules)
    for result in run["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
        (location,) = result["locations"]
        uri = urlsplit(location["physicalLocation"]["artifactLocation"]["uri"])
        assert not uri.scheme
        assert not uri.netloc
        assert not uri.path.startswith("/")
    assert isinstance(run, dict)
    return run


def test_a_parser_of_others_finds_every_result_in_its_place(record: Record, tmp_path: Path) -> None:
    path = SarifReport().write(record, tmp_path)
    wanted = read(record)["results"]
    found = loader.load_sarif_file(str(path))
    assert found.get_distinct_tool_names() == ["robustfim"]
    assert found.get_result_count() == len(wanted) > 0
    for theirs, ours in zip(found.get_records(), wanted, strict=True):
        place = ours["locations"][0]["physicalLocation"]
        assert theirs["Code"] == ours["ruleId"]
        assert theirs["Severity"] == ours["level"]
        assert theirs["Location"] == unquote(place["artifactLocation"]["uri"])
        assert int(theirs["Line"]) == place["region"]["startLine"]
        assert theirs["Description"] == ours["message"]["text"]


def test_the_validation_refuses_what_the_schema_refuses(record: Record) -> None:
    log = json.loads(SarifReport().text(record))
    del log["runs"][0]["results"][0]["message"]
    with pytest.raises(TypeError, match="message"):
        build(sarif_om.SarifLog, log)
    log = json.loads(SarifReport().text(record))
    log["runs"][0]["results"][0]["colour"] = "red"
    with pytest.raises(AssertionError, match="colour is no property of Result"):
        build(sarif_om.SarifLog, log)


def test_each_check_is_a_rule(record: Record) -> None:
    rules = read(record)["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == [check.id for check in record.checks]
    assert rules[0]["properties"] == {
        "tags": ["robustness", "lexical"],
        "outcome": "failed",
        "rate": rules[0]["properties"]["rate"],
        "limit": "10 %",
    }
    assert rules[0]["properties"]["rate"].endswith(" of 200 changed")
    assert rules[0]["shortDescription"]["text"] == "Perturbation synonyms, expectation invariant."


def test_each_failing_example_is_a_result_at_the_line_of_its_check(record: Record) -> None:
    results = read(record)["results"]
    for check in record.checks:
        own = [result for result in results if result["ruleId"] == check.id]
        broken = {failure.example for failure in record.failures if failure.check == check.id}
        if check.outcome in (Outcome.PASSED, Outcome.SKIPPED):
            assert not own
            continue
        assert len(own) == (1 if check.outcome is Outcome.ERROR else len(broken))
        level = {Outcome.XFAILED: "note", Outcome.INCONCLUSIVE: "warning"}.get(check.outcome, "error")
        assert {result["level"] for result in own} == {level}
        for result in own:
            place = result["locations"][0]["physicalLocation"]
            assert place["artifactLocation"] == {"uri": "suites/sentiment.yaml", "uriBaseId": "%SRCROOT%"}
            assert place["region"] == {"startLine": check.line}
            assert ("suppressions" in result) == (check.outcome is Outcome.XFAILED)


def test_the_message_is_the_failing_text(record: Record) -> None:
    message = read(record)["results"][0]["message"]["text"]
    failure = max(
        (record_failure for record_failure in record.failures if record_failure.check == "sentiment.yaml::synonyms"),
        key=lambda each: each.margin,
    )
    (edit,) = failure.edits
    minus, plus = (line for line in message.splitlines() if line[:2] in ("- ", "+ "))
    assert edit.before in minus
    assert edit.after in plus
    assert failure.after.label in message
    assert failure.reproduce in message


def test_fingerprints_are_those_of_the_failures_and_stay_the_same(record: Record) -> None:
    def fingerprints(run: Record) -> set[str]:
        found = [result["partialFingerprints"] for result in read(run)["results"]]
        for name in ("primaryLocationLineHash", "robustfimFailure/v1"):
            assert len({each[name] for each in found}) == len(found)
        return {each["robustfimFailure/v1"] for each in found}

    moved = [check.model_copy(update={"line": 1, "duration_s": 9.0}) for check in record.checks]
    assert fingerprints(record) == fingerprints(record.model_copy(update={"checks": moved, "started": "later"}))


def test_the_number_of_results_of_a_check_is_bounded(
    record: Record, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sarif, "_RESULTS", 2)
    path = SarifReport().write(record, tmp_path)
    assert path == tmp_path / "results.sarif"
    results = json.loads(path.read_text(encoding="ascii"))["runs"][0]["results"]
    assert len([result for result in results if result["ruleId"] == "sentiment.yaml::synonyms"]) == 2


def test_a_run_that_broke_was_not_successful(record: Record) -> None:
    (invocation,) = read(record)["invocations"]
    assert invocation == {"executionSuccessful": True, "exitCode": 1, "toolExecutionNotifications": []}
    checks = [check.model_copy(update={"outcome": Outcome.ERROR, "message": "no model"}) for check in record.checks]
    (broken,) = read(record.model_copy(update={"message": "no model", "checks": checks}))["invocations"]
    assert not broken["executionSuccessful"]
    assert broken["toolExecutionNotifications"] == [{"level": "error", "message": {"text": "no model"}}]
    (early,) = read(record.model_copy(update={"message": "stopped after 1 failure."}))["invocations"]
    assert early["executionSuccessful"]
    assert early["toolExecutionNotifications"][0]["level"] == "note"
    (stopped,) = read(record.model_copy(update={"interrupted": True, "exit_code": 2}))["invocations"]
    assert not stopped["executionSuccessful"]


@pytest.mark.parametrize(("inconclusive", "code", "level"), [("separate", 0, "note"), ("fail", 1, "error")])
def test_a_run_in_which_nothing_has_a_limit_says_so(record: Record, inconclusive: str, code: int, level: str) -> None:
    checks = [check.model_copy(update={"outcome": Outcome.MEASURED, "limit": None}) for check in record.checks]
    free = record.model_copy(update={"checks": checks, "comparisons": [], "exit_code": code})
    free = free.model_copy(update={"inconclusive": inconclusive})
    (invocation,) = read(free)["invocations"]
    note = {"level": level, "message": {"text": "nothing is gated: no check has a limit"}}
    assert invocation["toolExecutionNotifications"] == [note]


def test_hostile_texts_survive_as_text(hostile_record: Record) -> None:
    run = read(hostile_record)
    path = {result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for result in run["results"]}
    assert {unquote(each) for each in path} == {"suites/<a>,b:c%.yaml"}
    messages = {result["ruleId"]: result["message"]["text"] for result in run["results"]}
    for check in hostile_record.checks:
        assert printable(check.message) in messages[printable(check.id)]
