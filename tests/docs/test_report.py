"""docs/report.md: its commands work, its keys are those of the page, and its pictures are there and small."""

from __future__ import annotations

import re
import shlex
from importlib import resources
from pathlib import Path

import pytest

from tests.docs.page import DOCS
from tests.robustfim.command_line import CommandLine

TEXT = (DOCS / "report.md").read_text(encoding="utf-8")


@pytest.fixture
def robustfim(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> CommandLine:
    """A folder to run commands in."""
    monkeypatch.chdir(tmp_path)
    return CommandLine(tmp_path, capsys)


def test_the_commands_of_the_page_work(robustfim: CommandLine) -> None:
    suite = robustfim.suite("{rename: {perturb: rename, limit: 0.9}}", name="sentiment")
    assert robustfim(f"run {suite}").code == 0
    assert (robustfim.folder / "reports/sentiment/report.html").is_file()
    assert robustfim("accept reports/sentiment/results.json").code == 0
    commands = [line for block in re.findall(r"^```bash\n(.*?)^```", TEXT, re.M | re.S) for line in block.splitlines()]
    assert len(commands) == 3
    for command in commands:
        shown = robustfim(shlex.join(shlex.split(command)[1:]))
        assert shown.code == 0, shown
    for name in ("both.html", "reports/index.html", "later.html", "junit.xml", "comment.md"):
        assert (robustfim.folder / name).stat().st_size > 100


def test_the_keys_are_those_that_the_page_tells() -> None:
    page = (resources.files("robustfim_html") / "template" / "page.html").read_text(encoding="utf-8")
    told = set(re.findall(r"<kbd>(.*?)</kbd>", page[page.index('<dialog id="keys"') :]))
    section = TEXT[TEXT.index("## Find failures") : TEXT.index("## Compare two runs")]
    rows = re.findall(r"^\| (`.*?) \|", section, re.M)
    assert {key for row in rows for key in re.findall(r"`(.)`|`(\w+)`", row) for key in key if key} == told


def test_the_pictures_are_there_and_small() -> None:
    pictures = [DOCS / name for name in re.findall(r"!\[.+?\]\((.+?)\)", TEXT)]
    assert len(pictures) == 3
    assert sum(picture.stat().st_size for picture in pictures) < 300_000
