"""The network of a SetFit model, which maps tokens to a sentence embedding and the embedding to logits."""

from __future__ import annotations

import inspect
from types import SimpleNamespace
from typing import Any

import torch
from torch import Tensor, nn

from robustfim.errors import ModelError, UsageError
from robustfim_checkpoints.folder import Checkpoint
from robustfim_checkpoints.library import library, reason, torch_device
from robustfim_huggingface.checkpoint.network import Network
from robustfim_huggingface.checkpoint.reading import Reading
from robustfim_huggingface.setfit.head import Head

__all__ = ["SetFitNetwork"]


class SetFitNetwork(Network):
    """A sentence transformer and its head in memory, in evaluation mode, with frozen weights.

    Args:
        checkpoint: The saved sentence transformer.
        classes: The number of labels.
        max_length: The largest number of tokens read; None for the sentence transformer's own limit.
        device: A torch device, or ``auto``.
        dtype: The precision of weights and activations.
        head: The logistic regression.
        normalised: Whether embeddings are scaled to length 1 before the head.

    Raises:
        ModelError: The model cannot be loaded, or adds a prompt to its texts.
        UsageError: ``max_length`` is more than the model can read.
    """

    def __init__(
        self,
        checkpoint: Checkpoint,
        *,
        classes: int,
        max_length: int | None,
        device: str,
        dtype: str,
        head: Head,
        normalised: bool,
    ) -> None:
        self._name, self._classes, self.device = checkpoint.name, classes, torch_device(device)
        sentences = library("sentence_transformers", extra="setfit")
        try:
            body = sentences.SentenceTransformer(
                str(checkpoint.folder), device=str(self.device), local_files_only=True, trust_remote_code=False
            )
        except Exception as error:  # sentence-transformers and transformers raise anything on a broken file
            raise ModelError(f"model {self._name} cannot be loaded: {reason(error)}") from error
        if body.default_prompt_name is not None:
            raise ModelError(
                f"model {self._name} puts a prompt, {body.default_prompt_name!r}, before each text: call it from "
                "your own function, with 'use: python'."
            )
        if max_length is not None and max_length > body.max_seq_length:
            raise UsageError(f"{max_length=} is more than model {self._name} can read: {body.max_seq_length} tokens.")
        whole = _Classifier(body, head, normalised).to(self.device, getattr(torch, dtype))
        self._model = whole.eval().requires_grad_(False)
        self.reading = Reading(body.tokenizer, whole.body, max_length or body.max_seq_length, self._name)
        self._accepted = frozenset(inspect.signature(whole.body.forward).parameters)


class _Classifier(nn.Module):
    """Embeds a batch and applies the head; its output has ``logits``, as that of a transformers model."""

    def __init__(self, sentences: Any, head: Head, normalised: bool) -> None:
        super().__init__()
        self.sentences, self._normalised = sentences, normalised
        self.head = nn.Linear(head.weights.shape[1], head.weights.shape[0])
        self.head.weight.data = torch.tensor(head.weights, dtype=torch.float32)
        self.head.bias.data = torch.tensor(head.bias, dtype=torch.float32)

    @property
    def body(self) -> Any:
        """The transformers model."""
        return self.sentences[0].auto_model

    def get_input_embeddings(self) -> Any:
        """Return its table of token embeddings."""
        return self.body.get_input_embeddings()

    def forward(self, **inputs: Tensor) -> SimpleNamespace:
        """Map token ids ``[batch, tokens]`` to logits ``[batch, classes]``."""
        embedding = self.sentences(dict(inputs))["sentence_embedding"]
        if self._normalised:
            embedding = nn.functional.normalize(embedding, dim=-1)
        return SimpleNamespace(logits=self.head(embedding))
