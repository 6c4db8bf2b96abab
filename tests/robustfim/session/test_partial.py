from __future__ import annotations

from pathlib import Path

import pytest

from robustfim.errors import UsageError
from robustfim.judge.baseline import accept
from robustfim.outcome import ExitCode
from robustfim.record import Record
from robustfim.session.partial import PARTIAL, PartialRecord
from tests.robustfim.command_line import CommandLine, refused


@pytest.fixture
def finished(robustfim: CommandLine) -> Record:
    robustfim("run toy.yaml")
    return robustfim.record()


def test_what_was_found_is_written_and_says_that_the_run_did_not_end(finished: Record, tmp_path: Path) -> None:
    partial = PartialRecord(tmp_path)
    partial.write(lambda: finished, 2)
    found = Record.load(tmp_path / PARTIAL)
    assert found.checks == finished.checks
    assert (found.interrupted, found.exit_code) == (True, ExitCode.INTERRUPTED)
    assert found.message == "the run was killed before it ended: 2 of 5 checks had not run."
    with pytest.raises(UsageError, match="was not finished"):
        accept(found, tmp_path / "baseline.json")
    partial.remove()
    assert not (tmp_path / PARTIAL).exists()


def test_without_a_folder_nothing_is_kept(finished: Record) -> None:
    partial = PartialRecord(None)
    assert not partial.due
    partial.write(lambda: finished, 0)


def test_writing_takes_a_fiftieth_of_the_time_at_most(finished: Record, tmp_path: Path) -> None:
    partial = PartialRecord(tmp_path)
    assert partial.due
    partial.write(lambda: finished, 0)
    assert not partial.due


def test_a_disk_without_room_stops_nothing(finished: Record, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    PartialRecord(tmp_path / "file").write(lambda: finished, 0)


def test_a_run_that_ends_leaves_no_partial_record(robustfim: CommandLine, finished: Record) -> None:
    assert not (robustfim.folder / "reports" / "toy" / PARTIAL).exists()


def test_the_findings_of_a_killed_run_are_reported(robustfim: CommandLine, finished: Record) -> None:
    folder = robustfim.folder / "reports" / "toy"
    PartialRecord(folder).write(lambda: finished, 1)
    shown = robustfim("report reports/toy --partial --junit-xml killed.xml")
    assert shown.code == 0
    assert 'name="both"' in robustfim.read("killed.xml")
    PartialRecord(folder).remove()
    refused(robustfim("report reports/toy --partial"), "results.partial.json")
