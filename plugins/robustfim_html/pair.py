"""Failing pairs as the page shows them, those of one example and check together."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from robustfim.record import EditRecord, ExampleRecord, Failure, PredictionRecord, Record, ShiftRecord
from robustfim_html.bar import length
from robustfim_html.diff import difference, fits, marked
from robustfim_html.histogram import score_title
from robustfim_html.number import decimal, percent
from robustfim_html.tint import Tint, tints
from robustfim_html.visible import visible

__all__ = ["Group", "Pair", "Row", "groups"]

_CLASSES = 3
"""Up to so many classes are all shown; of more, those that matter for the pair."""


@dataclass(frozen=True)
class Row:
    """A class's probability before and after."""

    label: str
    before: str
    after: str
    before_length: str
    after_length: str


@dataclass(frozen=True)
class Pair:
    """One failing pair, ready to be printed."""

    failure: Failure
    change: int
    """Index of its label change in the page's list."""
    fields: tuple[tuple[str, Markup, bool], ...]
    """Name, text with the edits marked, whether it has any."""
    note: str
    """What the text cannot show: a step, or a source that is not in the record."""
    origins: tuple[str, ...]
    shift: str
    """How the text moves the embedding; empty where that was not measured."""
    rows: tuple[Row, ...]
    others: int
    """Classes not shown."""
    before: str
    after: str
    """Probability of the label named, in percent."""
    margin: str
    reason: str
    """Why it failed, where that is more than the change of label."""


@dataclass(frozen=True)
class Group:
    """The failing pairs of one example in one check, the widest margin first."""

    check: int
    """Index of the check in the record; -1 when the record does not hold it."""
    name: str
    arm: str
    example: ExampleRecord | None
    wrong: bool
    """Whether the model was wrong before any perturbation."""
    scores: tuple[tuple[str, str], ...]
    pairs: tuple[Pair, ...]
    keys: str
    """What the list is sorted by: margin, confidence after, confidence before, then each score."""


def groups(record: Record, scores: Sequence[str]) -> tuple[list[Group], list[tuple[str, str, int]]]:
    """Gather the failing pairs by check and example.

    Args:
        record: The run.
        scores: Names of the scores, in the order of the sort keys.

    Returns:
        The groups, the widest margin first; and the label changes (before, after, pairs), the most frequent first.
    """
    examples = {example.id: example for example in reversed(record.examples)}
    checks = {check.id: index for index, check in enumerate(record.checks)}
    tally: dict[tuple[str, str], int] = {}
    gathered: dict[tuple[str, str], list[Failure]] = {}
    for failure in record.failures:
        change = (failure.before.label, failure.after.label)
        tally[change] = tally.get(change, 0) + 1
        gathered.setdefault((failure.check, failure.example), []).append(failure)
    changes = sorted(tally, key=lambda change: (-tally[change], change))
    order = {change: index for index, change in enumerate(changes)}
    made: list[tuple[float, Group]] = []
    for (check, example), failures in gathered.items():
        failures.sort(key=lambda failure: (-_finite(failure.margin), failure.id))
        source = examples.get(example)
        made.append(
            (
                _finite(failures[0].margin),
                Group(
                    check=checks.get(check, -1),
                    name=record.checks[checks[check]].name if check in checks else check,
                    arm=failures[0].arm or (source.arm if source is not None and source.arm else ""),
                    example=source,
                    wrong=source is not None and _wrong(source, failures[0].before, record.model.labels),
                    scores=tuple(_scores(source, scores)),
                    pairs=tuple(_pair(failure, source, record.model.labels, order) for failure in failures),
                    keys="|".join(_keys(failures[0], source, record.model.labels, scores)),
                ),
            )
        )
    made.sort(key=lambda item: -item[0])
    return [group for _, group in made], [(*change, tally[change]) for change in changes]


def _wrong(source: ExampleRecord, before: PredictionRecord, labels: Sequence[str]) -> bool:
    """Tell whether the model was wrong before; a gold label that it does not know says nothing."""
    if not labels:
        return source.correct is False
    return source.label in labels and source.label != before.label


def _finite(number: float) -> float:
    return number if math.isfinite(number) else 0.0


