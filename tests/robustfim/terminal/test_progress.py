"""The progress bar, as a terminal is sent it."""

from __future__ import annotations

import re
import threading
import time
from types import SimpleNamespace

import pytest

from robustfim.record import Record
from robustfim.terminal import progress
from robustfim.terminal.console import make_console
from tests.plugins.robustfim_terminal.test_report import on_a_screen
from tests.robustfim.command_line import CommandLine


def test_the_bar_counts_examples_and_checks_and_estimates_the_time_left(robustfim: CommandLine) -> None:
    checks = "{one: {perturb: rename}, two: {perturb: {use: rename, words: 2}}}"
    shown = on_a_screen(robustfim.suite(checks, model="{use: wordsum, seconds: 0.25, batch_size: 4}"))
    assert re.search(r"predict [━╸╺ ]+ [48]/8 examples(, [\d.]+/s)? (-:--:--|\d:\d\d:\d\d) left", shown)
    assert re.search(r"one [━╸╺ ]+ 0 of 2 checks done(, \d/8 examples(, [\d.]+/s)?)? (-:--:--|\d:\d+:\d+) left", shown)
    assert shown.count("\x1b[?25l") == shown.count("\x1b[?25h"), "the cursor is shown again"


def test_without_a_terminal_a_line_is_told_every_ten_seconds(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    now = 100.0
    monkeypatch.setattr(progress, "_SECONDS", 10.0)
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
    assert [capture.err for capture in told if capture.err] == [
        "read: 12,288 examples, 819/s\n",
        "score: 20,000/1,000,000 examples, 2,000/s, 0:08:10 left\n",
        "score: 1,000,000/1,000,000 examples, 47,619/s\n",
    ]
    assert not any(capture.out for capture in told)


def test_of_checks_in_turns_the_bar_shows_all_that_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    bar = progress.ProgressBar(make_console())
    shown: list[tuple[float, str]] = []

    def update(task: int, *, counts: str, completed: float, **_: object) -> None:
        shown.append((completed, counts))

    monkeypatch.setattr(bar, "_progress", SimpleNamespace(add_task=lambda *_, **__: 0, update=update, stop=print))
    bar._open = True
    one, two = (SimpleNamespace(name=name) for name in ("one", "two"))
    bar.robustfim_run_start(SimpleNamespace(checks=(one, two)))  # type: ignore[arg-type]  # their number alone is read
    for namespace in (one, two):
        bar.robustfim_check_start(namespace)  # type: ignore[arg-type]  # its name alone is read
        bar.robustfim_progress(namespace.name, 32, 64)
    bar.robustfim_progress("attributions", 5, 5)
    bar.robustfim_progress("one: 61 % of the evidence for passed", 48, 64)
    bar.robustfim_progress("two", 64, 64)
    bar.robustfim_check_finish(two, two)  # type: ignore[arg-type]  # as above
    bar.robustfim_progress("one", 64, 64)
    assert [round(done, 2) for done, _ in shown] == [0.0, 0.5, 0.5, 1.0, 1.0, 1.25, 1.75, 2.0]
    assert [counts for _, counts in shown][-2:] == [
        "0 of 2 checks done, 64/64 examples", "1 of 2 checks done, 64/64 examples",
    ]  # fmt: skip


def test_what_is_written_after_the_checks_is_no_check(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    now = 100.0
    monkeypatch.setattr(progress, "_SECONDS", 10.0)
    monkeypatch.setattr(progress, "time", SimpleNamespace(monotonic=lambda: now))
    bar = progress.ProgressBar(make_console())
    record = Record.model_construct()
    bar.robustfim_check_start(SimpleNamespace(name="one"))  # type: ignore[arg-type]  # its name alone is read
    bar.robustfim_run_finish(record)
    now = 120.0
    bar.robustfim_progress("write", 4096, 1_000_000)
    bar.robustfim_session_finish(record, [])
    assert capsys.readouterr().err == "write: 4,096/1,000,000 examples\n"


def test_what_takes_long_in_one_piece_is_told_of_without_a_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(progress, "_SECONDS", 0.02)
    told, limit = "", time.monotonic() + 30
    with progress.ProgressBar(make_console()) as bar:
        bar("load the model", 0, 0)
        while "at work" not in told and time.monotonic() < limit:
            threading.Event().wait(0.01)
            told += capsys.readouterr().err
    assert re.search(r"^load the model, at work for 0:00:0\d$", told, re.MULTILINE)
    assert not capsys.readouterr().out


@pytest.mark.parametrize(
    "command",
    [
        "lock {suite}",
        "plan {suite} --examples 10",
        "score --model use=wordsum --data use=films --by margin -p toy.py",
        "augment --data use=films --perturb rename -p toy.py --out more.csv",
        "study scorers {suite} --score margin --examples 8",
        pytest.param("mine {suite}", marks=pytest.mark.slow),
        "cues split films.csv -o text=[text,title] --folds 2 --repeats 1 --leave-out title",
    ],
)
def test_no_long_command_is_silent(robustfim: CommandLine, monkeypatch: pytest.MonkeyPatch, command: str) -> None:
    monkeypatch.setattr(progress, "_SECONDS", 0.0)
    monkeypatch.setattr(progress.ProgressBar, "_watch", lambda self: None)
    films = [f"a {word} film {n},film,{label}" for n in range(8) for word, label in (("good", "yes"), ("bad", "no"))]
    robustfim.write("films.csv", "\n".join(["text,title,label", *films]))
    shown = robustfim(command.format(suite=robustfim.suite("{one: {perturb: rename, limit: 0.5}}")))
    assert shown.code in (0, 1, 6), shown
    assert re.search(r"^[a-z -]+(: [\d,]+(/[\d,]+)? examples.*)?$", shown.err, re.MULTILINE), shown.err


def test_a_quiet_run_has_no_bar(robustfim: CommandLine) -> None:
    assert "\x1b[?25l" not in on_a_screen(robustfim.suite("{one: {perturb: rename}}"), verbosity=-1)


def test_no_more_is_shown_done_than_there_is(monkeypatch: pytest.MonkeyPatch) -> None:
    bar = progress.ProgressBar(make_console())
    shown: list[tuple[float, float | None, str]] = []

    def update(task: int, *, counts: str, completed: float, total: float | None, **_: object) -> None:
        shown.append((completed, total, counts))

    follow = SimpleNamespace(add_task=lambda *_, **__: 0, update=update, stop=print, remove_task=print)
    one = SimpleNamespace(name="one")
    for _ in range(2):  # two models of one suite, with one bar
        monkeypatch.setattr(bar, "_progress", follow)
        bar._open = True
        bar.robustfim_run_start(SimpleNamespace(checks=(one,)))  # type: ignore[arg-type]  # their number alone is read
        bar.robustfim_progress("predict", 96, 64)
        bar.robustfim_check_start(one)  # type: ignore[arg-type]  # its name alone is read
        bar.robustfim_progress("one", 96, 64)
        bar.robustfim_check_finish(one, one)  # type: ignore[arg-type]  # as above
    assert all(done <= (total or done) for done, total, _ in shown)
    assert [counts for *_, counts in shown] == [
        "64/64 examples", "0 of 1 checks done", "0 of 1 checks done, 64/64 examples",
    ] * 2  # fmt: skip
    lines: list[str] = []
    monkeypatch.setattr(progress, "_SECONDS", 0.0)
    progress.ProgressLines(lines.append)("perturb", 9, 8)
    assert lines == ["perturb: 8/8 examples"]
