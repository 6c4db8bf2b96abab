"""The vocabulary of a small model: words and bigrams, each with its row of the embedding table."""

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
    """The words and bigrams of a model, in the order of the embedding table's rows.

    The first three rows are padding, the unknown word and the unknown bigram.

    Attributes:
        keys: The words and bigrams, ``[rows]``; a bigram has a blank between its words.
    """

    keys: tuple[str, ...]

    @classmethod
    def count(
        cls, texts: Iterable[Sequence[Token]], *, largest: int, least: int = 2, pairs: int = 0, least_pairs: int = 3
    ) -> Vocabulary:
        """Collect the most frequent words and bigrams; equally frequent ones in alphabetical order.

        Args:
            texts: The tokens of each text, ``[texts][tokens]``.
            largest: The largest number of single words.
            least: The smallest number of occurrences of a word.
            pairs: The largest number of bigrams.
            least_pairs: The smallest number of occurrences of a bigram.
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
        """Read a vocabulary from a text, in the form that ``str`` of a vocabulary returns.

        Raises:
            ValueError: The first lines are not the three reserved keys.
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
        """The row of each key."""
        return {key: row for row, key in enumerate(self.keys)}

    def rows_of(self, tokens: Iterable[Token]) -> list[int]:
        """Return the vocabulary index of each token; unknown tokens have that of the unknown word or bigram."""
        rows = self.rows
        return [rows.get(key, UNKNOWN_PAIR if " " in key else UNKNOWN) for key, _ in tokens]

    @cached_property
    def pairs(self) -> dict[tuple[str, ...], int]:
        """The row of each bigram, by its two words."""
        return {tuple(key.split(" ")): row for row, key in enumerate(self.keys) if " " in key}

    def rows_in(self, fields: Iterable[Sequence[str]], *, pairs: bool) -> list[int]:
        """Return the vocabulary indices of the words of a text, then of the bigrams if ``pairs`` is true.

        Args:
            fields: The result of ``keys_of``, ``[fields][tokens]``.
            pairs: Whether the bigrams are included.
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
