"""Plain words: the words of letters only, in which a slip can be made."""

from __future__ import annotations

from collections.abc import Iterator

from robustfim.example import Example
from robustfim_words.text.tokens import Token, tokenise

__all__ = ["plain_words"]


def plain_words(example: Example, letters: int) -> Iterator[tuple[str, Token]]:
    """List the words that hold nothing but letters.

    Args:
        example: An example.
        letters: The shortest word that counts.

    Yields:
        The field's name and the word.
    """
    for field, text in example.fields.items():
        for token in tokenise(text):
            if len(token.text) >= letters and token.text.isalpha():
                yield field, token
