"""Spans: mark the gold spans of a tagger's texts, and whether the model finds them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from robustfim.candidate import Edit
from robustfim.printable import counted
from robustfim.record import EditRecord
from robustfim.spans import Span, bare_spans, is_spans, project, read_spans
from robustfim_html.tint import Tint

__all__ = ["SPAN_KINDS", "Marks", "decision", "span_tints"]

Marks: TypeAlias = tuple[list[Tint], list[Tint]]
"""The marks of a text, and of its perturbed text."""
SPAN_KINDS = ("gold", "missed", "lost")
"""A gold span that is found, that was not found before the edits, and that is no longer found after them."""


def decision(label: str) -> str:
    """Write a decision: a label unchanged, spans as their number."""
    if not is_spans(label):
        return label
    return counted(len(read_spans(label)), "span")


def span_tints(
    text: str, gold: str | None, before: str, after: str, edits: Sequence[EditRecord] = (), moved: str | None = None
) -> Marks:
    """Mark the gold spans in a text and in its perturbed text as found, or not found, by the model.

    Args:
        text: The text.
        gold: The gold spans of the text.
        before: The spans that the model finds in the text.
        after: The spans that the model finds after the edits.
        edits: The edits.
        moved: The gold spans after the edits; None if they follow from the edits, or if a span no longer counts.

    Returns:
        The marks of both texts, in order, with kinds of :data:`SPAN_KINDS`; empty if the model is not a tagger. Of
        overlapping gold spans only the first is marked.
    """
    if not (is_spans(gold) and is_spans(before) and is_spans(after)):
        return [], []
    was, now = map(bare_spans, map(read_spans, (before, after)))
    spans = read_spans(gold)
    places: Sequence[Span | None] = read_spans(moved) if is_spans(moved) else ()
    if len(places) != len(spans):
        places = project(text, spans, [Edit(**edit.model_dump()) for edit in edits]).kept
    marks: Marks = [], []
    for span, place in zip(spans, places, strict=True):
        kind = "missed" if span.bare not in was else "lost" if place is not None and place.bare not in now else "gold"
        title = span.label if kind == "gold" else f"{span.label}, {'not found' if kind == 'missed' else 'lost'}"
        for own, where in zip(marks, (span, place), strict=True):
            if where is not None and (not own or own[-1].end <= where.start):
                own.append(Tint(where.start, where.end, kind, title))
    return marks
