"""Real worker processes, with the toy model."""

from __future__ import annotations

import os
import pickle
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import pytest

import robustfim
from robustfim.engine.pool import WorkerPool
from robustfim.engine.proxies import prediction_stream
from robustfim.engine.worker import Greeting, Worker, WorkSpec
from robustfim.errors import ModelError
from robustfim.example import Example
from robustfim.plugin.sources import PluginOptions
from robustfim.run_options import RunOptions
from robustfim.suite.file import read_suite_file
from robustfim_processes.engine import Processes
from tests.robustfim.command_line import CommandLine

TEXTS = [Example({"text": f"a {word} film {n}"}) for n in range(12) for word in ("great", "awful", "dull")]
BATCHES = [TEXTS[start : start + 3] for start in range(0, len(TEXTS), 3)]


def spec(suite: str) -> WorkSpec:
    return WorkSpec(read_suite_file(Path(suite)), RunOptions(), PluginOptions())


def told(worker: Worker, *task: Any) -> Any:
    return pickle.loads(worker.answer(pickle.dumps(task)))  # noqa: S301  # of this test


def pickled(suite: str) -> bytes:
    return pickle.dumps(spec(suite))


@pytest.fixture
def own(robustfim: CommandLine) -> Iterator[tuple[WorkerPool, list[str]]]:
    warnings: list[str] = []
    kind, greeting = told(Worker(pickled("toy.yaml")), "greet")
    assert kind == "ok"
    pool = made(cast(Greeting, greeting), "toy.yaml", warnings)
    yield pool, warnings
    pool.close()


def made(greeting: Greeting, suite: str, warnings: list[str]) -> WorkerPool:
    return WorkerPool(
        Processes(workers=2), spec(suite), fingerprint=greeting.fingerprint, versions=greeting.plugins,
        robustfim=robustfim.__version__, warn=warnings.append,
    )  # fmt: skip


def processes(pool: WorkerPool) -> list[Any]:
    return [cast(Any, link)._process for link in pool._links]


def test_workers_answer_as_the_model_does_and_one_that_is_killed_is_replaced(own: tuple[WorkerPool, list[str]]) -> None:
    pool, warnings = own
    expected = told(Worker(pickled("toy.yaml")), "predict", TEXTS)[1]
    found = dict(prediction_stream(pool)(BATCHES))
    assert [row for index in sorted(found) for row in found[index]] == expected
    first = processes(pool)
    os.kill(first[0].pid, signal.SIGKILL)
    assert dict(prediction_stream(pool)(BATCHES)) == found
    assert len(warnings) == 1
    assert warnings[0].startswith("worker 1 died (ended by SIGKILL, perhaps for want of memory)")
    pool.close()
    assert all(process.poll() is not None for process in (*first, *processes(pool)))


def test_a_worker_leaves_when_the_run_is_gone(own: tuple[WorkerPool, list[str]]) -> None:
    pool, _ = own
    pool.start()
    process = processes(pool)[0]
    cast(Any, pool._links[0]).connection.close()  # as when the run is killed
    assert process.wait(timeout=120) == 0


@pytest.mark.slow
def test_ctrl_c_is_left_to_the_run(own: tuple[WorkerPool, list[str]]) -> None:
    pool, warnings = own
    pool.start()
    os.kill(processes(pool)[0].pid, signal.SIGINT)
    assert len(dict(prediction_stream(pool)(BATCHES))) == len(BATCHES)
    assert not warnings


def test_a_model_that_cannot_be_made_on_a_worker_is_told(robustfim: CommandLine) -> None:
    suite = robustfim.suite("{x: {perturb: rename}}", model="unloadable")
    kind, error = told(Worker(pickled(suite)), "greet")
    assert (kind, type(error)) == ("error", ModelError)
    with pytest.raises(ModelError, match=r"worker . cannot make the model"):
        made(Greeting("", "", {}), suite, []).start()
    assert str(error)


def test_an_error_of_the_model_comes_back_as_one(robustfim: CommandLine) -> None:
    suite = robustfim.suite("{x: {perturb: rename}}", model="{use: wordsum, raise_on: awful}")
    kind, error = told(Worker(pickled(suite)), "predict", TEXTS[:3])
    assert (kind, type(error)) == ("error", ModelError)
    assert "the model raised ZeroDivisionError: I cannot read 'awful'" in str(error)
