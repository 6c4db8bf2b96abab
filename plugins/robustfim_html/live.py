"""The failing texts at the top of the page, with other texts that were tried on the same examples."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from markupsafe import Markup

from robustfim.judge import first_failures
from robustfim.record import EditRecord, Failure, Record
from robustfim.spans import is_spans
from robustfim_html.diff import Segment, edits_between, fitting, named_edits, segments, written
from robustfim_html.pair import BROKEN, FIXED, Group
from robustfim_html.spans import Marks, decision, span_tints

__all__ = ["Live", "Variant", "lives"]

_LONG, _NEAR = 60, 24
"""An unchanged stretch longer than the first is folded, but for the second beside an edit: three texts fit a screen."""
_CARDS = 3


@dataclass(frozen=True)
class Variant:
    """A variant of a failing example, with the model's answer to it.

    Attributes:
        name: The description of the edit in one line; empty for the original text.
        texts: Name and marked text of each field that is changed in the failing text or in this text.
        label: The label that the model predicts.
        probability: The probability of this label; None if unknown.
        turned: Whether the label differs from the label of the original text.
    """

    name: str
    texts: tuple[tuple[str, Markup], ...]
    label: str
    probability: float | None
    turned: bool


@dataclass(frozen=True)
class Live:
    """A failing text, and the other variants of the same example that the model answered.

    Attributes:
        id: The id of the failure.
        check: The name of the check that failed.
        now: The state since the baseline (such as regression), one of :data:`robustfim_html.pair.NOW`; empty without a
            baseline.
        gold: The gold label; None without one.
        loss: For a model that tags spans, the spans that it no longer finds, in words; otherwise empty.
        before: The model's label for the original text, with its probability.
        variants: The failing text, the original text, then all other texts.
    """

    id: str
    check: str
    now: str
    gold: str | None
    loss: str
    before: tuple[str, float | None]
    variants: tuple[Variant, ...]


def lives(record: Record, gathered: Sequence[Group], first: Sequence[Failure]) -> list[Live]:
    """Collect the failing texts to read first; with a baseline, regressions and fixes."""
    known = {pair.failure.id: (group, pair) for group in gathered for pair in group.pairs}
    made = []
    for failure in _chosen(record, gathered, first):
        group, pair = known[failure.id]
        fields = {} if group.example is None else group.example.fields
        own = [
            edit
            for name, text in fields.items()
            for edit in edits_between(name, text, failure.fields.get(name, text), failure.edits)
        ]
        label = failure.before.label
        gold = None if group.example is None else group.example.label
        asked = [
            (own, failure.after.label, pair.after, failure.label),
            ([], label, pair.before, None),
        ][: 2 if own else 1]  # a text that fails unchanged is the one as it was written
        asked += [(tried.edits, tried.label, tried.probability, None) for tried in failure.tried]
        variants = [
            Variant(
                named_edits(fields, edits),
                _texts(
                    fields, edits, own,
                    partial(span_tints, gold=gold, before=label, after=after, edits=edits, moved=moved),
                ),
                after,
                probability,
                decision(after) != decision(label),
            )
            for edits, after, probability, moved in asked
        ]  # fmt: skip
        before, loss = (label, pair.before), failure.reason if is_spans(label) else ""
        made.append(Live(failure.id, group.name, group.now, gold, loss, before, tuple(variants)))
    return made


def _chosen(record: Record, gathered: Sequence[Group], first: Sequence[Failure]) -> Sequence[Failure]:
    now = {pair.failure.id: group.now for group in gathered for pair in group.pairs}
    fixed = [group for group in gathered if group.now == FIXED]
    if not fixed:
        return first
    broken = [failure for failure in first if now[failure.id] == BROKEN][: _CARDS - 1]
    told = record.model_copy(
        update={
            "failures": [pair.failure for group in fixed for pair in group.pairs],
            "examples": list({group.example.id: group.example for group in fixed if group.example}.values()),
            "comparisons": [],
        }
    )
    return broken + first_failures(told, _CARDS - len(broken))


def _texts(
    fields: Mapping[str, str],
    edits: Sequence[EditRecord],
    own: Sequence[EditRecord],
    marks: Callable[[str], Marks],
) -> tuple[tuple[str, Markup], ...]:
    """Mark what edits change; where they change nothing, the places of the failing text stand as they were.

    Where that has none, the whole stands. A text with marked spans is not folded: they may be far from the edits.
    """
    shown = []
    for name, text in fields.items():
        words, inserted = marks(text)
        long = len(text) if words else _LONG
        here = fitting(name, text, edits)
        places = [edit for edit in own if edit.field == name]
        if here:
            shown.append((name, written(segments(text, here, words, inserted, long=long, near=_NEAR))))
        elif places or not own:
            parts = segments(text, places, words, long=long, near=_NEAR)
            shown.append((name, written([_kept(part) for part in parts if part.kind != "inserted"])))
    return tuple(shown)


def _kept(part: Segment) -> Segment:
    """A removed piece where nothing was removed."""
    return part if part.kind == "same" else replace(part, kind="same", first=False, bold=False, edited=False)
