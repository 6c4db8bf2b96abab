"""The bundled questions: passages written for this project, each with questions that it answers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from robustfim.example import Example
from robustfim_reference.bundled import Bundled

__all__ = ["Questions"]


class Questions(Bundled):
    """Questions on 24 short passages, with the answers that count as right, each a part of its passage.

    An example has the fields ``question`` and ``context``; its gold label is the first answer, the others are
    accepted. People, places and numbers in the passages are invented.

    Args:
        limit: How many to load from the beginning; None for all.
    """

    file, row = "questions/passages.jsonl", "question"

    def _examples(self, row: dict[str, Any]) -> Iterator[Example]:
        for asked in row["questions"]:
            first, *others = asked["answers"]
            fields = {"question": asked["question"], "context": row["context"]}
            yield Example(fields, first, accepted=tuple(others))
