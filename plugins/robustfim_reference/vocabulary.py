"""The n-grams a small model knows, one row of its embedding each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from robustfim_reference.tokens import Token, bigrams

__all__ = ["PADDING", "UNKNOWN", "UNKNOWN_PAIR", "Vocabulary"]

PADDING, UNKNOWN, UNKNOWN_PAIR = 0, 1, 2
_RESERVED = ("<pad>", "<unk>", "<unk> <unk>")


@dataclass(frozen=True)
class Vocabulary:
    """Keys in the order of the embedding's rows; the first three are padding and the unknown word and pair.

    Attributes:
        keys: ``[rows]``; a bigram's key has a space in it.
    """

    keys: tuple[str, ...]

    @classmethod
    def count(
        cls, texts: Iterable[Sequence[Token]], *, largest: int, least: int = 2, pairs: int = 0, least_pairs: int = 3
    ) -> Vocabulary:
        """Collect the most frequent keys; equal counts come in alphabetical order.

        Args:
            texts: Tokens of each text, ``[texts][tokens]``.
            largest: The largest number of single words.
            least: How often a word must occur.
            pairs: The largest number of bigrams.
            least_pairs: How often a bigram must occur.
        """
        words: Counter[str] = Counter()
        couples: Counter[str] = Counter()
        for tokens in texts:
            words.update(token.key for token in tokens if token.key)
            if pairs:
                couples.update(pair.key for pair in bigrams(tokens))
        return cls(_RESERVED + _frequent(words, largest, least) + _frequent(couples, pairs, least_pairs))

    @classmethod
    def parse(cls, text: str) -> Vocabulary:
        """Read what ``str`` wrote.

        Raises:
            ValueError: The first lines are not the reserved ones.
        """
        keys = tuple(text.removesuffix("\n").split("\n"))
        if keys[: len(_RESERVED)] != _RESERVED:
            raise ValueError(f"the first lines are not {', '.join(_RESERVED)}")
        return cls(keys)

    def __str__(self) -> str:
        return "".join(f"{key}\n" for key in self.keys)

    def __len__(self) -> int:
        return len(self.keys)

    @cached_property
    def rows(self) -> dict[str, int]:
        """Key to row."""
        return {key: row for row, key in enumerate(self.keys)}

    def rows_of(self, tokens: Iterable[Token]) -> list[int]:
        """Return the row of each token, or that of the unknown word or pair."""
        rows = self.rows
        return [rows.get(key, UNKNOWN_PAIR if " " in key else UNKNOWN) for key, _ in tokens]

    @cached_property
    def pairs(self) -> dict[tuple[str, ...], int]:
        """The two words of a bigram to its row."""
        return {tuple(key.split(" ")): row for row, key in enumerate(self.keys) if " " in key}

    def rows_in(self, fields: Iterable[Sequence[str]], *, pairs: bool) -> list[int]:
        """Return the rows of the words of a text and, where they are wanted, behind them those of its bigrams.

        Args:
            fields: What ``keys_of`` returned, ``[fields][tokens]``.
            pairs: Whether bigrams are wanted.
        """
        words, fields = self.rows, list(fields)
        rows = [words.get(key, UNKNOWN) for keys in fields for key in keys]
        if pairs:
            known = self.pairs
            rows += [known.get(pair, UNKNOWN_PAIR) for keys in fields for pair in pairwise(keys)]
        return rows


def _frequent(counts: Counter[str], largest: int, least: int) -> tuple[str, ...]:
    """Return the most frequent keys, those of equal counts in alphabetical order."""
    ranked = sorted((key for key, count in counts.items() if count >= least), key=lambda key: (-counts[key], key))
    return tuple(ranked[:largest])
