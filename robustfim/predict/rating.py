"""Wrappers for a model that gives numbers: one answers with the number, one chooses between two texts."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from robustfim.contract import ModelContract
from robustfim.decision import OrderRule
from robustfim.errors import ModelError, shown
from robustfim.example import Example
from robustfim.members import Wrapper
from robustfim.parts import ModelPart
from robustfim.predict.answerer import Answerer, Answers
from robustfim.predict.tagging import Tagging
from robustfim.spans import is_tagger

__all__ = ["Ordering", "Rating", "answering", "is_rating"]


class Rating(Answerer):
    """A wrapper around a model that returns numbers, which gives each number as an answer with six digits.

    A number that is not finite counts as a missing answer.
    """

    def _asked(self, examples: Sequence[Example]) -> Any:
        return self.wrapped.rate(examples)

    def _answers(self, found: Any, examples: Sequence[Example]) -> Answers:
        numbers = _numbers(found, len(examples))
        return [[(f"{number:.6g}", 1.0)] if math.isfinite(number) else [] for number in numbers]


class Ordering(Wrapper):
    """A wrapper around a model that rates texts, which chooses the text with the larger number of two.

    With r the number of the first text and s that of the second, the probability of the first is 1 / (1 + e^(s − r))
    (Bradley and Terry 1952), as in the training of reward models.

    Args:
        wrapped: A model that answers with numbers.
        rule: The rule that names the fields of the texts.
    """

    answer = tag = rate = None
    """Removed, since the wrapper chooses among labels."""
    window = stream = None
    """Removed, since the wrapped model is asked about other examples, two for each."""

    def __init__(self, wrapped: Rating, rule: OrderRule) -> None:
        super().__init__(wrapped.wrapped)
        self.order = rule

    @property
    def contract(self) -> ModelContract:
        """The contract of the wrapped model, with half as many texts per call."""
        contract = ModelPart(self.wrapped).contract
        size = contract.batch_size
        return contract if size is None else replace(contract, batch_size=max(1, size // 2))

    @property
    def labels(self) -> tuple[str, ...]:
        """The names of the two fields."""
        return self.order.fields

    @property
    def fingerprint(self) -> str:
        """The fingerprint of the model together with the fields."""
        return f"{self.wrapped.fingerprint} orders {', '.join(self.order.fields)}"

    def predict(self, examples: Sequence[Example]) -> list[list[float]]:
        """Compare the two texts of each example.

        Returns:
            Probabilities ``[examples, 2]``; NaN if a text has no number.

        Raises:
            ModelError: An example lacks one of the two fields, or the model gave no numbers.
        """
        numbers = _numbers(self.wrapped.rate(self._texts(examples)), 2 * len(examples))
        gaps = [first - second for first, second in zip(numbers[::2], numbers[1::2], strict=True)]
        return [[_logistic(gap), _logistic(-gap)] for gap in gaps]

    def _texts(self, examples: Sequence[Example]) -> list[Example]:
        for example in examples:
            if missing := [name for name in self.order.fields if name not in example.fields]:
                raise ModelError(
                    f"'decide.order' names the field {missing[0]!r}, and an example has only the fields "
                    f"{', '.join(example.fields)}."
                )
        return [Example({"text": example.fields[name]}) for example in examples for name in self.order.fields]


def _numbers(answered: Any, expected: int) -> list[float]:
    """Read a batch of numbers; NaN where there is none."""
    try:
        numbers = [math.nan if number is None else float(number) for number in answered]
    except (TypeError, ValueError) as error:
        raise ModelError(
            f"the model must give a number for each text, or None: {error}, of {shown(answered)}."
        ) from error
    if len(numbers) != expected:
        raise ModelError(f"the model gave {len(numbers)} numbers for {expected} texts.")
    return numbers


def _logistic(gap: float) -> float:
    return 1 / (1 + math.exp(-gap)) if gap > -700 else math.exp(max(-745.0, gap))


def is_rating(model: object) -> bool:
    """Return whether a model gives numbers: whether it has a method ``rate``."""
    return callable(getattr(model, "rate", None))


def answering(model: Any) -> Any:
    """Wrap a tagger, or a model that returns numbers, as a model that answers in text; return others unchanged."""
    if isinstance(model, Wrapper):  # what stands in place of a model stays
        return model
    return Tagging(model) if is_tagger(model) else Rating(model) if is_rating(model) else model
