"""What every tagger does: tag a text once, and remember it."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from robustfim_words.text.tokens import Token

if TYPE_CHECKING:
    from robustfim.example import Example

__all__ = ["Tagger"]

_KEPT_TOKENS = 500_000
_PREPARED_TEXTS = 2_000


class Tagger:
    """Tags texts and remembers the latest of them, up to half a million tokens.

    Attributes:
        description: What the tags come from, in a few words.
        fallback: Why it stands in for a better one; empty where it does not.
    """

    description = ""
    fallback = ""

    @property
    def version(self) -> str:
        """What the tags come from, for a record: names, versions, hashes."""
        return self.description

    def __init__(self) -> None:
        self._kept: OrderedDict[str, tuple[Token, ...]] = OrderedDict()
        self._size = 0

    def tag(self, text: str) -> tuple[Token, ...]:
        """Tokenise and tag one text.

        Args:
            text: Any text.

        Returns:
            The tokens of :func:`~robustfim_words.text.tokens.tokenise`, ``tag`` and ``pos`` filled in where known. A
            word with a possessive ``'s`` has the tags of what stands before it.
        """
        known = self._kept.get(text)
        if known is None:
            known = next(iter(self._tag([text])))
            self._keep(text, known)
        else:
            self._kept.move_to_end(text)
        return known

    def prepare(self, examples: Iterable[Example]) -> None:
        """Tag the texts of examples in batches, the first 2,000; further ones are tagged when they are asked for."""
        self.prepare_texts(text for example in examples for text in example.fields.values())

    def prepare_texts(self, texts: Iterable[str]) -> None:
        """Tag the first 2,000 of some texts in batches."""
        fresh: dict[str, None] = {}
        for text in texts:  # of a million texts the others are not looked at
            if text not in self._kept:
                fresh.setdefault(text)
            if len(fresh) == _PREPARED_TEXTS:
                break
        for text, tokens in zip(fresh, self._tag([*fresh]), strict=True):
            self._keep(text, tokens)

    def _keep(self, text: str, tokens: tuple[Token, ...]) -> None:
        """Remember a text, and forget the oldest ones beyond the limit."""
        self._kept[text] = tokens
        self._size += len(tokens)
        while self._size > _KEPT_TOKENS and len(self._kept) > 1:
            self._size -= len(self._kept.popitem(last=False)[1])

    def _tag(self, texts: Sequence[str]) -> Iterator[tuple[Token, ...]]:
        """Tag texts, in order."""
        raise NotImplementedError(f"{type(self).__name__} does not say how it tags")
