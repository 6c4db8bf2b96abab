from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import robustfim
from robustfim.plugin.sources import PluginOptions, load_plugins
from robustfim.record import Record, StepRecord
from robustfim.session.regression_suite import RegressionSuite
from tests.robustfim.command_line import CommandLine

LEFT_OUT: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "a step in embedding space has no text": ({"step": StepRecord(direction="eigenvector", norm=1.0)}, {}),
    "the perturbation is not meant to keep the meaning": ({}, {"yardstick": True}),
    "people call the text invalid": ({"review": "invalid"}, {}),
    "what its check expects cannot be asked of the text alone": (
        {},
        {"expectation": {"use": "any", "of": ["invariant", {"use": "per_slice", "slices": {"short": "changes"}}]}},
    ),
    "the text is another example of the data": ({}, {"partners": {"a": "b"}}),
    "the record does not say which label was wanted": ({}, {"expectation": {"use": "equals"}}),
    "it fails only as its source reads labels": (
        {"label": "neutral"},
        {"expectation": {"use": "equals"}, "perturbation": {"use": "checklist"}},
    ),
}
"""Why a failure is left out, and what of it and its check says so."""


@pytest.fixture
def record(robustfim: CommandLine) -> Record:
    rows = "[[a good film, null], [an awful film, negative]]"
    name = robustfim.suite("{both: {perturb: rename, limit: 0}}", data=f"{{use: films, rows: {rows}}}")
    robustfim(f"run {name} --no-store")
    return robustfim.record("other")


def regressions(record: Record, failure: dict[str, Any], check: dict[str, Any]) -> RegressionSuite:
    (failed, *_), (checked,) = record.failures, record.checks
    changed = {
        "failures": [failed.model_copy(update=failure)],
        "checks": [checked.model_copy(update=check)],
    }
    return RegressionSuite([record.model_copy(update=changed)], load_plugins(PluginOptions(("toy.py",))))


@pytest.mark.parametrize("reason", LEFT_OUT)
def test_what_no_suite_can_hold_is_left_out_with_its_reason(record: Record, reason: str) -> None:
    found = regressions(record, *LEFT_OUT[reason])
    assert (dict(found.left_out), found.texts, found.rows) == ({reason: 1}, 0, {})


def test_without_a_gold_label_a_text_is_asked_what_it_was_asked_before(record: Record) -> None:
    found = regressions(record, {}, {"expectation": {"use": "invariant", "tolerance": 0.1}})
    assert found.checks["both"]["expect"] == {"use": "invariant", "tolerance": 0.1}
    assert [row["failed_both"] for row in found.rows.values()] == [["a solid film"]]


def test_a_text_with_a_gold_label_of_its_own_keeps_it(record: Record) -> None:
    found = regressions(record, {"label": "negative"}, {"expectation": {"use": "equals"}})
    assert found.checks["both"]["perturb"]["label"] == "label"
    assert [row["failed_both"] for row in found.rows.values()] == [[{"text": "a solid film", "label": "negative"}]]


def test_what_fails_an_example_is_carried_over(record: Record) -> None:
    assert "fails" not in regressions(record, {}, {}).checks["both"]
    assert regressions(record, {}, {"fails": {"use": "all"}}).checks["both"]["fails"] == "all"
    told = {"use": "at_most", "limit": 1}
    assert regressions(record, {}, {"fails": told}).checks["both"]["fails"] == told


def test_a_text_that_fails_unchanged_fails_again_also_where_a_rule_decides(tmp_path: Path) -> None:
    rows = [{"text": "a dull film", "label": "positive"}, {"text": "a grand, funny film", "label": "negative"}]
    checks = {"right": {"perturb": "itself", "expect": "correct", "limit": 0}}
    rule = {"label": "positive", "at": 0.7}
    run = robustfim.run(model="reference/fasttext", decide=rule, data=rows, checks=checks)
    assert run.checks["right"].failing == 2
    run.tests_from_failures(tmp_path / "again.yaml")
    again = robustfim.run(tmp_path / "again.yaml")
    assert (again.checks["right"].failing, again.checks["right"].tested) == (2, 2)
    assert {each.label for each in again.record.examples} == {"positive", "not positive"}
