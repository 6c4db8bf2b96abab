"""A live model: what it says of a text that a person has just typed, and why."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from inspect import signature
from typing import TYPE_CHECKING, Any, cast

from robustfim.collect import named_part
from robustfim.errors import ModelError, UsageError
from robustfim.example import Example
from robustfim.importance import gather_words
from robustfim.parts import PerturbationPart
from robustfim.window import windows

if TYPE_CHECKING:
    from robustfim.collect import Named
    from robustfim.prediction import Prediction
    from robustfim.roles import Context, DifferentiableModel

__all__ = ["LiveModel", "NoPrediction", "number", "typed"]

_STEPS = 20
"""Norms that are looked at on each side of a text, along its eigenvector."""

_POINTS = 8
"""Points of the path by which words are weighed while a person types."""

_FARTHEST = 4.0
"""The longest step, where the boundary is far or nowhere, in units of the embedding."""


class NoPrediction(ModelError):
    """The model gave no finite numbers for a text."""


@dataclass
class LiveModel:
    """A model that is loaded, with what a run offers to its plugins.

    Not safe to be asked by several threads: the desk asks from one.

    Attributes:
        part: How the suite names it.
        name: What it is called where there are several; else its name in the suite.
        examples: The examples of the run.
        seed: The seed of whatever is random.
        offline: Whether nothing may be fetched.
    """

    part: Named
    name: str
    examples: Sequence[Example]
    seed: int = 0
    offline: bool = False
    _made: dict[str, Any] = field(default_factory=dict)

    @cached_property
    def context(self) -> Context:
        """The model's predictions and gradients; made, and the model loaded, when it is first asked for.

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
        """A hash of everything that decides its predictions."""
        return self.context.model.fingerprint

    @cached_property
    def no_gradients(self) -> str:
        """Why nothing can be told of λmax; empty where it can."""
        try:
            _ = self.context.geometry
        except ModelError as error:
            return str(error)
        return ""

    def warm(self) -> None:
        """Look at one example, so that the first text that is typed does not wait for what is made once."""
        if self.examples:
            self.look(self.examples[0])

    def predict(self, examples: Sequence[Example]) -> list[Prediction | None]:
        """Predict through the queue, which keeps what was asked before."""
        return list(self.context.predict(examples))

    def predicted(self, example: Example) -> Prediction:
        """Predict one text.

        Raises:
            NoPrediction: The model gave no finite numbers.
        """
        (found,) = self.predict([example])
        if found is None:
            raise NoPrediction("the model gave no finite numbers for this text.")
        return found

    def look(self, example: Example) -> dict[str, Any]:
        """Tell all that is quick to tell of a text.

        Returns:
            What the model predicts, and with gradients λmax, the distance to the boundary and the share of the
            eigenvector that lies at each word: ‖e_word‖², which sum to 1.
        """
        prediction = self.predicted(example)
        told: dict[str, Any] = {
            "model": self.name,
            "label": prediction.shown,
            "labels": list(prediction.labels),
            "probabilities": [number(each) for each in prediction.probabilities],
            "margin": number(prediction.lead) if len(prediction.labels) > 1 else None,
            "read_in_part": windows(self.context.model, [example]) not in (None, [None]),
            "reason": self.no_gradients,
        }
        if not self.no_gradients:
            (point,) = self.context.geometry.at([example])
            lengths = (point.eigenvector**2).sum(1).tolist()
            told |= {
                "lambda_max": number(point.lambda_max),
                "distance": number(point.distance),
                "words": [
                    [each.field, *_units(example.fields[each.field], each.start, each.end), number(each.value)]
                    for each in gather_words(example, self._spans(example), lengths)
                ],
            }
        return told

    def explain(self, example: Example, *, fine: bool = False) -> dict[str, Any]:
        """Tell how much each word speaks for the predicted label.

        Args:
            example: The text.
            fine: By as many points of the path as a suite's run takes, instead of the few that do while a person
                types; ``delta`` tells what these miss.

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
            "change": number(found.change),
            "delta": number(found.delta),
            "words": [
                [each.field, *_units(example.fields[each.field], each.start, each.end), number(each.value)]
                for each in found.words
            ],
        }

    def steps(self, example: Example) -> dict[str, Any]:
        """Predict a text at steps along its eigenvector, both ways.

        Returns:
            The signed norms, and the probabilities ``[norms, classes]``; ``+`` is the way in which the predicted label
            loses.

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
            "probabilities": [[number(float(each)) for each in row] for row in rows],
        }

    def prepared(self, name: str) -> PerturbationPart:
        """Return a perturbation that has seen the run, made once."""
        if name not in self._made:
            self._made[name] = named_part("perturbations", name, self.part.manager, "explore").make()
            self._made[name].prepare(self.context)
        made: PerturbationPart = self._made[name]
        return made

    def _spans(self, example: Example) -> list[tuple[str, int, int] | None]:
        embedded = cast("DifferentiableModel", self.context.model).embed([example])
        read = embedded.mask[0].tolist()
        return [span for span, kept in zip(embedded.spans[0], read, strict=False) if kept]


def number(value: float) -> float | None:
    """Return a number that JSON can hold; None for one that is not finite."""
    return value if math.isfinite(value) else None


def _units(text: str, start: int, end: int) -> tuple[int, int]:
    """Count characters as a browser does, in UTF-16 code units."""
    if text.isascii():
        return start, end
    before, inside = (len(part.encode("utf-16-le", "surrogatepass")) // 2 for part in (text[:start], text[start:end]))
    return before, before + inside


def typed(fields: Any, names: Sequence[str]) -> Example:
    """Make an example of what a person typed.

    Args:
        fields: Field name to text.
        names: The fields of the run's examples; empty where none are known.

    Raises:
        UsageError: It is no such mapping, a field is missing or unknown, or all are empty.
    """
    if not isinstance(fields, Mapping) or not all(isinstance(each, str) for each in (*fields, *fields.values())):
        raise UsageError("fields: a mapping of names to texts is needed.")
    if names and set(fields) != set(names):
        raise UsageError(f"fields: {', '.join(map(repr, fields))} are not the fields of the run: {', '.join(names)}.")
    if not any(text.strip() for text in fields.values()):
        raise UsageError("the text is empty.")
    return Example({name: fields[name] for name in names or fields})
