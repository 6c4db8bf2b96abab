"""The sentences of a text that edits change, before and after the edits."""

from __future__ import annotations

import re
from collections.abc import Iterator

from robustfim.candidate import Candidate

__all__ = ["edited_sentences"]

_END = re.compile(r"[.!?…]+[\"'”’)\]]*\s+|\n+")
"""What ends a sentence, with what follows it; an abbreviation ends one, too, which shortens what is read."""


def edited_sentences(candidate: Candidate, field: str) -> Iterator[tuple[str, str]]:
    """Yield the sentences of a text field that edits change, before and after the edits.

    Yields:
        Pairs of texts: a sentence before all edits, and after them. Sentences that one edit spans come as one text.
    """
    text, edits = (
        candidate.source.fields[field],
        sorted((edit for edit in candidate.edits if edit.field == field), key=lambda edit: edit.start),
    )
    starts = [0, *(match.end() for match in _END.finditer(text))]
    sentences = list(zip(starts, [*starts[1:], len(text)], strict=True))
    parts: list[tuple[int, int]] = []
    for edit in edits:
        inserts = edit.start == edit.end  # at the border of two sentences it may belong to either
        touched = [
            sentence
            for sentence in sentences
            if (
                sentence[0] <= edit.start <= sentence[1]
                if inserts
                else sentence[0] < edit.end and edit.start < sentence[1]
            )
        ]
        start, end = min(edit.start, touched[0][0]), max(edit.end, touched[-1][1])
        if parts and start < parts[-1][1]:
            start = parts.pop()[0]
        parts.append((start, end))
    for start, end in parts:
        made, at = [], start
        for edit in edits:
            if start <= edit.start and edit.end <= end:
                made += [text[at : edit.start], edit.after]
                at = edit.end
        yield text[start:end].strip(), "".join([*made, text[at:end]]).strip()
