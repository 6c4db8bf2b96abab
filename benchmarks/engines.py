"""What workers bring and cost: one and two of each engine, against the same model in this process.

Every worker, and this process, computes with one thread. All get the same batches of the same texts, sorted by length;
nothing is stored, so that what differs is the engine alone. Starting the workers is timed apart.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from benchmarks.texts import candidates, sources
from benchmarks.timing import Spread, interleave, ratios, seconds
from benchmarks.transformer import Transformer
from robustfim.engine import Worker
from robustfim.engine.pool import WorkerPool
from robustfim.engine.processes import Processes
from robustfim.engine.proxies import prediction_stream
from robustfim.engine.worker import WorkSpec
from robustfim.example import Example
from robustfim.plugin import PluginOptions
from robustfim.roles import Engine
from robustfim.suite import RunOptions, SuiteFile
from robustfim.version import __version__
from robustfim_huggingface.classifier.model import SequenceClassifier

__all__ = ["EngineRate", "engines", "told"]

BATCH = 64
COST_AIM, GAIN_AIM = 1.03, 1.8


@dataclass(frozen=True)
class EngineRate:
    """Some workers of one engine.

    Attributes:
        engine: Its name.
        workers: How many.
        texts: Distinct texts.
        start: Seconds until all were ready, the model loaded.
        rate: Texts a second.
        cost: Its time by that of this process, pair by pair.
        gain: The time of one worker by its own, pair by pair; None for one worker.
    """

    engine: str
    workers: int
    texts: int
    start: float
    rate: Spread
    cost: Spread
    gain: Spread | None


def engines(transformer: Transformer, data: Path | None, *, texts: int, repeats: int) -> list[EngineRate]:
    """Time this process and the workers in turn.

    Args:
        transformer: The model.
        data: The folder of data, as for :func:`benchmarks.texts.sources`.
        texts: Distinct texts wanted.
        repeats: Timings of each side.

    Returns:
        One and two workers of ``processes``, and of ``ray`` where it is installed.
    """
    pools = candidates(sources(data)[1], texts)
    given = sorted((Example({"text": text}) for pool in pools.values() for text in pool), key=lambda e: -len(e.text))
    batches = [given[start : start + BATCH] for start in range(0, len(given), BATCH)]
    with _one_thread(), ExitStack() as stack:
        model = SequenceClassifier(path=transformer.folder, batch_size=BATCH, device="cpu")
        expected = model.predict(batches[-1])
        sides: dict[str, Callable[[], object]] = {"inline": lambda: [model.predict(batch) for batch in batches]}
        started: dict[tuple[str, int], float] = {}
        for name, workers, engine in _engines():
            pool = _pool(engine, transformer.folder)
            stack.callback(pool.close)
            started[name, workers] = seconds(pool.start)
            ((_, rows),) = prediction_stream(pool)(batches[-1:])
            assert abs(rows[0][0] - expected[0][0]) < 1e-5
            sides[f"{name} {workers}"] = partial(_answered, pool, batches)
        times = interleave(sides, repeats, warm=1)
    found = []
    for (name, workers), start in started.items():
        own = times[f"{name} {workers}"]
        rate = Spread.of([len(given) / each for each in own])
        gain = ratios(times[f"{name} 1"], own) if workers > 1 else None
        found.append(EngineRate(name, workers, len(given), start, rate, ratios(own, times["inline"]), gain))
    return found


def _engines() -> Iterator[tuple[str, int, Engine]]:
    """One and two workers; Ray's larger pool first, since it starts the Ray that both share."""
    for workers in (1, 2):
        yield "processes", workers, Processes(workers=workers, threads=1)
    if find_spec("ray") is not None:
        from robustfim_ray.engine import Ray

        for workers in (2, 1):
            yield "ray", workers, Ray(workers=workers, cpus=0.5)  # one thread each; three actors on two processors


def _pool(engine: Engine, folder: Path) -> WorkerPool:
    suite = {
        "suite": "engines", "data": "reviews", "checks": {"typos": {"perturb": "typos", "limit": 0.5}},
        "model": {"use": "huggingface", "path": str(folder.resolve()), "batch_size": BATCH, "device": "cpu"},
    }  # fmt: skip
    spec = WorkSpec(SuiteFile.of(suite), RunOptions(), PluginOptions())
    _, own = pickle.loads(Worker(pickle.dumps(spec)).answer(pickle.dumps(("greet",))))  # noqa: S301  # of this process
    return WorkerPool(
        engine, spec, fingerprint=own.fingerprint, versions=own.plugins, robustfim=__version__, warn=print
    )


def _answered(pool: WorkerPool, batches: Sequence[list[Example]]) -> list[Any]:
    return list(prediction_stream(pool)(batches))


@contextmanager
def _one_thread() -> Iterator[None]:
    import torch

    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)


def told(found: Sequence[EngineRate], name: str) -> str:
    """Write the section of RESULTS.md.

    Args:
        found: What was measured.
        name: The transformer, in words.
    """
    if not found:
        return "left out"
    about = (
        f"{name}, {found[0].texts:,} texts in batches of {BATCH}, one thread a worker; {found[0].rate.count} "
        f"repetitions in turn with the same model in this process, with one thread as well. Aims: one worker takes at "
        f"most {COST_AIM} times as long as that, two are at least {GAIN_AIM} times as fast as one. A start is that of "
        "Python, the libraries and the model; the first of Ray's starts Ray, too."
    )
    lines = ["| engine | workers | start, s | texts a second | time / this process | one worker's time / its own |  |"]
    lines.append("| --- " + "| ---: " * 5 + "| --- |")
    for each in found:
        met = each.cost.median <= COST_AIM if each.gain is None else each.gain.median >= GAIN_AIM
        cells = [each.engine, str(each.workers), f"{each.start:.1f}", *map(_shown, (each.rate, each.cost)),
                 "" if each.gain is None else _shown(each.gain), "met" if met else "missed"]  # fmt: skip
        lines.append("| " + " | ".join(cells) + " |")
    return "\n\n".join([about, "\n".join(lines)])


def _shown(spread: Spread) -> str:
    digits = 0 if spread.median > 20 else 2
    return f"{spread.median:.{digits}f} [{spread.low:.{digits}f}, {spread.high:.{digits}f}]"
