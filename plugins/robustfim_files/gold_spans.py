"""Gold spans: from whatever a column or a column of tags holds to the spans of a text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from robustfim.errors import shown, shown_names
from robustfim.spans import Span, require_spans

__all__ = ["gold_spans", "spans_of_tags"]

_KEYS = {
    "start": ("start", "start_position", "start_char", "start_offset", "begin"),
    "end": ("end", "end_position", "end_char", "end_offset"),
    "label": ("label", "entity_type", "entity_group", "entity", "type"),
}
"""The keys of a span as datasets and tools spell them."""


def gold_spans(value: Any, text: str) -> tuple[Span, ...]:
    """Read the spans of a row.

    Args:
        value: A list of mappings with a start, an end and a label, of lists ``[start, end, label]``, or None for none.
        text: The row's text.

    Returns:
        The spans, in the order of the text.

    Raises:
        ValueError: They are none, lie outside the text, or overlap.
    """
    if value is None:
        return ()
    if isinstance(value, str) or not isinstance(value, Sequence):
        raise ValueError(f"spans are a list, not {shown(value)}")
    return require_spans(map(_parts, value), text, apart=True)


def _parts(value: Any) -> Any:
    if not isinstance(value, Mapping):
        return value
    parts = []
    for what, names in _KEYS.items():
        name = next((name for name in names if name in value), None)
        if name is None:
            has = shown_names(list(value))
            raise ValueError(f"a span has no {what}: it has {has}, of which none is {', '.join(names)}")
        parts.append(value[name])
    return parts


def spans_of_tags(tokens: Sequence[str], tags: Sequence[str]) -> tuple[str, tuple[Span, ...]]:
    """Join tokens by blanks, and make spans of their tags.

    Args:
        tokens: The tokens, ``[tokens]``.
        tags: A tag each: ``O``, or a label behind ``B-`` where a span begins and ``I-`` where it goes on (also ``S-``,
            ``U-`` of one token, ``E-``, ``L-`` of a last one). A tag that goes on where no such span is begins one.

    Returns:
        The text, and its spans in order.

    Raises:
        ValueError: A tag is none.
    """
    found: list[Span] = []
    going, place = False, 0
    for token, tag in zip(tokens, tags, strict=True):
        end = place + len(token)
        mark, _, label = tag.partition("-")
        if tag == "O":
            going = False
        elif not label or mark not in ("B", "I", "E", "L", "S", "U"):
            raise ValueError(f"the tag {shown(tag)} is neither O nor a label behind B- or I-")
        elif going and mark in ("I", "E", "L") and found[-1].label == label:
            found[-1] = Span(found[-1].start, end, label)
            going = mark == "I"
        else:
            found.append(Span(place, end, label))
            going = mark in ("B", "I")
        place = end + 1
    return " ".join(tokens), tuple(found)
