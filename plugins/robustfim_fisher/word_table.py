"""The words that ``decode`` may insert into a text, with their embeddings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import cast

import numpy as np
from array_api_compat import array_namespace, to_device
from numpy.typing import NDArray

from robustfim.errors import DataError, ModelError, UsageError
from robustfim.example import Example
from robustfim.parts import ModelPart
from robustfim.reading import read_text
from robustfim.roles import Context, DifferentiableModel, Embedded
from robustfim.words import word_spans
from robustfim_fisher.differences import Array

__all__ = ["WordTable"]

MOST = 50_000
"""The largest number of words used; the first words are kept."""

LOOKUP = 256
"""The number of words embedded at once."""


@dataclass(frozen=True)
class WordTable:
    """A table of words and their embeddings, used to choose replacements.

    Attributes:
        words: ``[words]``, distinct.
        vectors: ``[words, dims]``, float32: the mean of a word's tokens.
    """

    words: list[str]
    vectors: NDArray[np.float32]

    @classmethod
    def of(cls, context: Context, source: Path | str | Sequence[str]) -> WordTable:
        """Collect words and embed them.

        Words with the same embedding as other words, such as unknown words, are left out.

        Args:
            context: The run, with a differentiable model.
            source: ``"vocabulary"``, ``"data"``, a file with one word a line, or the words.

        Raises:
            UsageError: The file cannot be read, or fewer than two of the words are known to the model.
            ModelError: The model does not give its vocabulary.
        """
        model = cast(DifferentiableModel, context.model)
        template = min(context.examples, key=lambda example: len(example.text))
        field = next(iter(template.fields))

        def look_up(words: Sequence[str]) -> Iterator[tuple[NDArray[np.float32], NDArray[np.int64]]]:
            for start in range(0, len(words), LOOKUP):
                yield _embed(model, template, field, words[start : start + LOOKUP])

        words = list(dict.fromkeys(_words(context, source)))[:MOST]
        if source == "vocabulary":
            seen = _data_words(context)
            if any(bool((counts > 1).any()) for _, counts in look_up(seen)):
                # Of pieces, those that stand as words in the texts are certainly not fragments.
                folded = {word.casefold() for word in seen}
                words = [word for word in words if word.casefold() in folded]
        found = list(look_up(words))
        vectors = np.concatenate([vector for vector, _ in found]) if found else np.zeros((0, 1), dtype=np.float32)
        known = np.concatenate([counts for _, counts in found]) > 0 if found else np.zeros(0, dtype=bool)
        if len(words) > 1:
            _, place, count = np.unique(vectors, axis=0, return_inverse=True, return_counts=True)
            known &= count[place.reshape(-1)] == 1
        if int(known.sum()) < 2:
            raise UsageError(f"decode: the model knows fewer than two of the {len(words):,} words from {_told(source)}")
        return cls([word for word, kept in zip(words, known.tolist(), strict=True) if kept], vectors[known])

    def aligned(self, direction: Array, pool: int) -> list[str]:
        """Return the words with the largest projections on a direction, then the words with the smallest.

        Args:
            direction: ``[dims]``.
            pool: The number of words for each of the two.
        """
        along, size = self.vectors @ _numbers(direction), min(pool, len(self.words))
        order = np.argsort(-along, kind="stable")
        return [self.words[index] for index in (*order[:size], *order[::-1][:size])]


def _words(context: Context, source: Path | str | Sequence[str]) -> list[str]:
    if isinstance(source, Path):
        try:
            lines = read_text(source).splitlines()
        except DataError as error:
            raise UsageError(f"from: {error}") from error
        return [line.strip() for line in lines if line.strip() and not line.startswith("#")]
    if not isinstance(source, str):
        return [word for word in source if word.strip()]
    if source == "data":
        return _data_words(context)
    tell = ModelPart(context.model).known_words
    if tell is None:
        raise ModelError(
            f"{type(context.model).__name__} does not list the words of its vocabulary. Take the words of your texts "
            "with 'from: data', or your own list with 'from: words.txt'."
        )
    return [word for word in tell() if word.isalpha() and len(word) > 1]


def _data_words(context: Context) -> list[str]:
    """The alphabetic words of the run's texts, the commonest first."""
    counts = Counter(
        text[start:end].lower()
        for example in context.examples
        for text in example.fields.values()
        for start, end in word_spans(text)
    )
    words = (word for word in counts if word.isalpha() and len(word) > 1)
    return sorted(words, key=lambda word: (-counts[word], word))[:MOST]


def _embed(
    model: DifferentiableModel, template: Example, field: str, words: Sequence[str]
) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
    """Embed words in one field of an example: their mean tokens ``[words, dims]``, and how many each has."""
    embedded = model.embed([Example({**template.fields, field: word}) for word in words])
    part = _of_field(embedded, field)
    values = (_numbers(embedded.embeddings) * part[..., None]).sum(axis=1)
    counts = part.sum(axis=1)
    means: NDArray[np.float32] = values / np.maximum(counts, 1).astype(np.float32)[:, None]
    return means, counts


def _of_field(embedded: Embedded, field: str) -> NDArray[np.bool_]:
    """Tell which tokens stand for text of a field, ``[batch, tokens]``; all text where no place is known."""
    text = np.asarray(to_device(embedded.mask & ~embedded.special, "cpu"))
    placed = np.array([[span is not None and span[0] == field for span in row] for row in embedded.spans])
    return text & placed if placed.any() else text


def _numbers(array: Array) -> NDArray[np.float32]:
    """An array of NumPy's, in single precision: NumPy has no type for half of them."""
    xp = array_namespace(array)
    return np.asarray(to_device(xp.astype(array, xp.float32), "cpu"))


def _told(source: Path | str | Sequence[str]) -> str:
    return f"'{source}'" if isinstance(source, Path | str) else "the list"
