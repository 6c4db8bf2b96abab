"""The commands of docs/plan.md, run as printed on a small suite of the same name."""

from __future__ import annotations

import re
from functools import partial
from pathlib import Path

import pytest

from robustfim.statistics import examples_for
from robustfim.statistics.release_power import Churn, paired_power
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


def test_the_sizes_of_a_release_are_those_that_the_power_takes() -> None:
    text = PAGE.read_text(encoding="utf-8")
    for margin, row in re.findall(r"^\| (\d) points? \| (.*) \|$", text, re.MULTILINE):
        for churn, cell in zip((0.01, 0.03, 0.05), row.split(" | "), strict=True):
            told = [int(number.replace(",", "")) for number in re.findall(r"[\d,]+", cell)]
            power = partial(paired_power, Churn(churn, churn), margin=int(margin) / 100)
            assert told == [examples_for(power, wanted) for wanted in (0.8, 0.9)], (margin, churn)
    assert len(re.findall(r"^\| \d points? \|", text, re.MULTILINE)) == 3
