"""Possessives: the apostrophe behind a word that gives way to one with another ending."""

from __future__ import annotations

import re

from robustfim.candidate import Edit

__all__ = ["agreeing"]

_QUOTED = re.compile(r"(?:^|[\s(])'[^\s']")


def agreeing(text: str, edit: Edit, *, plural: bool) -> Edit:
    """Let the possessive behind an edit agree with the new word.

    A bare apostrophe gets its s where the new word ends in none ("the kids' room", "the children's room"), and a plural
    that now ends in s loses it.

    Args:
        text: The field's text.
        edit: The edit, without the apostrophe behind it.
        plural: Whether the old word is a plural.

    Returns:
        The edit, with the possessive in it where that changes.
    """
    mark, behind = text[edit.end : edit.end + 1], text[edit.end + 1 : edit.end + 3]
    if mark not in ("'", "’") or not mark:
        return edit
    ended, ends = edit.before[-1:].lower() == "s", edit.after[-1:].lower() == "s"
    closing = mark == "'" and _QUOTED.search(text, 0, edit.end) is not None
    if ended and not ends and behind[:1] == " " and not closing:
        ending = mark + ("S" if edit.before.isupper() else "s")
        return Edit(edit.field, edit.start, edit.end + 1, edit.before + mark, edit.after + ending, edit.origin)
    if plural and ends and not ended and behind[:1] in ("s", "S") and not behind[1:].isalnum():
        before = edit.before + mark + behind[:1]
        return Edit(edit.field, edit.start, edit.end + 2, before, edit.after + mark, edit.origin)
    return edit
