"""The progress bar, as a terminal is sent it."""

from __future__ import annotations

import re

from tests.robustfim.command_line import CommandLine
from tests.robustfim.terminal.test_report import on_a_screen


def test_the_bar_counts_examples_and_checks_and_estimates_the_time_left(robustfim: CommandLine) -> None:
    checks = "{one: {perturb: rename}, two: {perturb: {use: rename, words: 2}}}"
    shown = on_a_screen(robustfim.suite(checks, model="{use: wordsum, seconds: 0.25, batch_size: 4}"))
    assert re.search(r"predict [━╸╺ ]+ [48]/8 examples (-:--:--|\d:\d\d:\d\d) left", shown)
    assert re.search(r"one [━╸╺ ]+ check 1 of 2(, \d/8 examples)? (-:--:--|\d:\d\d:\d\d) left", shown)
    assert shown.count("\x1b[?25l") == shown.count("\x1b[?25h"), "the cursor is shown again"


def test_a_quiet_run_has_no_bar(robustfim: CommandLine) -> None:
    assert "\x1b[?25l" not in on_a_screen(robustfim.suite("{one: {perturb: rename}}"), verbosity=-1)
