"""The difference between an example and a perturbed text, as a single edit of whole words."""

from __future__ import annotations

from collections.abc import Mapping

from robustfim.candidate import Edit
from robustfim.example import Example
from robustfim.words import difference, word_tokens

__all__ = ["one_edit"]


def one_edit(source: Example, fields: Mapping[str, str], origin: str = "") -> Edit | None:
    """Return the change of one field as a single edit.

    Returns:
        The edit, from the first to the last token that differs; None if no field or several fields differ.
    """
    changed = [name for name in source.fields if source.fields[name] != fields[name]]
    if len(changed) != 1:
        return None
    name = changed[0]
    tokens = word_tokens(source.fields[name])
    head, old, new = difference(tokens, word_tokens(fields[name]))
    start, before = sum(map(len, tokens[:head])), "".join(old)
    return Edit(name, start, start + len(before), before, "".join(new), origin)
