"""The differences between a text and its candidate, as ``<del>`` and ``<ins>``."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, islice, takewhile, zip_longest
from typing import TypeAlias

from markupsafe import Markup, escape

from robustfim.record import EditRecord
from robustfim.words import difference, first_words, last_words
from robustfim_html.spans import SPAN_KINDS
from robustfim_html.tint import Tint, split
from robustfim_html.visible import plain, visible

__all__ = [
    "Change",
    "Segment",
    "changes",
    "edits_between",
    "fits",
    "fitting",
    "marked",
    "named_edits",
    "quoted",
    "segments",
    "written",
]

Edits: TypeAlias = Sequence[EditRecord]
"""Edits of a text, in order."""
_QUOTED = re.compile(r"\[-(.+?)-\]|\{\+(.+?)\+\}")
_OPENING = re.compile(r"^\s*[.,;:!?]\s+(?=\w)")
"""The mark that ends the sentence before an inserted one."""
_REACH = 24
"""How many characters of a word are taken in on either side of an edit; a longer run is not a word."""
_LONG, _KEPT = 700, 220
"""An unchanged stretch longer than the first is folded, but for the second beside an edit."""


@dataclass(frozen=True)
class Change:
    """A part of the source text and its replacement, widened to whole words.

    Attributes:
        start: The index of the first replaced character in the source.
        end: The index after the last replaced character.
        before: Pieces of the old text, each with whether it is part of an edit (else it is the rest of a word).
        after: Pieces of the new text, each with whether it is part of an edit.
    """

    start: int
    end: int
    before: tuple[tuple[str, bool], ...]
    after: tuple[tuple[str, bool], ...]


def fits(text: str, edits: Edits) -> bool:
    """Return whether edits, in order, can be applied to a text: in range, matching the text, and not overlapping."""
    place = 0
    for edit in edits:
        if not place <= edit.start <= edit.end <= len(text) or text[edit.start : edit.end] != edit.before:
            return False
        place = edit.end
    return True


def fitting(field: str, text: str, edits: Edits) -> list[EditRecord]:
    """Return the edits of a field, in order; none if they do not fit its text."""
    own = sorted((edit for edit in edits if edit.field == field), key=lambda edit: (edit.start, edit.end))
    return own if fits(text, own) else []


def edits_between(field: str, before: str, after: str, edits: Edits) -> list[EditRecord]:
    """Return the edits of a field, in order; if they do not fit its text, the part in which the texts differ.

    Args:
        field: The field.
        before: Its text.
        after: Its perturbed text.
        edits: The recorded edits of all fields.
    """
    if own := fitting(field, before, edits):
        return own
    start, old, new = difference(before, after)
    return [EditRecord(field=field, start=start, end=start + len(old), before=old, after=new)] if old != new else []


def _word(character: str) -> bool:
    """Tell letters of scripts that part words by spaces."""
    return character.isalnum() and character < "\u2e80"


def _rest(characters: Iterable[str]) -> int:
    """Count the letters up to the end of a word; 0 for a longer run."""
    length = len([*takewhile(_word, islice(characters, _REACH + 1))])
    return length if length <= _REACH else 0


def _widened(text: str, edit: EditRecord) -> tuple[int, int]:
    """Take in the rest of a word that the edit cuts."""
    sides = [side for side in (edit.before, edit.after) if side]
    before = _rest(reversed(text[: edit.start])) if any(_word(side[0]) for side in sides) else 0
    behind = _rest(text[edit.end :]) if any(_word(side[-1]) for side in sides) else 0
    return edit.start - before, edit.end + behind


def changes(text: str, edits: Edits) -> list[Change]:
    """Widen edits to whole words, and join edits that then overlap.

    Args:
        text: The source text.
        edits: Edits that fit the text, in order.

    Returns:
        Changes in order, with unchanged text between them. Applied, they give the same text as the edits.
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
        kept = (text[place : edit.start], False)
        before += [kept, (edit.before, True)]
        after += [kept, (edit.after, True)]
        place = edit.end
    rest = (text[place:end], False)
    return Change(start, end, *(tuple(piece for piece in (*side, rest) if piece[0]) for side in (before, after)))


