"""The bundled questions: passages written for this project, each with questions that it answers."""

from __future__ import annotations

import json
from collections.abc import Iterator
from importlib.resources import files

from robustfim.errors import UsageError
from robustfim.example import Example

__all__ = ["Questions"]


class Questions:
    """Questions on 24 short passages, with the answers that count as right, each a part of its passage.

    An example has the fields ``question`` and ``context``; its gold label is the first answer, the others are
    accepted. People, places and numbers in the passages are invented.

    Args:
        limit: How many to load from the beginning; None for all.
    """

    def __init__(self, *, limit: int | None = None) -> None:
        if limit is not None and limit < 1:
            raise UsageError(f"limit={limit} loads no question; give a number from 1, or leave it out.")
        self.limit = limit

    def load(self) -> Iterator[Example]:
        """Yield the questions in the order of the file."""
        text = (files("robustfim_reference") / "questions" / "passages.jsonl").read_text(encoding="utf-8")
        rows = [
            (passage["context"], question)
            for passage in map(json.loads, text.splitlines())
            for question in passage["questions"]
        ]
        for context, row in rows[: self.limit]:
            first, *others = row["answers"]
            yield Example({"question": row["question"], "context": context}, first, accepted=tuple(others))
