"""A live model: predictions and explanations for a text that a person has just typed."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from inspect import signature
from typing import TYPE_CHECKING, Any, cast

from robustfim.collect import named_part
from robustfim.errors import ModelError
from robustfim.example import Example
from robustfim.importance import WordImportance, gather_words
from robustfim.parts import PerturbationPart
from robustfim.window import windows
from robustfim.words import utf16_length
from robustfim_explore.request import Json

if TYPE_CHECKING:
    from robustfim.collect import Named
    from robustfim.prediction import Prediction
    from robustfim.roles import Context, DifferentiableModel

__all__ = ["LiveModel"]

_STEPS = 20
"""Norms that are looked at on each side of a text, along its eigenvector."""

_POINTS = 8
"""Points of the path by which words are weighed while a person types."""

_FARTHEST = 4.0
"""The longest step, where the boundary is far or nowhere, in units of the embedding."""


@dataclass
class LiveModel:
    """A model that answers about typed texts: predictions, gradients and explanations. Use one thread only.

    Attributes:
        part: The model's name and options in the suite.
        name: The display name if there are several models; else the model's name in the suite.
        examples: The examples of the run.
        seed: The seed of all random choices.
        offline: Whether downloads are forbidden.
    """

    part: Named
    name: str
    examples: Sequence[Example]
    seed: int = 0
    offline: bool = False
    _made: Json = field(default_factory=dict)

    @cached_property
    def context(self) -> Context:
        """Return the run context that gives the model's predictions and gradients. The first access loads the model.

        Raises:
            RobustfimError: The model cannot be loaded.
        """
        from robustfim.api import context

        found = context(
            self.part.make(), list(self.examples), seed=self.seed, offline=self.offline, plugins=self.part.manager
        )
        return cast("Context", found)

    @property
    def fingerprint(self) -> str:
        """Return a hash of everything on which the model's predictions depend."""
        return self.context.model.fingerprint

    @cached_property
    def no_gradients(self) -> str:
        """Return why λmax cannot be computed; empty if it can."""
        try:
            _ = self.context.geometry
        except ModelError as error:
            return str(error)
        return ""

    def warm(self) -> None:
        """Predict one example, so that the first typed text does not wait for initialisation."""
        if self.examples:
            self.look(self.examples[0])

    def predict(self, examples: Sequence[Example]) -> list[Prediction | None]:
        """Predict examples through the queue, which caches predictions."""
        return list(self.context.predict(examples))

    def predicted(self, example: Example) -> Prediction:
        """Predict one text.

        Raises:
            ModelError: The model returned no finite numbers.
        """
        (found,) = self.predict([example])
        if found is None:
            raise ModelError("the model gave no finite numbers for this text.")
        return found

    def look(self, example: Example) -> Json:
        """Return the prediction for a text and, with gradients, the numbers that are quick to compute.

        Returns:
            The model's prediction. With gradients also λmax (the largest eigenvalue of the Fisher information), the
            distance to the decision boundary, and for each word its part in the unit eigenvector e, ‖e_word‖²; these
            sum to 1.
        """
        prediction = self.predicted(example)
        told: Json = {
            "model": self.name,
            "label": prediction.shown,
            "labels": list(prediction.labels),
            "probabilities": list(prediction.probabilities),
            "margin": prediction.lead if len(prediction.labels) > 1 else None,
            "read_in_part": windows(self.context.model, [example]) not in (None, [None]),
            "reason": self.no_gradients,
        }
        if not self.no_gradients:
            (point,) = self.context.geometry.at([example])
            lengths = (point.eigenvector**2).sum(1).tolist()
            told |= {
                "lambda_max": point.lambda_max,
                "distance": point.distance,
                "words": _words(example, gather_words(example, self._spans(example), lengths)),
            }
        return told

    def explain(self, example: Example, *, fine: bool = False) -> Json:
        """Return the importance of each word for the predicted label.

        Args:
            example: The text.
            fine: Whether the integrated gradients use as many points as in a suite's run. Otherwise a few points are
                used, quick enough while a person types; ``delta`` in the result is the error of the sum of importances.

        Raises:
            ModelError: The model has no gradients, or a library is missing.
        """
        name = f"attribution, fine {fine}"
        if name not in self._made:
            offered = self.part.manager.shared("attribution")
            if offered is None:
                raise ModelError("no loaded plugin measures the importance of words.")
            coarse = not fine and "steps" in signature(offered).parameters
            self._made[name] = offered(steps=_POINTS) if coarse else offered()
        (found,) = self._made[name].explain([example], self.context.model)
        return {
            "model": self.name,
            "points": getattr(self._made[name], "steps", None),
            "fine": fine,
            "change": found.change,
            "delta": found.delta,
            "words": _words(example, found.words),
        }

    def steps(self, example: Example) -> Json:
        """Predict a text's label while its embedding moves in steps along the eigenvector, in both directions.

        Returns:
            The signed lengths of the steps, and the probabilities ``[norms, classes]``; ``+`` is the direction in which
            the predicted label loses probability.

        Raises:
            ModelError: The model has no gradients.
        """
        from robustfim.candidate import Candidate, Step

        (point,) = self.context.geometry.at([example])
        farthest = 2.5 * point.distance
        if not (math.isfinite(farthest) and 0 < farthest < _FARTHEST):
            farthest = _FARTHEST
        norms = [farthest * place / _STEPS for place in range(-_STEPS, _STEPS + 1)]
        moved = [Candidate(example, step=Step("eigenvector", norm)) for norm in norms]
        rows = self.prepared("eigenvector").predict(moved)
        return {
            "model": self.name,
            "labels": list(self.context.model.labels),
            "norms": norms,
            "probabilities": [[*map(float, row)] for row in rows],
        }

    def prepared(self, name: str) -> PerturbationPart:
        """Return a perturbation after its ``prepare``; each perturbation is made once."""
        if name not in self._made:
            self._made[name] = named_part("perturbations", name, self.part.manager, "explore").make()
            self._made[name].prepare(self.context)
        made: PerturbationPart = self._made[name]
        return made

    def _spans(self, example: Example) -> list[tuple[str, int, int] | None]:
        embedded = cast("DifferentiableModel", self.context.model).embed([example])
        read = embedded.mask[0].tolist()
        return [span for span, kept in zip(embedded.spans[0], read, strict=False) if kept]


def _words(example: Example, words: Iterable[WordImportance]) -> list[list[Any]]:
    """Write words for the page: their fields, their ends as a browser counts, their values."""
    texts = example.fields
    return [
        [word.field, *(utf16_length(texts[word.field][:end]) for end in (word.start, word.end)), word.value]
        for word in words
    ]
