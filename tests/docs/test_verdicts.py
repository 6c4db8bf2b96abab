"""docs/verdicts.md: its intervals are Wilson's, its slice is one, and its tables have every outcome and exit code."""

from __future__ import annotations

import re

import yaml

from robustfim.outcome import ExitCode, Outcome
from robustfim.statistics import percent, tail, wilson
from robustfim.suite.slices import SliceSpec
from tests.docs.page import Page

PAGE = Page.read("verdicts.md")
OUTCOMES = PAGE.sections["Outcomes of a check"]


def test_every_outcome_and_every_code_of_a_finished_run_is_in_the_tables() -> None:
    text = PAGE.sections["Exit codes"] + OUTCOMES
    assert {outcome.value for outcome in Outcome} <= set(re.findall(r"\b[a-z]+\b", text))
    codes = {int(code) for code in re.findall(r"\| (\d)\b", PAGE.sections["Exit codes"])}
    assert codes == {ExitCode.OK, ExitCode.FAILED, ExitCode.INCONCLUSIVE}


def test_the_examples_of_outcomes_are_what_200_texts_and_a_limit_of_10_percent_give() -> None:
    rows = re.findall(r"^\| \*(\w+)\* \|.*\| (\d+) texts fail: (.*?) \|$", OUTCOMES, re.M)
    assert len(rows) == 3
    for outcome, failing, rate in rows:
        assert tail(int(failing), 200, 0.1).side == outcome
        assert percent(int(failing) / 200, wilson(int(failing), 200)) == rate


def test_the_slice_with_a_limit_is_one() -> None:
    (block,) = re.findall(r"^```yaml\n(.*?)^```", PAGE.sections["Slices with a limit"], re.M | re.S)
    for spec in yaml.safe_load(block)["slices"].values():
        assert SliceSpec.model_validate(spec).limit == 0.2
