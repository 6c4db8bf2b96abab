"""Fixtures of the tests of the CI reports."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from robustfim.record import Record
from robustfim_ci import github
from tests.plugins.robustfim_ci.hostile import hostile
from tests.plugins.robustfim_html.synthetic import build
from tests.robustfim.command_line import CommandLine

CI_VARIABLES = (
    "CI_PROJECT_DIR",
    "GITHUB_ACTIONS",
    "GITHUB_STEP_SUMMARY",
    "GITHUB_WORKSPACE",
    "GITLAB_CI",
)


@pytest.fixture(autouse=True)
def _no_ci(monkeypatch: pytest.MonkeyPatch) -> None:
    """The tests give the same result on a CI system, and write nothing into its summary."""
    for name in CI_VARIABLES:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(github, "_stopped", "")


@pytest.fixture(scope="session")
def record() -> Record:
    """A run of nine checks with every outcome but xpassed."""
    return build()


@pytest.fixture(scope="session")
def hostile_record() -> Record:
    return hostile()


@pytest.fixture
def robustfim(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> CommandLine:
    """``robustfim``, in an empty folder with the toy plugin; its suite's checks pass, fail and are inconclusive."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", sys.path[:])
    monkeypatch.setenv("COLUMNS", "100")
    return CommandLine(tmp_path, capsys)
