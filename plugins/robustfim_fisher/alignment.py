"""Alignment of the tokens of a candidate with the tokens of its source.

A token of the candidate *stays* if it lies outside of all edits and has the place of a token of the source, once the
earlier edits are taken into account. A token that stays is paired with its source token. Between two such tokens lies a
*group*: removed tokens A of the source and new tokens B of the candidate, either of which may be empty. Tokens that
change because an edit splits or joins words belong to the group of the edit. Groups end at the end of a field.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from robustfim.candidate import Candidate
from robustfim.roles import Span

__all__ = ["Alignment", "align"]


@dataclass(frozen=True)
class Alignment:
    """The tokens that an edit keeps, as pairs of positions, and the tokens that it replaces, as groups.

    Attributes:
        pairs: The positions, in source and candidate, of the tokens that stay, in order.
        groups: For each group, the positions A in the source, the positions B in the candidate, and the source
            positions of the neighbours: at most two tokens that stay next to the group.
    """

    pairs: list[tuple[int, int]] = field(default_factory=list)
    groups: list[tuple[list[int], list[int], list[int]]] = field(default_factory=list)


def align(source: Sequence[Span], changed: Sequence[Span], candidate: Candidate) -> Alignment:
    """Align the tokens of a candidate (a perturbed text) with the tokens of its source.

    Args:
        source: Places of the source's tokens in the source text, ``[tokens]``, without padding. Tokens with place None
            are skipped.
        changed: Places of the candidate's tokens in the candidate's text, in the same form.
        candidate: The perturbed text, whose edits are read.
    """
    result = Alignment()
    for name in candidate.source.fields:
        before = [(row, span[1], span[2]) for row, span in enumerate(source) if span and span[0] == name]
        after = [(row, span[1], span[2]) for row, span in enumerate(changed) if span and span[0] == name]
        _align_field(before, _undo(after, candidate, name), result)
    return result


Token = tuple[int, int, int]
"""Position in the sequence, first character, and the place after the last character."""


def _undo(tokens: list[Token], candidate: Candidate, name: str) -> list[Token]:
    """Move tokens of the new text to their places in the old one; -1, -1 where an edit touches them."""
    edits = [edit for edit in candidate.edits if edit.field == name]
    starts, ends, shifts, shift = [], [], [0], 0
    for edit in edits:
        starts.append(edit.start + shift)
        ends.append(edit.start + shift + len(edit.after))
        shift += len(edit.after) - (edit.end - edit.start)
        shifts.append(shift)
    placed = []
    for row, start, end in tokens:
        passed = bisect_right(ends, start)  # Edits that end at or before the token.
        touched = passed < len(edits) and starts[passed] < end
        placed.append((row, -1, -1) if touched else (row, start - shifts[passed], end - shifts[passed]))
    return placed


def _align_field(before: list[Token], after: list[Token], result: Alignment) -> None:
    """Pair the tokens of one field that have one place, in order, and group the others."""
    places: dict[tuple[int, int], list[int]] = {}
    for index, (_, start, end) in enumerate(before):
        places.setdefault((start, end), []).append(index)
    anchors = [(-1, -1)]
    for index, (_, start, end) in enumerate(after):
        later = [place for place in places.get((start, end), ()) if place > anchors[-1][0]]
        if later:
            anchors.append((later[0], index))
    result.pairs.extend((before[old][0], after[new][0]) for old, new in anchors[1:])
    anchors.append((len(before), len(after)))
    for (old, new), (next_old, next_new) in pairwise(anchors):
        went = [token[0] for token in before[old + 1 : next_old]]
        came = [token[0] for token in after[new + 1 : next_new]]
        if went or came:
            neighbours = [before[index][0] for index in (old, next_old) if 0 <= index < len(before)]
            result.groups.append((went, came, neighbours))
