"""The Fisher information of a model's output with respect to its input embeddings.

For an example with embedding x, flattened, and output p = softmax(z(x)):

    G = Σ_y p_y ∇log p_y ∇log p_yᵀ = Jᵀ S J,    S = diag(p) − p pᵀ,    J = ∂z/∂x

G says how fast the output moves, in Kullback-Leibler divergence, when x takes a small step: KL ≈ ½ δᵀ G δ.
Its largest eigenvalue is the difficulty of Datta et al. (2020, "Geometry matters: exploring language
examples at the decision boundary", Algorithm 1). G has rank ≤ C − 1, so it is never built: a C × C matrix
has the same non-zero eigenvalues.
"""

from __future__ import annotations

import torch
from torch import Tensor

from robustfim_fisher.differences import Differences

__all__ = ["boundary_distance", "lambda_max", "margin", "orient", "top_eigenpair"]

TIE = 1e-6
"""|cos| of eigenvector and margin gradient, up to which neither sign is said to lose the label."""


def lambda_max(differences: Differences) -> Tensor:
    """Return the largest eigenvalue of G of each example.

    Two classes: p(1 − p) ‖∇(z₀ − z₁)‖². More: see :func:`top_eigenpair`.

    Args:
        differences: The batch's logit differences and their gradients.

    Returns:
        ``[batch]``, float64 on the CPU, ≥ 0; NaN where a logit or a gradient is not finite.
    """
    if differences.gaps.shape[1] == 1:
        return _two_classes(differences)
    return _small_problem(differences)[0]


def top_eigenpair(differences: Differences) -> tuple[Tensor, Tensor]:
    """Return the largest eigenvalue of G and its unit eigenvector e, for each example.

    The sign of e is the one in which the predicted label loses: e · ∇margin ≤ 0. Where e and ∇margin are
    orthogonal (|cos| ≤ 1e-6), the entry of e with the largest magnitude, the first of equals, is positive.

    Args:
        differences: The batch's logit differences and their gradients.

    Returns:
        λmax ``[batch]`` as of :func:`lambda_max`, and e ``[batch, tokens, dims]`` of the gradients' type,
        zeros where λmax is 0, NaN where it is NaN. Where several eigenvalues are largest, e is one of their
        vectors.
    """
    gradients = differences.gradients
    if gradients.shape[1] == 1:
        # G = p(1 − p) g gᵀ has the eigenvector g/‖g‖; the margin falls along −g.
        value = _two_classes(differences)
        vector = -_unit(gradients[:, 0])
    else:
        value, weights = _small_problem(differences)
        # u → L u → Dᵀ L u, an eigenvector of G = Dᵀ L Lᵀ D.
        vector = _unit(torch.einsum("bc,bctd->btd", weights.to(gradients), gradients))
        vector = orient(vector, gradients[:, 0])
    known = value.to(gradients.device)[:, None, None]
    vector = torch.where(known > 0, vector, torch.zeros_like(vector))
    return value, torch.where(known.isnan(), torch.full_like(vector, torch.nan), vector)


def orient(vectors: Tensor, gradients: Tensor) -> Tensor:
    """Give eigenvectors the sign of :func:`top_eigenpair`.

    Args:
        vectors: Unit vectors or zeros, ``[batch, tokens, dims]``.
        gradients: ∇margin, likewise.

    Returns:
        Each vector, or its opposite.
    """
    return vectors * _sign(vectors, gradients)[:, None, None]


def boundary_distance(differences: Differences) -> Tensor:
    """Return the first-order distance to the nearest decision boundary.

    min over c of (z₀ − z_c) / ‖∇(z₀ − z_c)‖, one step of DeepFool (Moosavi-Dezfooli, Fawzi & Frossard 2016,
    eq. 8); for two classes |Δz| / ‖∇Δz‖.

    Args:
        differences: The batch's logit differences and their gradients.

    Returns:
        ``[batch]``, float64 on the CPU, ≥ 0, in units of the embedding; inf where every gradient is 0; NaN
        where a logit or a gradient is not finite.
    """
    norms = differences.norms
    distances = torch.where(norms > 0, differences.gaps / norms, torch.inf).amin(dim=1)
    return torch.where(_defined(differences.gaps) & _defined(norms), distances, torch.nan)


