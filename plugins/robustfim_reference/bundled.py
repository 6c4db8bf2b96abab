"""Texts that come with the plugin, written for this project."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from importlib.resources import files
from itertools import islice
from typing import Any, ClassVar

from robustfim.errors import UsageError
from robustfim.example import Example

__all__ = ["Bundled"]


class Bundled:
    """The rows of a file of JSON lines that lies in the plugin.

    Args:
        limit: How many examples to load from the beginning; None for all.

    Raises:
        UsageError: ``limit`` is below 1.
    """

    file: ClassVar[str]
    """Its place in the plugin."""
    row: ClassVar[str]
    """What one is called."""

    def __init__(self, *, limit: int | None = None) -> None:
        if limit is not None and limit < 1:
            raise UsageError(f"limit={limit} loads no {self.row}; give a number from 1, or leave it out.")
        self.limit = limit

    def load(self) -> Iterator[Example]:
        """Yield the examples in the order of the file."""
        text = (files("robustfim_reference") / self.file).read_text(encoding="utf-8")
        rows = map(json.loads, text.removesuffix("\n").split("\n"))
        return islice((example for row in rows for example in self._examples(row)), self.limit)

    def _examples(self, row: dict[str, Any]) -> Iterable[Example]:
        """Make the examples of a row: of one with a text and its label, one."""
        return [Example({"text": row["text"]}, label=row["label"])]
