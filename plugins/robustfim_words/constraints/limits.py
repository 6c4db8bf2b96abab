"""Limits on how much of a text a candidate may change, and how often in one way."""

from __future__ import annotations

from collections import Counter

from robustfim.candidate import Candidate, Edit
from robustfim.errors import UsageError
from robustfim_words.text.tokens import tokenise

__all__ = ["EditDistance", "MaxChanged", "NoRepeatedEdit", "levenshtein"]


class MaxChanged:
    """Rejects a candidate that changes too many words.

    Args:
        limit: The largest share of the source's words that edits may touch, above 0 and up to 1; one word may
            always change, however short the text.

    Raises:
        UsageError: ``limit`` is no such share.
    """

    def __init__(self, limit: float = 0.2) -> None:
        if not 0 < limit <= 1:
            raise UsageError(f"max_changed: {limit} is no share of words above 0 and up to 1")
        self._limit = limit

    def reject(self, candidate: Candidate) -> str | None:
        """Reject if the words touched, of all fields, are more than one and above the limit.

        An insertion touches one word; an article that only follows the word behind it counts as part of it.
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
    article = edit.before.split(" ")[0].lower() in ("a", "an") and edit.after.split(" ")[0].lower() in ("a", "an")
    return count - 1 if article and count > 1 else count


class EditDistance:
    """Rejects a candidate that is too far from its source, letter by letter.

    Args:
        limit: From 1, the largest Levenshtein distance in characters; below 1, the largest share of the source's
            characters.

    Raises:
        UsageError: ``limit`` is not above 0.
    """

    def __init__(self, limit: float = 30) -> None:
        if not limit > 0:
            raise UsageError(f"edit_distance: {limit} is not above 0 (characters from 1, a share of them below 1)")
        self._limit = limit

    def reject(self, candidate: Candidate) -> str | None:
        """Reject if the distances of the edits, summed over the fields, are above the limit."""
        length = sum(map(len, candidate.source.fields.values()))
        most = int(self._limit if self._limit >= 1 else self._limit * length)
        distance = 0
        for edit in candidate.edits:
            distance += levenshtein(edit.before, edit.after, most - distance)
            if distance > most:
                return "edit distance too large"
        return None


class NoRepeatedEdit:
    """Rejects a candidate that replaces the same word by the same other more than once.

    Several edits of one kind count for more than they tell: three times "film" for "movie" is one weakness of a model.
    Names are an exception that this constraint does not know: whoever renames a person does so everywhere.
    """

    def reject(self, candidate: Candidate) -> str | None:
        """Reject if two edits have the same before and after, in whatever case."""
        counted = Counter((edit.before.casefold(), edit.after.casefold()) for edit in candidate.edits)
        return "repeated edit" if counted and max(counted.values()) > 1 else None


def levenshtein(one: str, other: str, most: int) -> int:
    """Count the insertions, deletions and replacements that turn one string into another.

    Only the band of width ``2·most + 1`` around the diagonal is computed (Ukkonen 1985), so the time is
    proportional to ``most · len(one)``.

    Args:
        one: A string.
        other: Another.
        most: The largest distance that matters, at least 0.

    Returns:
        The distance, or ``most + 1`` if it is larger.

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
