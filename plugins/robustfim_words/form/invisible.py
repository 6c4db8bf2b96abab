"""Invisible characters inside words, as in text that was copied from web pages."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from robustfim_words.form.slips import Slips
from robustfim_words.text.options import some_of

__all__ = ["KINDS", "Invisible"]

KINDS = {
    "soft_hyphen": "\u00ad",
    "zero_width_space": "\u200b",
    "zero_width_non_joiner": "\u200c",
    "zero_width_joiner": "\u200d",
    "word_joiner": "\u2060",
    "byte_order_mark": "\ufeff",
}
"""Characters that have no width inside a word of Latin letters."""


class Invisible(Slips):
    """Puts an invisible character between two letters of a word; the text looks as before.

    Args:
        kinds: The characters to put in; all known characters by default.
        letters: The number of letters of the shortest word that is changed, at least 2.

    Raises:
        UsageError: A kind is unknown, or ``letters`` below 2.
    """

    _name = "invisible"

    def __init__(self, *, kinds: list[str] | None = None, letters: int = 4) -> None:
        super().__init__(letters)
        self._kinds = some_of("kinds", kinds, KINDS)

    def _slips(self, word: str, random: Random) -> Iterator[tuple[str, str]]:
        kind = random.choice(self._kinds)
        place = random.randrange(1, len(word))
        yield kind, word[:place] + KINDS[kind] + word[place:]
