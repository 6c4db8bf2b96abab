"""The Fisher information of a model's output with respect to its input embeddings.

For an example with embedding x, flattened, and output p = softmax(z(x)):

    G = Σ_y p_y ∇log p_y ∇log p_yᵀ = Jᵀ S J,    S = diag(p) − p pᵀ,    J = ∂z/∂x

G measures how fast the output changes, in Kullback-Leibler divergence, when x takes a small step δ: KL ≈ ½ δᵀ G δ. Its
largest eigenvalue is the difficulty of Datta et al. (2020, "Geometry matters: exploring language examples at the
decision boundary", Algorithm 1). G has rank ≤ C − 1, so it is never built: a C × C matrix has the same non-zero
eigenvalues.
"""

from __future__ import annotations

from math import prod

from array_api_compat import array_namespace, device, to_device

from robustfim_fisher.differences import Array, Differences

__all__ = ["boundary_distance", "lambda_max", "margin", "opposite", "orient", "top_eigenpair"]

TIE = 1e-6
"""The largest |cos| of eigenvector and margin gradient at which the two count as orthogonal."""


def lambda_max(differences: Differences) -> Array:
    """Return the largest eigenvalue of each example's Fisher information matrix G.

    With two classes and probabilities p and 1 − p, the eigenvalue is p(1 − p) ‖∇(z₀ − z₁)‖²; with more classes see
    :func:`top_eigenpair`.

    Args:
        differences: The batch's logit differences and their gradients.

    Returns:
        ``[batch]``, float64 on the CPU, ≥ 0; NaN where a logit or a gradient is not finite.
    """
    if differences.gaps.shape[1] == 1:
        return _two_classes(differences)
    return _small_problem(differences)[0]


def top_eigenpair(differences: Differences) -> tuple[Array, Array]:
    """Return the largest eigenvalue of each example's Fisher information G, with its unit eigenvector e.

    The sign of e is chosen so that the predicted label loses probability: e · ∇margin ≤ 0. If e and ∇margin are
    orthogonal (|cos| ≤ 1e-6), the sign makes the entry of e with the largest magnitude (the first of equals) positive.

    Args:
        differences: The batch's logit differences and their gradients.

    Returns:
        λmax ``[batch]`` as returned by :func:`lambda_max`, and e ``[batch, tokens, dims]`` of the gradients' type. e is
        0 where λmax is 0, and NaN where λmax is NaN. If the largest eigenvalue is multiple, e is one of its
        eigenvectors.
    """
    gradients = differences.gradients
    xp = array_namespace(gradients)
    if gradients.shape[1] == 1:
        value = _two_classes(differences)
        vector = opposite(gradients[:, 0])
    else:
        value, weights = _small_problem(differences)
        # u → L u → Dᵀ L u, an eigenvector of G = Dᵀ L Lᵀ D.
        weights = xp.astype(to_device(weights, device(gradients)), gradients.dtype)
        flat = _flat(gradients, 2)
        vector = xp.reshape(weights[:, None, :] @ flat, (gradients.shape[0], *gradients.shape[2:]))
        vector = orient(_unit(vector), gradients[:, 0])
    known = to_device(value, device(gradients))[:, None, None]
    vector = xp.where(known > 0, vector, 0.0)
    return value, xp.where(xp.isnan(known), xp.nan, vector)


def opposite(gradients: Array) -> Array:
    """Return the top eigenvector of the Fisher information for two classes: −g/‖g‖, with g the margin's gradient.

    Args:
        gradients: ∇margin of each example, ``[batch, tokens, dims]``.

    Returns:
        The eigenvectors, ``[batch, tokens, dims]``, zeros where g is 0.
    """
    return -_unit(gradients)


def orient(vectors: Array, gradients: Array) -> Array:
    """Choose the sign of eigenvectors so that the predicted label loses probability along them.

    Args:
        vectors: Unit vectors or zeros, ``[batch, tokens, dims]``.
        gradients: ∇margin, ``[batch, tokens, dims]``.

    Returns:
        Each vector, or its opposite.
    """
    return vectors * _sign(vectors, gradients)[:, None, None]


def boundary_distance(differences: Differences) -> Array:
    """Return each example's first-order distance to the nearest decision boundary.

    With z₀ the largest logit and z_c the other logits, the distance is the minimum over c of (z₀ − z_c) / ‖∇(z₀ −
    z_c)‖, one step of DeepFool (Moosavi-Dezfooli, Fawzi & Frossard 2016, eq. 8); for two classes |Δz| / ‖∇Δz‖.

    Args:
        differences: The batch's logit differences and their gradients.

    Returns:
        ``[batch]``, float64 on the CPU, ≥ 0, in units of the embedding; inf where every gradient is 0; NaN
        where a logit or a gradient is not finite.
    """
    gaps, norms = differences.gaps, differences.norms
    xp = array_namespace(norms)
    distances = xp.min(xp.where(norms > 0, gaps / xp.where(norms > 0, norms, 1.0), xp.inf), axis=1)
    return xp.where(_defined(gaps) & _defined(norms), distances, xp.nan)


