"""A page of documentation: its sections, the files that it prints, and its commands with what they show."""

from __future__ import annotations

import doctest
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from robustfim.cli import main
from tests.installation import install
from tests.robustfim.command_line import without_progress

DOCS = Path(__file__).parents[2] / "docs"
FILE = re.compile(r"^`([\w./-]+)`:\n\n```\w+\n(.*?)^```$", re.DOTALL | re.MULTILINE)
CONSOLE = re.compile(r"^```console\n(.*?)^```$", re.DOTALL | re.MULTILINE)
COMMAND = re.compile(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", re.MULTILINE)
SITE = Path("site")


@dataclass(frozen=True)
class Page:
    """A Markdown page, by the second-level headings: heading to what stands below it, code blocks whole."""

    sections: dict[str, str]

    @classmethod
    def read(cls, name: str) -> Page:
        """Read a page of ``docs/``."""
        found: dict[str, list[str]] = {}
        here, fenced = found.setdefault("", []), False
        for line in (DOCS / name).read_text(encoding="utf-8").splitlines():
            fenced ^= line.startswith("```")
            if not fenced and line.startswith("## "):
                here = found.setdefault(line.removeprefix("## "), [])
            elif fenced or not line.startswith("# "):
                here.append(line)
        return cls({title: "\n".join(lines) + "\n" for title, lines in found.items()})

    def files(self, title: str) -> list[tuple[str, str]]:
        """The files that a section prints: name and text."""
        return FILE.findall(self.sections[title])

    def write_files(self) -> None:
        """Write the files of all sections into the current folder."""
        for section in self.sections:
            for name, text in self.files(section):
                Path(name).write_text(text, encoding="utf-8")

    def commands(self, title: str) -> Iterator[tuple[str, str]]:
        """The commands of a section, and what it says that they show."""
        for block in CONSOLE.findall(self.sections[title]):
            yield from COMMAND.findall(block)

    def check(self, title: str, capsys: pytest.CaptureFixture[str]) -> None:
        """Run the commands of a section, one after another, and hold what they show against what it says."""
        for command, expected in self.commands(title):
            check_shown(expected, perform(command, capsys), command)


def perform(command: str, capsys: pytest.CaptureFixture[str]) -> str:
    """Run a command of a page in the current folder; return what a terminal would show.

    ``robustfim`` runs in this process, or, once a package was installed, in one that sees the package. The
    package goes into a folder instead of into the environment of the tests.
    """
    program, *arguments = shlex.split(command)
    if program == "cat":
        return Path(arguments[0]).read_text(encoding="utf-8")
    if program == "robustfim" and not SITE.exists():
        capsys.readouterr()
        with pytest.raises(SystemExit):
            main(arguments)
        shown = capsys.readouterr()
        assert "Traceback" not in shown.err
        return shown.out + shown.err
    if program == "pip":
        assert arguments[:2] == ["install", "-q"]
        install(Path(arguments[2]), SITE)
        return ""
    own = {"robustfim": ["-m", "robustfim"], "python": []}
    assert program in own, f"the page uses {program!r}, which this test cannot run"
    done = subprocess.run(
        [sys.executable, *own[program], *arguments],
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(SITE.absolute()), *filter(None, sys.path)])},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode in (0, 1, 6), done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    return done.stdout + without_progress(done.stderr)


def check_shown(expected: str, shown: str, command: str) -> None:
    """Compare as doctest does, ``...`` standing for anything; blanks at the end of lines do not count."""
    wanted, got = ("".join(f"{line.rstrip()}\n" for line in text.splitlines()) for text in (expected, shown))
    if not doctest.OutputChecker().check_output(wanted, got, doctest.ELLIPSIS):
        pytest.fail(f"$ {command}\n{shown}\n--- but the page shows\n{expected}", pytrace=False)
