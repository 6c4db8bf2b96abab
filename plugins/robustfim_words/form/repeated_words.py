"""Repeated words: a small word typed twice."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

from robustfim.candidate import Edit
from robustfim_words.tagging.resourced import Editing
from robustfim_words.text.denials import denies
from robustfim_words.text.stop_words import stop_words
from robustfim_words.text.tokens import Token

__all__ = ["RepeatedWords"]


class RepeatedWords(Editing):
    """Types a function word twice, such as an article or a preposition: "one of the the best".

    Negations ("not not") are never repeated, since that can change the meaning.
    """

    def _edits(self, field: str, text: str, tokens: Sequence[Token], random: Random) -> Iterator[Edit]:
        """List one repetition of each small word."""
        for token in tokens:
            small = token.text.lower()
            if small.isalpha() and small in stop_words() and not denies(small):
                again = token.text if token.text.isupper() else small
                after = f"{token.text} {again}"
                yield Edit(field, token.start, token.end, token.text, after, f"repeated_words: {small}")
