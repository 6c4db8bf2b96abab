"""The plugin package of examples/: what ``robustfim plugin new`` writes, with a perturbation of its own."""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
from pathlib import Path

import pytest

from robustfim.outcome import ExitCode
from robustfim_testing import check_perturbation
from tests.robustfim.command_line import CommandLine

PLUGIN = Path(__file__).parents[2] / "examples" / "robustfim-units"


def files(folder: Path) -> set[str]:
    held = (path.relative_to(folder) for path in folder.rglob("*") if path.is_file())
    return {path.as_posix() for path in held if not {"__pycache__", ".pytest_cache"} & {*path.parts}}


def test_it_has_the_files_and_the_entry_point_that_the_command_writes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert CommandLine(tmp_path, capsys)("plugin new units").code == 0
    new = tmp_path / "robustfim-units"
    assert files(PLUGIN) == files(new)
    for name in ("pyproject.toml", "src/robustfim_units/__init__.py", ".github/workflows/ci.yml", ".gitignore"):
        assert (PLUGIN / name).read_text(encoding="utf-8") == (new / name).read_text(encoding="utf-8"), name


def test_a_suite_can_use_its_perturbation(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(PLUGIN / "src")
    units = importlib.import_module("robustfim_units.perturbation").Units()
    check_perturbation(units, ["It is 5 miles away."])
    robustfim = CommandLine(tmp_path, capsys)
    name = robustfim.suite(
        "{units: {perturb: units, limit: 0.5}}", data="{use: films, rows: [[5 miles of good, null]]}"
    )
    assert robustfim(f"run {name} --no-store -p robustfim_units").code == ExitCode.INCONCLUSIVE  # of one text
    assert robustfim.record("other").checks[0].tested == 1


@pytest.mark.slow  # a pytest of its own
def test_its_own_tests_pass() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(PLUGIN)],
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    assert "13 passed" in done.stdout
