from __future__ import annotations

from pathlib import Path

from robustfim.builtin.json_report import JsonReport
from robustfim.record import Record
from tests.robustfim.record.test_format import record


def test_the_report_is_the_record_itself(tmp_path: Path) -> None:
    path = JsonReport().write(record(seed=7), tmp_path)
    assert path == tmp_path / "results.json"
    assert Record.load(path).model_dump() == record(seed=7).model_dump()


def test_a_path_of_its_own_goes_before_the_folder(tmp_path: Path) -> None:
    path = JsonReport(tmp_path / "deep" / "er" / "run.json").write(record(), tmp_path / "reports")
    assert path == tmp_path / "deep" / "er" / "run.json"
    assert [each.name for each in tmp_path.iterdir()] == ["deep"]
