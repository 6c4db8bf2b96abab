"""Conversion of a column of spans, or of tags, to the gold spans of a text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from operator import index
from typing import Any, Literal, TypeAlias, get_args

from robustfim.errors import shown
from robustfim.spans import Span, require_spans, span_parts

__all__ = ["Offsets", "gold_spans", "spans_of_tags"]

Offsets: TypeAlias = Literal[
    "characters", "inclusive", "utf-16", "utf-16-inclusive", "bytes", "bytes-inclusive", "from-1", "from-1-inclusive"
]
"""Units of the ends of spans: code points, UTF-16 units or bytes of UTF-8; from 0 or 1; last unit in or out."""

_TEXTS = ("text", "value", "entity_value", "surface", "mention")
"""The keys under which data sets store the text of a span."""


def gold_spans(value: Any, text: str, offsets: Offsets = "characters") -> tuple[Span, ...]:
    """Convert a row's value to gold spans: the labelled parts of the text that a model should find.

    Args:
        value: A list of mappings with a start, an end and a label, or of lists ``[start, end, label]``. A mapping may
            have the text of its span, as ``text``, ``value``, ``entity_value``, ``surface`` or ``mention``.
        text: The row's text.
        offsets: The unit in which the starts and ends of spans are counted, such as ``characters``.

    Raises:
        ValueError: The value has another form, or a span is outside the text, overlaps another span, or differs from
            its own text.
    """
    value = value.tolist() if hasattr(value, "tolist") else value
    if isinstance(value, str) or not isinstance(value, Sequence):
        raise ValueError(f"spans are a list, not {shown(value)}")
    spans = [each if isinstance(each, Span) else _placed(each, text, offsets) for each in value]
    return tuple(span.bare for span in require_spans(spans, text, apart=True))


def _placed(given: Any, text: str, offsets: Offsets) -> tuple[Any, ...]:
    """Give a span its place in the text, which must have there what the span has as its text."""
    start, end, label, *sure = span_parts(given)
    try:
        first, last = _ends(index(start), index(end), text, offsets)
    except TypeError:
        return start, end, label, *sure  # which is refused where all are
    name = f"the span {start}:{end} ({label})"
    key = next((key for key in _TEXTS if isinstance(given, Mapping) and isinstance(given.get(key), str)), None)
    if key is None:
        if last > len(text):
            others = ", ".join(get_args(Offsets))
            size = f"{len(text)} characters; 'offsets' says what its ends count: {others}"
            raise ValueError(f"{name} lies outside its text, which has {size}")
    elif not _cuts_out(given[key], first, last, text):
        ways = {each: _ends(index(start), index(end), text, each) for each in get_args(Offsets)}
        way = next((each for each, ends in ways.items() if _cuts_out(given[key], *ends, text)), None)
        remedy = (
            f"its ends seem to count otherwise: say 'offsets: {way}', or --data offsets={way}"
            if way
            else f"the text has that at {text.index(given[key])}: correct its ends"
            if given[key] in text
            else f"the text has that nowhere: correct it, or leave {key!r} out where it is not a copy of the text"
        )
        cut = shown(text[max(first, 0) : max(last, 0)])
        raise ValueError(f"{name} cuts out {cut}, and its {key!r} is {shown(given[key])}; {remedy}")
    return first, last, label, *sure


def _cuts_out(own: str, first: int, last: int, text: str) -> bool:
    return 0 <= first <= last <= len(text) and text[first:last] == own


def _ends(start: int, end: int, text: str, offsets: Offsets) -> tuple[int, int]:
    """Turn ends that may count something else into the first character, from 0, and one past the last."""
    start, end = start - ("from-1" in offsets), end - ("from-1" in offsets) + ("inclusive" in offsets)
    unit, code = (2, "utf-16-le") if "utf-16" in offsets else (1, "utf-8")
    if ("utf-16" in offsets or "bytes" in offsets) and start >= 0:
        written = text.encode(code, "surrogatepass")
        if end * unit <= len(written):
            start, end = (len(written[: place * unit].decode(code, "ignore")) for place in (start, end))
    return start, end


def spans_of_tags(tokens: Sequence[str], tags: Sequence[str]) -> tuple[str, tuple[Span, ...]]:
    """Join tokens by blanks, and convert their tags to spans of the joined text.

    Args:
        tokens: The tokens, ``[tokens]``.
        tags: A tag for each token: ``O``, or a label after ``B-`` at the beginning of a span and after ``I-`` inside a
            span. ``S-`` and ``U-`` mark a span of one token, ``E-`` and ``L-`` a last token. A tag inside a span begins
            a new span if no span of its label precedes it.

    Raises:
        ValueError: A tag has another form.
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
