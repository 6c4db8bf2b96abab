"""Inline diffs for a terminal."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence

from rich.text import Text

from robustfim.candidate import Edit
from robustfim.printable import printable
from robustfim.record import EditRecord
from robustfim.words import first_words, last_words

__all__ = ["field_diffs", "inline_diff"]

_CONTEXT = 60
"""Characters shown before and after an edit."""


def inline_diff(text: str, edits: Sequence[Edit | EditRecord], *, whole: bool = False) -> Text:
    """Return a text with its edits marked in place: ``a [-funny-]{+amusing+} film``.

    Long unchanged stretches are shortened to their ends.

    Returns:
        A rich text that shows the edits even without colour.
    """
    result = Text()
    context = sys.maxsize // 4 if whole else _CONTEXT
    position = 0
    ordered = sorted(edits, key=lambda edit: (edit.start, edit.end))
    for index, edit in enumerate(ordered):
        result.append(_shorten(printable(text[position : edit.start]), head=index > 0, tail=True, context=context))
        if edit.before:
            result.append(f"[-{printable(edit.before)}-]", style="red strike")
        if edit.after:
            result.append(f"{{+{printable(edit.after)}+}}", style="green bold")
        position = edit.end
    # A text without edits, that of a step, has nothing to be shortened around: its beginning tells which it is.
    result.append(_shorten(printable(text[position:]), head=True, tail=False, context=context * (1 + (not ordered))))
    return result


def field_diffs(fields: Mapping[str, str], edits: Sequence[Edit | EditRecord]) -> Iterator[tuple[str, Text]]:
    """Return the fields that are edited, each with its inline diff; without edits, all fields."""
    for name, text in fields.items():
        own = [edit for edit in edits if edit.field == name]
        if own or not edits:
            yield name, inline_diff(text, own)


def _shorten(text: str, *, head: bool, tail: bool, context: int = _CONTEXT) -> str:
    """Keep the beginning of a stretch (after an edit), its end (before an edit), or both, in whole words if possible.

    ``context`` is the number of characters kept on each side.
    """
    if len(text) <= context * (head + tail) + 3:
        return text
    begin, end = first_words(text, context), last_words(text, context)
    if head and tail:
        return f"{begin} … {end}"
    return f"{begin} …" if head else f"… {end}"
