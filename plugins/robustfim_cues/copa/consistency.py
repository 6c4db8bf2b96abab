"""Pair consistency: the number of pairs with both instances, one, or none right (Kavumba et al. 2019)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from robustfim.example import Example
from robustfim.exhibit import Table
from robustfim.record import CheckRecord, Record
from robustfim.statistics import Rate

__all__ = ["BOTH", "MIRROR_ALONE", "NONE", "ORIGINAL_ALONE", "consistency", "lines", "pair_tables"]

BOTH = "both right"
ORIGINAL_ALONE = "original right, mirror wrong"
MIRROR_ALONE = "mirror right, original wrong"
NONE = "none right"


def consistency(check: CheckRecord, record: Record) -> dict[str, int]:
    """Count the mirrored pairs of a check by case: the model solves both instances, only one of them, or none.

    Args:
        check: A check with the expectation ``both_right``.
        record: The record of the run.

    Returns:
        The number of pairs for each of the four cases. The numbers sum to the tested pairs.
    """
    found = Counter(failure.reason for failure in record.failures if failure.check == check.id)
    counts = {name: found[name] for name in (ORIGINAL_ALONE, MIRROR_ALONE, NONE)}
    return {BOTH: check.tested - check.failing, **counts}


def lines(record: Record) -> Iterator[str]:
    """Yield a line for each check that expects ``both_right``, with the numbers of pairs solved and unsolved."""
    for check in record.checks:
        if check.expectation.get("use") == "both_right" and check.tested:
            counts = consistency(check, record)
            yield f"{check.name}: {_told(counts)}"


def pair_tables(pairs: Sequence[Sequence[Example]], answers: Mapping[str, str], most: int) -> tuple[str, Table, Table]:
    """Count mirrored pairs by how many instances the model solves, and list the pairs that it does not fully solve.

    Args:
        pairs: Pairs of an original and its mirror.
        answers: The model's answer, by example id.
        most: The largest number of pairs to list.

    Returns:
        A summary sentence, the table of counts, and the table of unsolved pairs.
    """
    cases = {(True, True): BOTH, (True, False): ORIGINAL_ALONE, (False, True): MIRROR_ALONE, (False, False): NONE}
    counts = dict.fromkeys(cases.values(), 0)
    rows = []
    for original, mirror in pairs:
        case = cases[answers[original.id] == original.label, answers[mirror.id] == mirror.label]
        counts[case] += 1
        if case != BOTH:
            fields = original.fields
            rows.append([case, fields["premise"], mirror.fields["premise"], fields["choice1"], fields["choice2"]])
    numbers = [[name, str(Rate(number, len(pairs)))] for name, number in counts.items()]
    listed = Table(
        title="Pairs that are not solved",
        header=["case", "premise", "mirrored premise", "alternative 1", "alternative 2"],
        rows=rows[:most],
        notes=[f"{min(most, len(rows))} of {len(rows)}."],
        texts=[1, 2, 3, 4],
    )
    return (
        f"Pairs: {_told(counts)}.",
        Table(title="Instances and their mirrors", header=["case", "pairs"], rows=numbers),
        listed,
    )


def _told(counts: Mapping[str, int]) -> str:
    one = f"one {counts[ORIGINAL_ALONE] + counts[MIRROR_ALONE]} (the mirror {counts[MIRROR_ALONE]} times)"
    return f"both right {Rate(counts[BOTH], sum(counts.values()))} pairs, {one}, none {counts[NONE]}"
