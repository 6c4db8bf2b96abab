"""What a perturbation changed in a text, as ``<del>`` and ``<ins>``."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, zip_longest

from markupsafe import Markup, escape

from robustfim.record import EditRecord
from robustfim.words import first_words, last_words, shared_ends
from robustfim_html.spans import SPAN_KINDS
from robustfim_html.tint import Tint, split
from robustfim_html.visible import plain, visible

__all__ = [
    "Change",
    "Segment",
    "changes",
    "difference",
    "fits",
    "marked",
    "named_edits",
    "quoted",
    "segments",
    "written",
]

_QUOTED = re.compile(r"\[-(.+?)-\]|\{\+(.+?)\+\}")
_OPENING = re.compile(r"^\s*[.,;:!?]\s+(?=\w)")
"""The mark that ends the sentence before an inserted one."""
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
    start, tail = shared_ends(before, after)
    old, new = before[start : len(before) - tail], after[start : len(after) - tail]
    return [EditRecord(field="", start=start, end=start + len(old), before=old, after=new)] if old or new else []


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


def _joined(pieces: Iterable[tuple[str, bool]]) -> str:
    return "".join(piece for piece, _ in pieces)


def named_edits(fields: Mapping[str, str], edits: Sequence[EditRecord], most: int = 60) -> str:
    """Name edits in a line, widened to whole words: ``boring → borin``, ``+ Sorry for any typos.``, ``− not``.

    Args:
        fields: The source texts by field.
        edits: Edits of them; those that do not fit are named as they are.
        most: Characters, beyond which the line is cut between words.
    """
    pairs: list[tuple[str, str]] = []
    for name, text in fields.items():
        own = sorted((each for each in edits if each.field == name), key=lambda each: (each.start, each.end))
        if fits(text, own):
            pairs += [
                ("".join(x for x, _ in each.before), "".join(x for x, _ in each.after)) for each in changes(text, own)
            ]
        else:
            pairs += [(each.before, each.after) for each in own]
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
    """A piece of a marked text.

    Attributes:
        kind: ``same``, ``removed`` (both parts of the source text) or ``inserted``.
        text: What it reads.
        first: Whether it begins a stretch of its kind.
        edited: Whether it is part of an edit, so that every invisible character in it is shown.
        bold: Whether it stands out from the rest of its word, which stays.
        folded: Whether it is the far middle of a long unchanged stretch.
        tint: How much a word matters.
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
    edits: Sequence[EditRecord],
    words: Sequence[Tint] = (),
    inserted: Sequence[Tint] = (),
    *,
    long: int = _LONG,
    near: int = _KEPT,
) -> list[Segment]:
    """Cut a text into what edits leave, remove and insert.

    Args:
        text: The source text.
        edits: Edits that fit it, in order.
        words: Tints of the source text, in order.
        inserted: Tints of the perturbed text, in order; what edits put in shows them.
        long: An unchanged stretch of more characters is folded.
        near: But for so many beside an edit.

    Returns:
        Pieces in order; without the inserted ones they are the source, without the removed ones the perturbed text.
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
            moved = [replace(each, start=each.start - at, end=each.end - at) for each in inserted]
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
    tint, then = part.tint, None if following is None else following.tint
    if (
        tint is None
        or then is None
        or tint.kind not in SPAN_KINDS
        or (tint.kind, tint.title) != (then.kind, then.title)
    ):
        return part
    return replace(part, tint=replace(tint, title=""))


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
    """Write a sentence that quotes edits as the terminal does, ``[-old-]{+new+}``, as HTML.

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
        Markup in which what is removed is ``<del>``, what is inserted ``<ins>``; a folded stretch can be opened.
    """
    body: list[Markup] = []
    for (kind, folded, _), members in _runs(parts):
        inner = Markup("").join(
            Markup("<b>{}</b>").format(_pieces_of(each)) if bold else _pieces_of(each)
            for bold, each in groupby(members, key=lambda part: part.bold)
        )
        if folded:
            hidden = sum(len(each.text) for each in members)
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


def marked(text: str, edits: Sequence[EditRecord], words: Sequence[Tint] = ()) -> Markup:
    """Write a text with what edits remove struck out and what they insert underlined.

    Returns:
        Markup; without its ``<ins>`` it reads as the source, without its ``<del>`` as the perturbed text.
    """
    return written(segments(text, edits, words))
