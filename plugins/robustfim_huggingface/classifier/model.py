"""Sequence classification with any model of ``AutoModelForSequenceClassification``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any, Unpack

from robustfim.contract import ModelContract
from robustfim.example import Example
from robustfim.roles import Embedded
from robustfim_huggingface.checkpoint.saved_model import Loading
from robustfim_huggingface.classifier.labels import label_names
from robustfim_huggingface.classifier.text_model import TextModel

__all__ = ["SequenceClassifier"]


class SequenceClassifier(TextModel):
    """A Hugging Face text classifier, from a folder or from the hub.

    Every architecture of ``AutoModelForSequenceClassification`` with safetensors weights works. Code of a model is
    never run, and pickles are never loaded. The model is loaded at the first prediction. Needs ``pip install
    'robustfim[huggingface]'``.

    Args:
        labels: Names of the classes: all in order (a list), or new names for some, by old name or number (a mapping).
    """

    def __init__(
        self,
        path: Path | str,
        text: str | None = None,
        pair: str | None = None,
        labels: dict[str, str] | list[str] | None = None,
        **loading: Unpack[Loading],
    ) -> None:
        self._names = labels
        super().__init__(path, text, pair, **loading)

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """The labels, in the order of the columns of ``predict``."""
        return label_names(self._checkpoint.config, self._names, self._checkpoint.name)

    @property
    def contract(self) -> ModelContract:
        """The model's contract: the number of texts in a call, and whether each label is predicted independently."""
        return replace(super().contract, several=self._checkpoint.several)

    def _deciding(self) -> list[object]:
        return ["huggingface", self._checkpoint.digest, self.labels, *self._reading()]

    def predict(self, examples: Sequence[Example]) -> Any:
        """Return the class probabilities of examples, in batches of ``batch_size``.

        Returns:
            Probabilities ``[examples, classes]``, a float64 array. A row sums to 1 unless the model predicts each label
            independently. A row is NaN if a logit is NaN, or if the text has no token.
        """
        texts, pairs, _ = self._columns(examples)
        return self.network.probabilities(texts, pairs, self._batch_size)

    def embed(self, examples: Sequence[Example]) -> Embedded:
        """Return the input embeddings of a batch, all in one forward pass.

        Returns:
            Embeddings, masks and spans. Each tensor of ``inputs`` has the batch as its first dimension.
        """
        return self.network.embed(*self._columns(examples))

    def logits(self, embeddings: Any, embedded: Embedded) -> Any:
        """Map input embeddings to logits, differentiably and without dropout."""
        return self.network.logits(embeddings, embedded)

    def training_logits(self, examples: Sequence[Example]) -> Any:
        """Return logits ``[examples, classes]``, with gradients to the weights."""
        texts, pairs, _ = self._columns(examples)
        return self.network.training_logits(texts, pairs)
