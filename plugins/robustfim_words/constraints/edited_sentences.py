"""Edited sentences: the parts of a text that edits touch, before and after, which is all that a judge need read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from robustfim.candidate import Edit
from robustfim_words.text.tokens import tokenise

__all__ = ["edited_sentences"]


def edited_sentences(text: str, edits: Iterable[Edit]) -> Iterator[tuple[str, str, int]]:
    """Cut out the sentences that edits of one field touch; those that one edit joins come as one.

    Args:
        text: The field's text before the edits.
        edits: Non-overlapping edits of the field.

    Yields:
        The sentences before and after all the edits, and their first character in ``text``.
    """
    starts = [token.start for token in tokenise(text) if token.starts]
    sentences = list(zip(starts, [*starts[1:], len(text)], strict=True)) if starts else []
    groups: list[tuple[int, int, list[Edit]]] = []
    for edit in sorted(edits, key=lambda edit: edit.start):
        touched = [s for s in sentences if s[0] <= edit.end and edit.start <= s[1]]
        start, end = min([edit.start, *(s[0] for s in touched)]), max([edit.end, *(s[1] for s in touched)])
        if groups and start < groups[-1][1]:
            first, last, inside = groups.pop()
            groups.append((min(first, start), max(last, end), [*inside, edit]))
        else:
            groups.append((start, end, [edit]))
    for start, end, inside in groups:
        at, parts = start, list[str]()
        for edit in inside:
            parts += [text[at : edit.start], edit.after]
            at = edit.end
        yield text[start:end], "".join([*parts, text[at:end]]), start
