"""docs/limits.md: its numbers are those of the mathematics, its keys those of a suite, and its commands run."""

from __future__ import annotations

import re
from functools import partial
from pathlib import Path

import pytest
import yaml
from scipy.stats import binom

from robustfim.outcome import Outcome
from robustfim.statistics import examples_for, tail, wilson
from robustfim.suite.file import SuiteFile
from robustfim.suite.format import read_suite
from robustfim_doctor.equal_model import limit_for
from robustfim_power import Churn, paired_power
from tests.docs.page import DOCS
from tests.robustfim.command_line import CommandLine

TEXT = (DOCS / "limits.md").read_text(encoding="utf-8")
SUITE = """\
suite: sentiment
plugins: [toy.py]
model: wordsum
data: films
checks:
  people: {perturb: rename, limit: 0.9}
"""


def test_no_failure_in_fifty_examples_leaves_seven_percent_open() -> None:
    interval = wilson(0, 50)
    assert interval is not None
    assert "the interval of 0 of 50 reaches to 7 %" in TEXT
    assert interval[1] == pytest.approx(0.07, abs=0.005)
    assert tail(0, 50, 0.02).side is Outcome.INCONCLUSIVE


@pytest.mark.parametrize(
    ("failing", "tested", "limit", "times", "said"),
    [(20, 400, "10 %", 3, "85 of 100 runs")],
)
def test_what_a_measured_limit_detects_is_the_binomial_sum(
    failing: int, tested: int, limit: str, times: int, said: str
) -> None:
    chosen = limit_for(failing, tested, limits=1)
    assert f"{failing} of {tested} examples failed, the limit is {limit}" in TEXT.replace("\n", " ")
    assert f"{chosen:.0%}".replace("%", " %") == limit
    chances = dict.fromkeys((Outcome.PASSED, Outcome.FAILED, Outcome.INCONCLUSIVE), 0.0)
    for count in range(tested + 1):
        verdict = tail(count, tested, chosen)
        surely = verdict.side if verdict.p_value <= 0.025 else Outcome.INCONCLUSIVE
        chances[surely] += float(binom.pmf(count, tested, times * failing / tested))
    assert f"{round(100 * chances[Outcome.FAILED])}" in said
    assert said in TEXT.replace("\n", " ")
    assert chances[Outcome.PASSED] < 0.03


def test_the_keys_that_the_page_names_can_stand_in_a_suite() -> None:
    check: dict[str, object] = {"perturb": "typos"}
    suite: dict[str, object] = {"suite": "s", "model": "m", "data": "d", "select": {"by": "margin"}}
    for written in re.findall(r"`((?:xfail|baseline|limit): \{.*?\})`", TEXT):
        for key, value in yaml.safe_load(written.replace("…", "known")).items():
            (check if key in ("xfail", "limit") else suite)[key] = value
    assert set(check) == {"perturb", "xfail", "limit"}
    assert read_suite(SuiteFile.of(suite | {"checks": {"typos": check}})).baseline.margin == pytest.approx(0.02)


@pytest.mark.slow
def test_the_commands_of_the_page_work_in_their_order(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    robustfim = CommandLine(tmp_path, capsys)
    robustfim.write("suites/sentiment.yaml", SUITE)
    robustfim.write("suites/toy.py", (robustfim.folder / "toy.py").read_text(encoding="utf-8"))
    commands = re.findall(r"^robustfim (.*)$", TEXT, re.M)
    assert len(commands) == 2
    for command in commands:
        if "--pilot" in command:
            robustfim("run suites/sentiment.yaml")
        shown = robustfim(command)
        assert shown.code == 0, f"{command}\n{shown}"
        assert "select: {" in shown.out
    assert (robustfim.folder / "plan.html").exists()


def test_the_sizes_of_a_release_are_those_that_the_power_takes() -> None:
    for margin, row in re.findall(r"^\| (\d) points? \| (.*) \|$", TEXT, re.MULTILINE):
        for churn, cell in zip((0.01, 0.03, 0.05), row.split(" | "), strict=True):
            stated = [int(number.replace(",", "")) for number in re.findall(r"[\d,]+", cell)]
            power = partial(paired_power, Churn(churn, churn), margin=int(margin) / 100)
            assert stated == [examples_for(power, wanted) for wanted in (0.8, 0.9)], (margin, churn)
    assert len(re.findall(r"^\| \d points? \|", TEXT, re.MULTILINE)) == 3
