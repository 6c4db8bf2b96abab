"""A page of documentation: its sections, the files that it prints, and its commands with what they show.

Where the environment holds ``REWRITE_PAGES``, a page that differs from what a test compares it with is written anew,
and the test goes on: ``make docs``.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from difflib import unified_diff
from pathlib import Path

import pytest

from robustfim.cli import main
from tests.docs.elision import Alike, fits, renewed
from tests.installation import install
from tests.robustfim.command_line import without_progress

DOCS = Path(__file__).parents[2] / "docs"
FILE = re.compile(r"^`([\w./-]+)`:\n\n```\w+\n(.*?)^```$", re.DOTALL | re.MULTILINE)
CONSOLE = re.compile(r"^```console\n(.*?)^```$", re.DOTALL | re.MULTILINE)
COMMAND = re.compile(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", re.MULTILINE)
SITE = Path("site")


@dataclass(frozen=True)
class Command:
    """A command of a page, and what the page says that it shows.

    Attributes:
        page: The page's name in ``docs/``.
        number: Its place among the page's commands.
        typed: The command.
        expected: What the page says.
    """

    page: str
    number: int
    typed: str
    expected: str

    def check(self, shown: str, alike: Alike = str) -> None:
        """Hold what the command showed against what the page says; ``alike`` leaves out what may differ."""
        if not fits(self.expected, shown, alike):
            said = f"$ {self.typed}\n{shown}\n--- but the page shows\n{self.expected}"
            settle(self.page, said, self._place, renewed(self.expected, shown, alike))

    def _place(self, text: str) -> tuple[int, int]:
        blocks = CONSOLE.finditer(text)
        places = [(b.start(1) + c.start(2), b.start(1) + c.end(2)) for b in blocks for c in COMMAND.finditer(b[1])]
        return places[self.number]


@dataclass(frozen=True)
class Page:
    """A Markdown page, by the second-level headings: heading to what stands below it, code blocks whole."""

    name: str
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
        return cls(name, {title: "\n".join(lines) + "\n" for title, lines in found.items()})

    def files(self, title: str) -> list[tuple[str, str]]:
        """The files that a section prints: name and text."""
        return FILE.findall(self.sections[title])

    def write_files(self) -> None:
        """Write the files of all sections into the current folder."""
        for section in self.sections:
            for name, text in self.files(section):
                Path(name).write_text(text, encoding="utf-8")

    def commands(self, title: str) -> Iterator[Command]:
        """The commands of a section, and what it says that they show."""
        typed = [
            (section, *command)
            for section, text in self.sections.items()
            for block in CONSOLE.findall(text)
            for command in COMMAND.findall(block)
        ]
        return (Command(self.name, i, *each) for i, (section, *each) in enumerate(typed) if section == title)

    def check(self, title: str, capsys: pytest.CaptureFixture[str]) -> None:
        """Run the commands of a section, one after another, and hold what they show against what it says."""
        for command in self.commands(title):
            command.check(perform(command.typed, capsys))

    def test_of_commands(self) -> Callable[..., None]:
        """Make the test that the commands of every section show what it says, a case for each section."""

        @pytest.mark.usefixtures("here")
        @pytest.mark.parametrize("title", [title for title in self.sections if any(self.commands(title))])
        def test(title: str, capsys: pytest.CaptureFixture[str]) -> None:
            self.check(title, capsys)

        return test

    def check_text(self, old: str, new: str, what: str) -> None:
        """Hold a part of the page that stands there once against what the product makes of it today."""
        if old != new:
            lines = unified_diff(old.splitlines(), new.splitlines(), "the page", "the product", lineterm="")
            settle(self.name, "\n".join([what, *lines]), lambda text: _found(text, old), new)


def settle(page: str, said: str, place: Callable[[str], tuple[int, int]], new: str) -> None:
    """Fail since a page is not what was shown, or else write it anew.

    Args:
        page: Its name in ``docs/``.
        said: What was shown and what the page shows.
        place: Where the difference stands, begin and end, in the text of the page.
        new: What belongs there.
    """
    if "REWRITE_PAGES" not in os.environ:
        pytest.fail(f"{said}\n--- 'make docs PAGE=docs/{page}' writes it anew", pytrace=False)
    text = (DOCS / page).read_text(encoding="utf-8")
    begin, end = place(text)
    (DOCS / page).write_text(text[:begin] + new + text[end:], encoding="utf-8")


def _found(text: str, part: str) -> tuple[int, int]:
    assert text.count(part) == 1, f"the page has {text.count(part)} times:\n{part}"
    return text.index(part), text.index(part) + len(part)


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
