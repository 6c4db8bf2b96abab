"""A surrogate: another model, whose gradients replace those of a model without gradients, such as an endpoint."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

from robustfim.errors import ModelError
from robustfim.example import Example
from robustfim.labels import match_name
from robustfim.parts import ModelPart
from robustfim.prediction import Prediction
from robustfim.roles import Context, DifferentiableModel
from robustfim_fisher.geometry import FisherGeometry

__all__ = ["Surrogate"]

_BATCH = 64


class Surrogate:
    """A second model that supplies gradients for a model without any, in the form of a run's Context."""

    def __init__(self, model: Any) -> None:
        self.model: DifferentiableModel = model

    @cached_property
    def geometry(self) -> FisherGeometry:
        """Return the geometry of the surrogate, which computes its gradients."""
        return FisherGeometry(self.model)

    def predict(self, examples: Sequence[Example]) -> list[Prediction | None]:
        """Predict with the surrogate, in batches."""
        size = ModelPart(self.model).contract.batch_size or _BATCH
        labels = tuple(self.model.labels)
        return [
            Prediction.of([float(number) for number in row], labels)
            for start in range(0, len(examples), size)
            for row in self.model.predict(examples[start : start + size])
        ]

    def count_steps(self, number: int) -> None:
        """Do nothing: passes of a surrogate do not count as passes of the model."""

    def signs(self, sources: Sequence[Example], context: Context) -> dict[str, float]:
        """Return the sign by which the surrogate's gradient is multiplied at each source text.

        Returns:
            By the id of a source, 1 if both models predict the same label, else −1. If they disagree, a more confident
            surrogate moves away from the model's label.

        Raises:
            ModelError: The model gives a label that the surrogate does not know.
        """
        distinct = list({source.id: source for source in sources}.values())
        found = {}
        for source, own, other in zip(distinct, context.predict(distinct), self.predict(distinct), strict=True):
            if own is None or other is None:
                continue
            if (name := match_name(own.label, self.model.labels)) is None:
                raise ModelError(
                    f"the surrogate does not know the model's label {own.label!r}; it has "
                    f"{', '.join(map(repr, self.model.labels))}"
                )
            found[source.id] = 1.0 if name == other.label else -1.0
        return found
