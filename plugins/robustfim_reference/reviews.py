"""The bundled reviews: texts written for this project, to try a sentiment model on without any download."""

from __future__ import annotations

from robustfim_reference.bundled import Bundled

__all__ = ["Reviews"]


class Reviews(Bundled):
    """Short reviews, each labelled positive or negative.

    Args:
        limit: How many to load from the beginning; None for all.
    """

    file, row = "reviews/reviews.jsonl", "review"
