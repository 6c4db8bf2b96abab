from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from robustfim.outcome import ExitCode, Outcome
from robustfim.record import Record
from robustfim.session.partial import PARTIAL
from tests.robustfim.command_line import TOY, without_progress
from tests.waiting import until

DYING = """
import os, signal, time
from robustfim import hookimpl
from base import WordSum

if os.environ.get("DIE_AT_IMPORT"):
    os._exit(0)

class Dying(WordSum):
    '''Does something else than answering, once it reads a word.'''

    def __init__(self, how: str = "exit"):
        super().__init__()
        self.how, self.fingerprint = how, f"dying {how}"

    def predict(self, examples):
        if any("movie" in each.text for each in examples):
            open("reached", "w").close()
            if self.how == "exit":
                os._exit(0)
            if self.how == "waits":
                time.sleep(600)
            os.kill(os.getpid(), signal.Signals[self.how])
        return super().predict(examples)

@hookimpl
def robustfim_offers():
    return {"models": {"dying": Dying}}
"""
SUITE = """
suite: deadly
plugins: [base.py, dying.py]
model: {use: dying}
data: films
checks:
  harmless: {perturb: {use: rename, table: {good: solid}}, limit: 1}
  deadly: {perturb: {use: rename, table: {film: movie}}, limit: 1}
  later: {perturb: {use: rename, table: {cast: actors}}, limit: 1}
reports: [json, junit]
"""
Start = Callable[..., subprocess.Popen[str]]

pytestmark = pytest.mark.skipif(not hasattr(signal, "SIGHUP"), reason="this system has other signals")


@pytest.fixture
def start(tmp_path: Path) -> Start:
    """``robustfim run deadly.yaml``, in a process of its own, in a folder with a model that dies."""
    for name, text in (("base.py", TOY.read_text(encoding="utf-8")), ("dying.py", DYING), ("deadly.yaml", SUITE)):
        (tmp_path / name).write_text(text, encoding="utf-8")

    def process(*words: str, **more: str) -> subprocess.Popen[str]:
        path = os.pathsep.join((str(tmp_path), *sys.path))
        return subprocess.Popen(
            [sys.executable, "-m", "robustfim", "run", "deadly.yaml", *words],
            cwd=tmp_path, env={**os.environ, "PYTHONPATH": path, **more}, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )  # fmt: skip

    return process


def outcomes(record: Record) -> dict[str, Outcome]:
    return {check.name: check.outcome for check in record.checks}


@pytest.mark.parametrize(
    ("how", "cause"),
    [
        pytest.param("exit", "something in it ended it with exit code 0", marks=pytest.mark.slow),
        ("SIGSEGV", "killed by SIGSEGV, a crash in compiled code"),
        pytest.param("SIGKILL", "killed by SIGKILL, perhaps for want of memory", marks=pytest.mark.slow),
    ],
)
def test_the_death_of_an_isolated_run_is_an_error_with_what_was_found(
    start: Start, tmp_path: Path, how: str, cause: str
) -> None:
    out, err = (process := start("--isolate", "--model", f"how={how}")).communicate(timeout=120)
    assert (process.returncode, without_progress(err)) == (ExitCode.FAILED, "")
    assert f"the process of the run died: {cause}." in out
    folder = tmp_path / "reports" / "deadly"
    record = Record.load(folder / "results.json")
    assert outcomes(record)["harmless"] is not Outcome.ERROR
    assert outcomes(record)["deadly"] is outcomes(record)["later"] is Outcome.ERROR
    assert (record.exit_code, record.summary["error"]) == (ExitCode.FAILED, 2)
    assert (folder / "junit.xml").read_text(encoding="utf-8").count("<error") == 2
    assert not (folder / PARTIAL).exists()


