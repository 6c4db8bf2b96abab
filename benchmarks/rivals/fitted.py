"""The model that all tools test. It only needs scikit-learn, so that it can be fitted in every tool's environment."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

__all__ = ["TEXTS", "fitted", "rows"]

TEXTS = "texts.csv"
"""The reviews, written into the folder that a tool runs in."""


def rows(path: str = TEXTS) -> list[dict[str, str]]:
    """Read the reviews, each a pair of a text and a label."""
    with Path(path).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def fitted() -> Any:
    """Fit a logistic regression on TF-IDF of words, which reads "GOOD" as another word than "good"."""
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline

    texts = rows()
    model = make_pipeline(TfidfVectorizer(lowercase=False), LogisticRegression())
    return model.fit([text["text"] for text in texts], [text["label"] for text in texts])
