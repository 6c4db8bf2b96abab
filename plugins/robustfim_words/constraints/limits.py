"""Limits on the words that a candidate changes: how many, which, and how often in the same way."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Annotated

from pydantic import Field

from robustfim.candidate import Candidate, Edit
from robustfim.contract import ConstraintContract
from robustfim_words.text.stop_words import stop_words
from robustfim_words.text.tokens import tokenise

__all__ = ["EditDistance", "MaxChanged", "NoRepeatedEdit", "StopWords", "levenshtein"]

_PARTS = ("n't", "'s", "'re", "'ve", "'ll", "'d", "'m")
"""Endings of contractions, such as ``n't`` and ``'ll``."""


class MaxChanged:
    """Rejects a perturbed text in which too many words are changed.

    Args:
        limit: The largest fraction of the source's words that edits may touch, above 0 and at most 1. A text with one
            changed word is never rejected.
    """

    def __init__(self, limit: Annotated[float, Field(gt=0, le=1)] = 0.2) -> None:
        self._limit = limit

    def reject(self, candidate: Candidate) -> str | None:
        """Return a reason to reject a perturbed text that changes more than one word and more than the limit allows.

        Words are counted over all fields. An insertion counts as one word. An article that changes only to agree with
        the next word is not counted.
        """
        words = touched = 0
        for field, text in candidate.source.fields.items():
            edits = [edit for edit in candidate.edits if edit.field == field]
            places = [(token.start, token.end) for token in tokenise(text) if token.kind != "mark"]
            words += len(places)
            touched += sum(max(1, _inside(edit, places)) for edit in edits)
        return "too many words changed" if touched > max(1.0, self._limit * words) else None


def _inside(edit: Edit, places: list[tuple[int, int]]) -> int:
    """Count the words that an edit touches, an agreeing article left out."""
    count = sum(start < edit.end and edit.start < end for start, end in places)
    return count - 1 if count > 1 and _agrees(edit) else count


def _agrees(edit: Edit) -> bool:
    """Tell whether an edit begins with an article that only follows the word behind it: "an hour" for "a day"."""
    return all(words.lower().split()[:1] in (["a"], ["an"]) for words in (edit.before, edit.after))


class EditDistance:
    """Rejects a perturbed text that differs from its source in too many characters (Levenshtein distance).

    Args:
        limit: The largest Levenshtein distance. A number of 1 or more counts characters; a number below 1 is a fraction
            of the source's characters.
    """

    def __init__(self, limit: Annotated[float, Field(gt=0)] = 30) -> None:
        self._limit = limit

    def reject(self, candidate: Candidate) -> str | None:
        """Return a reason to reject a perturbed text whose edit distance, summed over all fields, exceeds the limit."""
        length = sum(map(len, candidate.source.fields.values()))
        most = int(self._limit if self._limit >= 1 else self._limit * length)
        distance = 0
        for edit in candidate.edits:
            distance += levenshtein(edit.before, edit.after, most - distance)
            if distance > most:
                return "edit distance too large"
        return None


class NoRepeatedEdit:
    """Rejects a perturbed text with the same replacement more than once, such as "movie" by "film" twice.

    Repeating a replacement shows nothing new about the model. Do not use this constraint with perturbations that
    rename a person everywhere in a text: it would reject their candidates.
    """

    def reject(self, candidate: Candidate) -> str | None:
        """Return a reason to reject a perturbed text if two edits make the same replacement, ignoring case."""
        counted = Counter((edit.before.casefold(), edit.after.casefold()) for edit in candidate.edits)
        return "repeated edit" if counted and max(counted.values()) > 1 else None


class StopWords:
    """Rejects edits of stop words, unless an article changes only to agree with the next word ("an hour").

    Args:
        path: A file of stop words, one a line; by default the shipped list of English function words.

    Raises:
        UsageError: The list cannot be read or is empty.
    """

    contract = ConstraintContract(per_edit=True)

    def __init__(self, *, path: Path | None = None) -> None:
        self._words = stop_words() if path is None else stop_words(path)

    def reject(self, candidate: Candidate) -> str | None:
        """Return a reason to reject a perturbed text if an edit removes or changes a stop word or its contraction."""
        for edit in candidate.edits:
            before = [token.small for token in tokenise(edit.before) if token.kind == "word"]
            after = [token.small for token in tokenise(edit.after) if token.kind == "word"]
            if _agrees(edit):
                before, after = before[1:], after[1:]
            if any(self._stops(word) for word in before if before.count(word) > after.count(word)):
                return "stop word"
        return None

    def _stops(self, word: str) -> bool:
        """Tell whether a word, or what a contraction leans on, is a stop word."""
        straight = word.replace("’", "'")
        bases = (straight.removesuffix(part) for part in _PARTS)
        return straight in self._words or any(base != straight and base in self._words for base in bases)


def levenshtein(one: str, other: str, most: int) -> int:
    """Count the insertions, deletions and replacements that turn one string into another.

    Only the band of width ``2·most + 1`` around the diagonal is computed (Ukkonen 1985), so the time is
    proportional to ``most · len(one)``.

    Returns:
        The distance, or ``most + 1`` if it is larger than ``most``, which is at least 0.

    >>> levenshtein("kitten", "sitting", 5), levenshtein("kitten", "sitting", 2)
    (3, 3)
    """
    if abs(len(one) - len(other)) > most:
        return most + 1
    beyond = most + 1
    row = [min(column, beyond) for column in range(len(other) + 1)]
    for line, letter in enumerate(one, 1):
        low, high = max(1, line - most), min(len(other), line + most)
        new = [beyond] * (len(other) + 1)
        new[0] = min(line, beyond)
        for column in range(low, high + 1):
            replaced = row[column - 1] + (letter != other[column - 1])
            new[column] = min(replaced, row[column] + 1, new[column - 1] + 1, beyond)
        row = new
    return row[-1]
