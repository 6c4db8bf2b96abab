"""Leftovers: mentions of a name beside those that change, which would make two of one."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence

from robustfim.guard import touches
from robustfim_words.text.tokens import Token

__all__ = ["left_over"]

_LONGEST = 5
"""Words of a name at most."""


def left_over(
    texts: Mapping[str, Sequence[Token]],
    covered: Mapping[str, Collection[tuple[int, int]]],
    forms: Collection[str],
) -> bool:
    """Tell whether one of some names stands outside the places that change.

    Args:
        texts: The tokens of each field.
        covered: First character and one past the last of each place that changes, by field.
        forms: The names, in small letters.

    Returns:
        True if a word of a text, a part of one with a hyphen or an apostrophe, or words in a row are such a name in any
        case.
    """
    wanted = frozenset(form for form in forms if " " not in form)
    several = [form.split() for form in forms if " " in form]
    for field, tokens in texts.items():
        spans = covered.get(field, ())
        for index, token in enumerate(tokens):
            if token.kind in ("word", "fixed") and not touches(spans, token.start, token.end):
                small = token.text.casefold()
                if small in wanted or not wanted.isdisjoint(re.split(r"[\W_]+", small)):
                    return True
                whole = (small, *(after.text.casefold() for after in tokens[index + 1 : index + _LONGEST]))
                if any(whole[: len(parts)] == tuple(parts) for parts in several if len(parts) <= len(whole)):
                    return True
    return False
