"""The commands of docs/plan.md, run as printed on a small suite of the same name."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.robustfim.command_line import CommandLine

PAGE = Path(__file__).parents[2] / "docs" / "plan.md"
SUITE = """\
suite: sentiment
plugins: [toy.py]
model: wordsum
data: films
checks:
  people: {perturb: rename, limit: 0.9}
"""


@pytest.mark.slow
def test_the_commands_of_the_page_work_in_their_order(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    robustfim = CommandLine(tmp_path, capsys)
    robustfim.write("suites/sentiment.yaml", SUITE)
    robustfim.write("suites/toy.py", (robustfim.folder / "toy.py").read_text(encoding="utf-8"))
    commands = re.findall(r"^robustfim (.*)$", PAGE.read_text(encoding="utf-8"), re.M)
    assert len(commands) == 2
    for command in commands:
        if "--pilot" in command:
            robustfim("run suites/sentiment.yaml")
        shown = robustfim(command)
        assert shown.code == 0, f"{command}\n{shown}"
        assert "select: {" in shown.out
    assert (robustfim.folder / "plan.html").exists()
