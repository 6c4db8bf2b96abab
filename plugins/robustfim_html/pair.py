"""Failing pairs on the page, grouped by example and check."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from robustfim.errors import UsageError
from robustfim.judge import Harm, harm_of, ordered_failures
from robustfim.record import ExampleRecord, Failure, PredictionRecord, Record, ShiftRecord
from robustfim_drawing import decimal
from robustfim_html.diff import Segment, edits_between, segments
from robustfim_html.spans import decision, span_tints
from robustfim_html.tint import Tint, tints

__all__ = ["HARMS", "NOW", "REVIEWS", "Group", "Pair", "Row", "groups", "probability"]

_Fields: TypeAlias = tuple[tuple[str, tuple[Segment, ...], bool], ...]
"""For each field the name, the text with the edits marked, and whether there are edits."""
_CLASSES = 3
"""Up to so many classes are all shown; of more, those that matter for the pair."""

HARMS = tuple(Harm)
"""What a failure costs, the most first."""
REVIEWS = ("valid", "invalid", "unsure", "not looked at")
"""What people say of a text."""
BROKEN, FIXED = "regression", "fix"
NOW = (BROKEN, "still broken", FIXED, "not compared")
"""What became of an example since the baseline, in the order of the list."""


@dataclass(frozen=True)
class Row:
    """The probability of a label before and after the edit."""

    label: int
    before: float
    after: float


@dataclass(frozen=True)
class Pair:
    """A source text and its perturbed text (the candidate) that failed a check.

    Attributes:
        failure: The failure.
        change: The index of the change of label (such as positive → negative) in the page's list.
        fields: For each field the name, the text with the edits marked, and whether there are edits.
        note: A note if the pair has no perturbed text (a step in embedding space), or if the record lacks the source.
        origins: The rules and table entries behind the edits.
        shift: The change of the embedding, in words; empty if it was not measured.
        rows: The probabilities of the labels that are shown.
        others: The number of labels that are not shown.
        before: The probability of the label before; None if unknown.
        after: The probability of the label after; None if unknown.
        excess: By how much the pair misses the check's requirement, in words.
        reason: Why the pair failed, if there is more to say than that the label changed.
        harm: The kind of damage to somebody who relies on the answer.
        other: A sentence on the answer of the other model in a comparison.
    """

    failure: Failure
    change: int
    fields: _Fields
    note: str
    origins: tuple[str, ...]
    shift: str
    rows: tuple[Row, ...]
    others: int
    before: float | None
    after: float | None
    excess: float
    reason: str
    harm: Harm
    other: str


@dataclass(frozen=True)
class Group:
    """The failing perturbed texts of one example in one check, the worst first.

    Attributes:
        check: The index of the check in the record; -1 if the record does not hold the check.
        name: The name of the check.
        arm: The group for which the example was selected, such as difficult or random.
        example: The example; None if the record does not hold it.
        now: The state since the baseline (such as regression), one of ``NOW``; empty without a baseline.
        pairs: The failing pairs.
    """

    check: int
    name: str
    arm: str
    example: ExampleRecord | None
    now: str
    pairs: tuple[Pair, ...]


def groups(record: Record, other: Record | None = None) -> tuple[list[Group], list[tuple[str, str, int]]]:
    """Group the failing pairs (source and perturbed text) by check and example.

    Returns:
        Two lists. The groups, in the order in which to read them; with a baseline, regressions come first. The label
        changes (before, after, number of pairs), the most frequent first.
    """
    examples = {example.id: example for example in reversed(record.examples)}
    checks = {check.id: index for index, check in enumerate(record.checks)}
    now = _now(record)
    failures = [(failure, False) for failure in record.failures]
    theirs = _Baseline(other, record) if other is not None else None
    if theirs is not None:
        failures += [(failure, True) for failure in theirs.failures if _state(now, failure) == NOW[2]]
        for earlier in theirs.examples.values():
            examples.setdefault(earlier.id, earlier)
    tally: Counter[tuple[str, str]] = Counter()
    gathered: dict[tuple[str, str], list[tuple[Failure, bool]]] = {}
    for failure, old in failures:
        change = (decision(failure.before.label), decision(failure.shown.after.label))
        tally[change] += 1
        gathered.setdefault((failure.check, failure.example), []).append((failure, old))
    changes = sorted(tally, key=lambda change: (-tally[change], change))
    order = {change: index for index, change in enumerate(changes)}
    made = []
    places = {failure.id: index for index, failure in enumerate(ordered_failures(record))}

    def place(pair: Pair) -> tuple[int, int, float, str]:
        """Its place in the reading order; those that it leaves out come after, by what they cost."""
        return places.get(pair.failure.id, len(places)), HARMS.index(pair.harm), -pair.excess, pair.failure.id

    for (check, example), members in gathered.items():
        source = examples.get(example)
        pairs = [
            _pair(failure.shown, source, record.model.labels, order, theirs.say(failure, old) if theirs else "")
            for failure, old in members
        ]
        pairs.sort(key=place)
        made.append(
            Group(
                check=checks.get(check, -1),
                name=record.checks[checks[check]].name if check in checks else check,
                arm=pairs[0].failure.arm or (source.arm if source is not None and source.arm else ""),
                example=source,
                now=_state(now, pairs[0].failure) if now is not None else "",
                pairs=tuple(pairs),
            )
        )
    made.sort(key=lambda group: (NOW.index(group.now) if group.now else 0, *place(group.pairs[0])))
    return made, [(*change, tally[change]) for change in changes]


def _now(record: Record) -> Mapping[tuple[str, str], str] | None:
    if not record.comparisons:
        return None
    return {
        (check.id, example): state
        for check in record.comparisons[0].checks
        for state, ids in zip(NOW, (check.newly_broken, check.still_broken, check.newly_fixed), strict=False)
        for example in ids
    }


def _state(now: Mapping[tuple[str, str], str] | None, failure: Failure) -> str:
    return NOW[3] if now is None else now.get((failure.check, failure.example), NOW[3])


def _found(record: Record, ids: set[str]) -> tuple[dict[str, ExampleRecord], bool]:
    """Look examples up; of a record that lost the file of all its examples, the tested ones alone."""
    try:
        return record.look_up(ids), True
    except UsageError:
        return {example.id: example for example in record.examples if example.id in ids}, False


class _Baseline:
    """What the baseline's model says of the examples and texts of a run."""

    def __init__(self, other: Record, record: Record) -> None:
        ids = {check.name: check.id for check in record.checks}
        named = {check.id: ids[check.name] for check in other.checks if check.name in ids}
        self.failures = [
            failure.model_copy(update={"check": named[failure.check]})
            for failure in other.failures
            if failure.check in named
        ]
        needed = {failure.example for failure in (*self.failures, *record.failures)}
        self.examples, self._complete = _found(other, needed)
        self._labels, self._own = other.model.labels, record.model.labels
        self._theirs = {
            (failure.check, failure.example, *failure.fields.values()): failure for failure in self.failures
        }
        self._ours, self._ours_complete = _found(record, needed)

    def say(self, failure: Failure, old: bool) -> str:
        """Return a sentence on the other model's answer to the example of a failure."""
        source = (self._ours if old else self.examples).get(failure.example)
        labels = self._own if old else self._labels
        who = "This model" if old else "The baseline"
        if source is None or source.prediction is None:
            if not (self._ours_complete if old else self._complete):
                return f"{who} answered this example in a file that is not beside its record."
            return f"{who} was not asked about this example."
        told = _told(PredictionRecord(label=source.prediction, probabilities=source.probabilities or []), labels)
        same = None if old else self._theirs.get((failure.check, failure.example, *failure.fields.values()))
        if same is not None and (same.step is None) == (failure.step is None):
            return f"{who} fails on this, too: {_told(same.before, labels)} becomes {_told(same.after, labels)}."
        return f"{who} answers the original with {told}; a record keeps no answer to a text that passed."


