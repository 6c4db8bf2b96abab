"""Algorithm 1 of Datta et al. (2020) as printed: computes the whole Fisher matrix and all its eigenvalues."""

from __future__ import annotations

from typing import Any

import torch

from robustfim.example import Example

__all__ = ["literal_lambda_max"]


def literal_lambda_max(model: Any, example: Example) -> float:
    """Compute λmax by building the whole Fisher matrix G and decomposing it.

    G = Σ_y p_y ∇log p_y ∇log p_yᵀ, where p_y is the probability of label y and ∇ is the gradient with respect to the
    flattened input embedding, without special tokens.

    Args:
        model: A differentiable model.
        example: One example.

    Returns:
        The largest eigenvalue of G.
    """
    embedded = model.embed([example])
    part = embedded.mask[0] & ~embedded.special[0]
    x = embedded.embeddings.detach().clone().requires_grad_()
    log_p = model.logits(x, embedded).log_softmax(dim=1)[0]
    size = int(part.sum()) * x.shape[2]
    information = torch.zeros(size, size, dtype=x.dtype)
    for y in range(len(log_p)):
        (gradient,) = torch.autograd.grad(log_p[y], x, retain_graph=True)
        flat = gradient[0][part].flatten()
        information += log_p[y].exp().detach() * torch.outer(flat, flat)
    return float(torch.linalg.eigvalsh(information)[-1])