def margin(differences: Differences) -> Tensor:
    """Return the difference of the two largest logits, ``[batch]``, float64; NaN where undefined."""
    return torch.where(_defined(differences.gaps), differences.gaps[:, 0], torch.nan)


def _two_classes(differences: Differences) -> Tensor:
    gap = differences.gaps[:, 0]
    norm = differences.norms[:, 0]
    # p = σ(gap), 1 − p = σ(−gap): exact also where p rounds to 1.
    value = gap.sigmoid() * (-gap).sigmoid() * norm.square()
    return torch.where(_defined(differences.gaps) & norm.isfinite(), value, torch.nan)


def _small_problem(differences: Differences) -> tuple[Tensor, Tensor]:
    """Solve the C × C eigenproblem: λmax ``[batch]`` and the weights L u ``[batch, classes − 1]``."""
    # S 1 = 0, so J may be replaced by its differences to the predicted class: G = Dᵀ S D, row 0 of D being
    # zero, and row 0 of S, the only one to suffer from p₀ ≈ 1, drops out with it.
    flat = differences.gradients.flatten(2)
    flat = flat.double() if flat.device.type != "mps" else flat  # Metal has no float64
    gram = (flat @ flat.mT).cpu().double()  # D Dᵀ, [batch, C − 1, C − 1]
    defined = _defined(differences.gaps) & _defined(gram.flatten(1))
    gram = torch.where(defined[:, None, None], gram, 0.0)
    gaps = torch.where(defined[:, None], differences.gaps, 0.0)
    # L = diag(√p) (I − √p √pᵀ): with ‖√p‖ = 1 the bracket is a projection, so L Lᵀ = diag(p) − p pᵀ = S.
    log_p = torch.log_softmax(torch.nn.functional.pad(-gaps, (1, 0)), dim=1)
    root = (log_p / 2).exp()
    factor = torch.diag_embed(root) - (root * root)[:, :, None] * root[:, None, :]
    factor = factor[:, 1:, :]
    # The non-zero eigenvalues of Dᵀ L Lᵀ D are those of M = Lᵀ D Dᵀ L.
    small = factor.mT @ gram @ factor
    # A confident model makes M tiny; eigh sees it at scale 1.
    scale = small.diagonal(dim1=1, dim2=2).sum(1).clamp_min(torch.finfo(torch.float64).tiny)
    values, vectors = torch.linalg.eigh(small / scale[:, None, None])
    value = (values[:, -1] * scale).clamp_min(0)
    weights = (factor @ vectors[:, :, -1:])[:, :, 0]
    weights = weights / weights.abs().amax(1, keepdim=True).clamp_min(torch.finfo(torch.float64).tiny)
    return torch.where(defined, value, torch.nan), weights


def _unit(vectors: Tensor) -> Tensor:
    """Scale ``[batch, tokens, dims]`` to norm 1 an example; zeros stay zeros."""
    # Two divisions: the norm of entries near the smallest number would round to zero.
    flat = vectors.flatten(1)
    if flat.shape[1] == 0:
        return vectors
    tiny = torch.finfo(flat.dtype).tiny
    flat = flat / flat.abs().amax(1, keepdim=True).clamp_min(tiny)
    norm: Tensor = torch.linalg.vector_norm(flat, dim=1, keepdim=True)
    return (flat / norm.clamp_min(tiny)).reshape(vectors.shape)


def _sign(vectors: Tensor, gradients: Tensor) -> Tensor:
    """Return for each unit vector ±1, so that the margin falls along it, ``[batch]``."""
    flat = vectors.flatten(1)
    if flat.shape[1] == 0:
        return flat.new_ones(flat.shape[0])
    cosine = (flat * _unit(gradients).flatten(1)).sum(1)
    largest = flat.gather(1, flat.abs().argmax(1, keepdim=True))[:, 0]
    towards = torch.where(cosine.abs() > TIE, -cosine, largest)
    sign: Tensor = torch.where(towards < 0, -1.0, 1.0).to(flat)
    return sign


def _defined(numbers: Tensor) -> Tensor:
    """Tell for each row whether all its numbers are finite, ``[batch]``."""
    defined: Tensor = numbers.isfinite().all(dim=1)
    return defined