def _told(prediction: PredictionRecord, labels: Sequence[str]) -> str:
    number = probability(prediction, labels)
    return prediction.label if number is None else f"{prediction.label} {100 * number:.1f}\u00a0%"


def probability(prediction: PredictionRecord, labels: Sequence[str]) -> float | None:
    """Return the probability of the predicted label; None if the record does not hold it."""
    if prediction.label in labels and len(labels) == len(prediction.probabilities):
        return _rounded(prediction.probabilities[list(labels).index(prediction.label)])
    return _rounded(prediction.confidence)


def _rounded(number: float | None) -> float | None:
    """Keep six decimals of a probability, which is what the page's columns hold."""
    return round(number, 6) if number is not None and math.isfinite(number) else None


def _pair(
    failure: Failure,
    source: ExampleRecord | None,
    labels: Sequence[str],
    order: Mapping[tuple[str, str], int],
    other: str,
) -> Pair:
    fields, note = _fields(failure, source)
    rows, others = _rows(failure, labels)
    return Pair(
        failure=failure,
        change=order[decision(failure.before.label), decision(failure.after.label)],
        fields=fields,
        note=note,
        origins=tuple(dict.fromkeys(edit.origin for edit in failure.edits if edit.origin)),
        shift=_shift(failure.shift),
        rows=rows,
        others=others,
        before=probability(failure.before, labels),
        after=probability(failure.after, labels),
        excess=round(failure.margin, 6) if math.isfinite(failure.margin) else 0.0,
        reason="" if failure.reason == f"{failure.before.label} -> {failure.after.label}" else failure.reason,
        harm=harm_of(failure, source, labels),
        other=other,
    )


