"""The base of all taggers: each text is tagged once, and its tags are kept in the store of the run."""

from __future__ import annotations

import weakref
from abc import ABC, abstractmethod
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from robustfim.version import __version__
from robustfim_words.text.tokens import Token, tokenise

if TYPE_CHECKING:
    from robustfim.example import Example
    from robustfim.roles import Context

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

    @property
    @abstractmethod
    def version(self) -> str:
        """The names, versions and hashes that identify the source of the tags in a run's record."""

    def __init__(self) -> None:
        self._kept: OrderedDict[str, tuple[Token, ...]] = OrderedDict()
        self._size = 0
        self._context: weakref.ref[Context] | None = None

    def attach(self, context: Context) -> None:
        """Use a run's store as a cache of tags: look for a text's tags there, and write new tags to it.

        Args:
            context: The run. The tagger holds a weak reference to it, and writes to no store after the run is deleted.
        """
        self._context = weakref.ref(context)

    def tag(self, text: str) -> tuple[Token, ...]:
        """Tokenise and tag one text.

        Returns:
            The tokens of :func:`~robustfim_words.text.tokens.tokenise`, with ``tag`` and ``pos`` where known. A word
            with a possessive ``'s`` has the tags of the word without it.
        """
        known = self._kept.get(text)
        if known is None:
            (known,) = self._found([text])
            self._keep(text, known)
        else:
            self._kept.move_to_end(text)
        return known

    def prepare(self, examples: Iterable[Example]) -> None:
        """Tag the texts of the first 2,000 examples in batches. Other texts are tagged when needed."""
        self.prepare_texts(text for example in examples for text in example.fields.values())

    def prepare_texts(self, texts: Iterable[str]) -> None:
        """Tag some texts in batches: the first 2,000. Further texts are tagged when needed."""
        fresh: dict[str, None] = {}
        for text in texts:  # of a million texts the others are not looked at
            if text not in self._kept:
                fresh.setdefault(text)
            if len(fresh) == PREPARED_TEXTS:
                break
        for text, tokens in zip(fresh, self._found([*fresh]), strict=True):
            self._keep(text, tokens)

    def _found(self, texts: Sequence[str]) -> list[tuple[Token, ...]]:
        """Look different texts up in the store, and tag the others."""
        context = self._context() if self._context else None
        if context is None:
            return list(self._tag(texts))
        kept = context.kept(self._kept_as, texts).items()
        found = {text: tokens for text, tags in kept if (tokens := _with_tags(text, tags)) is not None}
        missing = [text for text in texts if text not in found]
        fresh = dict(zip(missing, self._tag(missing), strict=True)) if missing else {}
        context.keep(self._kept_as, {text: _tags_of(tokens) for text, tokens in fresh.items()})
        found |= fresh
        return [found[text] for text in texts]

    @cached_property
    def _kept_as(self) -> str:
        """Name the tags in the store: whatever decides them."""
        return f"tags of {self.version}, robustfim {__version__}"

    def _keep(self, text: str, tokens: tuple[Token, ...]) -> None:
        """Remember a text, and forget the oldest ones beyond the limit."""
        self._kept[text] = tokens
        self._size += len(tokens)
        while self._size > _KEPT_TOKENS and len(self._kept) > 1:
            self._size -= len(self._kept.popitem(last=False)[1])

    @abstractmethod
    def _tag(self, texts: Sequence[str]) -> Iterator[tuple[Token, ...]]:
        """Tag texts, in order."""


def _tags_of(tokens: Sequence[Token]) -> list[str]:
    """The fine and coarse tags of tokens and their entities, in turn."""
    return [tag for token in tokens for tag in (token.tag, token.pos, token.entity)]


def _with_tags(text: str, tags: Any) -> tuple[Token, ...] | None:
    """Give the tokens of a text the tags that were kept; None where they cannot be those of this text."""
    tokens = tokenise(text)
    if not isinstance(tags, list) or len(tags) != 3 * len(tokens) or not all(isinstance(tag, str) for tag in tags):
        return None
    told = zip(tokens, zip(tags[::3], tags[1::3], tags[2::3], strict=True), strict=True)
    return tuple([Token(*token[:5], *its) if any(its) else token for token, its in told])
