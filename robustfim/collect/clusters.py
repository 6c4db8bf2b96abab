"""Clusters of examples that are not independent of each other, as the suite or the data say."""

from __future__ import annotations

from array import array
from collections.abc import Sequence

from robustfim.collect.spool import BLOCK, ByExample, Examples
from robustfim.errors import UsageError, shown, suggestions
from robustfim.example import Example
from robustfim.roles import Progress
from robustfim.statistics.clusters import ClusterOf

__all__ = ["CLUSTER", "Clusters", "clusters_of"]

CLUSTER = "cluster"
"""The key in an example's ``meta`` under which data or a source of checks name the cluster."""

_ALONE = -1


class Clusters(ByExample[str]):
    """A compact mapping from example id to cluster (group of dependent examples).

    Args:
        examples: All examples.
        numbers: The number of each example's cluster, ``[examples]``; -1 for an example without a cluster.
        names: The names of the clusters, by number.
    """

    def __init__(self, examples: Examples, numbers: array[int], names: Sequence[str]) -> None:
        super().__init__(examples, bytearray(number != _ALONE for number in numbers))
        self._numbers, self._names = numbers, names

    def at(self, place: int) -> str | None:
        """Return the cluster of the example at a place."""
        return self._names[self._numbers[place]] if self._held[place] else None


def clusters_of(examples: Sequence[Example], field: str | None, progress: Progress = lambda *_: None) -> ClusterOf:
    """Find the cluster (group of dependent examples) of each example.

    Args:
        examples: The examples.
        field: The field or column that the suite names; None to use the names under :data:`CLUSTER`.
        progress: Called with ("cluster", examples done, examples).

    Returns:
        Example id to cluster, for examples in a cluster.

    Raises:
        UsageError: No example has the field.
    """
    rows = Examples.of(examples)
    if field and rows and field not in rows.columns:
        known = sorted(rows.columns)
        raise UsageError(f"cluster: no example has {shown(field)}.{suggestions(field, known, 'Known')}")
    if not field and CLUSTER not in rows.columns:
        return {}
    numbers, names = array("i"), dict[str, int]()
    for place, example in enumerate(rows):
        if place % BLOCK == 0:
            progress("cluster", place, len(rows))
        value = example.fields.get(field, example.meta.get(field)) if field else None
        value = example.meta.get(CLUSTER) if value is None else value
        alone = value is None or not str(value)
        numbers.append(_ALONE if alone else names.setdefault(str(value), len(names)))
    return Clusters(rows, numbers, list(names)) if names else {}
