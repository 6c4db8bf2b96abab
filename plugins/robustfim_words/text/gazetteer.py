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
        self._entries: dict[tuple[str, ...], T] = {}
        lengths: dict[str, set[int]] = {}
        for words, entry in entries:
            parts = tuple(token.text.casefold() for token in tokenise(words))
            if parts:
                self._entries[parts] = entry
                lengths.setdefault(parts[0], set()).add(len(parts))
        self._lengths = {first: sorted(known, reverse=True) for first, known in lengths.items()}

    def match(self, tokens: Tokens, first: int) -> Match[T] | None:
        """Find the longest entry that begins at a token, given by its index; None if there is no entry.

        Case is ignored. Only the last word may have a possessive ``'s``.
        """
        written, bare = tokens[first].text.casefold(), tokens[first].base.casefold()
        for length in self._lengths.get(written, ()) or self._lengths.get(bare, ()):
            inside = tokens[first : first + length]
            head, last = [token.text.casefold() for token in inside[:-1]], inside[-1]
            for form, end in ((last.text, last.end), (last.base, last.base_end)):
                parts = (*head, form.casefold())
                if len(parts) == length and parts in self._entries:
                    return Match(first, first + length - 1, end, self._entries[parts])
        return None