def test_a_model_that_leaves_a_run_without_a_process_of_its_own_is_named_and_fails_it(start: Start) -> None:
    out, err = (process := start()).communicate(timeout=120)
    assert process.returncode == ExitCode.FAILED
    assert "harmless" in out
    assert without_progress(err) == (
        "ERROR: plugin 'dying', model 'dying' (Dying) ended the process by os._exit(0). "
        "'--isolate' reports what was found before.\n"
    )


@pytest.mark.slow
def test_a_plugin_that_leaves_when_it_is_read_fails_a_run_without_a_process_of_its_own(start: Start) -> None:
    _, err = (process := start(DIE_AT_IMPORT="1")).communicate(timeout=120)
    assert process.returncode == ExitCode.FAILED
    assert "ended the process by os._exit(0)" in err


@pytest.mark.slow
def test_a_plugin_that_ends_the_process_when_it_is_read_is_an_error(start: Start) -> None:
    out, err = (process := start("--isolate", DIE_AT_IMPORT="1")).communicate(timeout=120)
    assert (process.returncode, out) == (ExitCode.FAILED, "")
    assert without_progress(err) == (
        "ERROR: deadly.yaml: the process of the run died: something in it ended it with exit code 0, "
        "before the suite was read.\n"
    )


@pytest.mark.slow
def test_an_isolated_run_that_ends_is_as_any_other(start: Start, tmp_path: Path) -> None:
    outs = []
    for words in ([], ["--isolate"]):
        out, err = (process := start("--no-store", "-k", "harmless", *words)).communicate(timeout=120)
        assert (process.returncode, without_progress(err)) == (ExitCode.OK, "")
        outs.append([line for line in out.splitlines() if "passed" not in line])
    assert outs[0] == outs[1]


@pytest.mark.slow
def test_wrong_usage_is_told_by_an_isolated_run_too(start: Start) -> None:
    out, err = (process := start("--isolate", "-k", "nothing")).communicate(timeout=120)
    assert (process.returncode, out) == (ExitCode.NOTHING_COLLECTED, "")
    assert err.startswith("ERROR: the selection leaves no check of deadly.yaml to run")


@pytest.mark.parametrize(
    ("number", "words"),
    [
        ("SIGTERM", []),
        pytest.param("SIGHUP", [], marks=pytest.mark.slow),
        pytest.param("SIGTERM", ["--isolate"], marks=pytest.mark.slow),
        pytest.param("SIGINT", ["--isolate"], marks=pytest.mark.slow),
    ],
)
def test_a_signal_that_ends_a_run_interrupts_it_with_its_reports(
    start: Start, tmp_path: Path, number: str, words: list[str]
) -> None:
    process = start("--model", "how=waits", *words)
    until((tmp_path / "reached").exists)
    process.send_signal(signal.Signals[number])
    out, err = process.communicate(timeout=120)
    assert (process.returncode, without_progress(err)) == (ExitCode.INTERRUPTED, "")
    assert "interrupted; everything predicted so far is kept" in out
    record = Record.load(tmp_path / "reports" / "deadly" / "results.json")
    assert (record.interrupted, list(outcomes(record))) == (True, ["harmless"])


def test_a_run_that_is_killed_leaves_its_findings(start: Start, tmp_path: Path) -> None:
    process = start("--model", "how=SIGKILL")
    process.communicate(timeout=120)
    assert process.returncode == -signal.SIGKILL
    record = Record.load(tmp_path / "reports" / "deadly" / PARTIAL)
    assert (record.interrupted, list(outcomes(record))) == (True, ["harmless"])
    assert record.message == "the run was killed before it ended: 2 of 3 checks had not run."


def test_an_isolated_run_ends_with_its_parent(start: Start, tmp_path: Path) -> None:
    process = start("--isolate", "--model", "how=waits")
    until((tmp_path / "reached").exists)
    process.kill()
    process.communicate(timeout=120)
    place = tmp_path / "reports" / "deadly" / "results.json"
    until(place.exists)
    assert Record.load(place).interrupted
