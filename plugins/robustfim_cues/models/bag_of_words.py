"""A bag of words that chooses between two alternatives."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from functools import cached_property
from importlib.resources import files
from math import exp, isfinite
from pathlib import Path
from typing import Any

from robustfim.errors import ModelError, UsageError
from robustfim.example import Example
from robustfim_cues.choices.choice import LABELS, alternatives
from robustfim_cues.models.features import features

__all__ = ["BagOfWords"]


class BagOfWords:
    """A linear model of choices: words of an alternative, alone and combined with words of the premise.

    The model chooses the alternative with the larger sum of weights. The shipped model was trained on the 400 original
    instances of COPA and relies on their cues, as an example of a model that should fail. Its model card gives its
    accuracy.

    Args:
        path: A folder written by the trainer ``cues/bag-of-words``; by default the shipped model.

    Raises:
        UsageError: The folder has no weights.
    """

    labels = LABELS

    def __init__(self, path: Path | None = None) -> None:
        if path is not None and not (path / "weights.json").is_file():
            raise UsageError(f"{path} holds no weights.json; the trainer 'cues/bag-of-words' writes one.")
        self._path = path

    @cached_property
    def _text(self) -> str:
        folder = self._path or files("robustfim_cues") / "weights"
        return (folder / "weights.json").read_text(encoding="utf-8")

    @cached_property
    def _weights(self) -> dict[str, float]:
        place = self._path or "the bag of words that ships"
        try:
            weights = json.loads(self._text)["weights"]
            if all(isfinite(weight) for weight in weights.values()):
                return {str(name): float(weight) for name, weight in weights.items()}
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise ModelError(f"{place}: weights.json is malformed: {type(error).__name__}: {error}.") from error
        raise ModelError(f"{place}: a weight is not finite.")

    @cached_property
    def fingerprint(self) -> str:
        """Return the SHA-256 of the weights."""
        return hashlib.sha256(self._text.encode()).hexdigest()

    def predict(self, examples: Sequence[Example]) -> Any:
        """Predict choices.

        Returns:
            Probabilities ``[examples, 2]`` that the first and the second alternative are right.
        """
        rows = []
        for example in examples:
            first, second = (self._score(example, text) for text in alternatives(example))
            p = 1 / (1 + exp(min(700.0, second - first)))
            rows.append([p, 1 - p])
        return rows

    def _score(self, example: Example, alternative: str) -> float:
        # Sorted, since a sum of floats depends on its order and a set has none.
        return sum(self._weights.get(name, 0.0) for name in sorted(features(example.fields, alternative)))
