"""The words of a tokenizer's vocabulary."""

from __future__ import annotations

from typing import Any

__all__ = ["known_words"]

_BEGINS = ("Ġ", "▁")
"""How byte-level and SentencePiece vocabularies mark a piece that begins a word."""

_GOES_ON = "##"
"""How WordPiece marks one that does not."""


def known_words(tokenizer: Any) -> list[str]:
    """List the entries of a tokenizer's vocabulary that can begin a word, without marks and special tokens.

    In a vocabulary of whole words, all entries are words. In a vocabulary of word pieces, some of them are only the
    beginnings of words.
    """
    rows: dict[str, int] = tokenizer.get_vocab()
    special = set(tokenizer.all_special_tokens)
    pieces = [piece for piece in sorted(rows, key=rows.__getitem__) if piece not in special]
    marks = tuple(mark for mark in _BEGINS if any(piece.startswith(mark) for piece in pieces))
    if marks:
        begins = [piece for piece in pieces if piece.startswith(marks)]
        pieces = [tokenizer.convert_tokens_to_string([piece]).strip("".join(marks) + " ") for piece in begins]
    return list(dict.fromkeys(piece for piece in pieces if piece and not piece.startswith(_GOES_ON)))
