"""results.json: written whole, read back equal, and refused with a reason where it cannot be read."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest

from robustfim.errors import UsageError
from robustfim.judge import write_record
from robustfim.outcome import Outcome
from robustfim.record import (
    SCHEMA,
    CheckRecord,
    DataRecord,
    Environment,
    ExampleRecord,
    Failure,
    ModelRecord,
    PredictionRecord,
    Record,
)


def record(**more: Any) -> Record:
    fields: dict[str, Any] = {
        "suite": "toy",
        "model": ModelRecord(use="wordsum"),
        "data": DataRecord(use="films"),
        "environment": Environment(robustfim="1", python="3.11"),
        "seed": 0,
        "started": "2024-01-01T00:00:00+00:00",
    }
    return Record(**(fields | more))


def refuse(constant: str) -> None:
    pytest.fail(f"the file holds {constant}")


def test_a_record_read_back_is_the_one_that_was_written(tmp_path: Path) -> None:
    before = PredictionRecord(label="positive", probabilities=[0.25, 0.75])
    written = record(
        examples=[ExampleRecord(id="e", fields={"text": "zoë 😀 \u202e"}, arm="control", scores={"fisher": 0.1 + 0.2})],
        checks=[CheckRecord(id="toy.yaml::a", name="a", outcome=Outcome.FAILED, interval=(0.1, 1 / 3), limit=0.1)],
        failures=[Failure(id="f", check="toy.yaml::a", example="e", fields={"text": "x"}, before=before, after=before)],
    )
    path = write_record(written, tmp_path / "results.json")
    assert Record.load(path) == written
    assert Record.load(tmp_path) == written, "the folder stands for the record in it"
    assert json.loads(path.read_text(encoding="utf-8"))["schema"] == SCHEMA == 2


@pytest.mark.parametrize("number", [math.nan, math.inf, -math.inf])
def test_a_number_that_is_not_defined_is_null(tmp_path: Path, number: float) -> None:
    example = ExampleRecord(id="e", fields={}, probabilities=[number, 0.5], scores={"fisher": number})
    written = record(examples=[example], model=ModelRecord(use="m", options={"deep": [{"x": number}]}))
    data = json.loads(written.dump_text(tmp_path / "r.json").read_text(encoding="utf-8"), parse_constant=refuse)
    assert data["examples"][0]["scores"] == {"fisher": None}
    assert data["examples"][0]["probabilities"] == [None, 0.5]
    assert data["model"]["options"] == {"deep": [{"x": None}]}


def test_half_of_a_surrogate_pair_is_written_as_its_escape(tmp_path: Path) -> None:
    written = record(examples=[ExampleRecord(id="e", fields={"text": "cut \ud83d"})])
    assert Record.load(write_record(written, tmp_path / "results.json")) == written
    path = written.dump_text(tmp_path / "r.json")
    assert json.loads(path.read_bytes())["examples"][0]["fields"]["text"] == "cut \ud83d"


def test_a_file_that_cannot_be_written_leaves_the_old_one_and_no_scraps(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write_record(record(seed=1), tmp_path / "results.json")

    def full(self: Path, target: Path) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(OSError, match="No space left"):
        write_record(record(seed=2), path)
    assert Record.load(path).seed == 1
    assert sorted(each.name for each in tmp_path.iterdir()) == ["results.json", "results.sqlite"]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "is not a run record: "),
        (b"\xff\xfe", "is not a run record: "),
        (b"[]", "is not a run record: it has no 'schema' number."),
        (b"{}", "is not a run record: it has no 'schema' number."),
        (b'{"schema": "1"}', "is not a run record: it has no 'schema' number."),
        (b'{"schema": 3}', "has schema 3; this robustfim reads up to 2: upgrade it."),
        (b'{"schema": 1}', "is not a run record: suite: Field required"),
    ],
)
def test_what_is_no_record_is_refused_with_the_reason(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "results.json"
    path.write_bytes(content)
    with pytest.raises(UsageError) as caught:
        Record.load(path)
    assert str(caught.value).startswith(f"{path} {message}")


def test_a_missing_record_says_what_writes_one(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"no run record at .*nowhere\.json\. 'robustfim run SUITE' writes one\."):
        Record.load(tmp_path / "nowhere.json")


def test_a_key_of_a_later_version_is_left_out_and_a_missing_one_has_its_default(tmp_path: Path) -> None:
    path = record().dump_text(tmp_path / "r.json")
    data = json.loads(path.read_text(encoding="utf-8"))
    del data["failures"]
    path.write_text(json.dumps({**data, "later": 1}), encoding="utf-8")
    assert Record.load(path) == record()
