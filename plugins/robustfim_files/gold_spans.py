"""Gold spans: from whatever a column or a column of tags holds to the spans of a text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from robustfim.errors import shown
from robustfim.spans import Span, require_spans

__all__ = ["gold_spans", "spans_of_tags"]


def gold_spans(value: Any, text: str) -> tuple[Span, ...]:
    """Read the spans of a row.

    Args:
        value: A list of mappings with a start, an end and a label, of lists ``[start, end, label]``, or None for none.
        text: The row's text.

    Raises:
        ValueError: They are none, lie outside the text, or overlap.
    """
    if value is None:
        return ()
    if isinstance(value, str) or not isinstance(value, Sequence):
        raise ValueError(f"spans are a list, not {shown(value)}")
    return tuple(span.bare for span in require_spans(value, text, apart=True))


def spans_of_tags(tokens: Sequence[str], tags: Sequence[str]) -> tuple[str, tuple[Span, ...]]:
    """Join tokens by blanks, and make spans of their tags.

    Args:
        tokens: The tokens, ``[tokens]``.
        tags: A tag each: ``O``, or a label behind ``B-`` where a span begins and ``I-`` where it goes on (also ``S-``,
            ``U-`` of one token, ``E-``, ``L-`` of a last one). A tag that goes on where no such span is begins one.

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
