"""Elongations: a repeated vowel, as in "sooo booooring"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from random import Random

from robustfim.candidate import Edit
from robustfim.contract import Contract
from robustfim_words.persons.names import in_name
from robustfim_words.tagging.resourced import Editing, WithTagger
from robustfim_words.text.guard import fixed
from robustfim_words.text.lexicon import closed_class
from robustfim_words.text.text_kind import register
from robustfim_words.text.tokens import Token

__all__ = ["Elongations"]

_VOWEL = re.compile(r"[aeiouy]", re.IGNORECASE)
_SILENT = re.compile(r"(?<=[^aeiou\W])e\Z", re.IGNORECASE)


class Elongations(WithTagger, Editing):
    """Repeats a vowel of a word that people draw out in speech: "sooo good", "looong".

    The emphasis strengthens a statement and never reverses it. News texts are not changed.
    """

    contract = Contract(carries=True)

    def _edits(self, field: str, text: str, tokens: Sequence[Token], random: Random) -> Iterator[Edit]:
        """List one elongation of each word that is spoken with emphasis."""
        titles = fixed(text, tokens)
        for index, token in enumerate(tokens if register(text) != "news" else ()):
            place = _stressed(token) if index not in titles and not in_name(tokens, index) else None
            if place is None:
                continue
            held = token.text[place] * random.randint(2, 4)
            after = token.text[:place] + held + token.text[place:]
            yield Edit(field, token.start, token.end, token.text, after, f"elongations: {token.text.lower()}")


def _stressed(token: Token) -> int | None:
    """Return the place of the vowel to hold; None for a word that nobody holds."""
    word = token.text
    if word.lower() not in closed_class("held long") or token.tag[:2] not in ("JJ", "RB", "UH", ""):
        return None
    match = _VOWEL.search(_SILENT.sub("", word), 1) or _VOWEL.search(word)
    return match.start() if match else None
