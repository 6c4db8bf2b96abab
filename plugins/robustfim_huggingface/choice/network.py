"""The network of a multiple choice model, which gives each alternative of a context a logit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.special import softmax
from torch import Tensor

from robustfim.errors import ModelError
from robustfim.roles import Embedded
from robustfim_huggingface.checkpoint.network import Network
from robustfim_huggingface.choice.choice import Choice

__all__ = ["ChoiceNetwork"]


class ChoiceNetwork(Network):
    """A multiple choice model in memory, which reads the context once with each of ``classes`` alternatives.

    Its input x ``[alternatives · tokens, dims]`` has the tokens of the context and the first alternative, then the
    tokens of the context and the second alternative, and so on.
    """

    auto = "AutoModelForMultipleChoice"

    def choose(self, choices: Sequence[Choice], batch_size: int) -> npt.NDArray[np.float64]:
        """Return probabilities ``[choices, alternatives]``."""
        rows = np.empty((len(choices), self._classes))
        for start in range(0, len(choices), batch_size):
            _, inputs = self._read(choices[start : start + batch_size])
            rows[start : start + batch_size] = self._computed(inputs)
        return np.asarray(softmax(rows, axis=-1))

    def embed_choices(self, choices: Sequence[Choice]) -> Embedded:
        """Return the input embeddings of a batch, ``[batch, alternatives · tokens, dims]``."""
        encoding, inputs = self._read(choices)
        size = len(choices)
        mask = encoding["attention_mask"].bool()
        if not mask.any(dim=1).all():
            raise ModelError(f"model {self._name}: its tokenizer makes no token of a context and alternative.")
        texts, pairs = _columns(choices)
        names = [("", name) for choice in choices for name, _ in choice.alternatives]
        placed = self.reading.spans(encoding, texts, pairs, names)
        spans = [
            [choice.place(span) for side in range(self._classes) for span in placed[row * self._classes + side]]
            for row, choice in enumerate(choices)
        ]
        ids = inputs["input_ids"].flatten(0, 1)
        special = encoding["special_tokens_mask"].bool() & mask
        return Embedded(
            embeddings=self._table(ids).reshape(size, self._classes * ids.shape[1], -1),
            mask=mask.view(size, -1).to(self.device),
            special=special.view(size, -1).to(self.device),
            spans=spans,
            inputs=inputs,
        )

    def training_choice_logits(self, choices: Sequence[Choice]) -> Tensor:
        """Return logits ``[choices, alternatives]``, with gradients to the weights."""
        return self._forward(self._read(choices)[1])

    def too_long(self, choices: Sequence[Choice]) -> list[bool]:
        """Return for each choice whether the context with an alternative is truncated."""
        cut = self.reading.overlong(*_columns(choices))
        return [any(cut[row * self._classes : (row + 1) * self._classes]) for row in range(len(choices))]

    def _read(self, choices: Sequence[Choice]) -> tuple[Any, dict[str, Tensor]]:
        """Tokenize: the encoding ``[batch · alternatives, tokens]``, the inputs ``[batch, alternatives, tokens]``."""
        encoding = self.reading.encode(*_columns(choices), special=True)
        inputs = self._inputs(encoding)
        return encoding, {name: tensor.view(len(choices), self._classes, -1) for name, tensor in inputs.items()}


def _columns(choices: Sequence[Choice]) -> tuple[list[str], list[str]]:
    """The context once an alternative, and the alternatives."""
    texts = [choice.text for choice in choices for _ in choice.alternatives]
    return texts, [text for choice in choices for _, text in choice.alternatives]
