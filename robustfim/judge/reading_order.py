"""The order in which a person should read the failures, the same on pages, in the terminal, in CI and in notebooks."""

from __future__ import annotations

import math
from collections import Counter, deque
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from robustfim.judge.harm import Harm, harm_of
from robustfim.outcome import Outcome
from robustfim.record import EditRecord, Failure, Record
from robustfim.words import word_spans

__all__ = ["change_size", "failures_by_check", "first_failures", "ordered_failures"]

_HARMS = list(Harm)
_PROVED = (Outcome.FAILED, Outcome.XPASSED)


def change_size(edits: Sequence[EditRecord], fields: Mapping[str, str]) -> int:
    """Measure how much of a text was changed, for a reader. Only removed words count.

    Returns:
        The fraction of the example's words that an edit removes or cuts, rounded up to tenths: 0 to 10.
    """
    words = [(name, *span) for name, text in fields.items() for span in _spans(text)]
    touched = sum(
        any(edit.field == name and edit.start < end and edit.end > start for edit in edits)
        for name, start, end in words
    )
    return math.ceil(10 * touched / max(len(words), 1))


@lru_cache(maxsize=1024)
def _spans(text: str) -> tuple[tuple[int, int], ...]:
    """The words of a text, of which many failures are asked."""
    return tuple(word_spans(text))


class _Tier(NamedTuple):
    """The first part of the sort key: texts before steps in embedding space, then each field, False before True."""

    step: bool
    since: int
    """0 regression, 1 still broken, 2 not compared."""
    yardstick: bool
    harm: int
    unproved: bool


class _Row(NamedTuple):
    """A failure with its sort key."""

    tier: _Tier
    whole: bool
    """Whether fewer edits may suffice, in a check whose first failures were reduced to their fewest edits."""
    repeated: int
    """The number of failures with the same edits that stand before it in its group."""
    key: tuple[bool, bool, int, int, float, str]
    failure: Failure


def ordered_failures(record: Record) -> list[Failure]:
    """Order the failures of a run for a reader, the most important first; one for each example and check.

    Failures are sorted by these properties, the first counting most: a regression; a failure of a perturbation that
    keeps the meaning; a right answer that became wrong; a failure of a check whose verdict is failed. Among equals, the
    checks take turns, and so do the different edits of a check. No source text comes twice before every source text
    came once. Perturbations of the embedding come last.

    Returns:
        The failures as reports show them: reduced to the fewest edits that still fail, if these are known.
    """
    best: dict[tuple[str, str], _Row] = {}
    for row in _rows(record):
        pair = row.failure.check, row.failure.example
        if pair not in best or _place(row) < _place(best[pair]):
            best[pair] = row
    tiers: dict[_Tier, dict[str, list[_Row]]] = {}
    seen: Counter[tuple[object, ...]] = Counter()
    for row in sorted(best.values(), key=_place):
        group = row.failure.check
        same = (row.tier, group, *((edit.before.casefold(), edit.after.casefold()) for edit in row.failure.edits))
        tiers.setdefault(row.tier, {}).setdefault(group, []).append(row._replace(repeated=seen[same]))
        seen[same] += 1
    read: set[str] = set()
    first: list[Failure] = []
    again: list[_Row] = []
    for _, groups in sorted(tiers.items()):
        waiting = [deque(sorted(members, key=_place)) for members in groups.values()]
        while waiting:
            for members in sorted(waiting, key=lambda each: _place(each[0])):
                while members and members[0].failure.example in read:
                    again.append(members.popleft())
                if members:
                    first.append(members.popleft().failure)
                    read.add(first[-1].example)
            waiting = [members for members in waiting if members]
    return first + [row.failure for row in sorted(again, key=_place)]


def _place(row: _Row) -> tuple[Any, ...]:
    return row[:4]


def first_failures(record: Record, number: int = 20) -> list[Failure]:
    """Choose the failing texts to read first, each from another source text.

    Failures whose source text was predicted wrong before the edit do not show what broke the model, so they are left
    out unless there are no other failures.

    Returns:
        The first of :func:`ordered_failures`; fewer if fewer source texts fail.
    """
    examples = record.example_by_id
    checks = {check.id for check in record.checks}
    by_text: dict[str, Failure] = {}
    for failure in ordered_failures(record):
        if failure.step is None and failure.check in checks and failure.example in examples:
            by_text.setdefault(failure.example, failure)
    worse = [
        failure
        for failure in by_text.values()
        if not failure.edits or harm_of(failure, examples[failure.example], record.model.labels) is not Harm.WRONG
    ]
    return (worse or list(by_text.values()))[:number]


def failures_by_check(record: Record) -> dict[str, list[Failure]]:
    """Group the failures of a run by check id, each group in the order of :func:`ordered_failures`; it may be empty."""
    grouped: dict[str, list[Failure]] = {check.id: [] for check in record.checks}
    for failure in ordered_failures(record):
        grouped.setdefault(failure.check, []).append(failure)
    return grouped


def _rows(record: Record) -> Iterator[_Row]:
    """Say of each failure what decides its place."""
    examples = record.example_by_id
    checks = {check.id: check for check in record.checks}
    since = {
        (check.id, example): place
        for comparison in record.comparisons[:1]
        for check in comparison.checks
        for place, ids in enumerate((check.newly_broken, check.still_broken))
        for example in ids
    }
    known = {text[start:end].casefold() for example in record.examples for text in example.fields.values()
             for start, end in word_spans(text)}  # fmt: skip
    shrunk = {record_failure.check for record_failure in record.failures if record_failure.shrunk is not None}
    for tested in record.failures:
        failure = tested.shown
        check, source = checks.get(failure.check), examples.get(failure.example)
        tier = _Tier(
            failure.step is not None,
            since.get((failure.check, failure.example), 2),
            check is not None and check.yardstick,
            _HARMS.index(harm_of(failure, source, record.model.labels)),
            check is None or check.outcome not in _PROVED,
        )
        strange = any(
            edit.after[start:end].casefold() not in known for edit in failure.edits for start, end in _spans(edit.after)
        )
        size = 0 if source is None else change_size(failure.edits, source.fields)
        margin = failure.margin if math.isfinite(failure.margin) else 0.0
        key = (strange, not failure.tried, len(failure.edits), size, -margin, failure.id)
        yield _Row(tier, len(failure.edits) > 1 and tested.shrunk is None and tested.check in shrunk, 0, key, failure)
