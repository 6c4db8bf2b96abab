"""Train the bag-of-words model that chooses between two alternatives."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from robustfim.errors import DataError
from robustfim.example import Example
from robustfim.whole_file import write_whole
from robustfim_cues.choices.choice import alternatives
from robustfim_cues.models.features import features
from robustfim_cues.models.linear import LinearModel
from robustfim_cues.models.partial_input import partial_input

__all__ = ["train_bag_of_words", "write_weights"]

_DIGITS = 5


def train_bag_of_words(examples: Sequence[Example], name: str, folder: Path, *, minimum: int = 3, seed: int = 0) -> str:
    """Train and cross-validate a bag-of-words model of choices, and write the weights with a model card.

    Args:
        examples: Labelled choices.
        name: The name of the data, for the model card.
        folder: Where to write ``weights.json`` and ``MODEL_CARD.md``.
        minimum: The smallest number of alternatives with a feature. Rarer features are left out, so that the weights do
            not reveal the training sentences.
        seed: The seed of the folds.

    Returns:
        The cross-validated accuracy as text.

    Raises:
        DataError: A gold label is missing, or there are too few examples.
    """
    found = partial_input(examples, seed=seed)
    weights = write_weights(examples, folder, minimum=minimum)
    sentence = f"{found.rate}, cross-validated"
    card = _CARD.format(
        name=name, examples=len(examples), told=sentence, features=weights, minimum=minimum,
        mirrored=sum(bool(example.meta.get("mirrored")) for example in examples),
    )  # fmt: skip
    write_whole(folder / "MODEL_CARD.md", card.encode())
    return sentence


def write_weights(examples: Sequence[Example], folder: Path, *, minimum: int) -> int:
    """Train a bag-of-words model on all examples, and write ``weights.json``.

    Args:
        examples: Labelled choices.
        folder: Where to write ``weights.json``.
        minimum: The smallest number of alternatives with a feature; rarer features are left out.

    Returns:
        The number of features with a weight.

    Raises:
        DataError: A gold label is missing.
    """
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


_CARD = """# A bag of words that chooses

A logistic regression that scores each of two alternatives by the words in it, alone, with the question, and with each
word of the premise. It has no idea of order, sense or cause: it is there to be caught by checks for superficial cues.

- Learned from: {name}, {examples} instances, {mirrored} of them mirrored.
- Accuracy: {told} (chance: 50 %); before rare features were left out.
- Weights: {features}, of features in at least {minimum} alternatives.
- Made by: `robustfim cues train`.
"""
