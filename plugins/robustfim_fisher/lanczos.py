"""λmax for many classes: Lanczos iterations with Jacobian-vector products, without a matrix.

G v = Jᵀ S J v needs one product with J and one with Jᵀ for any number of classes. The exact computation needs a
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
from robustfim_fisher.autograd import frozen

__all__ = ["Eigenpair", "lanczos_eigenpair"]

TOLERANCE = 5e-4
"""Relative residual required of the eigenpair. The error of a well separated λmax is about its square."""

BASIS = 4
"""Vectors kept before a restart. A wider basis rarely saves a product with G, which costs more than a restart."""

SCALE_FLOOR = 1e-30
"""Trace of G below which the output counts as independent of the input."""


@dataclass(frozen=True)
class Eigenpair:
    """The largest eigenvalue of the Fisher information G at one example, its eigenvector, and the error.

    Attributes:
        value: λmax, ≥ 0; NaN where a logit is not finite.
        vector: The unit eigenvector e, ``[tokens, dims]``, zeros if λmax is 0. The sign is arbitrary.
        residual: ‖G e − λmax e‖ / λmax; an eigenvalue lies within this fraction of λmax. 0 if λmax is 0.
        products: The number of products G v that were computed.
    """

    value: float
    vector: Tensor
    residual: float
    products: int


def lanczos_eigenpair(
    model: DifferentiableModel, embedded: Embedded, *, tokens: Literal["text", "all"] = "text", seed: int = 0
) -> Eigenpair:
    """Return the largest eigenvalue of one example's Fisher information G, and its eigenvector, by Lanczos iterations.

    G = Jᵀ S J with S = diag(p) − p pᵀ, where J is the Jacobian of the logits and p are the probabilities. Jᵀ u is a
    backward pass. J v is the derivative of u ↦ ⟨Jᵀ u, v⟩, which is linear in u, so J v is a backward pass through the
    backward pass. Unlike forward differentiation, this works for recurrent layers and for attention.

    Args:
        model: A differentiable model of any number of classes.
        embedded: A batch of one example, as ``model.embed`` returned it.
        tokens: ``"text"`` excludes special tokens, ``"all"`` includes them.
        seed: Seed of the first vector, Jᵀ L r, where r is normal and L Lᵀ = S. The vector is a sample of N(0, G), so it
            has no component in the kernel of G, which is most of the space, and E ‖Jᵀ L r‖² is the trace of G.

    Raises:
        ModelError: The iterations do not converge, or the model cannot be differentiated twice.
        ValueError: The batch does not have exactly one example.
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
            return pull_back(p * (jv - (p * jv).sum(1, keepdim=True)))

        def pull_back(weights: Tensor) -> Any:
            """U → Jᵀ u."""
            (found,) = torch.autograd.grad(logits, x, weights.to(logits), retain_graph=True)
            return (found * keep).double().flatten().cpu().numpy()

        r = torch.from_numpy(np.random.default_rng(seed).normal(size=tuple(p.shape))).to(p)
        root = p.sqrt()
        value, flat, residual = _largest(product, pull_back(root * r - p * (root * r).sum(1, keepdim=True)))
    return Eigenpair(value, torch.from_numpy(flat).reshape(tuple(x.shape)).to(x)[0].detach(), residual, products)


def _largest(product: Any, start: Any) -> tuple[float, Any, float]:
    """Find the largest eigenvalue of a positive semi-definite operator, its vector, and the relative residual."""
    from scipy.sparse.linalg import ArpackNoConvergence, LinearOperator, eigsh

    size, scale = len(start), float(start @ start)
    if scale < SCALE_FLOOR:
        return 0.0, np.zeros(size), 0.0
    if size == 1:  # ARPACK needs a space of two dimensions
        return max(float(product(np.ones(1))[0]), 0.0), np.ones(1), 0.0
    inputs, outputs = [], []

    def scaled(vector: Any) -> Any:
        # A confident model makes G tiny; ARPACK sees it at scale 1.
        inputs.append(np.array(vector))
        outputs.append(product(vector) / scale)
        return outputs[-1]

    operator = LinearOperator((size, size), matvec=scaled, dtype=np.float64)
    try:
        values, vectors = eigsh(operator, k=1, which="LA", tol=TOLERANCE, v0=start / scale**0.5, ncv=min(BASIS, size))
    except ArpackNoConvergence as error:
        raise ModelError(f"the largest eigenvalue of the Fisher information was not found: {error}") from error
    value, vector = float(values[0]), vectors[:, 0]
    if value <= 0:
        return 0.0, np.zeros(size), 0.0
    # e lies in the span of the vectors v that were multiplied, so G e is the same combination of the products G v.
    basis = np.stack(inputs)
    weights = np.linalg.lstsq(basis @ basis.T, basis @ vector, rcond=1e-12)[0]
    residual = float(np.linalg.norm(weights @ np.stack(outputs) - value * vector)) / value
    return value * scale, vector, residual