def _scores(example: ExampleRecord | None, names: Iterable[str]) -> list[tuple[str, str]]:
    if example is None:
        return []
    return [(score_title(name), decimal(example.scores[name])) for name in names if name in example.scores]


def _probability(prediction: PredictionRecord, labels: Sequence[str]) -> float | None:
    """Return the probability of the label predicted, where the record tells it."""
    if prediction.label in labels and len(labels) == len(prediction.probabilities):
        return prediction.probabilities[list(labels).index(prediction.label)]
    return max(prediction.probabilities, default=None)


def _keys(failure: Failure, source: ExampleRecord | None, labels: Sequence[str], scores: Sequence[str]) -> list[str]:
    numbers = [failure.margin, _probability(failure.after, labels), _probability(failure.before, labels)]
    numbers += [source.scores.get(name) if source else None for name in scores]
    return ["" if number is None or not math.isfinite(number) else f"{number:.6g}" for number in numbers]


def _pair(
    failure: Failure, source: ExampleRecord | None, labels: Sequence[str], order: Mapping[tuple[str, str], int]
) -> Pair:
    fields, note = _fields(failure, source)
    rows, others = _rows(failure, labels)
    return Pair(
        failure=failure,
        change=order[failure.before.label, failure.after.label],
        fields=fields,
        note=note,
        origins=tuple(dict.fromkeys(edit.origin for edit in failure.edits if edit.origin)),
        shift=_shift(failure.shift),
        rows=rows,
        others=others,
        before=percent(_probability(failure.before, labels)),
        after=percent(_probability(failure.after, labels)),
        margin=decimal(failure.margin),
        reason="" if failure.reason == f"{failure.before.label} -> {failure.after.label}" else failure.reason,
    )


def _shift(shift: ShiftRecord | None) -> str:
    if shift is None:
        return ""
    along = "" if shift.cosine is None else f", with cosine {shift.cosine:+.2f} to its top eigenvector"
    return f"The embedding moves by {shift.norm:.3g}{along}.".replace("-", "−")


def _fields(failure: Failure, source: ExampleRecord | None) -> tuple[tuple[tuple[str, Markup, bool], ...], str]:
    if failure.step is not None:
        texts = source.fields if source is not None else failure.fields
        norm = f"{failure.step.norm:+.4g}".replace("-", "−")
        note = f"Step of {norm} along {failure.step.direction}; the text is unchanged."
        return tuple((name, marked(text, [], _tints(source, name, text)), True) for name, text in texts.items()), note
    if source is None:
        note = "The source example is not in the record: this is the perturbed text."
        return tuple((name, visible(text), True) for name, text in failure.fields.items()), note
    shown = []
    for name, text in source.fields.items():
        edits = _edits(failure, name, text)
        shown.append((name, marked(text, edits, _tints(source, name, text)), bool(edits)))
    return tuple(shown), "" if any(edited for *_, edited in shown) else "The text is unchanged."


def _tints(source: ExampleRecord | None, name: str, text: str) -> list[Tint]:
    return [] if source is None else tints(source.importance, name, text)


def _edits(failure: Failure, field: str, text: str) -> Sequence[EditRecord]:
    """Return a field's edits, or what differs where the recorded edits do not fit the text."""
    edits = sorted((edit for edit in failure.edits if edit.field == field), key=lambda edit: (edit.start, edit.end))
    if edits and fits(text, edits):
        return edits
    return difference(text, failure.fields.get(field, text))


def _rows(failure: Failure, labels: Sequence[str]) -> tuple[tuple[Row, ...], int]:
    before, after = failure.before.probabilities, failure.after.probabilities
    if not labels or not len(labels) == len(before) == len(after):
        return (), 0
    shown = range(len(labels))
    if len(labels) > _CLASSES:
        named = {i for i, label in enumerate(labels) if label in (failure.before.label, failure.after.label)}
        largest = max(shown, key=lambda i: max(before[i], after[i]))
        kept = sorted(named | {largest})
    else:
        kept = list(shown)
    rows = tuple(
        Row(labels[i], percent(before[i]), percent(after[i]), length(_finite(before[i])), length(_finite(after[i])))
        for i in kept
    )
    return rows, len(labels) - len(kept)
