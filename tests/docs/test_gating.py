"""The commands of docs/gating.md, run as printed on a small suite of the same name."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest

from robustfim.cli import main
from robustfim.statistics import examples_for
from robustfim.statistics.release_power import Churn, paired_power
from tests.docs.page import Page
from tests.robustfim.command_line import TOY

PAGE = Path(__file__).parents[2] / "docs" / "gating.md"
SUITE = """\
suite: sentiment
plugins: [toy.py]
model: wordsum
data: films
checks:
  rename: {perturb: rename, limit: 0.9}
"""


@pytest.mark.slow
def test_the_commands_of_the_page_work_in_their_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "suites").mkdir()
    (tmp_path / "suites/sentiment.yaml").write_text(SUITE, encoding="utf-8")
    (tmp_path / "suites/toy.py").write_text(TOY.read_text(encoding="utf-8"), encoding="utf-8")
    text = PAGE.read_text(encoding="utf-8")
    commands = [line for block in re.findall(r"^```bash\n(.*?)^```", text, re.M | re.S) for line in block.splitlines()]
    assert len(commands) == 9
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    environment.pop("PYTEST_ADDOPTS", None)
    for command in commands:
        program, *words = shlex.split(command.replace("use=reference/lstm", "use=wordsum"))
        if program == "robustfim":
            with pytest.raises(SystemExit) as stop:
                main(words)
            assert stop.value.code == 0, command
            continue
        assert program == "pytest", command
        pytest_command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *words]
        done = subprocess.run(pytest_command, cwd=tmp_path, env=environment, capture_output=True, text=True)
        assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
    assert (tmp_path / "suites/sentiment.lock.json").exists()


def test_the_sizes_of_a_release_are_those_that_the_power_takes() -> None:
    text = PAGE.read_text(encoding="utf-8")
    for margin, row in re.findall(r"^\| (\d) points? \| (.*) \|$", text, re.MULTILINE):
        for churn, cell in zip((0.01, 0.03, 0.05), row.split(" | "), strict=True):
            told = [int(number.replace(",", "")) for number in re.findall(r"[\d,]+", cell)]
            power = partial(paired_power, Churn(churn, churn), margin=int(margin) / 100)
            assert told == [examples_for(power, wanted) for wanted in (0.8, 0.9)], (margin, churn)
    assert len(re.findall(r"^\| \d points? \|", text, re.MULTILINE)) == 3


@pytest.mark.slow
def test_slices_are_held_to_their_limits_as_the_page_shows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    page = Page.read("gating.md")
    page.write_files()
    page.check("Slices with a limit", capsys)
