from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from robustfim.builtin.json_report import JsonReport
from robustfim.contract import ReportContract
from robustfim.errors import PluginError, UsageError
from robustfim.parts import ReportPart
from robustfim.record import Record
from robustfim.session.report_files import prepare_folder, write_reports
from tests.robustfim.record.test_format import record


class Failing:
    """A report that raises what it was given."""

    def __init__(self, error: Exception) -> None:
        self.error = error

    def write(self, record: Record, folder: Path) -> Path:
        raise self.error


def test_every_report_is_written_into_the_suites_folder(tmp_path: Path) -> None:
    written, problem = write_reports({"json": ReportPart(JsonReport(), "json")}, record(), tmp_path / "reports" / "toy")
    assert (written, problem) == ([tmp_path / "reports" / "toy" / "results.json"], None)
    assert Record.load(written[0]).model_dump() == record().model_dump()


def test_a_report_that_fails_keeps_no_other_from_being_written(tmp_path: Path) -> None:
    reports = {
        "torn": ReportPart(Failing(BufferError("the paper is torn")), "torn"),
        "full": ReportPart(Failing(OSError("disk full")), "full"),
    }
    written, problem = write_reports({**reports, "json": ReportPart(JsonReport(), "json")}, record(), tmp_path)
    assert [path.name for path in written] == ["results.json"]
    assert isinstance(problem, PluginError), "a plugin that raises goes before a disk that is full"
    assert str(problem) == (
        "report 'torn' (Failing) raised BufferError: the paper is torn; report 'full' cannot be written: disk full"
    )
    assert isinstance(problem.__cause__, BufferError)
    _, problem = write_reports({"full": reports["full"]}, record(), tmp_path)
    assert type(problem) is UsageError


@pytest.mark.parametrize("given", [None, "x", Path("nowhere.html")])
def test_a_report_that_gives_no_file_that_it_wrote_is_refused(given: Any, tmp_path: Path) -> None:
    class Silent:
        def write(self, record: Record, folder: Path) -> Any:
            return given

    written, problem = write_reports(
        {"silent": ReportPart(Silent(), "silent"), "json": ReportPart(JsonReport(), "json")}, record(), tmp_path
    )
    assert [path.name for path in written] == ["results.json"]
    assert isinstance(problem, PluginError)
    assert str(problem).startswith("report 'silent' (Silent) must give the path of the file that it wrote, not ")


def test_a_folder_that_cannot_be_made_says_the_way_out(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(UsageError, match=r"reports cannot be written to .*: .* Name another folder with --reports\."):
        prepare_folder(tmp_path / "file" / "toy")
    prepare_folder(tmp_path / "a" / "b")
    assert (tmp_path / "a" / "b").is_dir()


def test_a_report_that_compares_is_given_the_record_of_the_baseline(tmp_path: Path) -> None:
    class Comparing:
        contract = ReportContract(compares=True)

        def write(self, record: Record, folder: Path, before: Record | None = None) -> Path:
            (folder / "names").write_text(
                f"{None if before is None else before.suite} {record.suite}", encoding="utf-8"
            )
            return folder / "names"

    reports = {"comparing": ReportPart(Comparing(), "comparing"), "json": ReportPart(JsonReport(), "json")}
    for before, names in ((None, "None toy"), (record().model_copy(update={"suite": "earlier"}), "earlier toy")):
        written, problem = write_reports(reports, record(), tmp_path, before)
        assert (written[0].read_text(encoding="utf-8"), problem) == (names, None)
