"""Rates by slice: how often the examples of each part of the data are predicted right, and how often they break."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from robustfim.record import CheckRecord, Failure, Record, SliceRecord
from robustfim.statistics.clusters import ClusterCounts, clustered_rate
from robustfim.suite.slices import SliceSpec

__all__ = ["slice_records", "worst_slices"]


def slice_records(
    slices: Mapping[str, SliceSpec],
    examples: Iterable[tuple[str, bool | None, str | None, Collection[str]]],
    checks: Sequence[CheckRecord],
    failures: Sequence[Failure],
) -> list[SliceRecord]:
    """Count each slice.

    The unit is the example: it fails when at least one candidate of at least one check does. Where a check's texts are
    other examples of the data, a pair counts for both.

    Args:
        slices: The slices by name.
        examples: The examples that slices are made of: the id of each, whether its prediction is right (None without
            a gold label), its cluster (None for one that stands alone), and the names of the slices that hold it.
        checks: Its checks.
        failures: Its failures.
    """
    tested = {check.id: set(check.examples) for check in checks}
    broken: dict[str, set[str]] = {check.id: set() for check in checks}
    for failure in failures:
        broken[failure.check].add(failure.example)
    for check in checks:  # of a pair that fails nobody knows which half to blame
        tested[check.id] |= set(check.partners.values())
        broken[check.id] |= {check.partners[each] for each in broken[check.id] if each in check.partners}
    anywhere: set[str] = set().union(*tested.values())
    somewhere: set[str] = set().union(*broken.values())
    parts = {name: _Part() for name in slices}
    for id, is_right, cluster, names in examples:
        for part in map(parts.__getitem__, names):
            part.examples += 1
            if is_right is not None:
                part.right.add(is_right, cluster)
            if id in anywhere:
                part.tested[id] = cluster
    records = []
    for name, part in parts.items():
        held = part.tested.keys()
        clusters = {id: cluster for id, cluster in part.tested.items() if cluster is not None}
        records.append(
            SliceRecord(
                name=name,
                definition=slices[name].model_dump(mode="json", exclude_unset=True),
                examples=part.examples,
                members=list(held),
                accuracy=part.right.rate[0],
                failures=clustered_rate(held & somewhere, held, clusters)[0],
                checks={
                    check.id: clustered_rate(held & broken[check.id], held & tested[check.id], clusters)[0]
                    for check in checks
                },
            )
        )
    return records


@dataclass
class _Part:
    """What is counted of a slice; of the examples that no check tested, their number alone."""

    examples: int = 0
    right: ClusterCounts = field(default_factory=ClusterCounts)
    tested: dict[str, str | None] = field(default_factory=dict)


def worst_slices(record: Record) -> list[SliceRecord]:
    """Order the slices, the surely worst first.

    Returns:
        The slices with tested examples, by the lower end of the interval of their failure rate: a slice of three
        examples that all break says less than one of a hundred of which sixty do.
    """
    tested = [each for each in record.slices if each.failures.tested]
    return sorted(tested, key=lambda each: each.failures.ends[0], reverse=True)
