"""The failures to read first: those that harm most and read well, of different checks."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import lru_cache

from robustfim.judge.harm import Harm, harm_of
from robustfim.outcome import Outcome
from robustfim.record import EditRecord, ExampleRecord, Failure, Record
from robustfim.words import word_spans

__all__ = ["change_size", "first_failures"]

_HARMS = list(Harm)
_PROVED = (Outcome.FAILED, Outcome.XPASSED)


def change_size(edits: Sequence[EditRecord], fields: Mapping[str, str]) -> int:
    """Measure how much of a text was changed: what a reader misses is words that are gone, not words that are added.

    Returns:
        The share of the example's words that an edit removes or cuts, in tenths begun: 0 to 10.
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


def first_failures(record: Record, number: int = 3) -> list[Failure]:
    """Choose the failing texts to read first: each of another check and, where there are some, of another example.

    The first is of a perturbation that means to keep the meaning, right before and wrong after, of a check that failed,
    inserts no word that no tested text has, changes few words, and misses by much. A step is no text. Beside a
    baseline, what is newly broken comes before all else.

    Returns:
        The failures, the first to read first; fewer where fewer checks have one.
    """
    examples = {example.id: example for example in record.examples}
    checks = {check.id: check for check in record.checks}
    fresh = {id for comparison in record.comparisons[:1] for check in comparison.checks for id in check.newly_broken}
    groups: dict[str, list[tuple[tuple[bool, int, bool, int, float, str], Failure]]] = {}
    for failure in record.failures:
        if failure.step is None and failure.check in checks and failure.example in examples:
            source = examples[failure.example]
            harm = _HARMS.index(harm_of(failure, source, record.model.labels))
            old = failure.example not in fresh
            size = (
                old,
                harm,
                not failure.tried,
                change_size(failure.edits, source.fields),
                -failure.margin,
                failure.id,
            )
            groups.setdefault(failure.check, []).append((size, failure))
    known = _words(record.examples)
    ranked = []
    for check, members in groups.items():
        members.sort(key=lambda each: each[0])
        size, best = members[0]
        strange = sum(
            edit.after[start:end].casefold() not in known
            for edit in best.edits
            for start, end in word_spans(edit.after)
        )
        proved = checks[check].outcome in _PROVED
        rank = (size[0], checks[check].yardstick, size[1], not proved, strange > 0, *size[2:])
        ranked.append((rank, members))
    ranked.sort(key=lambda each: each[0])
    chosen: list[Failure] = []
    for _, members in ranked[:number]:
        read = {failure.example for failure in chosen}
        chosen.append(next((failure for _, failure in members if failure.example not in read), members[0][1]))
    return chosen


def _words(examples: Sequence[ExampleRecord]) -> set[str]:
    """Gather the words of the tested texts."""
    texts = {text for example in examples for text in example.fields.values()}
    return {text[start:end].casefold() for text in texts for start, end in word_spans(text)}
