"""Rates by slice: accuracy and failure rate of each part of the data."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field

from robustfim.judge.design import Design
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
    whole: Collection[str] = (),
) -> list[SliceRecord]:
    """Count the examples and the failing examples of each slice (named part of the data).

    An example fails if at least one of its perturbed texts fails, in any check. If a check pairs examples of the data,
    a failing pair counts as a failure of both examples.

    Args:
        slices: The slices by name.
        examples: All examples of the data: id, whether the prediction is right (None without a gold label), cluster
            (None for an independent example), and the names of the slices that contain the example.
        checks: The sampling design of each check, by id.
        trials: The results of all checks: one row per check and example.
        together: The sampling design of all checks together, in which an example is tested if any check tested it.
        whole: The slices of which all examples were drawn.
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
            failures=together.estimate(anywhere.within(part.members), whole=name in whole).counts,
            checks={
                id: design.estimate(by_check[id].within(part.members), whole=name in whole).counts
                for id, design in checks.items()
            },
        )
        for name, part in parts.items()
    ]


@dataclass
class _Part:
    """The counts of a slice. Examples that no check tested have only a number."""

    examples: int = 0
    right: ClusterCounts = field(default_factory=ClusterCounts)
    members: dict[str, None] = field(default_factory=dict)


def worst_slices(record: Record) -> list[SliceRecord]:
    """Order the slices (named parts of the data) by how certainly their failure rate is high, the worst first.

    Returns:
        The slices with tested examples, sorted by the lower end of the interval of their failure rate. A slice with 3
        of 3 failing examples is less certain than a slice with 60 of 100.
    """
    tested = [record_slice for record_slice in record.slices if record_slice.failures.tested]
    return sorted(tested, key=lambda slice_record: slice_record.failures.ends[0], reverse=True)
