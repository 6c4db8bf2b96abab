"""The report writes one file, whole or not at all, and is found by its plugin."""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

import robustfim_html
from robustfim.errors import UsageError
from robustfim.judge import write_record
from robustfim.record import Record
from robustfim.roles import Report
from robustfim_html import page as page_module
from robustfim_html.report import HtmlReport
from tests.plugins.robustfim_html.synthetic import build


def test_the_face_offers_the_report() -> None:
    module, name = robustfim_html.robustfim_offers()["reports"]["html"].split(":")
    report: Report = getattr(importlib.import_module(module), name)()
    assert isinstance(report, HtmlReport)


def test_the_face_is_light() -> None:
    source = "import sys, robustfim_html, robustfim_html.report; print('jinja2' in sys.modules, 'torch' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", source], capture_output=True, text=True, check=True, env=_path())
    assert done.stdout.split() == ["False", "False"]


def _path() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}


def test_the_page_lands_in_the_suites_folder(tmp_path: Path, record: Record, page: str) -> None:
    written = HtmlReport().write(record, tmp_path)
    assert written == tmp_path / "report.html"
    assert written.read_text(encoding="utf-8") == page
    assert list(tmp_path.iterdir()) == [written]


def test_a_path_of_its_own_is_made_with_its_folders(tmp_path: Path, record: Record) -> None:
    path = tmp_path / "a" / "b" / "page.html"
    assert HtmlReport(path).write(record, tmp_path) == path
    assert path.is_file()


def test_a_folder_is_refused_as_a_path(tmp_path: Path, record: Record) -> None:
    with pytest.raises(UsageError, match="is a folder"):
        HtmlReport(tmp_path).write(record, tmp_path)


def test_a_write_that_fails_leaves_the_older_page_alone(
    tmp_path: Path, record: Record, monkeypatch: pytest.MonkeyPatch
) -> None:
    older = tmp_path / "report.html"
    older.write_text("older")

    def full(self: Path, data: bytes) -> int:
        with self.open("wb") as file:
            file.write(data[:100])
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(OSError, match="No space left"):
        HtmlReport().write(record, tmp_path)
    assert older.read_text() == "older"
    assert list(tmp_path.iterdir()) == [older]


def test_a_page_that_cannot_be_rendered_leaves_nothing(
    tmp_path: Path, record: Record, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> str:
        raise ValueError("broken")

    monkeypatch.setattr(page_module, "render", broken)
    with pytest.raises(ValueError, match="broken"):
        HtmlReport().write(record, tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_record_read_back_from_disk_gives_the_same_page(tmp_path: Path, record: Record) -> None:
    kept = record.kept_in(write_record(record, tmp_path / "results.json"))
    page = HtmlReport().write(kept, tmp_path).read_text(encoding="utf-8")
    reread = Record.load(tmp_path / "results.json")
    assert HtmlReport().write(reread, tmp_path).read_text(encoding="utf-8") == page


@pytest.mark.slow
def test_ten_times_the_failures_take_about_ten_times_as_long(tmp_path: Path) -> None:
    few, many = build(examples=450, difficult=170, control=170), build(examples=4500, difficult=1700, control=1700)
    assert len(many.failures) > 5000
    HtmlReport().write(few, tmp_path)  # templates and modules are read once

    def seconds(record: Record) -> float:
        # Processor time: other work on the machine does not count.
        started = time.process_time()
        path = HtmlReport().write(record, tmp_path)
        assert path.stat().st_size < 200 * len(record.failures) + 500_000
        return time.process_time() - started

    assert min(seconds(many) for _ in range(2)) < 15 * min(seconds(few) for _ in range(3))
