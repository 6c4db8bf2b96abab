"""The table of examples of a run in this process: texts from the spool, numbers from the columns."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from robustfim.example import Example
from robustfim.record import PredictionRecord
from robustfim.record.example_table import BLOCK, columns_of
from robustfim.select.columns import Numbers, Predictions
from robustfim.select.selection import arm_of

__all__ = ["FoundExamples"]


class FoundExamples:
    """What a run found of its usable examples. Fits :class:`robustfim.record.ExampleTable`.

    Args:
        predictions: What the model says of them.
        scores: Score name to example id to number.
        arms: Example id to arm.
        clusters: Example id to cluster.
        brought: Ids of the examples that checks brought.
        progress: Called with ("write", rows read, rows) after each block but the last.
    """

    def __init__(
        self,
        predictions: Predictions,
        scores: Mapping[str, Mapping[str, float]],
        arms: Mapping[str, str],
        clusters: Mapping[str, str],
        brought: Collection[str],
        progress: Callable[[str, int, int], None] = lambda *_: None,
    ) -> None:
        self._predictions, self._progress = predictions, progress
        self._arms, self._clusters, self._brought = arms, clusters, brought
        # What is scored comes first, in the same order: the examples of the data.
        self._scores = {name: _column(numbers) for name, numbers in scores.items()}
        self.columns = columns_of(predictions.examples.spool.fields, scores)

    def __len__(self) -> int:
        return len(self._predictions)

    def blocks(self, columns: Sequence[str]) -> Iterator[dict[str, list[Any]]]:
        """Read some columns, block by block."""
        texts = any(name == "label" or name.startswith("fields.") for name in columns)
        told = any(name in ("prediction", "probabilities") for name in columns)
        ids, places = iter(self._predictions), self._predictions.places()
        examples = iter(self._predictions.usable) if texts else iter(())
        for start in range(0, len(self), BLOCK):
            if start:
                self._progress("write", start, len(self))
            block = _Block(
                start,
                list(islice(ids, BLOCK)),
                where := list(islice(places, BLOCK)),
                list(islice(examples, BLOCK)),
                [PredictionRecord.of(found) for found in map(self._predictions.at, where) if found] if told else [],
            )
            yield {name: self._values(name, block) for name in columns}

    def told(self) -> Iterator[tuple[int, str, bool | None, str | None]]:
        """Tell of each example its row in the spool, its id, whether its prediction is right, and its cluster."""
        rows = self._predictions.examples.rows
        for id, place in zip(self._predictions, self._predictions.places(), strict=True):
            yield rows[place], id, self._predictions.right(place), self._clusters.get(id)

    def _values(self, name: str, block: _Block) -> list[Any]:
        kind, _, inner = name.partition(".")
        if kind == "scores":
            return _part(self._scores[inner], block)
        if kind == "fields":
            return [each.fields.get(inner) for each in block.examples]
        if name == "infinite":
            parts = {score: _part(column, block) for score, column in self._scores.items()}
            rows = range(len(block.ids))
            return [[score for score, part in parts.items() if math.isinf(part[row] or 0)] for row in rows]
        if name == "id":
            return block.ids
        if name == "arm":
            return [arm_of(self._arms.get(id, "all" if id in self._brought else None)) for id in block.ids]
        if name == "cluster":
            return [*map(self._clusters.get, block.ids)]
        if name == "correct":
            return [*map(self._predictions.right, block.places)]
        if name == "label":
            return [each.label for each in block.examples]
        return [each.label if name == "prediction" else each.probabilities for each in block.told]


@dataclass(frozen=True)
class _Block:
    """Some examples beside each other; texts and predictions only where they are asked for."""

    start: int
    ids: list[str]
    places: list[int]
    examples: list[Example]
    told: list[PredictionRecord]


def _column(numbers: Mapping[str, float]) -> Sequence[float]:
    return numbers.column if isinstance(numbers, Numbers) else list(numbers.values())


def _part(column: Sequence[float], block: _Block) -> list[float | None]:
    """The numbers of a block; None for those that checks brought."""
    found = list(column[block.start : block.start + len(block.ids)])
    return [*found, *[None] * (len(block.ids) - len(found))]
