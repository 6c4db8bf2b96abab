"""Linear models over bags of words: logistic regression of labels, and of choices."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from robustfim.errors import UsageError
from robustfim.example import Example
from robustfim_cues.choices.choice import LABELS, is_choice
from robustfim_cues.models.features import bags

__all__ = ["LinearModel"]


class LinearModel:
    """An L2-regularised logistic regression over n-grams (scikit-learn's).

    For choices the model scores both alternatives with the same weights w. With x₁ and x₂ the features of the
    alternatives, P(first) = σ(w·(x₁ − x₂)), without an intercept, so that the order of the alternatives does not
    matter.

    Args:
        leave_out: Fields that the model does not read.
        longest: The largest n of n-grams, ≥ 1.

    Attributes:
        weights: The weight of each feature, after training on choices.
    """

    def __init__(self, leave_out: Collection[str] = (), *, longest: int = 1) -> None:
        self._leave_out, self._longest = frozenset(leave_out), longest
        self.weights: dict[str, float] = {}
        self.labels: tuple[str, ...] = ()

    def fit(self, examples: Sequence[Example]) -> LinearModel:
        """Train on labelled examples; either all or none are choices.

        Raises:
            UsageError: scikit-learn is missing.
        """
        try:
            from sklearn.feature_extraction import DictVectorizer
            from sklearn.linear_model import LogisticRegression
        except ModuleNotFoundError as error:
            raise UsageError(f"this trainer needs {error.name}: pip install 'robustfim[cues]'.") from error
        self._vectorizer = DictVectorizer()
        self._choices = is_choice(examples[0].fields)
        self._regression = LogisticRegression(
            C=1 / (1 + self._choices), fit_intercept=not self._choices, max_iter=5000, tol=1e-7
        )
        if not self._choices:
            self.labels = tuple(sorted({str(example.label) for example in examples}))
            rows = self._vectorizer.fit_transform([bag for example in examples for bag in self._bags(example)])
            self._regression.fit(rows, [str(example.label) for example in examples])
            return self
        from scipy.sparse import vstack

        self.labels = LABELS
        self._vectorizer.fit([bag for example in examples for bag in self._bags(example)])
        rows = self._differences(examples)
        first = np.array([example.label == "1" for example in examples])
        # Each choice and its reflection, so that both classes are there; the optimum is that of either half.
        self._regression.fit(vstack([rows, -rows]), np.concatenate([first, ~first]))
        names = self._vectorizer.get_feature_names_out()
        self.weights = {
            str(name): float(weight) for name, weight in zip(names, self._regression.coef_[0], strict=True) if weight
        }
        return self

    def probabilities(self, examples: Sequence[Example]) -> npt.NDArray[np.float64]:
        """Return probabilities ``[examples, labels]``."""
        if self._choices:
            rows = self._differences(examples)
            first = self._regression.predict_proba(rows)[:, list(self._regression.classes_).index(True)]
            return np.stack([first, 1 - first], axis=1)
        rows = self._vectorizer.transform([bag for example in examples for bag in self._bags(example)])
        found: npt.NDArray[np.float64] = self._regression.predict_proba(rows)
        return found

    def _bags(self, example: Example) -> list[dict[str, float]]:
        return [dict.fromkeys(bag, 1.0) for bag in bags(example, self._leave_out, self._longest)]

    def _differences(self, examples: Sequence[Example]) -> Any:
        """Return x₁ − x₂, a sparse matrix ``[examples, features]``."""
        bags = [self._bags(example) for example in examples]
        return self._vectorizer.transform([a for a, _ in bags]) - self._vectorizer.transform([b for _, b in bags])
