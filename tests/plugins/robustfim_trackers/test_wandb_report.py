"""The run of Weights & Biases, offline: the file that ``wandb sync`` would send, read back."""

from __future__ import annotations

import getpass
import json
import socket
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from robustfim_trackers.tracked import run_file
from robustfim_trackers.wandb_report import WandbReport
from tests.plugins.robustfim_html.synthetic import build
from tests.waiting import until

_BLOCK = 32 * 1024


def records(path: Path) -> Iterator[Any]:
    """Read a ``.wandb`` file: a head of 7 bytes, then LevelDB's log of protobuf messages."""
    from wandb.proto import wandb_internal_pb2

    data, place, message = path.read_bytes(), 7, b""
    while place + 7 <= len(data):
        if (room := _BLOCK - place % _BLOCK) < 7:
            place += room
            continue
        _, length, kind = struct.unpack_from("<IHB", data, place)
        message += data[place + 7 : place + 7 + length]
        place += 7 + length
        if len(data) < place:  # not written to its end
            return
        if kind in (1, 4):  # whole, or the last part
            yield getattr(wandb_internal_pb2, "Record").FromString(message)  # noqa: B009  # the module makes its names as it loads
            message = b""


def written(path: Path) -> list[Any]:
    """Read the file once wandb's own process has written the end of the run, which may be after ``finish``."""
    until(lambda: any(record.HasField("exit") for record in records(path)))
    return list(records(path))


def test_a_folder_may_be_named_for_the_file(tmp_path: Path) -> None:
    (tmp_path / "v1.2").mkdir()
    for named, file in (("v1.2", "v1.2/wandb.json"), ("new", "new/wandb.json"), ("run.json", "run.json")):
        assert run_file(tmp_path / named, tmp_path, "wandb.json") == tmp_path / file
    assert run_file(None, tmp_path, "wandb.json") == tmp_path / "wandb.json"


def test_the_file_to_be_sent_holds_settings_numbers_and_failing_texts_and_nothing_of_this_machine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("wandb")
    monkeypatch.setenv("WANDB_DATA_DIR", str(tmp_path / "scratch"))
    record = build()
    named = json.loads(WandbReport(project="release").write(record, tmp_path).read_text(encoding="utf-8"))
    assert (named["project"], named["mode"]) == ("release", "offline")
    (file,) = (tmp_path / named["folder"]).glob("*.wandb")
    found = written(file)
    (run,) = (each.run for each in found if each.HasField("run"))
    assert (run.run_id, run.project, run.run_group, run.host) == (named["run_id"], "release", record.suite, "")
    settings = {each.key: json.loads(each.value_json) for each in run.config.update}
    check = next(record_check for record_check in record.checks if record_check.rate is not None)
    assert settings["model"] == record.model.use
    assert settings[f"outcome/{check.name}"] == check.outcome.value
    numbers = {each.key: json.loads(each.value_json) for row in found for each in row.summary.update if each.key}
    assert numbers[f"checks/{check.name}/rate"] == pytest.approx(check.rate)
    (table,) = (tmp_path / named["folder"] / "files" / "media" / "table").rglob("failures*.json")
    assert len(json.loads(table.read_text(encoding="utf-8"))["data"]) == 200
    told = "".join(map(str, (run, *(each.telemetry for each in found))))
    assert socket.gethostname() not in told.replace(record.suite, "")
    assert f'"{getpass.getuser()}"' not in told
