"""Rates by slice: how often the examples of each part of the data are predicted right, and how often they break."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from robustfim.record import CheckRecord, Failure, Record, SliceRecord
from robustfim.statistics.clusters import clustered_rate
from robustfim.suite.slices import SliceSpec

__all__ = ["slice_records", "worst_slices"]


def slice_records(
    slices: Mapping[str, SliceSpec],
    members: Mapping[str, frozenset[str]],
    examples: Sequence[tuple[str, bool | None, str | None]],
    checks: Sequence[CheckRecord],
    failures: Sequence[Failure],
) -> list[SliceRecord]:
    """Count each slice.

    The unit is the example: it fails when at least one candidate of at least one check does. Where a check's texts are
    other examples of the data, a pair counts for both.

    Args:
        slices: The slices by name.
        members: Ids of their examples.
        examples: The examples that slices are made of: the id of each, whether its prediction is right (None without
            a gold label), and its cluster (None for one that stands alone).
        checks: Its checks.
        failures: Its failures.

    Returns:
        A record for each slice, in the suite's order.
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
    records = []
    for name, spec in slices.items():
        kept = [example for example in examples if example[0] in members[name]]
        held = {id for id, *_ in kept}
        clusters = {id: cluster for id, _, cluster in kept if cluster is not None}
        labelled = {id for id, is_right, _ in kept if is_right is not None}
        right = {id for id, is_right, _ in kept if is_right}
        records.append(
            SliceRecord(
                name=name,
                definition=spec.model_dump(mode="json", exclude_unset=True),
                examples=len(kept),
                members=[id for id, *_ in kept if id in anywhere],
                accuracy=clustered_rate(right, labelled, clusters)[0],
                failures=clustered_rate(held & somewhere, held & anywhere, clusters)[0],
                checks={
                    check.id: clustered_rate(held & broken[check.id], held & tested[check.id], clusters)[0]
                    for check in checks
                },
            )
        )
    return records


def worst_slices(record: Record) -> list[SliceRecord]:
    """Order the slices, the surely worst first.

    Args:
        record: The run.

    Returns:
        The slices with tested examples, by the lower end of the interval of their failure rate: a slice of three
        examples that all break says less than one of a hundred of which sixty do.
    """

    def surely(each: SliceRecord) -> tuple[float, float]:
        return (-each.failures.ends[0], -(each.failures.rate or 0.0))

    return sorted((each for each in record.slices if each.failures.tested), key=surely)
