"""The context: what a run offers to its plugins."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from robustfim.errors import ModelError
from robustfim.example import Example
from robustfim.prediction import Prediction
from robustfim.prediction_queue import PredictionQueue
from robustfim.roles import Geometry, Model
from robustfim.seeds import random_for

__all__ = ["RunContext"]


class RunContext:
    """Fits :class:`robustfim.roles.Context`.

    Args:
        model: The model.
        queue: The prediction queue.
        geometry: The class that computes gradients, or None.
        seed: The run's seed.
        offline: Whether nothing may be fetched.
    """

    def __init__(
        self,
        model: Model,
        queue: PredictionQueue,
        geometry: type[Any] | None,
        *,
        seed: int,
        offline: bool = False,
    ) -> None:
        self.model, self.queue, self.seed, self.offline = model, queue, seed, offline
        self.examples: Sequence[Example] = ()
        self.slices: Mapping[str, frozenset[str]] = {}
        self._geometry_class = geometry
        self._geometry: Geometry | None = None

    @property
    def geometry(self) -> Geometry:
        """The shared gradients, made on first use."""
        if self._geometry is None:
            if self._geometry_class is None:
                raise ModelError("no plugin computes gradients; robustfim_fisher does and is blocked or not installed.")
            self._geometry = self._geometry_class(self.model)
        return self._geometry

    @property
    def gradient_calls(self) -> int:
        """Examples differentiated so far."""
        return 0 if self._geometry is None else self._geometry.calls

    def predict(self, examples: Sequence[Example]) -> list[Prediction | None]:
        """Predict through the queue."""
        return self.queue.predict(examples)

    def random(self, *parts: str) -> Random:
        """Return a generator seeded by the run's seed and ``parts``."""
        return random_for(self.seed, *parts)
