"""What workers compute is what this process computes: predictions, steps, gradients, shifts, attributions."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

import robustfim
from robustfim.candidate import Candidate, Edit
from robustfim.collect.collect import collect
from robustfim.contract import EngineContract
from robustfim.engine.pool import WorkerPool
from robustfim.engine.proxies import AttributionProxy, GeometryProxy, prediction_stream, step_stream
from robustfim.engine.worker import Worker, WorkSpec
from robustfim.example import Example
from robustfim.plugin.sources import PluginOptions, load_plugins
from robustfim.run_options import RunOptions
from robustfim.suite.config import RunConfig
from robustfim.suite.file import read_suite_file
from robustfim.suite.format import read_suite

torch = pytest.importorskip("torch")

SUITE = """\
suite: remote
model: reference/fasttext
data: reviews
attribution: true
checks:
  steps: {perturb: {use: eigenvector, norms: [0.5, 1.0]}, limit: 0.5}
"""
TEXTS = [Example({"text": f"{word} {n} film with a dull end"}) for n in range(20) for word in ("a great", "an awful")]


class Here:
    """Two workers in this process, so that a test need not wait for others to start."""

    contract = EngineContract(workers=2)

    def start(self, spec: bytes) -> HereLink:
        return HereLink(spec)

    def wait(self, links: Sequence[Any]) -> Sequence[Any]:
        return links

    def close(self) -> None:
        """Nothing is open."""


class HereLink:
    name = "a worker"

    def __init__(self, spec: bytes) -> None:
        self.worker, self.tasks = Worker(spec), deque[bytes]()

    def send(self, task: bytes) -> None:
        self.tasks.append(task)

    def receive(self) -> bytes:
        return self.worker.answer(self.tasks.popleft())

    def stop(self) -> None:
        """Nothing runs."""


@pytest.fixture
def both(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[WorkerPool, Any, Any]]:
    """A pool, and the collection and the plugins of this process."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "remote.yaml").write_text(SUITE, encoding="utf-8")
    file, options = read_suite_file(Path("remote.yaml")), RunOptions()
    plugins = load_plugins(PluginOptions())
    collection = collect(RunConfig(read_suite(file), file, options, tuple(plugins.names)), plugins)
    pool = WorkerPool(
        Here(), WorkSpec(file, options, PluginOptions()), fingerprint=collection.model.fingerprint, versions={},
        robustfim=robustfim.__version__, warn=pytest.fail,
    )  # fmt: skip
    yield pool, collection, plugins
    pool.close()


def test_predictions_are_those_of_the_model(both: tuple[WorkerPool, Any, Any]) -> None:
    pool, collection, _ = both
    found = dict(prediction_stream(pool)([TEXTS[start : start + 7] for start in range(0, 40, 7)]))
    rows = [row for index in sorted(found) for row in found[index]]
    assert np.allclose(rows, collection.model.predict(TEXTS), atol=1e-6)


def test_gradients_are_those_of_the_geometry(both: tuple[WorkerPool, Any, Any]) -> None:
    pool, collection, plugins = both
    own, remote = plugins.shared("geometry")(collection.model), GeometryProxy(pool)
    for mine, theirs in zip(own.at(TEXTS), remote.at(TEXTS), strict=True):
        numbers = [(each.lambda_max, each.distance, each.margin) for each in (mine, theirs)]
        assert numbers[0] == pytest.approx(numbers[1], rel=1e-5)
        assert torch.allclose(mine.eigenvector, theirs.eigenvector, atol=1e-5)
        assert torch.allclose(mine.margin_gradient, theirs.margin_gradient, atol=1e-5)
    remote.at(TEXTS[:5])
    assert remote.calls == own.calls == len(TEXTS)
    assert remote.residuals == own.residuals == []


def test_shifts_are_those_of_the_geometry_in_their_order(both: tuple[WorkerPool, Any, Any]) -> None:
    pool, collection, plugins = both
    places = [(text, len(text.text) - 8) for text in TEXTS]
    candidates = [Candidate(example, (Edit("text", place, place + 4, "dull", "fine"),)) for example, place in places]
    candidates += candidates[::-1]  # those of one source in two batches
    own, remote = plugins.shared("geometry")(collection.model), GeometryProxy(pool)
    mine, theirs = own.shifts(candidates), remote.shifts(candidates)
    assert remote.calls == own.calls == 2 * len(TEXTS), "each text and its edit"
    assert [each.lambda_max for each in theirs] == [pytest.approx(each.lambda_max, rel=1e-5) for each in mine]
    assert [each.norm for each in theirs] == pytest.approx([each.norm for each in mine], rel=1e-5)


def test_steps_are_evaluated_by_the_check_of_that_name(both: tuple[WorkerPool, Any, Any]) -> None:
    from robustfim.predict.context import RunContext
    from robustfim.predict.queue import PredictionQueue
    from robustfim.predict.store import Store

    pool, collection, plugins = both
    perturbation = collection.checks[0].perturbation
    queue = PredictionQueue(collection.model, Store(None))
    perturbation.prepare(RunContext(collection.model, queue, plugins.shared("geometry"), seed=0))
    candidates = [each for text in TEXTS[:6] for each in perturbation.propose(text, Random(0))]
    ((_, found),) = step_stream(pool, "steps")([candidates])
    expected = perturbation.predict(candidates)
    assert np.allclose(found, expected, atol=1e-6)


def test_the_importance_of_words_is_that_of_the_attribution(both: tuple[WorkerPool, Any, Any]) -> None:
    pytest.importorskip("captum")
    pool, collection, _ = both
    own, remote = collection.attribution.attribution, AttributionProxy(pool)
    mine, theirs = own.explain(TEXTS[:10], collection.model), remote.explain(TEXTS[:10], collection.model)
    for first, second in zip(mine, theirs, strict=True):
        assert [w.value for w in second.words] == pytest.approx([w.value for w in first.words], abs=1e-5)
    assert remote.calls == own.calls
