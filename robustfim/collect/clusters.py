"""Clusters: which examples are not independent of each other, as the suite or the data say."""

from __future__ import annotations

from collections.abc import Sequence

from robustfim.collect.spool import Examples
from robustfim.errors import UsageError, did_you_mean
from robustfim.example import Example

__all__ = ["CLUSTER", "clusters_of"]

CLUSTER = "cluster"
"""The value of an example's row under which data and sources of checks name its cluster themselves."""


def clusters_of(examples: Sequence[Example], field: str | None) -> dict[str, str]:
    """Find the cluster of each example.

    Args:
        examples: The examples.
        field: The field or column that the suite names; None for what data and sources say themselves.

    Returns:
        Example id to cluster, of the examples that have one.

    Raises:
        UsageError: No example has the field.
    """
    spooled = examples.spool.columns if isinstance(examples, Examples) else None
    if spooled is not None and not field and CLUSTER not in spooled:
        return {}
    found = {}
    for each in examples:
        value = each.fields.get(field, each.meta.get(field)) if field else None
        value = each.meta.get(CLUSTER) if value is None else value
        if value is not None and str(value):
            found[each.id] = str(value)
    names = {name for each in examples for name in (*each.fields, *each.meta)} if spooled is None else spooled
    if field and examples and field not in names:
        known = sorted({name for each in examples[:100] for name in (*each.fields, *each.meta)})
        raise UsageError(f"cluster: no example has {field!r}.{did_you_mean(field, known)} Known: {', '.join(known)}.")
    return found
