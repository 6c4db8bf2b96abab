"""Initial word embeddings from the co-occurrence of words in the training texts.

The embeddings factorise shifted positive pointwise mutual information (Levy and Goldberg 2014).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_matrix, csr_matrix
from scipy.sparse.linalg import svds

__all__ = ["cooccurrence_embeddings"]


def cooccurrence_embeddings(
    texts: Sequence[NDArray[np.int64]], rows: int, dims: int, *, seed: int, window: int = 5, reserved: int = 3
) -> NDArray[np.float32]:
    """Return word embeddings computed from how often words stand near each other in texts.

    The method factorises the positive pointwise mutual information M. With the probabilities p of words and pairs, M_ij
    = max(0, log p(i, j) − log p(i) p(j)^¾). The singular value decomposition M ≈ U Σ Vᵀ gives the embeddings U Σ^½.

    Args:
        texts: For each text its rows of the vocabulary, ``[texts][tokens]``.
        rows: The size of the vocabulary.
        dims: The number of dimensions of an embedding.
        seed: The seed of the factorisation's starting vector.
        window: The number of tokens on either side that count as neighbours.
        reserved: The number of first rows that are not words; their embeddings are zero.

    Returns:
        Embeddings ``[rows, dims]``, with mean square 1 over the words that have neighbours. Columns beyond the rank of
        M are zero.
    """
    counts = csr_matrix((rows, rows))
    flat = np.concatenate([np.concatenate([text, np.full(window, -1)]) for text in texts])
    for offset in range(1, window + 1):
        left, right = flat[:-offset], flat[offset:]
        both = (left >= reserved) & (right >= reserved)
        weight = np.full(int(both.sum()), 1.0 / offset)
        counts = counts + coo_matrix((weight, (left[both], right[both])), shape=(rows, rows)).tocsr()
    counts = (counts + counts.T).tocoo()
    result = np.zeros((rows, dims), dtype=np.float32)
    rank = min(dims, rows - 2, int((counts.sum(axis=1) > 0).sum()) - 1)
    if rank < 1:
        return result
    marginal = np.asarray(counts.sum(axis=1)).ravel()
    smoothed = marginal**0.75 / (marginal**0.75).sum()
    mutual = np.log(counts.data / marginal[counts.row] / smoothed[counts.col])
    positive = csr_matrix((np.maximum(mutual, 0.0), (counts.row, counts.col)), shape=(rows, rows))
    start = np.random.default_rng(seed).standard_normal(rows)
    u, sigma, _ = svds(positive, k=rank, v0=start)
    order = np.argsort(-sigma, kind="stable")
    u, sigma = u[:, order], sigma[order]
    u = u * np.sign(u[np.abs(u).argmax(axis=0), np.arange(rank)])  # a singular vector's sign is arbitrary
    vectors = u * np.sqrt(sigma)
    vectors[marginal == 0] = 0.0
    scale = np.sqrt(np.square(vectors[marginal > 0]).mean())
    # The last bits differ from process to process; four decimals do not.
    result[:, :rank] = np.round(vectors / (scale if scale > 0 else 1.0), 4) + 0.0
    return result
