"""``robustfim`` as a user types it, in this process, in a folder with the toy plugin."""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass
from pathlib import Path

import pytest

from robustfim.cli import main
from robustfim.record import Record

TOY = Path(__file__).with_name("toy_plugin.py")
SUITE = """\
suite: toy
plugins: [toy.py]
model: wordsum
data: films
checks:
  rename: {perturb: rename, limit: 0.5, marks: [lexical]}
  both:
    perturb: {use: rename, words: 2}
    limit: 0
    marks: [lexical, slow]
  calm: {perturb: {use: rename, table: {film: movie}}, limit: 0}
"""
"""Its checks end inconclusive, failed and passed."""


@dataclass(frozen=True)
class Shown:
    """What a command left behind: its exit code and what it printed."""

    code: int
    out: str
    err: str

    @property
    def unbroken(self) -> str:
        """What it printed as one line, whatever the width."""
        return unbroken(self.out)


class CommandLine:
    """A folder to run commands in."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.folder, self._capsys = folder, capsys
        self.write("toy.py", TOY.read_text(encoding="utf-8"))
        self.write("toy.yaml", SUITE)

    def write(self, name: str, text: str) -> Path:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    def read(self, name: str) -> str:
        return (self.folder / name).read_text(encoding="utf-8")

    def replace(self, name: str, old: str, new: str) -> None:
        """Write a file again with other words."""
        self.write(name, self.read(name).replace(old, new))

    def suite(
        self, checks: str, *, name: str = "other", model: str = "wordsum", data: str = "films", rest: str = ""
    ) -> str:
        """Write a suite of one file and return its name; ``checks`` is written in YAML's flow style."""
        text = f"suite: {name}\nplugins: [toy.py]\nmodel: {model}\ndata: {data}\nchecks: {checks}\n{rest}\n"
        return self.write(f"{name}.yaml", text).name

    def __call__(self, command: str) -> Shown:
        """Run ``robustfim COMMAND``."""
        self._capsys.readouterr()
        with pytest.raises(SystemExit) as stop:
            main(shlex.split(command))
        printed = self._capsys.readouterr()
        code = stop.value.code
        assert isinstance(code, int)
        return Shown(int(code), printed.out, printed.err)

    def record(self, name: str = "toy", reports: str = "reports") -> Record:
        return Record.load(self.folder / reports / name / "results.json")

    def outcomes(self, name: str = "toy") -> dict[str, str]:
        return {check.name: check.outcome.value for check in self.record(name).checks}


def unbroken(text: str) -> str:
    """Write lines as one, with one blank where the lines end and wherever there are several."""
    return " ".join(text.split())


_PROGRESS = re.compile(r"^[^\n]*(?:at work for \d+:\d\d:\d\d|\b[\d,]+/[\d,]+ examples, [^\n]*)\n", re.MULTILINE)


def without_progress(error: str) -> str:
    """Standard error of a process, without the lines of progress that only a busy machine makes a command tell."""
    return _PROGRESS.sub("", error)


def refused(shown: Shown, *parts: str, code: int = 4) -> None:
    """Assert that a command was refused with one line on standard error that holds every part."""
    assert shown.code == code, shown
    assert shown.err.startswith("ERROR: ")
    assert shown.err.count("\n") == 1, shown.err
    assert "Traceback" not in shown.err + shown.out
    for part in parts:
        assert part in shown.err
