"""The example of docs/security.md dies as the page shows it, and its numbers are those of the code."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from robustfim.record import Record
from robustfim.suite.file import read_suite_file
from tests.docs.page import Page
from tests.robustfim.command_line import without_progress

PAGE = Page.read("security.md")


@pytest.mark.slow
def test_the_page_shows_what_its_command_shows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    PAGE.write_files()
    (command,) = (each for title in PAGE.sections for each in PAGE.commands(title))
    environment = {**os.environ, "COLUMNS": "80", "PYTHONPATH": os.pathsep.join((str(tmp_path), *sys.path))}
    done = subprocess.run(
        [sys.executable, "-m", *shlex.split(command.typed)],
        capture_output=True, text=True, env=environment, timeout=120, check=False,
    )  # fmt: skip
    assert (done.returncode, without_progress(done.stderr)) == (1, "")
    command.check(done.stdout)
    outcomes = {check.name: check.outcome.value for check in Record.load(Path("reports/fragile/results.json")).checks}
    assert outcomes == {"typos": "passed", "capitals": "error"}


def test_three_hundred_answers_find_one_percent_with_95_percent() -> None:
    assert 0.95 <= 1 - 0.99**300 < 0.952


def test_the_largest_suite_is_as_large_as_the_page_says(tmp_path: Path) -> None:
    path = tmp_path / "suite.yaml"
    path.write_bytes(b"suite: a\n" + b"#" * (2 * 2**20 - 9))
    assert read_suite_file(path).data == {"suite": "a"}
    assert "more than 2 MB, of more than 100,000 values or nested deeper than 40" in PAGE.sections["What has an end"]
