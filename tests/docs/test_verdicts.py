"""docs/verdicts.md: its suite runs as it is printed, and its table of exit codes has every outcome."""

from __future__ import annotations

import re

import pytest

from robustfim.outcome import ExitCode, Outcome
from tests.docs.page import Page

PAGE = Page.read("verdicts.md")
test_the_commands_show_what_the_page_says = pytest.mark.slow(PAGE.test_of_commands())


def test_every_outcome_and_every_code_of_a_finished_run_is_in_the_tables() -> None:
    text = PAGE.sections["Exit codes"] + PAGE.sections["Outcomes of a check"]
    assert {each.value for each in Outcome} <= set(re.findall(r"\b[a-z]+\b", text))
    codes = {int(code) for code in re.findall(r"\| (\d)\b", PAGE.sections["Exit codes"])}
    assert codes == {ExitCode.OK, ExitCode.FAILED, ExitCode.INCONCLUSIVE}
