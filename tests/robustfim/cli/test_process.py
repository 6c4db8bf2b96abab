"""The beginning and the end of the process of the command line."""

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

INTERRUPTED = """
import sys
class Ctrl_C:
    def find_spec(self, name, path, target=None):
        if name == sys.argv[1]:
            raise KeyboardInterrupt
sys.meta_path.insert(0, Ctrl_C())
from robustfim.cli import main
main(["--help"])
"""
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


@pytest.mark.parametrize("how", ["exit", pytest.param("SIGSEGV", marks=pytest.mark.slow)])
def test_the_death_of_a_worker_is_an_error_and_what_was_found_is_kept(start: Start, tmp_path: Path, how: str) -> None:
    out, err = (process := start("-n", "1", "--model", f"how={how}")).communicate(timeout=300)
    assert process.returncode == ExitCode.FAILED
    assert "Traceback" not in err
    assert "3 workers died at the same batch of texts" in out
    record = Record.load(tmp_path / "reports" / "deadly" / "results.json")
    assert outcomes(record)["harmless"] is not Outcome.ERROR
    assert outcomes(record)["deadly"] is Outcome.ERROR


def test_a_model_that_leaves_a_run_without_a_process_of_its_own_is_named_and_fails_it(start: Start) -> None:
    out, err = (process := start()).communicate(timeout=120)
    assert process.returncode == ExitCode.FAILED
    assert "harmless" in out
    assert without_progress(err) == ("ERROR: plugin 'dying', model 'dying' (Dying) ended the process by os._exit(0).\n")


@pytest.mark.slow
def test_a_plugin_that_leaves_when_it_is_read_fails_a_run_without_a_process_of_its_own(start: Start) -> None:
    _, err = (process := start(DIE_AT_IMPORT="1")).communicate(timeout=120)
    assert process.returncode == ExitCode.FAILED
    assert "ended the process by os._exit(0)" in err


@pytest.mark.parametrize("number", ["SIGTERM", pytest.param("SIGHUP", marks=pytest.mark.slow)])
def test_a_signal_that_ends_a_run_interrupts_it_with_its_reports(start: Start, tmp_path: Path, number: str) -> None:
    process = start("--model", "how=waits")
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


@pytest.mark.parametrize("imported", ["click", "robustfim.errors", "robustfim.cli.command_line"])
def test_ctrl_c_while_the_command_line_is_imported_is_an_interruption(imported: str) -> None:
    done = subprocess.run([sys.executable, "-c", INTERRUPTED, imported], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (2, "", "interrupted\n")
