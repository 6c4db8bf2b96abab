"""Rates by slice: how often the examples of each part of the data are predicted right, and how often they break."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field

from robustfim.judge.estimate import Design
from robustfim.judge.trials import Trials
from robustfim.record import Record, SliceRecord
from robustfim.statistics.clusters import ClusterCounts
from robustfim.suite.slices import SliceSpec

__all__ = ["slice_records", "worst_slices"]


def slice_records(
    slices: Mapping[str, SliceSpec],
    examples: Iterable[tuple[str, bool | None, str | None, Collection[str]]],
    checks: Mapping[str, Design],
    trials: Trials,
    together: Design,
) -> list[SliceRecord]:
    """Count each slice.

    The unit is the example: it fails when at least one candidate of at least one check does. Where a check's texts are
    other examples of the data, a pair counts for both.

    Args:
        slices: The slices by name.
        examples: The examples that slices are made of: the id of each, whether its prediction is right (None without
            a gold label), its cluster (None for one that stands alone), and the names of the slices that hold it.
        checks: The design of each check that takes part, by id.
        trials: The trials of the run.
        together: The design of all of these checks, by which an example is tested that any of them tested.
    """
    tested = trials.tested
    parts = {name: _Part() for name in slices}
    for id, is_right, cluster, names in examples:
        for part in map(parts.__getitem__, names):
            part.examples += 1
            if is_right is not None:
                part.right.add(is_right, cluster)
            if id in tested:
                part.members[id] = None
    by_check = {id: trials.of_checks(id) for id in checks}
    anywhere = trials.of_checks(*checks).by_example()
    return [
        SliceRecord(
            name=name,
            definition=slices[name].model_dump(mode="json", exclude_unset=True),
            examples=part.examples,
            members=list(part.members),
            accuracy=part.right.rate[0],
            failures=together.estimate(anywhere.within(part.members)).rate,
            checks={id: design.estimate(by_check[id].within(part.members)).rate for id, design in checks.items()},
        )
        for name, part in parts.items()
    ]


@dataclass
class _Part:
    """What is counted of a slice; of the examples that no check tested, their number alone."""

    examples: int = 0
    right: ClusterCounts = field(default_factory=ClusterCounts)
    members: dict[str, None] = field(default_factory=dict)


def worst_slices(record: Record) -> list[SliceRecord]:
    """Order the slices, the surely worst first.

    Returns:
        The slices with tested examples, by the lower end of the interval of their failure rate: a slice of three
        examples that all break says less than one of a hundred of which sixty do.
    """
    tested = [each for each in record.slices if each.failures.tested]
    return sorted(tested, key=lambda each: each.failures.ends[0], reverse=True)
