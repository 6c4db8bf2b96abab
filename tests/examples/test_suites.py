"""Every suite of examples/ runs as its first lines say, and each of its checks tests something."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from tests.robustfim.command_line import CommandLine

ROOT = Path(__file__).parents[2]
SUITES = sorted((ROOT / "examples").glob("*.yaml"))


@pytest.mark.slow  # hundreds of sentences are renamed five times
@pytest.mark.parametrize("path", SUITES, ids=lambda path: path.stem)
def test_a_suite_runs_by_the_command_that_it_names(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("torch")
    monkeypatch.chdir(tmp_path)
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    named = re.search(r"Run it: robustfim (.*)", path.read_text(encoding="utf-8"))
    assert named
    robustfim = CommandLine(tmp_path, capsys)
    shown = robustfim(named[1])
    assert shown.code in (0, 1, 6), shown.err
    record = robustfim.record(path.stem)
    assert record.checks
    assert all(check.tested >= 100 for check in record.checks)
    assert not record.message
