"""The pool's rules, with workers in this process that die, err and answer late as they are told."""

from __future__ import annotations

import pickle
from collections import deque
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

import robustfim
from robustfim.contract import EngineContract
from robustfim.engine.pool import WorkerPool
from robustfim.engine.worker import Greeting, WorkSpec
from robustfim.errors import ModelError, UsageError
from robustfim.plugin.sources import PluginOptions
from robustfim.roles import WorkerLost
from robustfim.run_options import RunOptions
from robustfim.suite.file import SuiteFile

GREETING = Greeting("print", robustfim.__version__, {"shout": "1"})
SPEC = WorkSpec(SuiteFile(Path("toy.yaml"), {}), RunOptions(), PluginOptions())


class Toy:
    """Workers that double numbers; ``kills`` says which number kills how many of them."""

    def __init__(self, workers: int = 2, in_flight: int = 2, **more: Any) -> None:
        self.contract = EngineContract(workers=workers, in_flight=in_flight)
        self.kills: dict[int, int] = more.get("kills", {})
        self.greeting: Any = more.get("greeting", ("ok", GREETING))
        self.stillborn: int = more.get("stillborn", 0)
        self.started: list[ToyLink] = []
        self.closed = 0

    def start(self, spec: bytes) -> ToyLink:
        self.started.append(ToyLink(self, f"worker {len(self.started) + 1}"))
        return self.started[-1]

    def wait(self, links: Sequence[Any]) -> list[Any]:
        return [links[-1]]  # the last first, so that answers come out of order

    def close(self) -> None:
        self.closed += 1


class ToyLink:
    def __init__(self, engine: Toy, name: str) -> None:
        self.engine, self.name = engine, name
        self.waiting: deque[tuple[Any, ...]] = deque()
        self.stopped = False

    def send(self, task: bytes) -> None:
        self.waiting.append(pickle.loads(task))  # noqa: S301  # of this test
        assert len(self.waiting) <= self.engine.contract.in_flight

    def receive(self) -> bytes:
        kind, *arguments = self.waiting.popleft()
        if kind == "greet":
            if self.engine.stillborn:
                self.engine.stillborn -= 1
                raise WorkerLost("out of luck")
            return pickle.dumps(self.engine.greeting)
        if kind == "fail":
            return pickle.dumps(("error", ModelError("the model raised")))
        number = arguments[0]
        if self.engine.kills.get(number):
            self.engine.kills[number] -= 1
            raise WorkerLost("ended by SIGKILL")
        return pickle.dumps(("ok", 2 * number))

    def stop(self) -> None:
        self.stopped = True


def pool(engine: Toy, warnings: list[str] | None = None) -> WorkerPool:
    return WorkerPool(
        engine, SPEC, fingerprint="print", versions={"shout": "1"}, robustfim=robustfim.__version__,
        warn=(warnings if warnings is not None else []).append,
    )  # fmt: skip


def double(own: WorkerPool, number: int) -> dict[int, Any]:
    return dict(own.run([("double", n) for n in range(number)]))


@pytest.mark.parametrize(("workers", "in_flight"), [(1, 1), (2, 2), (3, 5), (9, 1)])
def test_every_task_is_answered_once_whatever_the_number_of_workers(workers: int, in_flight: int) -> None:
    engine = Toy(workers, in_flight)
    own = pool(engine)
    assert double(own, 20) == {n: 2 * n for n in range(20)}
    assert double(own, 3) == {0: 0, 1: 2, 2: 4}
    assert len(engine.started) == workers


def test_the_batches_of_a_worker_that_dies_are_sent_again_and_another_takes_its_place() -> None:
    engine, warnings = Toy(kills={3: 1, 7: 2}), list[str]()
    assert double(pool(engine, warnings), 20) == {n: 2 * n for n in range(20)}
    assert len(engine.started) == 2 + 3
    assert [warning for warning in warnings if "died (ended by SIGKILL)" in warning] == warnings
    assert len(warnings) == 3


def test_a_batch_that_kills_three_workers_is_named_with_its_text() -> None:
    engine = Toy(kills={5: 9})
    own = pool(engine)
    heavy = [robustfim.Example({"text": "a heavy text"})]
    tasks = [("double", n, heavy) if n == 5 else ("double", n) for n in range(9)]
    with pytest.raises(ModelError, match=r"3 workers died at the same batch.* begins with 'a heavy text'"):
        list(own.run(tasks))
    assert all(link.stopped for link in engine.started)
    assert engine.closed


def test_an_error_of_the_model_is_that_of_the_run_and_leaves_no_worker() -> None:
    engine = Toy()
    with pytest.raises(ModelError, match="the model raised"):
        list(pool(engine).run([("double", 1), ("fail",)]))
    assert all(link.stopped for link in engine.started)


def test_giving_up_half_way_stops_the_workers() -> None:
    engine = Toy()
    stream = pool(engine).run([("double", n) for n in range(50)])
    next(stream)
    stream.close()  # type: ignore[attr-defined]  # it is a generator
    assert all(link.stopped for link in engine.started)


@pytest.mark.parametrize(
    ("greeting", "told"),
    [
        (Greeting("other", robustfim.__version__, {"shout": "1"}), "worker . makes another model than this process"),
        (Greeting("print", "0.0.9", {"shout": "1"}), r"worker . has robustfim 0\.0\.9, this process"),
        (Greeting("print", robustfim.__version__, {"shout": "2"}), r"another plugin 'shout' \(2\) than this process"),
        (Greeting("print", robustfim.__version__, {}), "another plugin 'shout' .does not load it."),
    ],
)
def test_a_worker_that_would_answer_otherwise_is_refused(greeting: Greeting, told: str) -> None:
    with pytest.raises(ModelError, match=told):
        double(pool(Toy(greeting=("ok", greeting))), 3)


def test_a_worker_that_cannot_make_the_model_is_named() -> None:
    with pytest.raises(ModelError, match=r"worker . cannot make the model: no file weights"):
        double(pool(Toy(greeting=("error", ModelError("no file weights")))), 3)


def test_a_worker_that_dies_at_its_birth_is_replaced_and_a_third_in_a_row_is_told() -> None:
    assert double(pool(Toy(stillborn=2)), 3) == {0: 0, 1: 2, 2: 4}
    with pytest.raises(ModelError, match="3 workers died before they were ready; the last: out of luck"):
        double(pool(Toy(stillborn=3)), 3)


def test_a_suite_that_holds_a_python_object_cannot_be_sent() -> None:
    spec = WorkSpec(SuiteFile(Path("toy.yaml"), {"model": lambda texts: texts}), RunOptions(), PluginOptions())
    with pytest.raises(UsageError, match=r"the Python object in this suite \(Can't pickle.*'engine: inline'"):
        WorkerPool(Toy(), spec, fingerprint="", versions={}, robustfim="", warn=print)
