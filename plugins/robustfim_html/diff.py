"""What a perturbation changed in a text, as ``<del>`` and ``<ins>``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup, escape

from robustfim.record import EditRecord
from robustfim_html.tint import Tint, tinted
from robustfim_html.visible import visible

__all__ = ["Change", "changes", "difference", "fits", "marked"]

_REACH = 24
"""How many characters of a word are taken in on either side of an edit; a longer run is no word."""
_LONG, _KEPT = 700, 220
"""An unchanged stretch longer than the first is folded, but for the second beside an edit."""


@dataclass(frozen=True)
class Change:
    """A stretch of the source text and what stands in its place, widened to whole words.

    Attributes:
        start: First character replaced in the source.
        end: One past the last.
        before: Pieces of the old text, each with whether it is part of an edit (else the rest of a word).
        after: Pieces of the new text, likewise.
    """

    start: int
    end: int
    before: tuple[tuple[str, bool], ...]
    after: tuple[tuple[str, bool], ...]


def fits(text: str, edits: Sequence[EditRecord]) -> bool:
    """Tell whether edits, in order, can be applied to a text: in range, matching it, not overlapping."""
    place = 0
    for edit in edits:
        if not place <= edit.start <= edit.end <= len(text) or text[edit.start : edit.end] != edit.before:
            return False
        place = edit.end
    return True


def difference(before: str, after: str) -> list[EditRecord]:
    """Find one edit between two texts: all but what they share at both ends."""
    if before == after:
        return []
    shortest = min(len(before), len(after))
    start = next((i for i in range(shortest) if before[i] != after[i]), shortest)
    tail = next((i for i in range(shortest - start) if before[-1 - i] != after[-1 - i]), shortest - start)
    old, new = before[start : len(before) - tail], after[start : len(after) - tail]
    return [EditRecord(field="", start=start, end=start + len(old), before=old, after=new)]


def _word(character: str) -> bool:
    """Tell letters of scripts that part words by spaces."""
    return character.isalnum() and character < "\u2e80"


def _widened(text: str, edit: EditRecord) -> tuple[int, int]:
    """Take in the rest of a word that the edit cuts."""
    start, end = edit.start, edit.end
    if any(side and _word(side[0]) for side in (edit.before, edit.after)):
        while start > 0 and edit.start - start <= _REACH and _word(text[start - 1]):
            start -= 1
    if any(side and _word(side[-1]) for side in (edit.before, edit.after)):
        while end < len(text) and end - edit.end <= _REACH and _word(text[end]):
            end += 1
    return (
        start if edit.start - start <= _REACH else edit.start,
        end if end - edit.end <= _REACH else edit.end,
    )


def changes(text: str, edits: Sequence[EditRecord]) -> list[Change]:
    """Widen edits to whole words and join those that then touch.

    Args:
        text: The source text.
        edits: Edits that fit it, in order.

    Returns:
        Changes in order, with unchanged text between them. Applied, they give what the edits give.
    """
    clusters: list[tuple[int, int, list[EditRecord]]] = []
    for edit in edits:
        start, end = _widened(text, edit)
        if clusters and start < clusters[-1][1]:
            first, last, members = clusters.pop()
            clusters.append((first, max(last, end), [*members, edit]))
        else:
            clusters.append((start, end, [edit]))
    return [_change(text, *cluster) for cluster in clusters]


def _change(text: str, start: int, end: int, edits: list[EditRecord]) -> Change:
    before: list[tuple[str, bool]] = []
    after: list[tuple[str, bool]] = []
    place = start
    for edit in edits:
        for side in (before, after):
            side.append((text[place : edit.start], False))
        before.append((edit.before, True))
        after.append((edit.after, True))
        place = edit.end
    for side in (before, after):
        side.append((text[place:end], False))
    return Change(start, end, _pieces(before), _pieces(after))


def _pieces(pieces: list[tuple[str, bool]]) -> tuple[tuple[str, bool], ...]:
    return tuple(piece for piece in pieces if piece[0])


def _removed(text: str, change: Change, words: Sequence[Tint]) -> Markup:
    """Write what a change removes, its words tinted."""
    pieces: list[tuple[Markup, bool]] = []
    place = change.start
    for piece, edited in change.before:
        pieces.append((tinted(text, place, place + len(piece), words, change=edited), edited))
        place += len(piece)
    return _side("del", pieces)


def _side(tag: str, pieces: Sequence[tuple[Markup, bool]]) -> Markup:
    """Write one side of a change; letters are emphasised only where the rest of the word stays."""
    whole = all(edited for _, edited in pieces)
    body = Markup("").join(
        Markup("<b>{}</b>").format(piece) if edited and not whole else piece for piece, edited in pieces
    )
    return Markup("<{0}>{1}</{0}>").format(Markup(escape(tag)), body)  # noqa: S704  # a constant of this file


def _unchanged(text: str, start: int, end: int, words: Sequence[Tint], *, before: bool, after: bool) -> Markup:
    """Write text between changes; the far middle of a long one is folded."""
    head, tail = start + (_KEPT if before else 0), end - (_KEPT if after else 0)
    if end - start <= _LONG or not (before or after):
        return tinted(text, start, end, words)
    return Markup('{}<details class="far"><summary>… {:,} characters …</summary>{}</details>{}').format(
        tinted(text, start, head, words), tail - head, tinted(text, head, tail, words), tinted(text, tail, end, words)
    )


def marked(text: str, edits: Sequence[EditRecord], words: Sequence[Tint] = ()) -> Markup:
    """Write a text with what edits remove struck out and what they insert underlined.

    Args:
        text: The source text.
        edits: Edits that fit it, in order.
        words: Tints of the source text, in order.

    Returns:
        Markup; without its ``<ins>`` it reads as the source, without its ``<del>`` as the perturbed text.
    """
    parts: list[Markup] = []
    place = 0
    for change in changes(text, edits):
        parts.append(_unchanged(text, place, change.start, words, before=bool(parts), after=True))
        if change.before:
            parts.append(_removed(text, change, words))
        if change.after:
            parts.append(_side("ins", [(visible(piece, change=edited), edited) for piece, edited in change.after]))
        place = change.end
    parts.append(_unchanged(text, place, len(text), words, before=bool(parts), after=False))
    return Markup("").join(parts)