def named_edits(fields: Mapping[str, str], edits: Edits, most: int = 60) -> str:
    """Describe edits in one line, widened to whole words: ``boring → borin``, ``+ Sorry for any typos.``, ``− not``.

    Args:
        fields: The source texts by field.
        edits: The edits of these texts; edits that do not fit are shown unwidened.
        most: The largest number of characters; a longer line is cut between words.
    """
    pairs: list[tuple[str, str]] = []
    for name, text in fields.items():
        if own := fitting(name, text, edits):
            pairs += [
                ("".join(x for x, _ in change.before), "".join(x for x, _ in change.after))
                for change in changes(text, own)
            ]
        else:
            pairs += [(edit.before, edit.after) for edit in edits if edit.field == name]
    pairs = [(before, after if before else _OPENING.sub("", after)) for before, after in pairs]
    sides = [(" ".join(before.split()) or "␣" * bool(before), " ".join(after.split()) or "␣" * bool(after))
             for before, after in pairs]  # fmt: skip
    line = plain(", ".join(f"{a} → {b}" if a and b else f"+ {b}" if b else f"− {a}" for a, b in sides))
    if len(line) <= most:
        return line
    if len(sides) == 1 and all(sides[0]):  # both sides of one long edit are seen
        cut = [each if len(each) <= most // 2 else f"{first_words(each, most // 2)} …" for each in sides[0]]
        return plain(" → ".join(cut))
    return f"{first_words(line, most)} …"


@dataclass(frozen=True)
class Segment:
    """A piece of a text with marked changes.

    Attributes:
        kind: ``same``, ``removed`` (both from the source text) or ``inserted``.
        text: The text of the piece.
        first: Whether the piece is the first of consecutive pieces of the same kind.
        edited: Whether the piece is part of an edit, so that all its invisible characters are shown.
        bold: Whether the piece is the edited part of a word whose rest stays.
        folded: Whether the piece is the middle of a long unchanged part, hidden until opened.
        tint: The importance of a word.
    """

    kind: str
    text: str
    first: bool = False
    edited: bool = False
    bold: bool = False
    folded: bool = False
    tint: Tint | None = None


def segments(
    text: str,
    edits: Edits,
    words: Sequence[Tint] = (),
    inserted: Sequence[Tint] = (),
    *,
    long: int = _LONG,
    near: int = _KEPT,
) -> list[Segment]:
    """Cut a text into unchanged, removed and inserted pieces.

    Args:
        text: The source text.
        edits: Edits that fit the text, in order.
        words: Tints of the source text, in order.
        inserted: Tints of the perturbed text, in order; inserted pieces show them.
        long: An unchanged part of more characters is folded.
        near: The number of characters beside an edit that are never folded.

    Returns:
        Pieces in order. All but the inserted pieces make up the source text, all but the removed pieces the perturbed
        text.
    """
    parts: list[Segment] = []
    place = longer = 0
    sizes = long, near
    for change in changes(text, edits):
        parts += _unchanged(text, place, change.start, words, sizes, before=bool(parts), after=True)
        parts += _removed(text, change, words)
        whole = all(edited for _, edited in change.after)
        at = change.start + longer
        for row, (piece, edited) in enumerate(change.after):
            moved = [replace(tint, start=tint.start - at, end=tint.end - at) for tint in inserted]
            parts += [
                Segment("inserted", stretch, not (row or column), shown, edited and not whole, tint=tint)
                for column, (stretch, shown, tint) in enumerate(split(piece, 0, len(piece), moved, change=edited))
            ]
            at += len(piece)
        place, longer = change.end, at - change.end
    parts += _unchanged(text, place, len(text), words, sizes, before=bool(parts), after=False)
    return [_told_last(part, following) for part, following in zip_longest(parts, parts[1:])]


def _told_last(part: Segment, following: Segment | None) -> Segment:
    """Take the title from a piece of a span that goes on in the next piece: the last one shows it."""
    tint, then = part.tint, following and following.tint
    if tint and then and tint.kind in SPAN_KINDS and (tint.kind, tint.title) == (then.kind, then.title):
        return replace(part, tint=replace(tint, title=""))
    return part


def _removed(text: str, change: Change, words: Sequence[Tint]) -> list[Segment]:
    """Cut what a change removes; letters are emphasised only where the rest of the word stays."""
    whole = all(edited for _, edited in change.before)
    parts: list[Segment] = []
    place = change.start
    for piece, edited in change.before:
        for stretch, shown, tint in split(text, place, place + len(piece), words, change=edited):
            parts.append(
                Segment("removed", stretch, first=not parts, edited=shown, bold=edited and not whole, tint=tint)
            )
        place += len(piece)
    return parts


def _unchanged(
    text: str, start: int, end: int, words: Sequence[Tint], sizes: tuple[int, int], *, before: bool, after: bool
) -> list[Segment]:
    """Cut text between changes; the far middle of a long one is folded."""
    long, near = sizes
    head = start + len(first_words(text[start:end], near)) * before
    tail = end - len(last_words(text[start:end], near)) * after
    if end - start <= long or not (before or after):
        head = tail = end
    return [
        Segment("same", stretch, folded=folded, tint=tint)
        for first, last, folded in ((start, head, False), (head, tail, True), (tail, end, False))
        for stretch, _, tint in split(text, first, last, words)
    ]


_TAGS = {"removed": Markup("<del>{}</del>"), "inserted": Markup("<ins>{}</ins>")}


def quoted(text: str) -> Markup:
    """Write as HTML a sentence that quotes edits in the terminal's form, ``[-old-]{+new+}``.

    Args:
        text: Any text; all of it is escaped.
    """
    marked = _QUOTED.sub(
        lambda found: f"<del>{found[1]}</del>" if found[1] else f"<ins>{found[2]}</ins>", str(escape(plain(text)))
    )
    return Markup(marked.replace(" %", "\u00a0%"))  # noqa: S704  # escaped above


def written(parts: Sequence[Segment]) -> Markup:
    """Write segments as HTML.

    Returns:
        Markup with removed pieces in ``<del>`` and inserted pieces in ``<ins>``; folded parts can be opened.
    """
    body: list[Markup] = []
    for (kind, folded, _), members in _runs(parts):
        inner = Markup("").join(
            Markup("<b>{}</b>").format(_pieces_of(each)) if bold else _pieces_of(each)
            for bold, each in groupby(members, key=lambda part: part.bold)
        )
        if folded:
            hidden = sum(len(member.text) for member in members)
            inner = Markup('<details class="far"><summary>… {:,} characters …</summary>{}</details>').format(
                hidden, inner
            )
        body.append(_TAGS[kind].format(inner) if kind in _TAGS else inner)
    return Markup("").join(body)


def _runs(parts: Sequence[Segment]) -> list[tuple[tuple[str, bool, int], list[Segment]]]:
    """Gather the segments of one element."""
    number, keys = 0, []
    for part in parts:
        number += part.first
        keys.append((part.kind, part.folded, number if part.kind != "same" else -1))
    rows = groupby(zip(keys, parts, strict=True), key=lambda row: row[0])
    return [(key, [part for _, part in members]) for key, members in rows]


def _pieces_of(parts: Iterable[Segment]) -> Markup:
    return Markup("").join(
        visible(part.text, change=part.edited)
        if part.tint is None
        else Markup('<span class="imp {}" title="{}">{}</span>').format(
            part.tint.kind, part.tint.title, visible(part.text, change=part.edited)
        )
        for part in parts
    )


def marked(text: str, edits: Edits, words: Sequence[Tint] = ()) -> Markup:
    """Write a text as HTML, with removed text struck out and inserted text underlined.

    Returns:
        Markup; without its ``<ins>`` it reads as the source, without its ``<del>`` as the perturbed text.
    """
    return written(segments(text, edits, words))
