"""The context: everything that a run offers to its plugins."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cached_property
from random import Random
from types import MappingProxyType
from typing import Any, TypeVar, cast

from robustfim.blame import blame
from robustfim.errors import ModelError, PluginError
from robustfim.example import Example
from robustfim.exhibit import Section
from robustfim.members import Wrapper, check_members
from robustfim.parts import GeometryPart, ModelPart, TaggerPart
from robustfim.predict.attributions import Attributions
from robustfim.predict.decided import require_threshold
from robustfim.predict.queue import PredictionQueue, Stream
from robustfim.predict.store import Store, key_of
from robustfim.prediction import Prediction
from robustfim.record import AskedAgainRecord, ResidualRecord
from robustfim.roles import Geometry, Model, Tagger
from robustfim.seeds import random_for
from robustfim.statistics.clusters import ClusterOf
from robustfim.window import Window, windows

__all__ = ["NO_GEOMETRY", "RunContext"]

T = TypeVar("T")

_NO_MODEL = "asks a model, and there is none here."


class _Shared(Wrapper):
    """A plugin's service for all plugins: an error in it names its own plugin, whoever called it.

    Args:
        kind: Its role.
        cls: Its class.
        who: Its name in errors.
        arguments: The arguments of the class.
    """

    def __init__(self, kind: str, cls: Callable[..., Any], who: str, *arguments: Any) -> None:
        self._who = who
        with blame(who):
            super().__init__(cls(*arguments))
        check_members(kind, self.wrapped, kind)

    def __getattr__(self, name: str) -> Any:
        found = super().__getattr__(name)
        return self._blamed(found) if inspect.ismethod(found) else found

    def _blamed(self, method: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any, **named: Any) -> Any:
            with blame(self._who):
                return method(*arguments, **named)

        return call


NO_GEOMETRY = "no loaded plugin computes gradients: the one that does is blocked or not installed."


class RunContext:
    """The services of a run for plugins (predictions, gradients, random numbers); a :class:`robustfim.roles.Context`.

    Args:
        model: The model; None if no predictions are needed.
        queue: The model's prediction queue.
        geometry: The class that computes gradients; None for the class that a plugin offers.
        store: The store for computed values, also for later runs; None to store them in memory.
        seed: The run's seed.
        offline: Whether to forbid downloads.
        services: The services for all plugins: the plugin manager; None for none.
        attributions: The importance of words; None if it is not available.
        shifts: Whether to record how failing texts move the embedding.
        examples: The usable examples.
        clusters: Example id to cluster (group of dependent examples), for examples that are not independent.
        step_stream: Maps a check's name to the function that predicts the check's moved embeddings; None if the
            perturbation does.
    """

    def __init__(
        self,
        model: Model | None,
        queue: PredictionQueue | None,
        geometry: Callable[[Any], Geometry] | None,
        *,
        seed: int,
        store: Store | None = None,
        offline: bool = False,
        services: Any = None,
        attributions: Attributions | None = None,
        shifts: bool = False,
        step_stream: Callable[[str], Stream] | None = None,
        examples: Sequence[Example] = (),
        clusters: ClusterOf = MappingProxyType({}),
    ) -> None:
        require_threshold(model)
        self._model, self._queue, self.seed, self.offline = model, queue, seed, offline
        self.store = Store(None) if store is None else store
        self.examples, self.clusters = examples, clusters
        self.slices: Mapping[str, Collection[str]] = {}  # until they are known
        self._proxy, self._services = geometry, services
        self._steps = 0
        self.attributions = attributions or Attributions(None)
        self.shifts = shifts
        self.step_stream = step_stream
        self._shared: dict[Any, Any] = {}
        self._windows: dict[str, Window | None] = {}
        if model is not None:
            ModelPart(model).prepare(self)
        self.attributions.prepare(self)

    def close(self) -> None:
        """Close the store of the answers."""
        if self._queue is not None:
            self._queue.close()

    @property
    def model(self) -> Model:
        """The model.

        Raises:
            ModelError: The context has no model.
        """
        if self._model is None:
            raise ModelError(_NO_MODEL)
        return self._model

    def answers(self) -> int:
        """The number of answers asked of the model so far, including stored ones."""
        return 0 if self._queue is None else self._queue.sent + self._queue.cached + self._queue.repeated

    @cached_property
    def labelled(self) -> bool | None:
        """Whether any usable example has a gold label; None if there are no examples."""
        return any(example.label is not None for example in self.examples) if len(self.examples) else None

    @property
    def queue(self) -> PredictionQueue:
        """The prediction queue.

        Raises:
            ModelError: The context has no model.
        """
        if self._queue is None:
            raise ModelError(_NO_MODEL)
        return self._queue

    @property
    def max_calls(self) -> int | None:
        """The most texts that may be sent to the model; None for no bound."""
        return None if self._queue is None else self._queue.max_calls

    @cached_property
    def geometry(self) -> Geometry:
        """The shared geometry for gradients, made on first use."""
        made = self._service("geometry", self._proxy, self.model)
        if made is None:
            raise ModelError(NO_GEOMETRY)
        GeometryPart(made).prepare(self)
        return cast(Geometry, made)

    @cached_property
    def tagger(self) -> Tagger:
        """The shared tagger of parts of speech, made on first use."""
        made = self._service("tagger")
        if made is None:
            raise PluginError("no loaded plugin tags parts of speech. Install one, or do not block it.")
        TaggerPart(made).prepare(self)
        return cast(Tagger, made)

    def _service(self, kind: str, cls: Callable[..., Any] | None = None, *arguments: Any) -> _Shared | None:
        """Make a service from a class, or from the class that a plugin offers; None without a class."""
        cls = cls or (None if self._services is None else self._services.shared(kind))
        who = f"the {kind}" if self._services is None else self._services.sharer(kind)
        return None if cls is None else _Shared(kind, cls, who, *arguments)

    @property
    def gradient_calls(self) -> int:
        """The number of examples differentiated so far."""
        return self.geometry.calls if "geometry" in vars(self) else 0

    def count_steps(self, number: int) -> None:
        """Add forward passes that a plugin made from moved embeddings to the number in the record."""
        self._steps += number

    @property
    def effort(self) -> dict[str, Any]:
        """The counts of calls to the model so far, as the fields of :class:`robustfim.record.Record`."""
        return {
            "model_calls": self.queue.sent,
            "cached_calls": self.queue.cached,
            "gradient_calls": self.gradient_calls,
            "step_calls": self.queue.steps + self._steps,
            "residual": ResidualRecord.of(GeometryPart(vars(self).get("geometry")).residuals),
        }

    def windows(self, examples: Sequence[Example]) -> list[Window | None]:
        """Return which part of each example the model reads, if it truncates long texts.

        Returns:
            For each example the part that the model reads; None if the model reads all of the example, or does not
            report it.

        Raises:
            ModelError: The model raised, or returned something else.
        """
        new = [example for example in examples if example.id not in self._windows]
        if new and self._model is not None:
            with blame("the model", ModelError):
                found = windows(self._model, new)
            self._windows.update(zip((example.id for example in new), found or [None] * len(new), strict=True))
        return [self._windows.get(example.id) for example in examples]

    @property
    def asked_again(self) -> AskedAgainRecord | None:
        """The comparison of stored answers with new answers; None if a model with this fingerprint cannot change."""
        return None if self.queue.again is None else self.queue.again.record()

    def predict(self, examples: Sequence[Example]) -> list[Prediction | None]:
        """Predict examples through the prediction queue."""
        return self.queue.predict(examples)

    def kept(self, what: str, texts: Sequence[str]) -> dict[str, Any]:
        """Look up values that a plugin computed for texts, in this run or an earlier one.

        Args:
            what: A name of the computation, with the version of everything that decides its result.
            texts: The texts to look up.

        Returns:
            Plain JSON values by text, for the texts that are known. The plugin must check them: they come from a file.
        """
        if self.store.closed:
            return {}
        keys = {text: key_of("kept", what, text) for text in texts}
        found = self.store.get([*keys.values()])
        return {text: found[key] for text, key in keys.items() if key in found}

    def keep(self, what: str, values: Mapping[str, Any]) -> None:
        """Store values that a plugin computed for texts, for :meth:`kept`.

        Args:
            what: A name of the computation, as for :meth:`kept`.
            values: Plain JSON values by text.
        """
        if not self.store.closed and values:
            self.store.put({key_of("kept", what, text): value for text, value in values.items()})

    def shared(self, cls: Callable[[], T]) -> T:
        """Return the object of a class that all plugins of the run share; the first call makes it.

        Args:
            cls: The class, called without arguments.
        """
        if cls not in self._shared:
            self._shared[cls] = cls()
        return cast(T, self._shared[cls])

    @property
    def tellers(self) -> list[Callable[[], Sequence[Section]]]:
        """The ``sections`` methods of the shared objects that have one."""
        found = [getattr(each, "sections", None) for each in self._shared.values()]
        return [each for each in found if each is not None]

    @property
    def told(self) -> list[str]:
        """The sentences with which the objects shared by plugins report their findings at the end of a run."""
        return [sentence for tell in self.tellers for section in tell() for sentence in section.findings]

    def random(self, *parts: str) -> Random:
        """Return a generator seeded by the run's seed and ``parts``."""
        return random_for(self.seed, *parts)
