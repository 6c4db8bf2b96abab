"""Joined edits: one edit that covers several edits and the text between them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from robustfim.candidate import Edit

__all__ = ["joined"]


def joined(text: str, edits: Sequence[Edit]) -> Edit:
    """Join several edits of a field, and the text between them, to one edit.

    Args:
        text: The text of the field.
        edits: One or more edits that do not overlap, in any order.

    >>> joined("red or blue", [Edit("text", 0, 3, "red", "pink", "a"), Edit("text", 7, 11, "blue", "gray", "b")])
    Edit(field='text', start=0, end=11, before='red or blue', after='pink or gray', origin='a, b')
    """
    ordered = sorted(edits, key=lambda edit: edit.start)
    start, end, after = ordered[0].start, ordered[-1].end, ordered[0].after
    for before, edit in pairwise(ordered):
        after += text[before.end : edit.start] + edit.after
    origin = ", ".join(dict.fromkeys(edit.origin for edit in edits))
    return Edit(edits[0].field, start, end, text[start:end], after, origin)
