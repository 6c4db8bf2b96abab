"""Fixtures: a folder of a user's own, with a model that needs no torch."""

from __future__ import annotations

import json
import shlex
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from robustfim.cli import main
from robustfim.record import Record
from tests.plugins.robustfim_checklist import word_model
from tests.robustfim.conftest import robustfim

__all__ = ["Folder", "Shown", "folder", "robustfim"]


@dataclass
class Shown:
    """What a command left behind."""

    code: int
    out: str
    err: str


class Folder:
    """A folder to run suites in; ``word_model.py`` in it offers the model ``words``."""

    def __init__(self, path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.path, self._capsys = path, capsys
        self.write("word_model.py", Path(word_model.__file__).read_text(encoding="utf-8"))

    def write(self, name: str, text: str) -> Path:
        path = self.path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    def tests(self, *lines: dict[str, Any] | str, name: str = "tests.jsonl") -> None:
        """Write a CheckList file; a text stands as it is."""
        self.write(name, "".join((line if isinstance(line, str) else json.dumps(line)) + "\n" for line in lines))

    def run(self, checks: str, *, model: str = "words", options: str = "", rest: str = "") -> Shown:
        """Run a suite with these checks."""
        self.write("suite.yaml", f"suite: one\nplugins: [word_model.py]\nmodel: {model}\nchecks: {checks}\n{rest}\n")
        self._capsys.readouterr()
        with pytest.raises(SystemExit) as stop:
            main(shlex.split(f"run suite.yaml --no-store {options}"))
        printed = self._capsys.readouterr()
        assert isinstance(stop.value.code, int)
        return Shown(int(stop.value.code), printed.out, printed.err)

    def refused(self, checks: str, *parts: str, model: str = "words", rest: str = "") -> None:
        """Assert that a suite is refused as wrong usage, in one line that holds every part."""
        shown = self.run(checks, model=model, rest=rest)
        assert shown.code == 4, shown
        assert shown.err.startswith("ERROR: ")
        assert shown.err.count("\n") == 1, shown.err
        for part in parts:
            assert part in shown.err

    @property
    def record(self) -> Record:
        """The record of the last run."""
        return Record.load(self.path / "reports" / "one" / "results.json")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Folder:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", sys.path[:])
    monkeypatch.setenv("COLUMNS", "120")
    return Folder(tmp_path, capsys)
