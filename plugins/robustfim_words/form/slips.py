"""Slips: what goes wrong inside a word of letters only."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from random import Random
from typing import ClassVar

from robustfim.candidate import Edit
from robustfim.contract import Contract
from robustfim.example import Example
from robustfim_words.text.options import at_least
from robustfim_words.text.tokens import Token, tokenise

__all__ = ["Slips", "plain_words"]


def plain_words(example: Example, letters: int) -> Iterator[tuple[str, Token]]:
    """List the words that hold nothing but letters, and so many at least, each with its field's name."""
    for field, text in example.fields.items():
        for token in tokenise(text):
            if len(token.text) >= letters and token.text.isalpha():
                yield field, token


class Slips:
    """A perturbation that lists slips of each plain word, one an edit.

    Args:
        letters: The shortest word that is touched.
        least: The smallest number of letters that a suite may ask for.
    """

    contract = Contract(carries=True)
    _name: ClassVar[str]

    def __init__(self, letters: int, least: int = 2) -> None:
        self._letters = at_least("letters", letters, least)

    def edits(self, example: Example, random: Random) -> Iterator[Edit]:
        """List the slips of each word."""
        for field, token in plain_words(example, self._letters):
            for what, after in self._slips(token.text, random):
                yield Edit(field, token.start, token.end, token.text, after, f"{self._name}: {what}")

    def _slips(self, word: str, random: Random) -> Iterable[tuple[str, str]]:
        """List what each slip is, and the word with it."""
        raise NotImplementedError(f"{type(self).__name__} does not say how it slips")
