"""The mean of clusters that may fail whole, of any sizes: one test for a fixed number of them (Gaffke 2005).

Clusters c = 1, …, K are independent, of n_c examples whose numbers in [0, 1] sum up to y_c. *Passed* has to exclude
that Σ E y_c ≥ N L, N = Σ n_c: whichever clusters fail, and however alike their examples are. With any numbers t_c that
sum up to N L, and κ the largest of n_c − t_c, the trials z_c = (y_c − t_c) / κ are at most 1, and

    p = P(Σ E_c z_c + E ≥ 0),  E_c and E independent and exponential,

is the chance that a mean of the trials and of one that fails whole, with Dirichlet(1, …, 1) weights, is not below 0. Of
clusters of one size it is Gaffke's bound (Learned-Miller and Thomas 2020; a relative of it is proved by Phan, Thomas
and Learned-Miller 2021); of examples that fail or hold, the binomial tail of Clopper and Pearson (1934).

Its counterpart Π (1 − λ z_c), λ < 1, has expectation at most 1 for any independent clusters with Σ E y_c ≥ N L, since
the mean of its factors' expectations is at most 1 (Maclaurin 1729): so it is for any t_c. t_c = n_c L makes the one
failing trial as large as the largest cluster. t_c = max(½ n_c L, n_c − κ), whose κ follows from the sum, cuts what the
largest clusters are feared to do, and lets small ones fear nothing: κ is all that is unknown. The limit below which
nothing can pass is then nearly the least that any test allows, which is t_c = max(0, n_c − κ).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

__all__ = ["chance_above", "largest_feared", "tail_of_clusters"]

_STEP = 0.05
"""Of the trapezoidal rule, which errs by 1e-12 of the chance."""
_NODES = 40
"""Nodes between two looks whether what is left still counts."""
_LEFT = 1e-16


def tail_of_clusters(
    sums: Array, sizes: Array, clusters: Array, limit: float, *, above: bool, usual: float = 0.0
) -> tuple[float, float]:
    """Test whether the mean of some clusters lies on one side of its limit.

    Args:
        sums: y, the sum of the numbers of a cluster, each in [0, 1], by kind of cluster, ``[kinds]``.
        sizes: n, the examples of the cluster, or their weights, likewise.
        clusters: How many there are of each kind, likewise; any numbers > 0.
        limit: L, in (0, 1).
        above: Whether it is tested that the mean lies above the limit; else that it lies below.
        usual: The number of an example of which nothing happened: 0, or ½ of a difference that is moved to [0, 1].

    Returns:
        The p-value, and the standard deviation of its logarithm over draws of as many clusters.
    """
    import numpy as np

    if above:  # that of the numbers 1 − x lies below 1 − L
        sums, limit, least = sizes - sums, 1 - limit, 1 - limit
    else:
        least = min(limit, (limit + usual) / 2)
    feared = largest_feared(sizes, clusters, limit, least)
    expected = np.maximum(sizes * least, sizes - feared)
    return chance_above(np.append(sums - expected, feared), np.append(clusters, 1.0))


def largest_feared(sizes: Array, clusters: Array, limit: float, least: float) -> float:
    """Find the κ with Σ max(n_c a, n_c − κ) = N L.

    Args:
        sizes: n, by kind of cluster.
        clusters: How many there are of each.
        limit: L, in (0, 1).
        least: a, in [0, L].
    """
    import numpy as np

    if least >= limit:
        return float(sizes.max() * (1 - limit))
    order = np.argsort(-sizes)
    order = order[clusters[order] > 0]
    n, times = sizes[order], clusters[order]
    cut, whole = np.cumsum(n * times), float(sizes @ clusters)
    kappa = (cut + least * (whole - cut) - whole * limit) / np.cumsum(times)
    # Of the largest j kinds it is right where it leaves the next one as it is.
    after = np.append(n[1:], 0.0) * (1 - least)
    return float(kappa[int(np.argmax(kappa >= after - 1e-12 * n[0]))])


def chance_above(factors: Array, shapes: Array) -> tuple[float, float]:
    """Compute P(Σ a G ≥ 0) for independent G ~ Gamma(k, 1).

    The inverse Laplace transform (1 / 2πi) ∫ Π (1 − a s)^(−k) ds / s along a line through its saddle point, by the
    trapezoidal rule after t = b sinh u, which converges geometrically: exact to about 1e-12 of itself, in any tail.

    Args:
        factors: a, ``[terms]``.
        shapes: k > 0, likewise.

    Returns:
        The chance, and √(Σ k log²(1 − a s)) at the saddle point.
    """
    import numpy as np
    from scipy.optimize import brentq

    used = factors != 0
    a, k = factors[used] / np.abs(factors).max(), shapes[used]
    if not (a > 0).any():
        return 0.0, 0.0
    if not (a < 0).any():
        return 1.0, 0.0
    pole = 1 / a.max()
    saddle = float(brentq(lambda s: (k * a / (1 - a * s)).sum() - 1 / s, pole * 1e-14, pole * (1 - 1e-14), xtol=1e-18))
    near = a / (1 - a * saddle)
    width = 1 / np.sqrt((k * near**2).sum() + saddle**-2)
    total, start = 0.0, 0
    while True:
        u = _STEP * np.arange(start, start + _NODES)
        t = width * np.sinh(u)
        logs = -(np.log1p(-1j * np.outer(t, near)) @ k) - np.log1p(1j * t / saddle)
        terms = np.exp(logs) * np.cosh(u)
        total += float(terms.real.sum()) - (0.5 if start == 0 else 0.0)
        start += _NODES
        if abs(terms[-1]) < _LEFT or start > 100 * _NODES:
            break
    logs = np.log1p(-a * saddle)
    chance = np.exp(-(k @ logs) - np.log(saddle)) * width * _STEP * total / np.pi
    return min(1.0, max(0.0, float(chance))), float(np.sqrt(k @ logs**2))
