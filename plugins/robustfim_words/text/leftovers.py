"""Leftovers: what a text still says of a thing beside the mentions that change, which would make two of it."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence

from robustfim.guard import touches
from robustfim_words.text.stop_words import STOP_WORDS, read_stop_words
from robustfim_words.text.tokens import Token

__all__ = ["left_over", "short_forms"]

_STEM = 4
"""Letters that a derived word must share with a name: Paris and Parisian."""
_PLAIN = frozenset("united city states bank company association university american national general new".split())  # noqa: SIM905  # words read better as a text
"""Words of many names, which alone name none."""


def short_forms(name: str) -> frozenset[str]:
    """List what a name of several words is called for short: its initials, and its words that are no common ones.

    Args:
        name: A name as it is written.

    Returns:
        In small letters: for "Manchester United" ``mu``, ``manchester``, ``man``.

    >>> sorted(short_forms("World Trade Organization"))
    ['organization', 'trade', 'world', 'wto']
    """
    words = [word for word in re.findall(r"[^\W_]+", name) if word.lower() not in read_stop_words(STOP_WORDS)]
    forms = {word.lower() for word in words if len(word) > 2} - _PLAIN
    if len(words) > 1:
        forms.add("".join(word[0] for word in words).lower())
    return frozenset(forms)


def left_over(
    texts: Mapping[str, Sequence[Token]],
    covered: Mapping[str, Collection[tuple[int, int]]],
    forms: Iterable[str],
    *,
    stems: bool = False,
) -> bool:
    """Tell whether one of some forms stands outside the places that change.

    Args:
        texts: The tokens of each field.
        covered: First character and one past the last of each place that changes, by field.
        forms: What the thing may be called, in small letters, each one word.
        stems: Whether words that begin as a form does count as well: demonyms, plurals, compounds.

    Returns:
        True if a word of a text, or a part of one with a hyphen or an apostrophe, is such a form in any case.
    """
    wanted = frozenset(forms)
    heads = tuple({form[: max(_STEM, len(form) - 1)] for form in wanted if len(form) >= _STEM}) if stems else ()
    for field, tokens in texts.items():
        spans = covered.get(field, ())
        for token in tokens:
            if token.kind == "fixed" and not wanted.isdisjoint(re.split(r"[\W_]+", token.text.casefold())):
                return True
            if token.kind != "word" or touches(spans, token.start, token.end):
                continue
            parts = re.split("['’\\-‐‑.]", token.text.casefold())
            whole = token.text.casefold().replace(".", "")
            if whole in wanted or any(part in wanted for part in parts) or (heads and whole.startswith(heads)):
                return True
    return False
