"""The table of a model's token embeddings, whose lookups can be replaced."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import torch
from torch import Tensor, nn

from robustfim.errors import ModelError

__all__ = ["InputTable"]


class InputTable:
    """The token embeddings of a transformers model, and every module that looks them up.

    The argument ``inputs_embeds`` of transformers is not sufficient. Given embeddings, a causal classifier (GPT-2,
    Llama…) no longer finds the last token before the padding, RoBERTa counts padding as positions, and BART and T5
    refuse. Therefore the forward pass gets the token ids, and only the result of the lookup is replaced. Every
    architecture then computes the same as in a prediction.

    Raises:
        ModelError: The model has no table of token embeddings.
    """

    def __init__(self, model: nn.Module, name: str) -> None:
        self._name = name
        try:
            table: Any = model.get_input_embeddings()  # type: ignore[operator]  # nn.Module declares attributes as modules
        except NotImplementedError:
            table = None
        if not isinstance(table, nn.Embedding):
            raise ModelError(
                f"model {name} ({type(model).__name__}) has no table of token embeddings, so it has no gradients. "
                "Predictions work."
            )
        # An encoder and its decoder may each wrap the same weight in a module of their own.
        self._lookups = [
            module for module in model.modules() if isinstance(module, nn.Embedding) and module.weight is table.weight
        ]
        self._table = self._lookups[0]

    def __call__(self, ids: Tensor) -> Tensor:
        """Look up tokens, ``[batch, tokens]`` to ``[batch, tokens, dims]``, detached."""
        with torch.no_grad():
            found: Tensor = self._table(ids)
        return found.detach()

    @contextmanager
    def exchanged(self, ids: Tensor, embeddings: Tensor) -> Iterator[None]:
        """Inside the ``with`` block, make the model's embedding lookup of ``ids`` return ``embeddings``.

        Args:
            ids: The token ids given to the model, ``[batch, tokens]``.
            embeddings: ``[batch, tokens, dims]``.

        Raises:
            ModelError: The forward pass never looked up these tokens.
        """
        exchanges = 0

        def exchange(_: nn.Module, inputs: tuple[Tensor, ...], found: Tensor) -> Tensor:
            nonlocal exchanges
            arranged = _arranged(inputs[0], found, ids, embeddings)
            exchanges += arranged is not found
            return arranged

        handles = [lookup.register_forward_hook(exchange) for lookup in self._lookups]
        try:
            yield
        finally:
            for handle in handles:
                handle.remove()
        if not exchanges:
            raise ModelError(
                f"model {self._name} finds its token embeddings in a way that robustfim does not know, so it has no "
                "gradients. Predictions work."
            )


def _arranged(asked: Tensor, found: Tensor, ids: Tensor, embeddings: Tensor) -> Tensor:
    """Arrange embeddings as a lookup of ``asked`` would return them; unknown tokens keep what was found."""
    tokens = ids.shape[1]
    if asked.shape[:1] == ids.shape[:1] and torch.equal(asked[:, :tokens], ids):
        # Longformer pads the tokens further, to whole windows.
        return torch.cat([embeddings, found[:, tokens:]], 1) if asked.shape[1] > tokens else embeddings
    if torch.equal(asked, ids.T):  # XLNet looks up [tokens, batch]
        return embeddings.transpose(0, 1)
    if asked.shape == ids.shape and torch.equal(asked[:, 1:], ids[:, :-1]):
        # A decoder reads the same tokens one place later, behind its start token.
        return torch.cat([found[:, :1], embeddings[:, :-1]], 1)
    return found
