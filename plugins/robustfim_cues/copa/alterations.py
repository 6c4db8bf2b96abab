"""Perturbations of cues: remove cues from an alternative, or move cues into the other alternative."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from random import Random
from typing import Annotated

from pydantic import Field, PositiveInt

from robustfim.candidate import Candidate, Edit
from robustfim.errors import SkipCheck
from robustfim.example import Example
from robustfim.roles import Context
from robustfim_cues.choices.choice import ALTERNATIVES, alternatives, originals
from robustfim_cues.choices.tokens import ngrams, words

__all__ = ["CueRemoval", "CueSwap"]


class CueRemoval:
    """Removes the cues, words that give the right answer away, from the alternatives of a choice.

    A word is a cue if it stands in one alternative and not in the other, and if alternatives with it are right (or
    wrong) more often than by chance. The remaining text may be bad English, but a model that understands the
    alternatives should not depend on "a" or "was".

    Args:
        cues: The cues, as words. By default words whose productivity on the original instances differs significantly
            from 1/2. The productivity of a word is the fraction of right alternatives among the alternatives with the
            word.
        path: A file of choices, ``.xml`` or ``.jsonl``, on which cues are measured; by default the data of the run.
        minimum: The smallest applicability of a cue: the number of choices where the word stands in exactly one
            alternative.
        level: The largest p-value, corrected by Holm, of a measured cue.
    """

    _move = False

    def __init__(
        self,
        cues: list[str] | None = None,
        path: Path | None = None,
        minimum: PositiveInt = 5,
        level: Annotated[float, Field(gt=0, le=1)] = 0.05,
    ) -> None:
        if cues is not None and (not cues or any(len(words(cue)) != 1 for cue in cues)):
            raise ValueError(f"'cues' lists single words, not {cues}")
        self._cues = None if cues is None else {word for cue in cues for word in words(cue)}
        self._path, self._minimum, self._level = path, minimum, level

    def prepare(self, context: Context) -> None:
        """Measure which words are cues (words that betray the answer), if the option ``cues`` is not given.

        Raises:
            SkipCheck: The data has no significant cue.
            DataError: The data cannot be measured.
        """
        if self._cues is not None:
            return
        from robustfim_cues.measures.measures import measure

        examples: Sequence[Example] = context.examples
        if self._path is not None:
            from robustfim_cues.copa.data import Copa

            examples = list(Copa(self._path).load())
        labelled = [example for example in originals(examples) if example.label is not None]
        found = measure(labelled, minimum=self._minimum).significant(self._level)
        if not found:
            raise SkipCheck(
                f"no word in {len(labelled)} original instances is surely a cue at level {self._level}; list "
                "cues with 'cues', or name other data to measure cues in with 'path'"
            )
        self._cues = {cue.text for cue in found}

    def propose(self, example: Example, random: Random) -> Iterable[Candidate]:
        """Propose one candidate, in which all cues of the instance are removed or moved."""
        edits: list[Edit] = []
        grams = [set(ngrams(text)) for text in alternatives(example)]
        for side, name in enumerate(ALTERNATIVES):
            here = sorted((self._cues or set()) & (grams[side] - grams[1 - side]))
            text = example.fields[name]
            if not here or set(words(text)) <= set(here):
                continue  # nothing would be left
            edits += [edit for cue in here for edit in _removals(name, text, cue)]
            if self._move:
                added = " ".join(here) + " "
                edits.append(Edit(ALTERNATIVES[1 - side], 0, 0, "", added, f"swap {', '.join(here)}"))
        if edits:
            yield Candidate(example, _apart(edits))


class CueSwap(CueRemoval):
    """Moves the cues, words that give the right answer away, to the beginning of the other alternative.

    A model whose choice depends on the cue then chooses the other alternative. The options are those of
    ``cue_removal``.
    """

    _move = True


def _removals(field: str, text: str, cue: str) -> Iterable[Edit]:
    """Delete each occurrence of a word, with the blank behind it, or the one before it at the end."""
    pattern = re.escape(cue).replace("'", "['’]")
    for match in re.finditer(rf"(?<![^\W_])(?<!['’]){pattern}(?![^\W_])(?!['’][^\W_])", text, re.IGNORECASE):
        start, end = match.span()
        while end < len(text) and text[end].isspace():
            end += 1
        if end == match.end():
            while start and text[start - 1].isspace():
                start -= 1
        yield Edit(field, start, end, text[start:end], "", f"remove {cue}")


def _apart(edits: Sequence[Edit]) -> tuple[Edit, ...]:
    """Put edits that touch into one, since a candidate's edits may not overlap."""
    joined: list[Edit] = []
    for edit in sorted(edits):
        last = joined[-1] if joined else None
        if last is None or last.field != edit.field or edit.start > last.end:
            joined.append(edit)
            continue
        cut = max(0, last.end - edit.start)
        joined[-1] = Edit(
            edit.field, last.start, max(last.end, edit.end), last.before + edit.before[cut:],
            last.after + edit.after, f"{last.origin}, {edit.origin}",
        )  # fmt: skip
    return tuple(joined)
