"""The worker: a second process of a run, which makes the model from the suite and answers tasks."""

from __future__ import annotations

import os
import pickle
import sys
import traceback
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from robustfim.blame import blame, told
from robustfim.errors import ModelError, PluginError, RobustfimError
from robustfim.example import Example
from robustfim.parts import GeometryPart, closing_all
from robustfim.plugin.sources import PluginOptions
from robustfim.predict.decided import without_rule
from robustfim.predict.queue import out_of_memory
from robustfim.run_options import RunOptions
from robustfim.suite.file import SuiteFile
from robustfim.version import __version__

__all__ = ["Greeting", "WorkSpec", "Worker", "raise_told"]


@dataclass(frozen=True)
class WorkSpec:
    """The data from which a worker process builds the model and the checks: the suite as text, no objects.

    Attributes:
        file: The suite, with overrides applied.
        options: The options of the command line.
        plugins: The plugins of the option ``-p``.
        folder: The folder to which relative paths refer.
        path: Python's module search path.
    """

    file: SuiteFile
    options: RunOptions
    plugins: PluginOptions
    folder: str = field(default_factory=os.getcwd)
    path: tuple[str, ...] = field(default_factory=lambda: tuple(sys.path))


@dataclass(frozen=True)
class Greeting:
    """The first message of a worker process, sent when it is ready.

    Attributes:
        fingerprint: The fingerprint of the worker's model.
        robustfim: The worker's version of robustfim.
        plugins: The versions, or hashes, of the worker's plugins by name.
    """

    fingerprint: str
    robustfim: str
    plugins: dict[str, str]


class Worker:
    """The part of a worker process that runs tasks. Tasks and answers are bytes, which any engine can send.

    The bytes are pickles, exchanged only between a run and its own workers.

    Args:
        spec: A pickled :class:`WorkSpec`.
    """

    def __init__(self, spec: bytes) -> None:
        self._spec: WorkSpec = pickle.loads(spec)  # noqa: S301  # from the run that started this worker
        os.chdir(self._spec.folder)
        sys.path[:] = [*sys.path, *(each for each in self._spec.path if each not in sys.path)]
        self._prepared: dict[str, Any] = {}

    def answer(self, task: bytes) -> bytes:
        """Run a task, and return its result or error.

        Args:
            task: A pickled tuple: the kind of the task, and its arguments.

        Returns:
            Pickled ``("ok", result)`` or ``("error", exception)``.
        """
        kind, *arguments = pickle.loads(task)  # noqa: S301  # from the run that started this worker
        raised: Exception
        try:
            return pickle.dumps(("ok", getattr(self, f"_{kind}")(*arguments)))
        except RobustfimError as error:
            raised = (ModelError if isinstance(error, ModelError) else PluginError)(str(error))
        except SystemExit as error:  # of what no plugin's name stands before
            raised = PluginError(f"something in a worker raised {told(error)}")
        except Exception:  # a defect of robustfim, told to the run
            raised = RuntimeError(f"a worker met a defect of robustfim:\n{traceback.format_exc()}")
        return pickle.dumps(("error", raised))

    def close(self) -> None:
        """Close the worker process's objects; errors are ignored, since the main process reports its own."""
        if "_collection" in vars(self):
            with suppress(RobustfimError):
                closing_all(self._collection.made).close()

    # ---- what it is made of -----------------------------------------------------------------------------

    @cached_property
    def _collection(self) -> Any:
        from robustfim.collect.collect import collect
        from robustfim.plugin.sources import load_plugins
        from robustfim.suite.config import RunConfig
        from robustfim.suite.format import read_suite

        suite = read_suite(self._spec.file)
        self._manager = load_plugins(self._spec.plugins, suite.plugins, self._spec.file.folder)
        config = RunConfig(suite, self._spec.file, self._spec.options, tuple(self._manager.names))
        return collect(config, self._manager)

    @cached_property
    def _context(self) -> Any:
        from robustfim.collect.lookup import context_of
        from robustfim.predict.store import Store

        collection = self._collection
        config = collection.config
        return context_of(
            collection.model, (), self._manager, Store(None), seed=config.seed, offline=config.options.offline
        )

    # ---- tasks ------------------------------------------------------------------------------------------

    def _greet(self) -> Greeting:
        from robustfim.predict.labels import model_labels

        model = self._collection.model
        model_labels(model)  # loads it, and says what is wrong with it
        versions = {record.name: record.version or record.sha256 or "" for record in self._manager.records()}
        return Greeting(model.fingerprint, __version__, versions)

    def _predict(self, examples: Sequence[Example]) -> list[Any]:
        model = without_rule(self._collection.model)
        call = model.answer if callable(getattr(model, "answer", None)) else model.predict
        return _halved(lambda part: _plain(call(part)), list(examples), "the model")

    def _step(self, check: str, candidates: Sequence[Any]) -> list[Any]:
        perturbation = self._prepared.get(check)
        if perturbation is None:
            found = next(each for each in self._collection.checks if each.name == check)
            perturbation = found.perturbation
            perturbation.prepare(self._context)
            self._prepared[check] = perturbation
        return _halved(lambda part: _plain(perturbation.predict(part)), list(candidates), f"the step of {check!r}")

    def _points(self, examples: Sequence[Example], tokens: str) -> list[tuple[float, float, float, float]]:
        points = self._context.geometry.at(examples, tokens=tokens)
        return [
            (point.lambda_max, point.distance, point.margin, float(getattr(point, "residual", float("nan"))))
            for point in points
        ]

    def _vectors(self, examples: Sequence[Example], tokens: str) -> list[tuple[Any, Any]]:
        return [(each.eigenvector, each.margin_gradient) for each in self._context.geometry.at(examples, tokens=tokens)]

    def _shifts(self, candidates: Sequence[Any]) -> Any:
        return GeometryPart(self._context.geometry).shifts(candidates)

    def _explain(self, examples: Sequence[Example]) -> tuple[list[Any], int]:
        named = self._collection.attribution
        before = named.attribution.calls
        with blame(named.who):
            found = list(named.attribution.explain(examples, self._collection.model))
        return found, named.attribution.calls - before


def _plain(raw: Any) -> list[Any]:
    """Turn an array or tensor into lists, so that a run without torch can read it."""
    rows = raw.tolist() if hasattr(raw, "tolist") else raw
    return [row.tolist() if hasattr(row, "tolist") else row for row in rows]


def _halved(call: Callable[[list[Any]], list[Any]], items: list[Any], what: str) -> list[Any]:
    """Call with all items, or, where memory runs out, with halves of them."""
    try:
        with blame(what, ModelError):
            return call(items)
    except ModelError as error:
        if not out_of_memory(error.__cause__):
            raise
        if len(items) == 1:
            raise ModelError(f"{what} runs out of memory on a single text.") from error
    middle = len(items) // 2
    return [*_halved(call, items[:middle], what), *_halved(call, items[middle:], what)]


def raise_told(kind: str, answer: Any) -> Any:
    """Return the result that a worker process sent, or raise the error that it reports.

    Raises:
        ModelError: The model raised an error.
        PluginError: A plugin raised an error.
        RuntimeError: robustfim itself raised an error.
    """
    if kind == "error":
        raise answer
    return answer
