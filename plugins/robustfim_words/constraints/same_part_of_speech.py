"""Same part of speech: a noun may be replaced by a noun only."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice, pairwise
from pathlib import Path

from robustfim.candidate import Candidate, Edit
from robustfim.contract import ConstraintContract
from robustfim_words.tagging.base import PREPARED_TEXTS
from robustfim_words.tagging.resourced import Tagging
from robustfim_words.tagging.tagger import check_pipeline, tagger
from robustfim_words.text.tokens import tokenise

__all__ = ["SamePartOfSpeech"]

_ALIKE = {"PROPN": "NOUN", "AUX": "VERB"}


class SamePartOfSpeech(Tagging):
    """Rejects edits that change the part of speech of the words at their place.

    The sentence is tagged before and after an edit. The old and the new words must have the same sequence of parts of
    speech (UPOS). Names count as nouns and auxiliaries as verbs. A word without a tag matches every part of speech.

    Args:
        pipeline: A spaCy pipeline, installed or a folder; the shipped one by default.

    Raises:
        UsageError: The pipeline is not installed.
    """

    contract = ConstraintContract(per_edit=True)

    def __init__(self, *, pipeline: Path | str | None = None) -> None:
        self._pipeline = check_pipeline(pipeline)

    def foresee(self, candidates: Sequence[Candidate]) -> None:
        """Tag the sentences of several candidates together, which is faster than one by one."""
        cut = (_cut(candidate, edit) for candidate in candidates for edit in candidate.edits)
        texts = iter(dict.fromkeys(text for old, new, _ in cut for text in (old, new)))
        while part := list(islice(texts, PREPARED_TEXTS)):
            tagger(self._pipeline).prepare_texts(part)

    def reject(self, candidate: Candidate) -> str | None:
        """Return a reason to reject a perturbed text if an edit replaces words by words with other parts of speech."""
        return next((reason for edit in candidate.edits if (reason := self._judge(candidate, edit))), None)

    def _judge(self, candidate: Candidate, edit: Edit) -> str | None:
        """Compare the tags inside one edit, before and after."""
        old, new, here = _cut(candidate, edit)
        before = self._tags(old, here, here + len(edit.before))
        after = self._tags(new, here, here + len(edit.after))
        if len(before) != len(after):
            return "other number of words"
        alike = all(a == b or "" in (a, b) for a, b in zip(before, after, strict=True))
        return None if alike else "other part of speech"

    def _tags(self, text: str, start: int, end: int) -> list[str]:
        """List the coarse tags of the words between two places."""
        tokens = tagger(self._pipeline).tag(text)
        return [_ALIKE.get(t.pos, t.pos) for t in tokens if t.kind != "mark" and t.start < end and start < t.end]


def _cut(candidate: Candidate, edit: Edit) -> tuple[str, str, int]:
    """Cut out the sentences that an edit touches: before it, after it, and where in them it begins."""
    text = candidate.source.fields[edit.field]
    bounds = pairwise([*(token.start for token in tokenise(text) if token.starts), len(text)])
    touched = [place for bound in bounds if bound[0] <= edit.end and edit.start <= bound[1] for place in bound]
    start, end = min([edit.start, *touched]), max([edit.end, *touched])
    return text[start:end], text[start : edit.start] + edit.after + text[edit.end : end], edit.start - start
