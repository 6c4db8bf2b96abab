"""The table of a run's examples: texts are read from the spool on disk, numbers from memory."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import repeat
from typing import Any, NamedTuple

from robustfim.collect.spool import BLOCK
from robustfim.example import Example
from robustfim.record import PredictionRecord
from robustfim.record.example_table import columns_of
from robustfim.roles import Progress
from robustfim.select.columns import Numbers, Predictions
from robustfim.select.selection import arm_of
from robustfim.statistics.clusters import ClusterOf

__all__ = ["FoundExamples"]


class _Row(NamedTuple):
    """An example: its place among the usable ones and among the predicted ones, and the data for the columns."""

    number: int
    place: int
    id: str
    example: Example | None
    said: PredictionRecord | None


class FoundExamples:
    """The results of a run for all usable examples, as a :class:`robustfim.record.ExampleTable`.

    Args:
        predictions: The model's predictions.
        scores: Score name to example id to number.
        arms: Example id to its group (arm).
        clusters: Example id to cluster (group of dependent examples).
        brought: Ids of the examples that checks bring, which are not in the data.
        progress: Called with ("write", rows read, rows) after each block except the last.
    """

    def __init__(
        self,
        predictions: Predictions,
        scores: Mapping[str, Mapping[str, float]],
        arms: Mapping[str, str],
        clusters: ClusterOf,
        brought: Collection[str],
        progress: Progress = lambda *_: None,
    ) -> None:
        self._predictions, self._progress = predictions, progress
        self._clusters = clusters
        # What is scored comes first, in the same order: the examples of the data.
        self._scores = {
            name: numbers.column if isinstance(numbers, Numbers) else list(numbers.values())
            for name, numbers in scores.items()
        }
        self.columns = columns_of(predictions.examples.spool.fields, scores)
        self._plain: Mapping[str, Callable[[_Row], Any]] = {
            "id": lambda row: row.id,
            "label": lambda row: row.example and row.example.label,
            "prediction": lambda row: row.said and row.said.label,
            "probabilities": lambda row: row.said and row.said.probabilities,
            "correct": lambda row: predictions.right(row.place),
            "cluster": lambda row: clusters.get(row.id),
            "arm": lambda row: arm_of(arms.get(row.id, "all" if row.id in brought else None)),
            "infinite": lambda row: [name for name in scores if math.isinf(self._score(name, row) or 0)],
        }

    def __len__(self) -> int:
        return len(self._predictions)

    def rows(self, columns: Sequence[str]) -> Iterator[tuple[Any, ...]]:
        """Read the named columns, row by row."""
        values = [self._value(name) for name in columns]
        asked = not {"prediction", "probabilities"}.isdisjoint(columns)
        texts = any(name == "label" or name.startswith("fields.") for name in columns)
        examples = self._predictions.usable if texts else repeat(None, len(self))
        rows = zip(self._predictions.places(), self._predictions, examples, strict=True)
        for number, (place, id, example) in enumerate(rows):
            if number and not number % BLOCK:
                self._progress("write", number, len(self))
            said = self._predictions.at(place) if asked else None
            row = _Row(number, place, id, example, None if said is None else PredictionRecord.of(said))
            yield tuple([value(row) for value in values])

    def told(self) -> Iterator[tuple[int, str, bool | None, str | None]]:
        """Yield for each example its place in the data, its id, whether its prediction is right, and its cluster."""
        rows = self._predictions.examples.rows
        for id, place in zip(self._predictions, self._predictions.places(), strict=True):
            yield rows[place], id, self._predictions.right(place), self._clusters.get(id)

    def _value(self, column: str) -> Callable[[_Row], Any]:
        kind, dot, name = column.partition(".")
        if not dot:
            return self._plain[column]
        if kind == "scores":
            return lambda row: self._score(name, row)
        return lambda row: row.example and row.example.fields.get(name)

    def _score(self, name: str, row: _Row) -> float | None:
        """The score of an example; None for those that checks brought."""
        column = self._scores[name]
        return column[row.number] if row.number < len(column) else None
