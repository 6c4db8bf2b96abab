"""Slips: errors inside a word that has letters only."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from random import Random
from typing import ClassVar

from robustfim.candidate import Edit
from robustfim.contract import Contract
from robustfim_words.tagging.resourced import Editing
from robustfim_words.text.options import at_least
from robustfim_words.text.tokens import Token

__all__ = ["Slips", "plain_words"]


def plain_words(tokens: Sequence[Token], letters: int) -> list[Token]:
    """List the words that consist of letters only and have at least the given number of them."""
    return [token for token in tokens if len(token.text) >= letters and token.text.isalpha()]


class Slips(Editing):
    """Base class of perturbations that make typing errors inside words; each edit makes one error.

    Args:
        letters: The number of letters of the shortest word that is changed.
        least: The smallest value of ``letters`` that a suite may set.
    """

    contract = Contract(carries=True)
    any_language = True
    _name: ClassVar[str]

    def __init__(self, letters: int, least: int = 2) -> None:
        self._letters = at_least("letters", letters, least)

    def _edits(self, field: str, text: str, tokens: Sequence[Token], random: Random) -> Iterator[Edit]:
        """List the slips of each word."""
        for token in plain_words(tokens, self._letters):
            for what, after in self._slips(token.text, random):
                yield Edit(field, token.start, token.end, token.text, after, f"{self._name}: {what}")

    @abstractmethod
    def _slips(self, word: str, random: Random) -> Iterable[tuple[str, str]]:
        """List what each slip is, and the word with it."""