def _shift(shift: ShiftRecord | None) -> str:
    if shift is None:
        return ""
    along = "" if shift.cosine is None else f", with cosine {shift.cosine:+.2f} to its top eigenvector"
    move = f"The embedding moves by {shift.norm:.3g}{along}.".replace("-", "−")
    pair = shift.lambda_max
    return move if pair is None else f"λmax {decimal(pair[0])} → {decimal(pair[1])}. {move}"


def _fields(failure: Failure, source: ExampleRecord | None) -> tuple[_Fields, str]:
    if failure.step is not None:
        texts = source.fields if source is not None else failure.fields
        norm = f"{failure.step.norm:+.4g}".replace("-", "−")
        note = f"Step of {norm} along {failure.step.direction}; the text is unchanged."
        return tuple(
            (name, tuple(segments(text, [], _tints(source, name, text))), True) for name, text in texts.items()
        ), note
    if source is None:
        note = "The source example is not in the record: this is the perturbed text."
        return tuple((name, tuple(segments(text, [])), True) for name, text in failure.fields.items()), note
    shown = []
    for name, text in source.fields.items():
        edits = edits_between(name, text, failure.fields.get(name, text), failure.edits)
        spans = span_tints(text, source.label, failure.before.label, failure.after.label, edits, failure.label)
        words = spans[0] or _tints(source, name, text)
        shown.append((name, tuple(segments(text, edits, words, spans[1])), bool(edits)))
    if not any(edited for *_, edited in shown):
        return tuple(shown), "The text is unchanged."
    return tuple(shown), failure.needed and f"{failure.needed} break{'s' * (len(failure.edits) == 1)} it."


def _tints(source: ExampleRecord | None, name: str, text: str) -> list[Tint]:
    return [] if source is None else tints(source.importance, name, text)


def _rows(failure: Failure, labels: Sequence[str]) -> tuple[tuple[Row, ...], int]:
    before, after = failure.before.probabilities, failure.after.probabilities
    if not labels or not len(labels) == len(before) == len(after):
        return (), 0
    kept = [*range(len(labels))]
    if len(labels) > _CLASSES:
        named = {i for i, label in enumerate(labels) if label in (failure.before.label, failure.after.label)}
        kept = sorted(named | {max(kept, key=lambda i: max(before[i], after[i]))})
    rows = tuple(Row(i, _rounded(before[i]) or 0.0, _rounded(after[i]) or 0.0) for i in kept)
    return rows, len(labels) - len(kept)
