"""Leftovers: mentions of a name, or of a part or short form of it, that an edit would leave unchanged."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from functools import cache

from robustfim_texts import touches
from robustfim_words.text.inflection import is_word
from robustfim_words.text.lexicon import LEXICONS, closed_class, read_pairs
from robustfim_words.text.tokens import Tagged, Tokens

__all__ = ["left_over", "name_types"]

_LONGEST = 5
"""The largest number of words of a name."""
_SHORTEST = 4
"""The smallest number of letters of a word that identifies a name alone, and of a name whose derivations are sought."""


def left_over(
    texts: Tagged,
    covered: Mapping[str, Collection[tuple[int, int]]],
    forms: Collection[str],
) -> bool:
    """Check whether an example still mentions a name after all planned changes.

    Args:
        texts: The tokens of each field.
        covered: By field, the range of each planned change: index of its first character, and index after the last.
        forms: The names to look for, as written or in small letters.

    Returns:
        True if a name occurs outside the planned changes, ignoring case: as a whole word, as several words, or as a
        part of a word with a hyphen or an apostrophe. Also True if a word begins with the name (*Bostonians*), or if
        one word of a longer name occurs alone with a capital (*Ford* of *Ford Motor*). Words of many names ("New") and
        words for a kind ("Bank") do not count.
    """
    wanted = frozenset(form.casefold() for form in forms if " " not in form)
    several = [form.casefold().split() for form in forms if " " in form]
    long = tuple(form for form in wanted if len(form) >= _SHORTEST)
    short = frozenset[str]().union(*map(_short_forms, forms))
    parts = frozenset[str]().union(*map(_parts, forms))
    for field, tokens in texts.items():
        spans = covered.get(field, ())
        for index, token in enumerate(tokens):
            if token.kind in ("word", "fixed") and not touches(spans, token.start, token.end):
                small = token.text.casefold()
                if small in wanted or not wanted.isdisjoint(re.split(r"[\W_]+", small)):
                    return True
                if token.base in short | parts or (long and small.startswith(long) and not is_word(small)):
                    return True
                whole = (small, *(after.text.casefold() for after in tokens[index + 1 : index + _LONGEST]))
                if any(whole[: len(parts)] == tuple(parts) for parts in several if len(parts) <= len(whole)):
                    return True
                if any(_spells(tokens[index : index + _LONGEST], form) for form in forms):
                    return True
    return False


def _short_forms(name: str) -> frozenset[str]:
    """List what a name of several words is called for short: its initials, and its words that are no others."""
    words = [word for word in name.split() if word.lower() not in closed_class("linking in names")]
    if len(words) < 2 or not all(word[0].isupper() for word in words):
        return frozenset()
    own = (word for word in words if len(word) >= _SHORTEST and not is_word(word))
    return frozenset(["".join(word[0] for word in words), *own])


def _parts(name: str) -> frozenset[str]:
    """List the words of a name of several that name it alone where they have a capital: *Ford* of *Ford Motor*."""
    words = name.split()
    common = closed_class("of many names") | closed_class("linking in names") | name_types().keys()
    return frozenset(word for word in words if len(words) > 1 and word[0].isupper() and word.lower() not in common)


@cache
def name_types() -> Mapping[str, str]:
    """Map words at the end of a name that show its kind, such as "Theatre", to ``place`` or ``organisation``."""
    return read_pairs(LEXICONS / "types.tsv", ("word", "kind: place|organisation"))


def _spells(tokens: Tokens, initials: str) -> bool:
    """Tell whether capitalised words begin with the letters of a name: *Food and Drug Administration* of *FDA*."""
    if not (1 < len(initials) < _LONGEST and initials.isalpha() and initials.isupper()):
        return False
    words = [token.text for token in tokens if token.small not in closed_class("linking in names")]
    words = words[: len(initials)]
    return [word[0] for word in words] == list(initials)
