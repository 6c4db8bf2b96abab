"""Steps in embedding space: move the embeddings of texts during training."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext

import torch
from torch import Tensor, nn

__all__ = ["Moving", "steps_along_eigenvector"]


class Moving:
    """Moves the embeddings of a batch along the top eigenvector of the Fisher information, at the current weights.

    Args:
        module: The network in training.
        layer: The network's embedding of tokens.
        special: The ids of tokens that do not move.
    """

    def __init__(self, module: nn.Module, layer: nn.Module, special: Sequence[int]) -> None:
        self._module, self._layer, self._special = module, layer, torch.tensor(list(special))

    def batch(self, forward: Callable[[], Tensor], norms: Sequence[float]) -> AbstractContextManager[None]:
        """Move a batch's token embeddings inside the ``with`` block, each text by its own step.

        Args:
            forward: Computes the batch's logits, ``[texts, classes]``; called once, without dropout.
            norms: Signed Euclidean lengths of the steps in embedding space, ``[texts]``; 0 for a text that does not
                move.
        """
        return self._moved(forward, norms) if any(norms) else nullcontext()

    @contextmanager
    def _moved(self, forward: Callable[[], Tensor], norms: Sequence[float]) -> Iterator[None]:
        seen: list[Tensor] = []
        fixed: list[Tensor] = []

        def keep(layer: nn.Module, given: tuple[Tensor], output: Tensor) -> Tensor:
            seen.append(output.detach().requires_grad_())
            fixed.append(torch.isin(given[0], self._special.to(given[0].device)))
            return seen[0]

        self._module.eval()
        with self._layer.register_forward_hook(keep):
            logits = forward()
        moves = steps_along_eigenvector(logits, seen[0], fixed[0], torch.tensor(list(norms), device=logits.device))
        self._module.train()
        with self._layer.register_forward_hook(lambda layer, given, output: output + moves):
            yield


def steps_along_eigenvector(logits: Tensor, embeddings: Tensor, fixed: Tensor, norms: Tensor) -> Tensor:
    """Return for each text a step along the top eigenvector e of the Fisher information G: norm · e.

    G = Jᵀ S J with J the Jacobian of the logits and S = diag(p) − p pᵀ. e is the unit eigenvector of G's largest
    eigenvalue. ``+`` is the direction in which the predicted label loses probability, to first order, as for the
    perturbation ``eigenvector``.

    Args:
        logits: ``[texts, classes]``, computed from ``embeddings``.
        embeddings: ``[rows, tokens, dims]``; the rows of a text stand together.
        fixed: ``[rows, tokens]``, True at tokens that do not move.
        norms: The signed length of each step, ``[texts]``.

    Returns:
        ``[rows, tokens, dims]``; 0 for a text if no direction changes the output.
    """
    texts, classes = logits.shape
    columns = [
        torch.autograd.grad(logits[:, each].sum(), embeddings, retain_graph=each < classes - 1)[0]
        .masked_fill(fixed[..., None], 0)
        .reshape(texts, -1)
        for each in range(classes)
    ]
    jacobian = torch.stack(columns, dim=1).double()  # [texts, classes, tokens · dims]
    p = logits.detach().double().softmax(dim=1)
    # G = AᵀA with A = S^½ J, so that e ∝ Aᵀu with u the top eigenvector of the small A Aᵀ.
    values, vectors = torch.linalg.eigh(torch.diag_embed(p) - p[:, :, None] * p[:, None, :])
    a = (vectors * values.clamp(min=0).sqrt()[:, None, :]) @ vectors.mT @ jacobian
    u = torch.linalg.eigh(a @ a.mT)[1][:, None, :, -1]
    e = nn.functional.normalize((u @ a)[:, 0, :], dim=1)
    first, second = logits.detach().topk(2, dim=1).indices.T
    rows = torch.arange(texts)
    margin = jacobian[rows, first] - jacobian[rows, second]
    way = torch.where((e * margin).sum(dim=1) > 0, -1.0, 1.0) * norms
    return (way[:, None] * e).reshape(embeddings.shape).to(embeddings.dtype)
