"""First embeddings against a dense factorisation."""

from __future__ import annotations

import numpy as np

from robustfim_reference.embeddings import cooccurrence_embeddings

ROWS = 12
TEXTS = [np.random.default_rng(1).integers(3, ROWS, 30) for _ in range(5)]


def dense_mutual_information(window: int) -> np.ndarray:
    counts = np.zeros((ROWS, ROWS))
    for text in TEXTS:
        for i, left in enumerate(text):
            for j, right in enumerate(text):
                if 0 < abs(i - j) <= window:
                    counts[left, right] += 1 / abs(i - j)
    marginal = counts.sum(1)
    smoothed = marginal**0.75 / (marginal**0.75).sum()
    with np.errstate(divide="ignore", invalid="ignore"):
        mutual = np.log(counts / marginal[:, None] / smoothed)
    return np.where(counts > 0, np.maximum(mutual, 0), 0)


def test_the_embeddings_are_the_leading_factors_of_the_mutual_information() -> None:
    found = cooccurrence_embeddings(TEXTS, ROWS, 4, seed=0, window=3).astype(float)
    u, sigma, _ = np.linalg.svd(dense_mutual_information(3))
    wanted = u[:, :4] * np.sqrt(sigma[:4])
    wanted /= np.sqrt(np.square(wanted[3:]).mean())
    np.testing.assert_allclose(found @ found.T, wanted @ wanted.T, atol=2e-3)


def test_rows_that_stand_for_no_word_are_zero() -> None:
    assert not cooccurrence_embeddings(TEXTS, ROWS, 4, seed=0)[:3].any()


def test_the_seed_changes_no_more_than_the_last_digit() -> None:
    a, b = (cooccurrence_embeddings(TEXTS, ROWS, 4, seed=seed) for seed in (0, 1))
    np.testing.assert_allclose(a, b, atol=2e-4)


def test_texts_without_neighbours_give_zeros() -> None:
    assert not cooccurrence_embeddings([np.array([3]), np.array([4])], 5, 4, seed=0).any()
