"""Fixtures: a folder of a user's own, with models that need no torch."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from pathlib import Path

import pytest

from robustfim.cli import main
from robustfim.record import Record

MODELS = '''
import re

from robustfim import hookimpl


class Words:
    """Looks for words, and otherwise at the length: wrong often enough to be counted."""

    fingerprint = "words-1"

    def __init__(self, labels: list[str]):
        self.labels = tuple(labels)

    def predict(self, examples):
        rows = []
        for each in examples:
            place = sum(map(len, re.findall(r"[a-z]+", each.text.lower()))) % len(self.labels)
            row = [0.1] * len(self.labels)
            row[place] = 1 - 0.1 * (len(self.labels) - 1)
            rows.append(row)
        return rows


@hookimpl
def robustfim_offers():
    return {"models": {"words": Words}}
'''


@dataclass
class Shown:
    """What a command left behind."""

    code: int
    out: str
    err: str


class Folder:
    """A folder to import into; ``models.py`` in it offers the model ``words``, whose labels are given."""

    def __init__(self, path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.path, self._capsys = path, capsys
        self.write("models.py", MODELS)

    def write(self, name: str, text: str) -> Path:
        path = self.path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    def __call__(self, command: str) -> Shown:
        """Run a command of robustfim."""
        self._capsys.readouterr()
        with pytest.raises(SystemExit) as stop:
            main(shlex.split(command))
        printed = self._capsys.readouterr()
        assert "Traceback" not in printed.err
        return Shown(int(stop.value.code or 0), printed.out, printed.err)

    def imported(self, words: str, labels: str, *, options: str = "") -> Record:
        """Import a file and run the suite; ``labels`` are the model's."""
        shown = self(
            f"import {words} --out s.yaml --force -p models.py --model use=words --model 'labels={labels}' {options}"
        )
        assert shown.code == 0, shown.err
        assert "-p models.py" not in self.path.joinpath("s.yaml").read_text()
        shown = self("run s.yaml --no-store")
        assert shown.code in (0, 1, 6), shown.err
        return Record.load(self.path / "reports" / "s" / "results.json")

    def failing(self, words: str, labels: str, *, options: str = "") -> dict[str, tuple[int, int]]:
        """Failing and tested examples of each check."""
        record = self.imported(words, labels, options=options)
        return {check.name: (check.failing, check.tested) for check in record.checks}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Folder:
    monkeypatch.chdir(tmp_path)
    return Folder(tmp_path, capsys)


def says(text: str, labels: list[str]) -> str:
    """What the model ``words`` says of a text, computed by itself."""
    return labels[sum(each.isascii() and each.isalpha() for each in text) % len(labels)]
