"""A file is written whole or not at all; one that cannot be written is named, and the others are still written."""

from __future__ import annotations

import os
import resource
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from robustfim.errors import UsageError
from robustfim.parts import ReportPart
from robustfim.record import Record
from robustfim.roles import Report
from robustfim.session.report_files import write_reports
from robustfim_ci.gitlab import GitLabReport
from robustfim_ci.junit import JUnitReport
from robustfim_ci.markdown import MarkdownReport
from robustfim_ci.output import write_file
from robustfim_ci.sarif import SarifReport


def test_folders_on_the_way_are_made_and_nothing_else_is_left(tmp_path: Path) -> None:
    path = write_file(tmp_path / "a" / "b" / "file.txt", "text é\n")
    assert path.read_bytes() == "text é\n".encode()
    assert list(path.parent.iterdir()) == [path]


def test_a_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="is a folder; name a file in it"):
        write_file(tmp_path, "text")


def test_a_file_in_the_way_of_a_folder_is_named(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("", encoding="utf-8")
    with pytest.raises(UsageError, match=r"a/file\.txt: (Not a directory|File exists)\."):
        write_file(tmp_path / "a" / "file.txt", "text")


@pytest.fixture
def full(tmp_path: Path) -> Path:
    """A full disk; by a link, so that a mistake replaces the link and not a device of this machine."""
    link = tmp_path / "full"
    link.symlink_to("/dev/full")
    return link


def test_a_device_is_written_to_and_stays_a_device(full: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"/full: No space left on device\.$"):
        write_file(full, "text")
    null = tmp_path / "null"
    null.symlink_to("/dev/null")
    assert write_file(null, "text") == null
    assert stat.S_ISCHR(full.stat().st_mode)
    assert stat.S_ISCHR(null.stat().st_mode)
    assert sorted(tmp_path.iterdir()) == [full, null]


FULL_DISK = f"""
import resource, sys
from pathlib import Path
from robustfim_ci.output import write_file

resource.setrlimit(resource.RLIMIT_FSIZE, (100, {resource.RLIM_INFINITY}))
try:
    write_file(Path(sys.argv[1]), "x" * 1000)
except Exception as error:
    print(type(error).__name__, error)
"""


def test_a_file_that_outgrows_the_disk_leaves_the_older_one(tmp_path: Path) -> None:
    older = tmp_path / "junit.xml"
    older.write_text("older", encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-c", FULL_DISK, "junit.xml"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "UsageError junit.xml: File too large.\n"
    assert older.read_text(encoding="utf-8") == "older"
    assert list(tmp_path.iterdir()) == [older]


def test_one_report_that_cannot_be_written_keeps_no_other_from_being_written(
    record: Record, tmp_path: Path, full: Path
) -> None:
    reports: dict[str, Report] = {
        "gitlab": GitLabReport(tmp_path / "gitlab"),
        "junit": JUnitReport(full),
        "markdown": MarkdownReport(),
        "sarif": SarifReport(),
    }
    (tmp_path / "gitlab").mkdir()
    written, problem = write_reports(
        {name: ReportPart(report, name) for name, report in reports.items()}, record, tmp_path
    )
    assert [path.name for path in written] == ["comment.md", "results.sarif"]
    assert isinstance(problem, UsageError)
    assert "report 'gitlab' cannot be written: " in str(problem)
    assert f"report 'junit' cannot be written: {full}: No space left on device." in str(problem)
