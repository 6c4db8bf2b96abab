from __future__ import annotations

import signal
import sys
import threading
import time
from collections.abc import Iterator
from itertools import count
from random import Random
from types import FrameType, SimpleNamespace

import pytest

from benchmarks.found import plain_record
from robustfim.blame import at_work, blame
from robustfim.candidate import Candidate, Edit
from robustfim.errors import PluginError
from robustfim.example import Example
from robustfim.outcome import Outcome
from robustfim.session.time_limit import StandstillWatch, TimeLimit, TimeoutReached
from tests.robustfim.command_line import CommandLine
from tests.robustfim.toys import Bench, Swap, check, example
from tests.waiting import until

FILMS = [example("a good film"), example("a bad film")]


class Endless(Swap):
    """Edits without end, or none in an endless time."""

    def __init__(self, *, idle: bool = False) -> None:
        super().__init__({})
        self.idle, self.given = idle, 0

    def edits(self, example: Example, random: Random) -> Iterator[Edit]:
        while True:
            if not self.idle:
                self.given += 1
                yield Edit("text", 0, 1, "a", f"a{self.given}")


class Stubborn:
    """Proposes nothing, and does not let itself be interrupted once."""

    caught = 0

    def propose(self, example: Example, random: Random) -> Iterator[Candidate]:
        while True:
            try:
                time.sleep(10)
            except BaseException:  # what a careless author writes
                self.caught += 1
                if self.caught > 1:
                    raise
        yield Candidate(example)


def test_edits_without_end_are_read_up_to_a_bound_that_the_check_tells() -> None:
    perturbation = Endless()
    counts, _ = Bench(FILMS).run(check(perturbation, limit=1.0))
    assert perturbation.given == 2 * 10_001
    assert counts.candidates.edits == 2 * 10_000
    assert counts.candidates.edits_rejected == {"beyond the first 10,000 of an example": 2}


def test_a_check_ends_after_its_time_and_names_who_was_at_work() -> None:
    started = time.monotonic()
    counts, _ = Bench(FILMS).run(check(Endless(idle=True), limit=1.0, timeout=0.9))
    assert time.monotonic() - started < 30
    assert counts.ended is Outcome.ERROR
    assert "perturbation 'swap' (Endless)" in counts.message
    assert counts.message.endswith("the check took longer than its 'timeout' of 0.9 s.")


def test_a_plugin_that_catches_everything_is_interrupted_again() -> None:
    perturbation = Stubborn()
    counts, _ = Bench(FILMS).run(check(perturbation, limit=1.0, timeout=0.9))
    assert counts.ended is Outcome.ERROR
    assert perturbation.caught == 2


def test_what_was_found_before_the_time_was_up_is_kept(robustfim: CommandLine) -> None:
    suite = robustfim.suite(
        "{x: {perturb: rename, limit: 0, timeout: 1.5}, y: {perturb: rename, limit: 1}}",
        model="{use: wordsum, seconds: 0.25, batch_size: 1}", rest="select: {difficult: 0, control: 8}",
    )  # fmt: skip
    assert robustfim(f"run {suite} --no-store").code == 1
    assert robustfim.outcomes("other") == {"x": "error", "y": "passed"}


def test_outside_of_any_plugin_the_time_is_up_too() -> None:
    def run() -> None:
        with TimeLimit(0.1):
            time.sleep(60)

    with pytest.raises(PluginError, match=r"took longer than its 'timeout' of 0\.1 s"):
        run()


def test_without_a_limit_nothing_is_interrupted() -> None:
    before = signal.getsignal(signal.SIGALRM)
    with TimeLimit(None) as limit:
        limit.look()
    with TimeLimit(60) as limit:
        limit.look()
    assert signal.getsignal(signal.SIGALRM) == before
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)


