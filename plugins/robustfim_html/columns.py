"""Columns: many rows as lists of numbers and dictionaries of texts, compressed into one line of text."""

from __future__ import annotations

import base64
import gzip
import json
import math
from collections.abc import Iterable, Mapping
from typing import Any

__all__ = ["Texts", "finite", "packed"]


def finite(numbers: Iterable[float | None]) -> list[float | None]:
    """Return a column of numbers; None stands for a number that is not defined."""
    return [number if number is not None and math.isfinite(number) else None for number in numbers]


class Texts:
    """A dictionary of distinct texts; columns refer to a text by its place."""

    def __init__(self) -> None:
        self._places: dict[str, int] = {}

    def place(self, text: str) -> int:
        """Return the place of a text, and add the text if it is new."""
        return self._places.setdefault(text, len(self._places))

    @property
    def all(self) -> list[str]:
        """Return the texts in the order of their places."""
        return list(self._places)


def packed(head: Mapping[str, Any]) -> str:
    """Return a mapping of JSON values as one line of base64, of letters, digits and ``+/=``."""
    text = json.dumps(head, separators=(",", ":"), allow_nan=False)
    return base64.b64encode(gzip.compress(text.encode(), 9, mtime=0)).decode()
