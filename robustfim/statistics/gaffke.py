"""A test of a mean over a fixed number of clusters, of any sizes, whose examples may all fail together.

Clusters c = 1, …, K are independent. Cluster c has n_c examples, whose numbers in [0, 1] have the sum y_c. Let N = Σ
n_c be the number of examples and L the limit of their mean. To prove *passed*, the test must reject Σ E y_c ≥ N L,
whichever clusters fail and however correlated their examples are. Choose any numbers t_c with the sum N L, and let κ be
the largest n_c − t_c. Then the trials z_c = (y_c − t_c) / κ are at most 1, and

    p = P(Σ E_c z_c + E ≥ 0),  E_c and E independent and exponential,

is taken as the p-value: the probability that a weighted mean of the z_c and of one further trial with z = 1 (a cluster
that fails whole) is at least 0, if the weights are drawn from Dirichlet(1, …, 1). For clusters of one size this is
Gaffke's bound (Gaffke 2005; Learned-Miller and Thomas 2020; Phan, Thomas and Learned-Miller 2021 prove a related
bound). For single examples that fail or pass it is the binomial tail of Clopper and Pearson (1934).

The product Π (1 − λ z_c), λ < 1, has expectation at most 1 for any independent clusters with Σ E y_c ≥ N L, since the
mean of the expectations of the factors is at most 1 (Maclaurin 1729). This holds for any t_c. With t_c = n_c L, the
further failing trial is as large as the largest cluster. The test uses t_c = max(½ n_c L, n_c − κ), and κ follows from
the sum N L. This choice limits the influence of the largest clusters, at no cost to small ones. The smallest limit that
a check can pass is then nearly the smallest that any test allows, which belongs to t_c = max(0, n_c − κ).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

__all__ = ["chance_above", "largest_feared", "tail_of_clusters"]

_STEP = 0.05
"""The step of the trapezoidal rule, whose relative error is 1e-12."""
_NODES = 40
"""The number of nodes after which the rule checks whether the remaining ones still contribute."""
_LEFT = 1e-16


def tail_of_clusters(
    sums: Array, sizes: Array, clusters: Array, limit: float, *, above: bool, usual: float = 0.0
) -> tuple[float, float]:
    """Return the p-value for a mean over clusters (groups of dependent examples) above or below a limit.

    Args:
        sums: For each kind of cluster, the sum y of its examples' numbers, each in [0, 1], ``[kinds]``.
        sizes: For each kind, the number n of examples in a cluster, or their total weight, ``[kinds]``.
        clusters: The number of clusters of each kind, ``[kinds]``; any numbers > 0.
        limit: The limit L, in (0, 1).
        above: Whether to test that the mean lies above the limit; else that it lies below.
        usual: The number of an example to which nothing happened: 0, or ½ for a difference that is mapped to [0, 1].

    Returns:
        The p-value, and the standard deviation of its logarithm over samples of as many clusters.
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
    """Find κ, the size of the largest trial: the solution of Σ max(n_c a, n_c − κ) = N L over N examples in clusters c.

    Args:
        sizes: n_c, the number of examples in a cluster, by kind of cluster.
        clusters: The number of clusters of each kind.
        limit: L, in (0, 1).
        least: a, the smallest expected fraction of a cluster, in [0, L].
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
    """Compute P(Σ a G ≥ 0), for factors a and independent gamma variables G ~ Gamma(k, 1) of shapes k.

    The method is the inverse Laplace transform (1 / 2πi) ∫ Π (1 − a s)^(−k) ds / s along a line through its saddle
    point. After the substitution t = b sinh u the trapezoidal rule converges geometrically. The relative error is about
    1e-12, in any tail.

    Args:
        factors: The factors a, ``[terms]``.
        shapes: The shapes k > 0, ``[terms]``.

    Returns:
        The probability, and √(Σ k log²(1 − a s)) at the saddle point.
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
