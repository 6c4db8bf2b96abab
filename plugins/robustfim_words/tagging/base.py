"""The base of all taggers: each text is tagged once."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence

from robustfim_words.text.tokens import Token

__all__ = ["PREPARED_TEXTS", "Tagger"]

_KEPT_TOKENS = 500_000
PREPARED_TEXTS = 2_000
"""The number of texts that are tagged together."""


class Tagger(ABC):
    """Tags the words of texts with parts of speech, and keeps the tags of the latest texts in memory.

    Attributes:
        fallback: Why this tagger is used in place of spaCy; empty for spaCy itself.
    """

    fallback = ""

    def __init__(self) -> None:
        self._kept: dict[str, tuple[Token, ...]] = {}
        self._size = 0

    @property
    @abstractmethod
    def version(self) -> str:
        """The names, versions and hashes that identify the source of the tags in a run's record."""

    @abstractmethod
    def _tag(self, texts: Sequence[str]) -> Iterator[tuple[Token, ...]]:
        """Tag texts, in order."""

    def tag(self, text: str) -> tuple[Token, ...]:
        """Tokenise and tag one text.

        Returns:
            The tokens of :func:`~robustfim_words.text.tokens.tokenise`, with ``tag`` and ``pos`` where known. A word
            with a possessive ``'s`` has the tags of the word without it.
        """
        if text not in self._kept:
            self.prepare_texts([text])
        return self._kept[text]

    def prepare_texts(self, texts: Iterable[str]) -> None:
        """Tag some texts in batches: the first 2,000. Further texts are tagged when needed."""
        fresh: dict[str, None] = {}
        for text in texts:  # of a million texts the others are not looked at
            if text not in self._kept:
                fresh.setdefault(text)
            if len(fresh) == PREPARED_TEXTS:
                break
        for text, tokens in zip(fresh, self._tag([*fresh]), strict=True):
            self._kept[text] = tokens
            self._size += len(tokens)
            while self._size > _KEPT_TOKENS and len(self._kept) > 1:
                self._size -= len(self._kept.pop(next(iter(self._kept))))
