"""ruff and mypy have nothing to say."""

from __future__ import annotations

import importlib.util
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.house.tree import ROOT, project, python_files, shown


# mypy reads everything, which takes minutes where it keeps nothing from an earlier time.
@pytest.mark.parametrize("command", ["ruff check", "ruff format --check", pytest.param("mypy", marks=pytest.mark.slow)])
def test_a_tool_has_nothing_to_say(command: str) -> None:
    tool, *arguments = command.split()
    if importlib.util.find_spec(tool) is None:
        pytest.skip(f"{tool} is not installed")
    paths = [] if tool == "mypy" else ["."]  # pyproject.toml says what mypy reads
    done = subprocess.run(
        [sys.executable, "-m", tool, *arguments, *paths], cwd=ROOT, capture_output=True, text=True, check=False
    )
    if done.returncode:
        pytest.fail(f"$ {command}\n{done.stdout}{done.stderr}", pytrace=False)


def test_mypy_is_strict_and_reads_everything() -> None:
    assert project()["tool"]["mypy"]["strict"] is True
    assert project()["tool"]["mypy"]["files"] == ["robustfim", "plugins", "tests", "benchmarks"]


def test_every_ignore_names_what_it_ignores_and_why() -> None:
    pragma, reasoned = (
        re.compile(r"# (?:type: ignore|noqa)"),
        re.compile(r"(?:ignore\[[^]]+\]|noqa: [A-Z0-9, ]+?)  # \S"),
    )
    bare = [
        f"{shown(path)}:{number}"
        for path in python_files(*(ROOT / name for name in project()["tool"]["mypy"]["files"]))
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if pragma.search(line) and not reasoned.search(line) and path != Path(__file__)
    ]
    assert not bare
