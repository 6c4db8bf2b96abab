"""The progress bar, as a terminal is sent it."""

from __future__ import annotations

import re
from types import SimpleNamespace

import pytest

from robustfim.terminal import progress
from robustfim.terminal.console import make_console
from tests.robustfim.command_line import CommandLine
from tests.robustfim.terminal.test_report import on_a_screen


def test_the_bar_counts_examples_and_checks_and_estimates_the_time_left(robustfim: CommandLine) -> None:
    checks = "{one: {perturb: rename}, two: {perturb: {use: rename, words: 2}}}"
    shown = on_a_screen(robustfim.suite(checks, model="{use: wordsum, seconds: 0.25, batch_size: 4}"))
    assert re.search(r"predict [━╸╺ ]+ [48]/8 examples(, [\d.]+/s)? (-:--:--|\d:\d\d:\d\d) left", shown)
    assert re.search(r"one [━╸╺ ]+ check 1 of 2(, \d/8 examples(, [\d.]+/s)?)? (-:--:--|\d:\d\d:\d\d) left", shown)
    assert shown.count("\x1b[?25l") == shown.count("\x1b[?25h"), "the cursor is shown again"


def test_without_a_terminal_a_line_is_told_every_ten_seconds(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    now = 100.0
    monkeypatch.setattr(progress, "time", SimpleNamespace(monotonic=lambda: now))
    bar = progress.ProgressBar(make_console())
    told = []
    for seconds, stage, done, total in [
        (0, "read", 4096, 0), (9, "read", 8192, 0), (10, "read", 12_288, 0), (15, "score", 0, 1_000_000),
        (19, "score", 100, 1_000_000), (25, "score", 20_000, 1_000_000), (36, "score", 1_000_000, 1_000_000),
    ]:  # fmt: skip
        now = 100.0 + seconds
        bar.robustfim_progress(stage, done, total)
        told.append(capsys.readouterr())
    assert [each.err for each in told if each.err] == [
        "read: 12,288 examples, 819/s\n",
        "score: 20,000/1,000,000 examples, 2,000/s, 0:08:10 left\n",
        "score: 1,000,000/1,000,000 examples, 47,619/s\n",
    ]
    assert not any(each.out for each in told)


def test_a_quiet_run_has_no_bar(robustfim: CommandLine) -> None:
    assert "\x1b[?25l" not in on_a_screen(robustfim.suite("{one: {perturb: rename}}"), verbosity=-1)
