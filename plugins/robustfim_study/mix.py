"""A learned mix of difficulty scores: a logistic regression that never scores an example on which it was fitted."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from robustfim_study.association import Array

__all__ = ["FOLDS", "MIX", "PENALTY", "cross_fitted", "fit_logistic"]

MIX = "mix"
"""The name of the mix among the scores."""

FOLDS = 5
"""The number of folds. Each fold is scored by a regression fitted on the others."""

PENALTY = 1.0
"""The penalty on squared coefficients of standardised scores, equal to scikit-learn's C = 1."""

_STEPS = 100


def cross_fitted(difficulties: Array, failing: Array, seed: int) -> Array | None:
    """Predict each example's failure by a logistic regression on several scores, fitted without this example.

    Each score is standardised on the examples of the fit. NaN is replaced by the mean, and an infinite score by the
    largest or smallest finite value.

    Args:
        difficulties: The scores, ``[examples, scores]``, larger is harder; NaN if undefined.
        failing: 1 for a failing example, otherwise 0, ``[examples]``.
        seed: The seed of the folds.

    Returns:
        The predicted log-odds of failing, ``[examples]``; None with fewer than two scores, or with fewer than ``FOLDS``
        failing or passing examples.
    """
    groups = [np.flatnonzero(failing == value) for value in (0, 1)]
    if difficulties.shape[1] < 2 or min(map(len, groups)) < FOLDS:
        return None
    random = np.random.default_rng(seed)
    fold = np.empty(len(failing), dtype=np.intp)
    for rows in groups:  # as many failing examples in one fold as in another
        fold[random.permutation(rows)] = np.arange(len(rows)) % FOLDS
    logits = np.empty(len(failing))
    for number in range(FOLDS):
        held_out = fold == number
        known, asked = _standardised(difficulties[~held_out], difficulties[held_out])
        weights = fit_logistic(known, failing[~held_out])
        logits[held_out] = weights[0] + asked @ weights[1:]
    return logits


def fit_logistic(features: Array, failing: Array) -> Array:
    """Fit a logistic regression by Newton's method, with a penalty on all coefficients but the intercept.

    The loss is Σ log(1 + exp(−t_i z_i)) + ``PENALTY``/2 ‖w‖², with z = b + X w and t = ±1.

    Args:
        features: X, ``[examples, scores]``, finite.
        failing: 1 (t = 1) or 0 (t = −1), ``[examples]``.

    Returns:
        The intercept and the coefficients, ``[1 + scores]``.
    """
    design = np.column_stack([np.ones(len(features)), features])
    penalty = np.diag([0.0] + [PENALTY] * features.shape[1])
    weights = np.zeros(design.shape[1])
    for _ in range(_STEPS):
        p = 1 / (1 + np.exp(-np.clip(design @ weights, -500, 500)))
        gradient = design.T @ (p - failing) + penalty @ weights
        hessian = (design * (p * (1 - p))[:, None]).T @ design + penalty
        step = np.linalg.solve(hessian + 1e-12 * np.eye(len(weights)), gradient)
        # Newton's steps can overshoot where the classes part early; a bounded one comes down all the same.
        weights = weights - step / max(1.0, float(np.abs(step).max()) / 5)
        if float(np.abs(step).max()) < 1e-10:
            break
    return weights


def _standardised(known: Array, asked: Array) -> tuple[Array, Array]:
    """Standardise by the finite values of the known examples; a score without spread says nothing and becomes 0."""
    columns: list[tuple[NDArray[np.float64], NDArray[np.float64]]] = []
    for own, other in zip(known.T, asked.T, strict=True):
        finite = own[np.isfinite(own)]
        if not len(finite) or finite.std() == 0:
            columns.append((np.zeros(len(own)), np.zeros(len(other))))
            continue
        mean, spread = finite.mean(), finite.std()
        filled = (np.nan_to_num(each, nan=mean, posinf=finite.max(), neginf=finite.min()) for each in (own, other))
        first, second = ((each - mean) / spread for each in filled)
        columns.append((first, second))
    return np.column_stack([first for first, _ in columns]), np.column_stack([second for _, second in columns])
