"""Analysed texts: one field of an example with its tagged tokens, and what follows from them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from robustfim.example import Example
from robustfim_words.text.casing import capitalised, caseless
from robustfim_words.text.guard import fixed, in_headline
from robustfim_words.text.tokens import Tagged, Token, Tokens, token_at

__all__ = ["Analysed", "analysed"]


@dataclass(frozen=True)
class Analysed:
    """One text field of an example, with its tokens and their parts of speech.

    Attributes:
        field: The field's name.
        text: The field's text.
        tokens: The tagged tokens of the text.
    """

    field: str
    text: str
    tokens: Tokens

    @cached_property
    def fixed(self) -> frozenset[int]:
        """Indices of the tokens that no perturbation changes, such as quoted titles."""
        return frozenset(fixed(self.text, self.tokens))

    @cached_property
    def silent(self) -> frozenset[int]:
        """Indices of tokens whose capitals do not mark names: in headlines, and in texts all in one case."""
        words = [token for token in self.tokens if token.kind == "word" and len(token.text) > 3]
        many = len(words) > 5 and sum(map(capitalised, words)) > 0.7 * len(words)
        if many or self.low or self.text.isupper():
            return frozenset(range(len(self.tokens)))
        return in_headline(self.tokens)

    @cached_property
    def low(self) -> bool:
        """Whether the text has letters, but no capitals."""
        return caseless(self.text)

    def at(self, index: int) -> Token:
        """Return the token at an index; beyond the ends of the text an empty mark."""
        return token_at(self.tokens, index)

    def word(self, index: int) -> str:
        """Return a token without a possessive ``'s``."""
        return self.tokens[index].base

    def end(self, index: int) -> int:
        """Return the place after a token's last character, without a possessive ``'s``."""
        return self.tokens[index].base_end

    def adjacent(self, first: int, last: int) -> bool:
        """Check whether only blanks part two tokens; a possessive ``'s`` parts them too."""
        return not self.text[self.end(first) : self.tokens[last].start].strip(" ")


def analysed(example: Example, tokens: Tagged) -> list[Analysed]:
    """Pair each text field of an example with the field's tokens.

    Args:
        example: The example.
        tokens: The tagged tokens of each field.
    """
    return [Analysed(field, text, tokens[field]) for field, text in example.fields.items()]
