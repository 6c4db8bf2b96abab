"""A learned mix of difficulty scores: a logistic regression that never scores an example on which it was fitted."""

from __future__ import annotations

import numpy as np

from robustfim_study.association import Array

__all__ = ["FOLDS", "MIX", "cross_fitted"]

MIX = "mix"
"""The name of the mix among the scores."""

FOLDS = 5
"""The number of folds. Each fold is scored by a regression fitted on the others."""


def cross_fitted(difficulties: Array, failing: Array, seed: int) -> Array | None:
    """Predict each example's failure by a logistic regression on several scores, fitted without this example.

    Each score is standardised on the examples of the fit. NaN is replaced by their mean, and an infinite score by the
    largest or smallest finite value.

    Args:
        difficulties: The scores, ``[examples, scores]``, larger is harder; NaN if undefined.
        failing: 1 for a failing example, otherwise 0, ``[examples]``.
        seed: The seed of the folds.

    Returns:
        The predicted log-odds of failing, ``[examples]``; None with fewer than two scores, with fewer than ``FOLDS``
        failing or passing examples, or without scikit-learn.
    """
    if difficulties.shape[1] < 2 or min(failing.sum(), (1 - failing).sum()) < FOLDS:
        return None
    try:
        from sklearn.impute import SimpleImputer
        from sklearn.linear_model import LogisticRegression
        from sklearn.model_selection import StratifiedKFold, cross_val_predict
        from sklearn.pipeline import make_pipeline
        from sklearn.preprocessing import StandardScaler
    except ModuleNotFoundError:
        return None
    finite = np.where(np.isfinite(difficulties), difficulties, np.nan)
    least, most = (pick(finite, axis=0, initial=start, where=np.isfinite(finite))
                   for pick, start in ((np.min, np.inf), (np.max, -np.inf)))  # fmt: skip
    bounded = np.where(np.isinf(difficulties), np.where(difficulties > 0, most, least), difficulties)
    bounded[~np.isfinite(bounded)] = np.nan  # of a score without a finite value
    model = make_pipeline(SimpleImputer(keep_empty_features=True), StandardScaler(), LogisticRegression())
    folds = StratifiedKFold(FOLDS, shuffle=True, random_state=seed % 2**32)
    found: Array = cross_val_predict(model, bounded, failing, cv=folds, method="decision_function")
    return found
