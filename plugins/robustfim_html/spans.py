"""Spans: what a tagger finds, marked in its text."""

from __future__ import annotations

from markupsafe import Markup

from robustfim.record import ExampleRecord, Failure
from robustfim.spans import is_spans, read_spans
from robustfim_drawing import decimal
from robustfim_html.visible import visible

__all__ = ["decision", "marked_spans", "marked_texts"]


def decision(label: str) -> str:
    """Name a decision: a label as it is, of spans how many there are."""
    if not is_spans(label):
        return label
    number = len(read_spans(label))
    return f"{number} span{'s' * (number != 1)}"


def marked_spans(text: str, label: str) -> Markup:
    """Write a text with its spans marked, each with its label behind it.

    Args:
        text: The text.
        label: Spans of it, in their notation; of those that overlap the first is marked.
    """
    parts, place = [], 0
    for span in read_spans(label):
        if not place <= span.start < span.end <= len(text):
            continue
        sure = "" if span.probability is None else f" {decimal(span.probability)}"
        parts += [
            visible(text[place : span.start]),
            Markup('<mark class="span">{}<small> {}{}</small></mark>').format(
                visible(text[span.start : span.end]), span.label, sure
            ),
        ]
        place = span.end
    return Markup("").join([*parts, visible(text[place:])])


def marked_texts(failure: Failure, source: ExampleRecord | None) -> tuple[tuple[str, Markup], ...]:
    """Mark the spans of a failing pair: the gold ones, what was found before, and what is found after.

    Args:
        failure: The failure.
        source: Its example; None where the record does not hold it.

    Returns:
        What each text shows, and the text; none where the model is no tagger.
    """
    if not is_spans(failure.after.label):
        return ()
    after = next(iter(failure.fields.values()))
    rows = [("after", marked_spans(after, failure.after.label))]
    if source is not None:
        text = next(iter(source.fields.values()))
        before = [("gold", source.label), ("before", failure.before.label)]
        rows = [*((name, marked_spans(text, label)) for name, label in before if is_spans(label)), *rows]
    return tuple(rows)
