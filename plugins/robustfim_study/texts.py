"""The texts behind the points of a figure, on a study's page."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Protocol, TypeVar

import numpy as np

from robustfim.exhibit import Mark, Passage, Passages
from robustfim.words import first_words, shared_ends
from robustfim_study.association import Array

__all__ = ["MOST", "changed_text", "hardest_texts"]

MOST = 300
"""Examples of a page whose points lead to their texts."""
_BEGINNING = 60
_WORD = re.compile(r"\w+|\W")
_MARKS: tuple[Mark, ...] = ("", "del", "ins", "")


class _Shown(Protocol):
    """An example, or what a record keeps of one."""

    @property
    def id(self) -> str: ...

    @property
    def fields(self) -> Mapping[str, str]: ...


E = TypeVar("E", bound=_Shown)


def hardest_texts(
    examples: Sequence[E], scores: Mapping[str, Array], hardest: int = 1,
) -> list[Passages]:  # fmt: skip
    """Show the examples that are hardest by any of several scores, each with its scores in a line.

    Args:
        examples: The examples, ``[examples]``.
        scores: The scores ``[examples]`` by name; an example that lacks one of them is left out.
        hardest: 1 if a higher score is harder, −1 if a lower score is.
    """
    table = np.stack([hardest * score for score in scores.values()])
    kept = np.flatnonzero(np.isfinite(table).all(axis=0)).tolist()
    ranks = (-table[:, kept]).argsort(axis=1, kind="stable").argsort(axis=1).min(axis=0)
    found = []
    for place in np.argsort(ranks, kind="stable")[:MOST].tolist():
        row = kept[place]
        told = ", ".join(f"{name} {values[row]:.3g}" for name, values in scores.items())
        fields = examples[row].fields
        found.append(Passages.of(examples[row].id, fields, f"{told}: {_beginning(fields)}"))
    return found


def changed_text(place: str, before: Mapping[str, str], after: Mapping[str, str], title: str) -> Passages:
    """Show a text and its edit, with deleted and inserted words marked, field by field.

    Args:
        place: The anchor on the page.
        before: The fields of the text.
        after: The fields of its edit.
        title: One line about both.
    """
    passages = []
    for name in dict.fromkeys((*before, *after)):
        old, new = (_WORD.findall(each.get(name, "")) for each in (before, after))
        head, tail = shared_ends(old, new)
        parts = (old[:head], old[head : len(old) - tail], new[head : len(new) - tail], old[len(old) - tail :])
        pieces = list(zip(_MARKS, map("".join, parts), strict=True))
        passages.append(Passage(note=name if len(before) > 1 else "", pieces=pieces))
    return Passages(id=place, title=f"{title}: {_beginning(before)}", passages=passages)


def _beginning(fields: Mapping[str, str]) -> str:
    """Return the beginning of an example's text, which tells it from others in a list."""
    text = " ".join(" ".join(fields.values()).split())
    return text if len(text) <= _BEGINNING else f"{first_words(text, _BEGINNING)}…"
