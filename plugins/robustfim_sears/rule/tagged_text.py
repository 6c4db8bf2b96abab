"""A tagged text: its tokens, and the form in which their words are compared."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from robustfim.roles import TaggedToken, Tagger
from robustfim_texts import guarded_spans

__all__ = ["STOPS", "TaggedText", "fold", "tag_texts"]

STOPS = frozenset(".!?…。！？")
"""Marks that end a sentence."""

_OPENING = frozenset("\"'“‘«([{*_")


def fold(word: str) -> str:
    """Convert a word to the form in which rules compare words: case-folded, with straight apostrophes.

    >>> fold("ISN’T")
    "isn't"
    """
    return word.casefold().replace("’", "'")


@dataclass(frozen=True)
class TaggedText:
    """A text and its tokens, with parts of speech.

    Attributes:
        text: The text.
        tokens: The tokens of the text, in order.
        kept: Start and end (exclusive) of the parts that no rule may match: addresses, markup, titles, fixed terms.
    """

    text: str
    tokens: tuple[TaggedToken, ...]
    kept: tuple[tuple[int, int], ...] = ()

    @cached_property
    def words(self) -> tuple[str, ...]:
        """Return the tokens in the form in which rules compare words."""
        return tuple(fold(token.text) for token in self.tokens)

    def starts_sentence(self, index: int) -> bool:
        """Return whether a token is the first of a sentence; opening quotes and brackets before it do not count."""
        while index and self.tokens[index - 1].text in _OPENING:
            index -= 1
        if not index:
            return True
        before, token = self.tokens[index - 1], self.tokens[index]
        return before.text in STOPS or "\n" in self.text[before.end : token.start]


def tag_texts(tagger: Tagger, texts: Sequence[str]) -> list[TaggedText]:
    """Tag texts.

    Args:
        tagger: The tagger.
        texts: The texts, ``[texts]``.
    """
    tagged = tagger.tag(texts)
    fixed = getattr(tagger, "fixed", None)
    kept = [() for _ in texts] if fixed is None else fixed(texts)
    return [
        TaggedText(text, tuple(tokens), (*guarded_spans(text), *spans))
        for text, tokens, spans in zip(texts, tagged, kept, strict=True)
    ]
