"""The published algorithm, literally: slow, obvious, and what the plugin is measured against."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from robustfim.example import Example
from tests.plugins.robustfim_fisher.models import Tokens


def fisher_matrix(model: Any, example: Example, tokens: Tokens = "text") -> Tensor:
    """G = Σ_y p_y ∇log p_y ∇log p_yᵀ over the flattened input embedding (Datta et al. 2020, Algorithm 1).

    Args:
        model: A differentiable model.
        example: One example; it is embedded alone, so without padding.
        tokens: ``"text"`` leaves the rows of special tokens out.

    Returns:
        ``[numbers, numbers]`` on the CPU, in the model's precision, with numbers = tokens · dims.
    """
    embedded = model.embed([example])
    part = embedded.mask[0] if tokens == "all" else embedded.mask[0] & ~embedded.special[0]
    x = embedded.embeddings.detach().clone().requires_grad_()
    log_p = model.logits(x, embedded).log_softmax(dim=1)[0]
    size = int(part.sum()) * x.shape[2]
    information = torch.zeros(size, size, dtype=x.dtype, device=x.device)
    for y in range(len(log_p)):
        (gradient,) = torch.autograd.grad(log_p[y], x, retain_graph=True)
        flat = gradient[0][part].flatten()
        information += log_p[y].exp().detach() * torch.outer(flat, flat)
    return information.cpu()


def largest_eigenvalue(information: Tensor) -> float:
    """The last of all eigenvalues."""
    return float(torch.linalg.eigvalsh(information)[-1])
