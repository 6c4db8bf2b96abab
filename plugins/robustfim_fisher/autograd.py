"""Gradients of logits by PyTorch. All backward passes are here."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager

import torch
from torch import Tensor, nn

from robustfim.errors import ModelError
from robustfim.members import Wrapper
from robustfim.roles import DifferentiableModel, Embedded

__all__ = ["backward_differences", "backward_pair", "frozen", "held_modules"]


def backward_differences(model: DifferentiableModel, embedded: Embedded, nearest: int | None) -> tuple[Tensor, Tensor]:
    """Differentiate the largest logit minus each other logit, by one forward pass and a backward pass for each.

    The rows of a batch are independent, so the gradient of a sum over the batch contains the gradient of each example.
    The parameters are frozen meanwhile, since their gradients are not needed.

    Args:
        model: The model.
        embedded: The batch, as ``model.embed`` returned it.
        nearest: The number of other classes to use, by the largest logits; all by default.

    Returns:
        The logits, sorted in descending order with ties in class order, ``[batch, differences + 1]``, float64 on the
        CPU, NaN in a row with a non-finite logit; and ∇(z₀ − z_c) with respect to all embeddings, ``[batch,
        differences, tokens, dims]``.

    Raises:
        ModelError: The logits have a wrong shape, fewer than two classes, or do not depend on the embeddings.
    """
    with frozen(model), torch.inference_mode(False), torch.enable_grad():
        x = embedded.embeddings.detach()
        x = (x.clone() if x.is_inference() else x).requires_grad_()
        logits = model.logits(x, embedded)
        _check(model, logits, x.shape[0])
        values = logits.detach()
        order = values.argsort(dim=1, descending=True, stable=True)
        last = min(logits.shape[1] - 1, nearest or logits.shape[1])
        each = [_backward(model, logits, x, order, rank, last) for rank in range(1, last + 1)]
    gradients = torch.stack(each, dim=1) if len(each) > 1 else each[0][:, None]
    ranked = values.gather(1, order[:, : last + 1]).cpu().double()
    if not values.isfinite().all():  # a logit that has no rank among the nearest spoils its row, too
        ranked[~values.isfinite().all(dim=1).cpu()] = torch.nan
    return ranked, gradients


def backward_pair(
    model: DifferentiableModel, embedded: Embedded, embeddings: Tensor, pairs: Sequence[tuple[int, int]]
) -> Tensor:
    """Differentiate one logit difference of each example, for :func:`robustfim_fisher.differences.pair_gradient`."""
    with frozen(model), torch.inference_mode(False), torch.enable_grad():
        x = embeddings.detach().clone().requires_grad_()
        logits = model.logits(x, embedded)
        _check(model, logits, x.shape[0])
        order = torch.tensor(pairs, device=logits.device)
        return _backward(model, logits, x, order, 1, 1)


def _backward(model: DifferentiableModel, logits: Tensor, x: Tensor, order: Tensor, rank: int, last: int) -> Tensor:
    """Return ∇ₓ(z₀ − z_rank) for every example, ``[batch, tokens, dims]``."""
    # Σ_i (z_i,0 − z_i,rank) has the gradient +1 at each first and −1 at each other logit.
    outward = torch.zeros_like(logits)
    outward.scatter_(1, order[:, :1], 1.0).scatter_(1, order[:, rank : rank + 1], -1.0)
    more = rank < last
    # Of a sum, torch takes the gradient without importing sympy, which it needs to compare shapes.
    (gradient,) = torch.autograd.grad((logits * outward).sum(), x, retain_graph=more, allow_unused=True)
    if gradient is None:
        raise ModelError(f"the logits of {type(model).__name__} do not depend on the embeddings it was given")
    return gradient


def _check(model: DifferentiableModel, logits: Tensor, batch: int) -> None:
    """Refuse logits that the role does not allow."""
    name = type(model).__name__
    if logits.ndim != 2 or logits.shape[0] != batch:
        raise ModelError(
            f"{name}.logits returned shape {list(logits.shape)} for a batch of {batch}, not [batch, classes]"
        )
    if logits.shape[1] < 2:
        raise ModelError(f"{name}.logits returned one class; Fisher information needs two or more")
    if not logits.requires_grad:
        raise ModelError(
            f"the logits of {name} do not depend on the embeddings that robustfim passed to logits(). Remove no_grad() "
            "and detach() from logits()."
        )


def held_modules(model: object, depth: int = 2) -> Iterator[nn.Module]:
    """Find the torch modules of a model: the model itself, its attributes, and their attributes."""
    if isinstance(model, nn.Module):
        yield model
    elif isinstance(model, Wrapper):
        yield from held_modules(model.wrapped, depth)
    elif depth:
        for value in getattr(model, "__dict__", {}).values():
            yield from held_modules(value, depth - 1)


@contextmanager
def frozen(model: DifferentiableModel) -> Iterator[None]:
    """Switch off the gradients of all parameters of the model inside the block, and restore them afterwards."""
    held = list(held_modules(model))
    parameters = [p for module in held for p in module.parameters() if p.requires_grad]
    recurrent = any(isinstance(part, nn.RNNBase) for module in held for part in module.modules())
    with ExitStack() as stack:
        if recurrent:
            # cuDNN refuses the backward pass of a recurrent layer in evaluation mode; torch's own kernels
            # do not.
            stack.enter_context(torch.backends.cudnn.flags(enabled=False))
        try:
            for parameter in parameters:
                parameter.requires_grad_(False)
            yield
        finally:
            for parameter in parameters:
                parameter.requires_grad_(True)
