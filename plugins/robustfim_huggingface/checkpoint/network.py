"""A checkpoint's tokenizer and model in memory, which map texts to logits."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from scipy.special import expit, softmax
from torch import Tensor, nn
from torch.nn.attention import SDPBackend, sdpa_kernel

from robustfim.errors import ModelError
from robustfim.roles import Embedded
from robustfim_checkpoints.folder import Checkpoint
from robustfim_checkpoints.library import torch_device
from robustfim_checkpoints.loading import load_model, load_tokenizer
from robustfim_huggingface.checkpoint.input_table import InputTable
from robustfim_huggingface.checkpoint.reading import Reading

__all__ = ["Network"]


class Network:
    """A classifier in memory, in evaluation mode, with frozen weights.

    Args:
        checkpoint: The saved model.
        classes: The number of labels.
        max_length: The largest number of tokens read; None for the model's own limit.
        device: A torch device, or ``auto``.
        dtype: The precision of weights and activations.

    Attributes:
        reading: The tokenizer, with the largest number of tokens that the model reads.

    Raises:
        ModelError: The model cannot be loaded.
        UsageError: ``max_length`` is more than the model can read, or leaves no room for a token.
    """

    auto = "AutoModelForSequenceClassification"
    """The class of transformers that knows the architectures."""
    _several = False
    """Whether each label is told by itself."""

    def __init__(
        self, checkpoint: Checkpoint, *, classes: int, max_length: int | None, device: str, dtype: str
    ) -> None:
        self._name, self._classes, self._several = checkpoint.name, classes, checkpoint.several
        self.device = torch_device(device)
        tokenizer = load_tokenizer(checkpoint)
        self._model: nn.Module = load_model(checkpoint, getattr(torch, dtype), tokenizer, self.auto).to(self.device)
        self.reading = Reading(tokenizer, self._model, max_length, self._name)
        self._accepted = frozenset(inspect.signature(self._model.forward).parameters)

    def probabilities(
        self, texts: Sequence[str], pairs: Sequence[str] | None, batch_size: int
    ) -> npt.NDArray[np.float64]:
        """Return probabilities ``[texts, classes]``; a row is NaN if its text has no token."""
        logits = self.outputs(texts, pairs, batch_size)
        return np.asarray(expit(logits) if self._several else softmax(logits, axis=-1))

    def outputs(self, texts: Sequence[str], pairs: Sequence[str] | None, batch_size: int) -> npt.NDArray[np.float64]:
        """Return the classifier head's raw outputs ``[texts, classes]``; a row is NaN if the text has no token."""
        rows = np.full((len(texts), self._classes), np.nan)
        for start in range(0, len(texts), batch_size):
            batch = slice(start, start + batch_size)
            encoding = self.reading.encode(texts[batch], None if pairs is None else pairs[batch])
            readable = encoding["attention_mask"].any(1)
            if readable.any():
                read = {name: tensor[readable] for name, tensor in encoding.items()}
                rows[batch][readable.numpy()] = self._computed(self._inputs(read))
        return rows

    def embed(self, texts: Sequence[str], pairs: Sequence[str] | None, fields: Sequence[tuple[str, ...]]) -> Embedded:
        """Return the input embeddings of a batch, with the place of each token in its text."""
        encoding = self.reading.encode(texts, pairs, special=True)
        mask = encoding["attention_mask"].bool()
        if empty := [text for text, row in zip(texts, mask, strict=True) if not row.any()]:
            raise ModelError(f"model {self._name}: its tokenizer makes no token of {empty[0]!r}.")
        inputs = self._inputs(encoding)
        return Embedded(
            embeddings=self._table(inputs["input_ids"]),
            mask=mask.to(self.device),
            special=(encoding["special_tokens_mask"].bool() & mask).to(self.device),
            spans=self.reading.spans(encoding, texts, pairs, fields),
            inputs=inputs,
        )

    def logits(self, embeddings: Tensor, embedded: Embedded) -> Tensor:
        """Return logits ``[batch, classes]``, float32 or finer."""
        ids = embedded.inputs["input_ids"].flatten(0, -2)
        # Of the kernels for attention, only the plain one has second and forward-mode derivatives.
        with self._table.exchanged(ids, embeddings.reshape(*ids.shape, -1)), sdpa_kernel(SDPBackend.MATH):
            logits = self._forward(embedded.inputs)
        return logits.float() if logits.dtype in (torch.float16, torch.bfloat16) else logits

    @property
    def module(self) -> nn.Module:
        """The torch module, to train or save."""
        return self._model

    def training_logits(self, texts: Sequence[str], pairs: Sequence[str] | None) -> Tensor:
        """Return logits ``[texts, classes]``, with gradients to the weights that require them."""
        return self._forward(self._inputs(self.reading.encode(texts, pairs)))

    @cached_property
    def _table(self) -> InputTable:
        return InputTable(self._model, self._name)

    def _inputs(self, encoding: Any) -> dict[str, Tensor]:
        """Keep what the model's forward pass takes; a tokenizer may know more than its model."""
        return {name: encoding[name].to(self.device) for name in encoding if name in self._accepted}

    def _forward(self, inputs: dict[str, Tensor]) -> Tensor:
        logits: Tensor = self._model(**inputs).logits
        if logits.shape[-1] != self._classes:
            raise ModelError(
                f"model {self._name} gives {logits.shape[-1]} logits, but config.json names {self._classes} labels."
            )
        return logits

    def _computed(self, inputs: dict[str, Tensor]) -> npt.NDArray[np.float64]:
        """Compute logits ``[batch, classes]`` as an array."""
        with torch.inference_mode():
            logits = self._forward(inputs)
        # float64 only after the way to the CPU: not every accelerator has it; NumPy wakes no threads for it.
        return np.asarray(logits.float().cpu().numpy(), np.float64)