def margin(differences: Differences) -> Array:
    """Return the difference of the two largest logits, ``[batch]``, float64; NaN if undefined."""
    xp = array_namespace(differences.gaps)
    return xp.where(_defined(differences.gaps), differences.gaps[:, 0], xp.nan)


def _two_classes(differences: Differences) -> Array:
    gap, norm = differences.gaps[:, 0], differences.norms[:, 0]
    xp = array_namespace(gap)
    # p (1 − p) with p = σ(gap): exact also where p rounds to 1.
    low = xp.exp(-gap)
    value = low / (1 + low) ** 2 * norm**2
    return xp.where(xp.isfinite(gap + norm), value, xp.nan)  # neither is negative: the sum is finite where both are


def _small_problem(differences: Differences) -> tuple[Array, Array]:
    """Solve the C × C eigenproblem: λmax ``[batch]`` and the weights L u ``[batch, classes − 1]``."""
    # S 1 = 0, so J may be replaced by its differences to the predicted class: G = Dᵀ S D, row 0 of D being
    # zero, and row 0 of S, the only one to suffer from p₀ ≈ 1, drops out with it.
    gradients = differences.gradients
    xp = array_namespace(gradients)
    flat = _flat(gradients, 2)
    flat = flat if getattr(device(flat), "type", "") == "mps" else xp.astype(flat, xp.float64)  # Metal has no float64
    gram = flat @ xp.matrix_transpose(flat)  # D Dᵀ, [batch, C − 1, C − 1]
    gram = xp.astype(to_device(gram, "cpu"), xp.float64)
    defined = _defined(differences.gaps) & _defined(_flat(gram, 1))
    gram = xp.where(defined[:, None, None], gram, 0.0)
    gaps = xp.where(defined[:, None], differences.gaps, 0.0)
    # L = diag(√p) (I − √p √pᵀ): with ‖√p‖ = 1 the bracket is a projection, so L Lᵀ = diag(p) − p pᵀ = S.
    behind = xp.concat([xp.zeros_like(gaps[:, :1]), -gaps], axis=1)
    root = xp.exp((behind - xp.log(xp.sum(xp.exp(behind), axis=1, keepdims=True))) / 2)
    factor = root[:, :, None] * xp.eye(root.shape[1], dtype=root.dtype) - (root * root)[:, :, None] * root[:, None, :]
    factor = factor[:, 1:, :]
    # The non-zero eigenvalues of Dᵀ L Lᵀ D are those of M = Lᵀ D Dᵀ L.
    small = xp.matrix_transpose(factor) @ gram @ factor
    # A confident model makes M tiny; eigh sees it at scale 1.
    tiny = float(xp.finfo(xp.float64).tiny)
    scale = xp.clip(xp.linalg.trace(small), min=tiny)
    values, vectors = xp.linalg.eigh(small / scale[:, None, None])
    value = xp.clip(values[:, -1] * scale, min=0.0)
    weights = (factor @ vectors[:, :, -1:])[:, :, 0]
    weights = weights / xp.clip(xp.max(xp.abs(weights), axis=1, keepdims=True), min=tiny)
    return xp.where(defined, value, xp.nan), weights


def _unit(vectors: Array) -> Array:
    """Scale ``[batch, tokens, dims]`` to norm 1 an example; zeros stay zeros."""
    # Two divisions: the norm of entries near the smallest number would round to zero.
    xp = array_namespace(vectors)
    flat = _flat(vectors, 1)
    if flat.shape[1] == 0:
        return vectors
    tiny = float(xp.finfo(flat.dtype).tiny)
    flat = flat / xp.clip(xp.max(xp.abs(flat), axis=1, keepdims=True), min=tiny)
    norm = xp.linalg.vector_norm(flat, axis=1, keepdims=True)
    return xp.reshape(flat / xp.clip(norm, min=tiny), vectors.shape)


def _flat(array: Array, kept: int) -> Array:
    """Lay all but the first axes out in one."""
    return array_namespace(array).reshape(array, (*array.shape[:kept], prod(array.shape[kept:])))


def _sign(vectors: Array, gradients: Array) -> Array:
    """Return for each unit vector ±1, so that the margin falls along it, ``[batch]``."""
    xp = array_namespace(vectors)
    flat = _flat(vectors, 1)
    if flat.shape[1] == 0:
        return xp.ones(vectors.shape[0], dtype=vectors.dtype, device=device(vectors))
    cosine = xp.sum(flat * xp.reshape(_unit(gradients), flat.shape), axis=1)
    largest = xp.take_along_axis(flat, xp.argmax(xp.abs(flat), axis=1, keepdims=True), axis=1)[:, 0]
    towards = xp.where(xp.abs(cosine) > TIE, -cosine, largest)
    return xp.where(towards < 0, -xp.ones_like(towards), xp.ones_like(towards))


def _defined(numbers: Array) -> Array:
    """Tell for each row whether all its numbers are finite, ``[batch]``."""
    xp = array_namespace(numbers)
    return xp.all(xp.isfinite(numbers), axis=1)
