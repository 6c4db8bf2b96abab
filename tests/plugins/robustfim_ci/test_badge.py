"""The badge has the shape that https://shields.io/badges/endpoint-badge documents."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from robustfim.outcome import Outcome
from robustfim.record import Record
from robustfim_ci.badge import BadgeReport

SHAPE = {
    "type": "object",
    "properties": {
        "schemaVersion": {"const": 1},
        "label": {"type": "string"},
        "message": {"type": "string", "minLength": 1},
        "color": {"enum": ["brightgreen", "yellow", "orange", "red", "lightgrey"]},
        "isError": {"type": "boolean"},
    },
    "required": ["schemaVersion", "label", "message", "color"],
    "additionalProperties": False,
}


def badge(record: Record, *outcomes: Outcome, **changes: object) -> dict[str, Any]:
    template = record.checks[0].model_copy(update={"limit": 0.99})
    checks = [template.model_copy(update={"outcome": outcome}) for outcome in outcomes]
    read: dict[str, Any] = json.loads(BadgeReport().text(record.model_copy(update={"checks": checks, **changes})))
    jsonschema.validate(read, SHAPE)
    return read


@pytest.mark.parametrize(
    ("outcomes", "message", "color"),
    [
        ([], "no check ran", "lightgrey"),
        ([Outcome.PASSED], "1 check passed", "brightgreen"),
        ([Outcome.PASSED] * 3, "all 3 checks passed", "brightgreen"),
        ([Outcome.PASSED, Outcome.FAILED], "1 of 2 checks failed, 1 passed", "red"),
        ([Outcome.ERROR, Outcome.FAILED], "1 of 2 checks failed, 1 broken", "red"),
        ([Outcome.ERROR, Outcome.PASSED], "1 of 2 checks broken, 1 passed", "orange"),
        ([Outcome.INCONCLUSIVE, Outcome.PASSED], "1 of 2 checks inconclusive, 1 passed", "yellow"),
        ([Outcome.XFAILED, Outcome.PASSED], "1 of 2 checks failed as expected, 1 passed", "brightgreen"),
        ([Outcome.XPASSED], "1 check unexpectedly passed", "red"),
        ([Outcome.MEASURED, Outcome.PASSED], "1 of 2 checks measured, 1 passed", "brightgreen"),
        ([Outcome.MEASURED] * 2, "all 2 checks measured", "lightgrey"),
        ([Outcome.SKIPPED, Outcome.SKIPPED], "all 2 checks skipped", "lightgrey"),
    ],
)
def test_the_badge_says_how_the_checks_ended(record: Record, outcomes: list[Outcome], message: str, color: str) -> None:
    read = badge(record, *outcomes)
    assert (read["message"], read["color"], read["label"]) == (message, color, "sentiment")
    assert ("isError" in read) == (Outcome.ERROR in outcomes)


def test_an_inconclusive_check_that_fails_the_run_is_red(record: Record) -> None:
    assert badge(record, Outcome.INCONCLUSIVE, undecided="fail")["color"] == "red"


def test_the_label_can_be_another(record: Record, tmp_path: Path) -> None:
    path = BadgeReport(label="robustness").write(record, tmp_path)
    assert path == tmp_path / "badge.json"
    assert json.loads(path.read_text(encoding="ascii"))["label"] == "robustness"


def test_hostile_texts_survive_as_text(hostile_record: Record) -> None:
    read = json.loads(BadgeReport().text(hostile_record))
    jsonschema.validate(read, SHAPE)
    assert read["label"].startswith("<script>alert(1)</script>control \\u0000 ")
