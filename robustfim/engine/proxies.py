"""Proxies for predictions, steps, gradients and attributions that a pool of workers computes."""

from __future__ import annotations

import math
from array import array
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache, partial
from typing import Any, Literal

from robustfim.candidate import Candidate
from robustfim.engine.pool import WorkerPool
from robustfim.example import Example
from robustfim.importance import Importance
from robustfim.predict.attributions import NamedAttribution
from robustfim.predict.queue import Stream
from robustfim.roles import Model

__all__ = [
    "AttributionProxy",
    "GeometryProxy",
    "PointProxy",
    "attribution_proxy",
    "geometry_proxy",
    "prediction_stream",
    "step_stream",
]

_BATCH = 32
"""Examples differentiated by one worker at a time."""

_KEPT = 16_384
"""Examples whose numbers are kept, in addition to the current request; others are computed again."""

Tokens = Literal["text", "all"]


def prediction_stream(pool: WorkerPool) -> Stream:
    """Return a function that answers batches of texts by the workers of the pool."""
    return lambda batches: pool.run([("predict", list(batch)) for batch in batches])


def step_stream(pool: WorkerPool, check: str) -> Stream:
    """Return a function that predicts batches of moved embeddings (steps) with worker processes."""
    return lambda batches: pool.run([("step", check, list(batch)) for batch in batches])


class PointProxy:
    """Gradient-based measures at one example (:class:`robustfim.roles.Point`), computed by a worker process.

    Scalar measures are available at once. Vectors, such as the top eigenvector, are fetched from the worker on first
    access, for all examples of the same request.
    """

    def __init__(self, numbers: tuple[float, float, float, float], fetch: Callable[[], tuple[Any, Any]]) -> None:
        self.lambda_max, self.distance, self.margin, self.residual = numbers
        self._fetch = fetch

    @property
    def eigenvector(self) -> Any:
        """The top eigenvector, ``[tokens, dims]``."""
        return self._fetch()[0]

    @property
    def margin_gradient(self) -> Any:
        """The gradient of the margin, ``[tokens, dims]``."""
        return self._fetch()[1]


class GeometryProxy:
    """A geometry whose gradients workers compute; a :class:`robustfim.roles.Geometry`.

    Attributes:
        calls: The number of examples differentiated so far.
    """

    def __init__(self, pool: WorkerPool) -> None:
        self._pool = pool
        self._numbers: dict[tuple[Tokens, str], tuple[float, float, float, float]] = {}
        self._residuals = array("d")
        self.calls = 0

    @property
    def residuals(self) -> list[float]:
        """The error of every λmax that was computed by iterations: its residual."""
        return self._residuals.tolist()

    def at(self, examples: Sequence[Example], *, tokens: Tokens = "text") -> list[PointProxy]:
        """Return gradient-based measures at each example; only examples that are not in memory are computed."""
        distinct = {example.id: example for example in examples}
        missing = [example for example in distinct.values() if (tokens, example.id) not in self._numbers]
        for example, numbers in _computed(self._pool, "points", missing, tokens):
            self._numbers[tokens, example.id] = numbers
            if numbers[3] and not math.isnan(numbers[3]):
                self._residuals.append(numbers[3])
        self.calls += len(missing)

        @cache
        def vectors() -> dict[str, tuple[Any, Any]]:
            """The vectors of the points of this request, fetched together when the first of them is needed."""
            return {
                example.id: pair for example, pair in _computed(self._pool, "vectors", [*distinct.values()], tokens)
            }

        def vector(example: str) -> tuple[Any, Any]:
            return vectors()[example]

        for key in [(tokens, example.id) for example in examples]:  # what was asked for last is kept, as by a geometry
            self._numbers[key] = self._numbers.pop(key)
        found = [PointProxy(self._numbers[tokens, example.id], partial(vector, example.id)) for example in examples]
        while len(self._numbers) > max(_KEPT, len(missing)):
            del self._numbers[next(iter(self._numbers))]
        return found

    def shifts(self, candidates: Sequence[Candidate]) -> list[Any]:
        """Return how far each perturbed text moves the input embedding of its source; None if not computable."""
        found = dict(self._pool.run([("shifts", part) for part in _parts(candidates)]))
        shifts = [each for index in sorted(found) for each in found[index] or ()]
        if shifts:
            self.calls += len({text.id for each in candidates for text in (each.source, each.example)})
        return shifts


class AttributionProxy:
    """An attribution whose importances of words are computed by workers; a :class:`robustfim.roles.Attribution`."""

    def __init__(self, pool: WorkerPool) -> None:
        self._pool = pool
        self.calls = 0

    def explain(self, examples: Sequence[Example], model: Model) -> list[Importance]:
        """Return the importance of the words of each example of a batch."""
        size = math.ceil(len(examples) / max(1, math.ceil(len(examples) / 8)))
        parts = _parts(examples, size)
        found: dict[int, list[Importance]] = {}
        for index, (told, calls) in self._pool.run([("explain", part) for part in parts]):
            found[index] = told
            self.calls += calls
        return [importance for index in sorted(found) for importance in found[index]]


def geometry_proxy(pool: WorkerPool | None) -> Callable[[Any], GeometryProxy] | None:
    """Return the class for the geometry of a run with workers; None without workers."""
    return None if pool is None else lambda model: GeometryProxy(pool)


def attribution_proxy(pool: WorkerPool | None, named: NamedAttribution | None) -> NamedAttribution | None:
    """Return an attribution that workers compute; without workers or attribution, return ``named`` unchanged."""
    return named if pool is None or named is None else replace(named, attribution=AttributionProxy(pool))


def _computed(
    pool: WorkerPool, kind: str, examples: Sequence[Example], tokens: Tokens
) -> Iterator[tuple[Example, Any]]:
    """Let workers compute something of each example, in any order."""
    parts = _parts(examples)
    for index, found in pool.run([(kind, part, tokens) for part in parts]):
        yield from zip(parts[index], found, strict=True)


def _parts(items: Sequence[Any], size: int = _BATCH) -> list[list[Any]]:
    """Cut a sequence into batches."""
    return [list(items[start : start + size]) for start in range(0, len(items), size)]
