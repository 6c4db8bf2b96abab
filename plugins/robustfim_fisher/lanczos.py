"""λmax for many classes: Lanczos iterations with Jacobian-vector products, without a matrix.

G v = Jᵀ S J v needs one product with J and one with Jᵀ, whatever the number of classes, where the exact way needs a
backward pass for each class. SciPy's ARPACK (Lehoucq, Sorensen & Yang 1998) chooses the vectors v.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import torch
from torch import Tensor
from torch.nn.attention import SDPBackend, sdpa_kernel

from robustfim.errors import ModelError
from robustfim.roles import DifferentiableModel, Embedded
from robustfim_fisher.differences import frozen

__all__ = ["Eigenpair", "lanczos_eigenpair"]

TOLERANCE = 1e-5
"""Relative accuracy asked of λmax."""

SCALE_FLOOR = 1e-30
"""‖G v₀‖ below which the output is taken not to depend on the input."""


@dataclass(frozen=True)
class Eigenpair:
    """The largest eigenvalue of G for one example, with how far it is from being one.

    Attributes:
        value: λmax, ≥ 0; NaN where a logit is not finite.
        vector: Its unit eigenvector e, ``[tokens, dims]``, zeros where λmax is 0; its sign is not chosen.
        residual: ‖G e − λmax e‖ / λmax; an eigenvalue lies within this share of λmax. 0 where λmax is 0.
        products: How many products G v it took.
    """

    value: float
    vector: Tensor
    residual: float
    products: int


def lanczos_eigenpair(
    model: DifferentiableModel, embedded: Embedded, *, tokens: Literal["text", "all"] = "text", seed: int = 0
) -> Eigenpair:
    """Return the largest eigenvalue of G = Jᵀ S J and its eigenvector, S = diag(p) − p pᵀ, for one example.

    Jᵀ u is a backward pass. J v is the derivative of u ↦ ⟨Jᵀ u, v⟩, which is linear in u: a backward pass through the
    backward pass. It works for recurrent layers and for attention, which forward differentiation does not.

    Args:
        model: A differentiable model of any number of classes.
        embedded: A batch of one example, as ``model.embed`` returned it.
        tokens: ``"text"`` leaves special tokens out of x, ``"all"`` takes them in.
        seed: Of the first vector.

    Raises:
        ModelError: The iterations do not converge, or the model cannot be differentiated twice.
        ValueError: The batch holds another number of examples.
    """
    if embedded.embeddings.shape[0] != 1:
        raise ValueError(f"a batch of one example is needed, not of {embedded.embeddings.shape[0]}")
    part = embedded.mask if tokens == "all" else embedded.mask & ~embedded.special
    keep = part[..., None].to(embedded.embeddings)
    # The fused kernels of attention cannot be differentiated twice.
    with frozen(model), sdpa_kernel(SDPBackend.MATH), torch.inference_mode(False), torch.enable_grad():
        x = embedded.embeddings.detach().clone().requires_grad_()
        logits = model.logits(x, embedded)
        if not logits.isfinite().all():
            return Eigenpair(float("nan"), torch.full_like(x[0], torch.nan), float("nan"), 0)
        p = logits.detach().double().softmax(1)
        u = torch.zeros_like(logits, requires_grad=True)
        try:
            (backward,) = torch.autograd.grad(logits, x, u, create_graph=True)
        except RuntimeError as error:
            raise ModelError(f"{type(model).__name__} cannot be differentiated twice: {error}") from error
        products = 0

        def product(flat: Any) -> Any:
            """V → J v → S J v → Jᵀ S J v."""
            nonlocal products
            products += 1
            v = torch.as_tensor(np.asarray(flat).reshape(tuple(x.shape))).to(x) * keep
            (jv,) = torch.autograd.grad(backward, u, v, retain_graph=True)
            jv = jv.double()
            sjv = p * (jv - (p * jv).sum(1, keepdim=True))
            (found,) = torch.autograd.grad(logits, x, sjv.to(logits), retain_graph=True)
            return (found * keep).double().flatten().cpu().numpy()

        value, flat, residual = _largest(product, x.numel(), seed)
    return Eigenpair(value, torch.from_numpy(flat).reshape(tuple(x.shape)).to(x)[0].detach(), residual, products)


def _largest(product: Any, size: int, seed: int) -> tuple[float, Any, float]:
    """Find the largest eigenvalue of a positive semi-definite operator, its vector, and the relative residual."""
    from scipy.sparse.linalg import ArpackNoConvergence, LinearOperator, eigsh

    if size == 1:  # ARPACK needs a space of two dimensions
        return max(float(product(np.ones(1))[0]), 0.0), np.ones(1), 0.0
    start = np.random.default_rng(seed).normal(size=size)
    scale = float(np.linalg.norm(product(start)))
    if scale < SCALE_FLOOR:
        return 0.0, np.zeros(size), 0.0
    # A confident model makes G tiny; ARPACK sees it at scale 1.
    operator = LinearOperator((size, size), matvec=lambda v: product(v) / scale, dtype=np.float64)
    try:
        values, vectors = eigsh(operator, k=1, which="LA", tol=TOLERANCE, v0=start)
    except ArpackNoConvergence as error:
        raise ModelError(f"λmax was not found by Lanczos iterations: {error}") from error
    value, vector = max(float(values[0]) * scale, 0.0), vectors[:, 0]
    residual = float(np.linalg.norm(product(vector) - value * vector)) / value if value else 0.0
    return value, vector, residual
