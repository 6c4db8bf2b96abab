"""Conversion of examples to TextAttack's ``AttackedText``, with TextAttack's record of changed words."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from difflib import SequenceMatcher
from typing import Any

from robustfim.example import Example
from robustfim_textattack.library import textattack

__all__ = ["attacked", "fields_of", "perturbed", "readable", "word_places"]


def readable(example: Example) -> bool:
    """Return whether TextAttack can split an example: its texts do not contain TextAttack's field separator."""
    return textattack().shared.AttackedText.SPLIT_TOKEN not in example.text


def attacked(fields: Mapping[str, str]) -> Any:
    """Return an ``AttackedText`` of fields, in their order."""
    return textattack().shared.AttackedText(OrderedDict(fields))


def fields_of(text: Any, source: Example) -> dict[str, str] | None:
    """Return the text fields of TextAttack's ``AttackedText``, by name.

    Args:
        text: The ``AttackedText``. Some transformations return a single field without a name.
        source: The example that the text comes from.

    Returns:
        The texts by the names of the source's fields; None if the fields cannot be matched.
    """
    found = dict(text._text_input)
    if found.keys() == source.fields.keys():
        return {name: found[name] for name in source.fields}
    return dict(zip(source.fields, found.values(), strict=True)) if len(found) == len(source.fields) == 1 else None


def perturbed(current: Any, fields: Mapping[str, str], transformation: Any) -> Any:
    """Return an ``AttackedText`` for changed fields, as if a transformation had changed ``current``.

    The words are aligned with the words of ``current``. TextAttack's constraints and searches can then look up which
    words are new, and where each word of the original is now.

    Args:
        current: The ``AttackedText`` before the change.
        fields: The texts after the change, by field name.
        transformation: The transformation that constraints see as the last one.
    """
    import numpy as np

    text = attacked(fields)
    place, new = _aligned(current.words, text.words)
    if not new and text.text != current.text and text.words:
        new = {min(_first_change(current, text), len(text.words) - 1)}
    earlier = current.attack_attrs
    kept = {place[index] for index in earlier["modified_indices"] if place[index] >= 0}
    text.attack_attrs |= {
        "previous_attacked_text": current,
        "last_transformation": transformation,
        "newly_modified_indices": new,
        "modified_indices": kept | new,
        "original_index_map": np.array(
            [place[index] if index >= 0 else -1 for index in earlier["original_index_map"]], dtype=int
        ),
    }
    if "label_names" in earlier:
        text.attack_attrs["label_names"] = earlier["label_names"]
    return text


def word_places(text: Any) -> list[tuple[str, int, int]]:
    """Return the places of TextAttack's words.

    Args:
        text: An ``AttackedText``.

    Returns:
        For each word its field name, its first character, and the place after its last character.
    """
    joined, found, position = text.text, [], 0
    starts, start = [], 0
    for name, content in text._text_input.items():
        starts.append((start, name))
        start += len(content) + 1  # the fields are joined by a line break
    for word in text.words:
        position = joined.index(word, position)
        begin, name = max(pair for pair in starts if pair[0] <= position)
        found.append((name, position - begin, position - begin + len(word)))
        position += len(word)
    return found


def _aligned(before: Sequence[str], after: Sequence[str]) -> tuple[list[int], set[int]]:
    """Tell where each word went, -1 for one that is gone, and which words are new."""
    place, new = [-1] * len(before), set[int]()
    for tag, i, j, k, m in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        for index, other in zip(range(i, j), range(k, m), strict=False):
            place[index] = other
        if tag != "equal":
            new.update(range(k, m))
    return place, new


def _first_change(before: Any, after: Any) -> int:
    """Count the words that end before the first character that differs."""
    same = next(
        (at for at, pair in enumerate(zip(before.text, after.text, strict=False)) if pair[0] != pair[1]),
        min(len(before.text), len(after.text)),
    )
    return len(textattack().shared.utils.words_from_text(before.text[:same]))
