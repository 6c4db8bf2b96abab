"""Leftovers: mentions of a name beside those that change, which would make two of one."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence

from robustfim.guard import touches
from robustfim_words.text.tokens import Token

__all__ = ["left_over"]


def left_over(
    texts: Mapping[str, Sequence[Token]],
    covered: Mapping[str, Collection[tuple[int, int]]],
    forms: Iterable[str],
) -> bool:
    """Tell whether one of some names stands outside the places that change.

    Args:
        texts: The tokens of each field.
        covered: First character and one past the last of each place that changes, by field.
        forms: The names, in small letters, each one word.

    Returns:
        True if a word of a text, or a part of one with a hyphen or an apostrophe, is such a name in any case.
    """
    wanted = frozenset(forms)
    for field, tokens in texts.items():
        spans = covered.get(field, ())
        for token in tokens:
            if token.kind in ("word", "fixed") and not touches(spans, token.start, token.end):
                small = token.text.casefold()
                if small in wanted or not wanted.isdisjoint(re.split(r"[\W_]+", small)):
                    return True
    return False
