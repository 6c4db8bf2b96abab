"""The bundled reviews: texts written for this project, to try a sentiment model on without any download."""

from __future__ import annotations

import json
from collections.abc import Iterator
from importlib.resources import files

from robustfim.errors import UsageError
from robustfim.example import Example

__all__ = ["Reviews"]


class Reviews:
    """Short reviews, each labelled positive or negative.

    Args:
        limit: How many to load from the beginning; None for all.
    """

    def __init__(self, *, limit: int | None = None) -> None:
        if limit is not None and limit < 1:
            raise UsageError(f"limit={limit} loads no review; give a number from 1, or leave it out.")
        self.limit = limit

    def load(self) -> Iterator[Example]:
        """Yield the reviews in the order of the file."""
        text = (files("robustfim_reference") / "reviews" / "reviews.jsonl").read_text(encoding="utf-8")
        for line in text.removesuffix("\n").split("\n")[: self.limit]:
            row = json.loads(line)
            yield Example({"text": row["text"]}, label=row["label"])
