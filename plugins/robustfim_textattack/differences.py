"""Differences: the edits that lead from an example's texts to perturbed ones, word by word."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from difflib import SequenceMatcher

from robustfim.candidate import Edit
from robustfim.example import Example
from robustfim.words import shared_ends

__all__ = ["edits_between", "one_edit"]

_TOKEN = re.compile(r"\w+(?:['’\-]\w+)*|\s|[^\w\s]", re.DOTALL)


def edits_between(source: Example, fields: Mapping[str, str], origin: str = "") -> list[Edit]:
    """Recover the edits between an example and its perturbed texts.

    Words stay whole: an edit begins and ends where a word, a blank or a mark does.

    Args:
        source: The example.
        fields: The perturbed texts, by field name.
        origin: Where they come from.

    Returns:
        Edits that do not overlap, in the order of the fields and texts; applied to the source they give ``fields``.
    """
    return [edit for name in source.fields for edit in _field_edits(name, source.fields[name], fields[name], origin)]


def one_edit(source: Example, fields: Mapping[str, str], origin: str = "") -> Edit | None:
    """Recover the change of one field as a single edit.

    Args:
        source: The example.
        fields: The perturbed texts, by field name.
        origin: Where they come from.

    Returns:
        The edit, from the first to the last token that differs; None where nothing or more than one field differs.
    """
    changed = [name for name in source.fields if source.fields[name] != fields[name]]
    if len(changed) != 1:
        return None
    name = changed[0]
    before, after = _TOKEN.findall(source.fields[name]), _TOKEN.findall(fields[name])
    head, tail = shared_ends(before, after)
    start = sum(map(len, before[:head]))
    old, new = ("".join(tokens[head : len(tokens) - tail]) for tokens in (before, after))
    return Edit(name, start, start + len(old), old, new, origin)


def _field_edits(name: str, before: str, after: str, origin: str) -> Iterator[Edit]:
    old, new = _TOKEN.findall(before), _TOKEN.findall(after)
    head, tail = shared_ends(old, new)
    place = sum(map(len, old[:head]))
    old, new = old[head : len(old) - tail], new[head : len(new) - tail]
    for tag, i, j, k, m in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        cut, put = "".join(old[i:j]), "".join(new[k:m])
        if tag != "equal":
            yield Edit(name, place, place + len(cut), cut, put, origin)
        place += len(cut)
