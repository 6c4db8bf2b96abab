"""Logit differences and their gradients: the one place where a model is differentiated."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import torch
from torch import Tensor, nn

from robustfim.errors import ModelError
from robustfim.roles import DifferentiableModel, Embedded

__all__ = ["Differences", "differentiate", "frozen", "held_modules", "pair_gradient"]

MAX_BYTES = 128 * 2**20
"""Bound on the gradients of one batch; a larger batch of many classes is refused, to be halved."""


@dataclass(frozen=True)
class Differences:
    """How far the predicted class is ahead of each other class, and where that falls fastest.

    With the classes of each example sorted by logit, z₀ ≥ z₁ ≥ …, the first of equals first:

    Attributes:
        gaps: z₀ − z_c for c ≥ 1, ``[batch, classes − 1]``, float64 on the CPU, ascending, ≥ 0; fewer columns where
            only the nearest classes were asked for.
        raw: ∇(z₀ − z_c) with respect to all input embeddings, ``[batch, classes − 1, tokens, dims]``.
        part: ``[batch, tokens]`` booleans, True at the tokens that are x.
    """

    gaps: Tensor
    raw: Tensor
    part: Tensor

    @cached_property
    def gradients(self) -> Tensor:
        """∇(z₀ − z_c) with respect to x, at least float32, zero at tokens that take no part."""
        return self.raw.to(_wide(self.raw)).masked_fill(~self.part[:, None, :, None], 0)

    @cached_property
    def norms(self) -> Tensor:
        """‖∇(z₀ − z_c)‖, ``[batch, classes − 1]``, float64 on the CPU."""
        # Token by token first: it saves the masked copy of all gradients.
        tokens: Tensor = torch.linalg.vector_norm(self.raw, dim=3, dtype=_wide(self.raw))
        whole: Tensor = torch.linalg.vector_norm(tokens.masked_fill(~self.part[:, None], 0), dim=2)
        return whole.cpu().double()


def differentiate(
    model: DifferentiableModel,
    embedded: Embedded,
    *,
    tokens: Literal["text", "all"] = "text",
    nearest: int | None = None,
) -> Differences:
    """Differentiate the logit differences of a batch: one forward and C − 1 backward passes.

    The rows of a batch do not depend on each other, so the gradient of a sum over the batch holds the
    gradient of every example. The parameters need no gradient: they are frozen meanwhile.

    Args:
        model: The model.
        embedded: The batch, as ``model.embed`` returned it.
        tokens: ``"text"`` leaves special tokens out of x, ``"all"`` takes them in. Padding is never in.
        nearest: Only the differences to so many classes, those with the next largest logits; all of them by default.

    Returns:
        The differences; a row of non-finite logits gives a row of non-finite gaps.

    Raises:
        ModelError: The logits have a wrong shape, fewer than two classes, or do not depend on the embeddings.
        MemoryError: The gradients of more than one example and many classes would pass ``MAX_BYTES``.
    """
    shape = embedded.embeddings.shape
    count = min(len(model.labels) - 1, nearest or len(model.labels))
    size = embedded.embeddings.numel() * max(embedded.embeddings.element_size(), 4) * count
    if shape[0] > 1 and count > 1 and size > MAX_BYTES:
        raise MemoryError(f"gradients of {count} logit differences take {size} bytes")
    with frozen(model), torch.inference_mode(False), torch.enable_grad():
        x = embedded.embeddings.detach()
        x = (x.clone() if x.is_inference() else x).requires_grad_()
        logits = model.logits(x, embedded)
        _check(model, logits, shape[0])
        values = logits.detach()
        order = values.argsort(dim=1, descending=True, stable=True)
        last = min(logits.shape[1] - 1, nearest or logits.shape[1])
        each = [_backward(model, logits, x, order, rank, last) for rank in range(1, last + 1)]
    gradients = torch.stack(each, dim=1) if len(each) > 1 else each[0][:, None]
    part = embedded.mask if tokens == "all" else embedded.mask & ~embedded.special
    ranked = values.gather(1, order[:, : last + 1]).cpu().double()
    if not values.isfinite().all():  # a logit that has no rank among the nearest spoils its row, too
        ranked[~values.isfinite().all(dim=1).cpu()] = torch.nan
    return Differences(ranked[:, :1] - ranked[:, 1:], gradients, part)


def pair_gradient(
    model: DifferentiableModel, embedded: Embedded, embeddings: Tensor, pairs: Sequence[tuple[int, int]]
) -> Tensor:
    """Differentiate one logit difference an example at any embeddings: one forward and one backward pass.

    Args:
        model: The model.
        embedded: The batch, as ``model.embed`` returned it.
        embeddings: Where to differentiate, of the shape of ``embedded.embeddings``.
        pairs: Columns a and b of each example, ``[batch]``.

    Returns:
        ∇(z_a − z_b), ``[batch, tokens, dims]``, padding and special tokens included.

    Raises:
        ModelError: The logits have a wrong shape, fewer than two classes, or do not depend on the embeddings.
    """
    with frozen(model), torch.inference_mode(False), torch.enable_grad():
        x = embeddings.detach().clone().requires_grad_()
        logits = model.logits(x, embedded)
        _check(model, logits, x.shape[0])
        order = torch.tensor(pairs, device=logits.device)
        return _backward(model, logits, x, order, 1, 1)


def _wide(tensor: Tensor) -> torch.dtype:
    """The tensor's type, or float32 where that is finer."""
    return torch.promote_types(tensor.dtype, torch.float32)


def _backward(model: DifferentiableModel, logits: Tensor, x: Tensor, order: Tensor, rank: int, last: int) -> Tensor:
    """Return ∇ₓ(z₀ − z_rank) for every example, ``[batch, tokens, dims]``."""
    # Σ_i (z_i,0 − z_i,rank) has the gradient +1 at each first and −1 at each other logit.
    outward = torch.zeros_like(logits)
    outward.scatter_(1, order[:, :1], 1.0).scatter_(1, order[:, rank : rank + 1], -1.0)
    more = rank < last
    (gradient,) = torch.autograd.grad(logits, x, outward, retain_graph=more, allow_unused=True)
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
            f"the logits of {name} do not depend on the embeddings it was given; does it call no_grad() or detach()?"
        )


def held_modules(model: object, depth: int = 2) -> Iterator[nn.Module]:
    """Find the torch modules that a model is, has as attributes, or has as attributes of those.

    Args:
        model: Any object.
        depth: How many attributes deep to look.
    """
    if isinstance(model, nn.Module):
        yield model
    elif depth:
        for value in getattr(model, "__dict__", {}).values():
            yield from held_modules(value, depth - 1)


@contextmanager
def frozen(model: DifferentiableModel) -> Iterator[None]:
    """Switch off the gradients of every parameter the model holds, and restore them.

    Args:
        model: The model.
    """
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