def test_an_alarm_on_the_way_in_or_out_leaves_no_timer_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    arm, rung = signal.setitimer, list[float]()

    def ringing(which: int, seconds: float, interval: float = 0.0) -> tuple[float, float]:
        armed = arm(which, seconds, interval)
        signal.raise_signal(signal.SIGALRM)
        rung.append(seconds)
        return armed

    def at_the_end(frame: FrameType, event: str, argument: object) -> None:
        if event == "call" and frame.f_code is TimeLimit.__exit__.__code__:
            handler = signal.getsignal(signal.SIGALRM)
            assert callable(handler)
            handler(signal.SIGALRM, frame)
            rung.append(-1.0)

    before = signal.getsignal(signal.SIGALRM)
    monkeypatch.setattr(signal, "setitimer", ringing)
    sys.setprofile(at_the_end)
    try:
        with TimeLimit(60):
            pass
    finally:
        sys.setprofile(None)
    assert rung == [60.0, -1.0, 0.0]
    assert signal.getsignal(signal.SIGALRM) == before
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)


def test_in_another_thread_the_time_is_looked_at() -> None:
    found: list[BaseException] = []

    def work() -> None:
        try:
            with TimeLimit(0.05) as limit:
                time.sleep(0.1)
                limit.look()
        except BaseException as error:
            found.append(error)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert [type(exception) for exception in found] == [PluginError]


@pytest.mark.parametrize("timeout", ["0", "-1", ".inf", ".nan", "soon", "[1]"])
def test_a_timeout_that_is_no_time_is_refused(robustfim: CommandLine, timeout: str) -> None:
    shown = robustfim(f"run {robustfim.suite(f'{{x: {{perturb: rename, timeout: {timeout}}}}}')}")
    assert (shown.code, "timeout" in shown.err) == (4, True)


def test_who_is_at_work_is_told_once_a_standstill() -> None:
    told: list[str] = []
    with StandstillWatch(told.append, seconds=0.12) as watch:
        with blame("plugin 'slow', model 'snail' (Snail)"):
            until(lambda: len(told) == 1)
            time.sleep(0.4)
        assert len(told) == 1
        watch.moved()
        until(lambda: len(told) == 2)
    assert "plugin 'slow', model 'snail' (Snail) is at work" in told[0]
    assert "robustfim itself is at work" in told[1]
    assert at_work() == ""


def test_progress_is_no_standstill(monkeypatch: pytest.MonkeyPatch) -> None:
    now, told, looked = [0.0], list[str](), threading.Semaphore(0)

    def monotonic() -> float:
        looked.release()
        return now[0]

    monkeypatch.setattr("robustfim.session.time_limit.time", SimpleNamespace(monotonic=monotonic))
    with StandstillWatch(told.append, seconds=0.3) as watch:
        for _ in range(4):
            now[0] += 0.28
            watch.moved()
            for _ in range(3):
                assert looked.acquire(timeout=60), "the watch has looked"
    assert told == []


def test_a_raised_timeout_names_the_plugin() -> None:
    with pytest.raises(PluginError, match="plugin 'x' raised TimeoutReached: up"), blame("plugin 'x'"):
        raise TimeoutReached("up")


def test_longer_texts_than_the_suite_allows_are_left_out_and_counted(robustfim: CommandLine) -> None:
    suite = robustfim.suite("{x: {perturb: rename, limit: 1}}", rest="longest: 20")
    assert "longer than 20 characters" in robustfim(f"run {suite}").out
    assert robustfim.record("other").data.skipped == {"longer than 20 characters": 4}


def test_a_clock_that_goes_back_bends_no_limit_no_duration_and_no_verdict(
    robustfim: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    robustfim("run toy.yaml --no-store --reports before")
    monkeypatch.setattr(time, "time", count(1e9, -3600).__next__)
    robustfim("run toy.yaml --no-store --reports after --durations 3")
    paths = [robustfim.folder / name / "toy" / "results.json" for name in ("before", "after")]
    assert plain_record(paths[0]) == plain_record(paths[1])
    after = robustfim.record(reports="after")
    assert 0 <= sum(after_check.duration_s for after_check in after.checks) <= after.duration_s

    slow = robustfim.suite("{x: {perturb: rename, timeout: 0.05}}", model="{use: wordsum, seconds: 0.1, batch_size: 1}")
    assert robustfim(f"run {slow} --no-store").code == 1
    assert "took longer than its 'timeout' of 0.05 s" in robustfim.record("other").checks[0].message
