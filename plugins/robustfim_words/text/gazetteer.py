"""Gazetteers: lists of entries of one or several words, found in a text by the longest match."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Generic, NamedTuple, TypeVar

from robustfim_words.text.tokens import Tokens, tokenise

__all__ = ["Gazetteer", "Match"]

T = TypeVar("T")


class Match(NamedTuple, Generic[T]):
    """An entry found in a text.

    Attributes:
        first: Index of the entry's first token.
        last: Index of the entry's last token.
        end: The place after the entry's last character, without a possessive ``'s``.
        entry: The value of the entry in the gazetteer.
    """

    first: int
    last: int
    end: int
    entry: T


class Gazetteer(Generic[T]):
    """A table of entries of one or several words, each with a value.

    Args:
        entries: Words, separated by blanks as in a text, and their value. A later value replaces an earlier value.
    """

    def __init__(self, entries: Iterable[tuple[str, T]]) -> None:
        self._by_first: dict[str, dict[tuple[str, ...], T]] = {}
        for words, entry in entries:
            parts = tuple(token.text.casefold() for token in tokenise(words))
            if parts:
                self._by_first.setdefault(parts[0], {})[parts] = entry
        self._lengths = {
            first: sorted({len(parts) for parts in known}, reverse=True) for first, known in self._by_first.items()
        }

    def match(self, tokens: Tokens, first: int) -> Match[T] | None:
        """Find the longest entry that begins at a token, given by its index; None if there is no entry.

        Case is ignored. Only the last word may have a possessive ``'s``.
        """
        start = tokens[first].text.casefold()
        bare = tokens[first].base.casefold()
        for length in self._lengths.get(start, ()) or self._lengths.get(bare, ()):
            last = first + length - 1
            if last >= len(tokens):
                continue
            whole = tuple(token.text.casefold() for token in tokens[first : last + 1])
            known = self._by_first.get(whole[0], {})
            if whole in known:
                return Match(first, last, tokens[last].end, known[whole])
            cut = (*whole[:-1], tokens[last].base.casefold())
            known = self._by_first.get(cut[0], {})
            if cut in known:
                return Match(first, last, tokens[last].base_end, known[cut])
        return None
