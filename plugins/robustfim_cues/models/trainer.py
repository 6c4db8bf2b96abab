"""The trainer of the bag-of-words model, for studies that train a model."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

from pydantic import PositiveInt

from robustfim.errors import DataError
from robustfim.example import Example
from robustfim.whole_file import write_whole
from robustfim_cues.choices.choice import alternatives, is_choice
from robustfim_cues.models.bag_of_words import BagOfWords
from robustfim_cues.models.features import features
from robustfim_cues.models.linear import LinearModel

__all__ = ["BagOfWordsTrainer"]

_DIGITS = 5


class BagOfWordsTrainer:
    """Trains the bag-of-words model that chooses between two alternatives.

    The loss has a single minimum, so the weights depend neither on the seed nor on development data. Needs ``pip
    install 'robustfim[cues]'``.

    Args:
        minimum: The smallest number of alternatives in which a feature stands; rarer ones are left out, so that the
            weights do not reveal the training sentences.
    """

    libraries: ClassVar = {"sklearn": "robustfim[cues]"}

    def __init__(self, minimum: PositiveInt = 3) -> None:
        self._minimum = minimum

    def train(
        self, examples: Sequence[Example], dev: Sequence[Example], folder: Path, *, seed: int,
        report: Callable[[str], None],
    ) -> Mapping[str, Any]:  # fmt: skip
        """Train a bag-of-words model on choices, and write the weights to a folder, without a model card."""
        if not examples or not all(is_choice(example.fields) for example in examples):
            raise DataError(
                "this trainer learns from choices between two alternatives, the fields choice1 and choice2."
            )
        known = _write_weights(examples, folder, minimum=self._minimum)
        model = BagOfWords(folder)
        right = sum(
            model.labels[int(first < second)] == example.label
            for (first, second), example in zip(model.predict(dev), dev, strict=True)
        )
        report(f"{known} features, dev accuracy {right} of {len(dev)}")
        return {"use": "cues/bag-of-words", "path": str(folder)}


def _write_weights(examples: Sequence[Example], folder: Path, *, minimum: int) -> int:
    """Train on all examples, write ``weights.json``, and return the number of features with a weight."""
    if any(example.label is None for example in examples):
        raise DataError("an instance has no gold label to learn from.")
    counts = Counter(
        feature
        for example in examples
        for text in set(alternatives(example))
        for feature in features(example.fields, text)
    )
    weights = {
        feature: round(weight, _DIGITS)
        for feature, weight in sorted(LinearModel().fit(examples).weights.items())
        if counts[feature] >= minimum and round(weight, _DIGITS)
    }
    write_whole(folder / "weights.json", json.dumps({"weights": weights}, ensure_ascii=False, indent=0).encode())
    return len(weights)
