"""Word breaks: a blank too many or too few."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from random import Random
from typing import Annotated

from pydantic import Field

from robustfim.candidate import Edit
from robustfim.contract import Contract
from robustfim_texts import some_of
from robustfim_words.tagging.resourced import Editing
from robustfim_words.text import inflection
from robustfim_words.text.stop_words import stop_words
from robustfim_words.text.tokens import Tokens

__all__ = ["KINDS", "WordBreaks"]

KINDS = ("split", "join")


class WordBreaks(Editing):
    """Puts a blank inside a word, or drops the blank between two words: "wond erful", "thefilm".

    The edits of a text are drawn so that each word is in one at most. A split leaves at least two letters on either
    side, and never two dictionary words ("not able"). A join never makes a dictionary word ("into").

    Args:
        kinds: ``split``, ``join``; both by default.
        letters: The number of letters of the shortest word that is split, at least 4.

    Raises:
        UsageError: A kind is unknown.
    """

    contract = Contract(carries=True)

    any_language = True

    def __init__(self, *, kinds: list[str] | None = None, letters: Annotated[int, Field(ge=4)] = 5) -> None:
        self._kinds = some_of("kinds", kinds, KINDS)
        self._letters = letters

    def _edits(self, field: str, text: str, tokens: Tokens, random: Random) -> Iterator[Edit]:
        """List splits of long words and joins of neighbouring words, drawn so that each word is in one edit at most."""
        found: list[Edit] = []
        places = [*self._splits(field, tokens, random), *self._joins(field, text, tokens)]
        for edit in random.sample(places, len(places)):
            if not any(map(edit.overlaps, found)):
                found.append(edit)
        return iter(sorted(found))

    def _splits(self, field: str, tokens: Tokens, random: Random) -> Iterator[Edit]:
        for token in tokens if "split" in self._kinds else ():
            word = token.text
            if len(word) < self._letters or not word.isalpha():
                continue
            parts = ((word[:place], word[place:]) for place in range(2, len(word) - 1))
            splits = [" ".join(pair) for pair in parts if not all(map(_known, pair))]
            if splits:
                yield Edit(field, token.start, token.end, word, random.choice(splits), "word_breaks: split")

    def _joins(self, field: str, text: str, tokens: Tokens) -> Iterator[Edit]:
        for one, other in pairwise(tokens) if "join" in self._kinds else ():
            words = one.text.isalpha() and other.text.isalpha()
            pair = one.text + other.text
            if words and text[one.end : other.start] == " " and not _known(pair):
                yield Edit(field, one.start, other.end, text[one.start : other.end], pair, "word_breaks: join")


def _known(word: str) -> bool:
    """Tell whether a word is one of the dictionary, which lacks most words of grammar, or one of these."""
    return inflection.is_word(word) or word.lower() in stop_words()
