"""Neighbours: a word is swapped for its nearest words in the model's embedding or in your word vectors."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

from robustfim.candidate import Edit
from robustfim.contract import Contract
from robustfim.errors import ModelError, UsageError
from robustfim.example import Example
from robustfim.roles import DifferentiableModel
from robustfim_steps.vectors import read_vectors
from robustfim_texts import at_least
from robustfim_words.persons.names import in_name
from robustfim_words.tagging.resourced import Editing, WithTagger
from robustfim_words.text.articles import swap
from robustfim_words.text.guard import fixed
from robustfim_words.text.stop_words import stop_words
from robustfim_words.text.tokens import Tokens

if TYPE_CHECKING:
    from robustfim.roles import Context

__all__ = ["Neighbours"]

_BATCH = 256


class Neighbours(WithTagger, Editing):
    """Swaps a word for its nearest neighbours, by cosine, in the model's input embedding or in word vectors.

    The neighbours are words of the run's texts with the same part of speech. If the model splits a word into several
    subword tokens, its vector is the mean of their embeddings. Neighbours need not have the same meaning ("good" and
    "bad" often are neighbours), so a failure need not be an error of the model. Stop words, names, words in a quoted
    title, and words that the model maps to the same vector as other words are not swapped.

    With ``vectors``, the distances come from a file of word vectors. The neighbours may then also be words of the file
    that are not in the data, and the model needs no embeddings. The file may hold vectors of GloVe or word2vec, or
    counter-fitted vectors (Mrkšić et al. 2016), in which "good" and "bad" are not neighbours. The part of speech of a
    word that is not in the data is unknown; add 'constrain: [same_part_of_speech]' to check it in its sentence.

    Args:
        alternatives: The number of neighbours offered for each word, nearest first, at least 1.
        similarity: The smallest cosine similarity of a neighbour, in [-1, 1].
        vocabulary: The largest number of the data's words that are compared, commonest first, at least 2. With
            ``vectors``, the same number of further words of the file are compared.
        vectors: A file of word vectors, in the text form of GloVe or word2vec; null for the model's own embeddings.

    Raises:
        UsageError: An option is out of its range.
        ModelError: The model gives no embeddings, and no ``vectors`` are named (in ``prepare``).
    """

    any_language = True
    contract = Contract(keeps="nothing", noise=True)

    def __init__(
        self,
        *,
        alternatives: int = 4,
        similarity: float = 0.2,
        vocabulary: int = 20_000,
        vectors: Path | None = None,
    ) -> None:
        if not -1 <= similarity <= 1:
            raise UsageError(f"similarity: {similarity} is no cosine in [-1, 1]")
        self._alternatives = at_least("alternatives", alternatives, 1)
        self._vocabulary = at_least("vocabulary", vocabulary, 2)
        self._similarity, self._vectors = similarity, vectors
        self._near: dict[str, tuple[str, ...]] = {}

    def prepare(self, context: Context) -> None:
        """Tag the run's texts, embed their words and find the neighbours of each word.

        Raises:
            ModelError: The model gives no embeddings, and no ``vectors`` are named.
            DataError: The file of vectors cannot be read.
        """
        super().prepare(context)
        model = context.model
        if self._vectors is None and not isinstance(model, DifferentiableModel):
            raise ModelError(
                "neighbours needs a model that embeds texts (embed and logits), or a file of word vectors ('vectors'); "
                f"{type(model).__name__} gives predictions only. 'synonyms' needs no embeddings."
            )
        parts: dict[str, Counter[str]] = {}
        for example in context.examples:
            for tokens in self._read(example).values():
                for token in tokens:
                    if token.text.isalpha() and token.pos in ("NOUN", "VERB", "ADJ", "ADV"):
                        parts.setdefault(token.small, Counter())[token.tag] += 1
        common = sorted(
            (word for word in parts if word not in stop_words() and len(word) > 2),
            key=lambda word: (-parts[word].total(), word),
        )[: self._vocabulary]
        tags = {word: frozenset(parts[word]) for word in common}
        if self._vectors is not None:
            words, found = read_vectors(self._vectors, set(common), self._vocabulary)
            self._near = self._neighbours(words, found, tags)
        elif len(common) > 1:
            field = next(iter(context.examples[0].fields), "text") if context.examples else "text"
            self._near = self._neighbours(common, _embedded(model, field, common), tags)

    def resources(self) -> dict[str, str]:
        """Return versions and hashes of the tagger, the tables, and the neighbours found for the run's words."""
        near = json.dumps(self._near, sort_keys=True).encode()
        return super().resources() | {"neighbours": hashlib.blake2b(near, digest_size=6).hexdigest()}

    def _edits(self, field: str, text: str, tokens: Tokens, random: Random) -> Iterator[Edit]:
        """List the neighbours of each word, nearest first."""
        titles = fixed(text, tokens)
        for index, token in enumerate(tokens):
            found = self._near.get(token.small, ())
            if not found or index in titles or in_name(tokens, index) or token.pos == "AUX":
                continue
            for other in found:
                why = f"neighbours: {token.small} → {other}"
                yield swap(field, text, tokens, index, other, why)

    def _neighbours(
        self, words: Sequence[str], vectors: Any, tags: dict[str, frozenset[str]]
    ) -> dict[str, tuple[str, ...]]:
        """Rank, for each word of the data, the others of its part of speech by their cosine."""
        import numpy as np

        _, place, count = np.unique(vectors.round(6), axis=0, return_inverse=True, return_counts=True)
        norms = np.linalg.norm(vectors, axis=1)
        told = (count[place.reshape(-1)] == 1) & (norms > 0)
        kept = [word for word, known in zip(words, told, strict=True) if known]
        units = vectors[told] / norms[told, None]
        near: dict[str, tuple[str, ...]] = {}
        own = [row for row, word in enumerate(kept) if word in tags]
        for start in range(0, len(own), _BATCH):
            cosines = units[own[start : start + _BATCH]] @ units.T
            for word, row in zip([kept[each] for each in own[start : start + _BATCH]], cosines, strict=True):
                found: list[str] = []
                for other in np.argsort(-row, kind="stable"):
                    if row[other] < self._similarity or len(found) == self._alternatives:
                        break
                    if kept[other] != word and tags.get(kept[other], tags[word]) & tags[word]:
                        found.append(kept[other])
                near[word] = tuple(found)
        return near


def _embedded(model: Any, field: str, words: Sequence[str]) -> Any:
    """Embed words as texts of their own, ``[words, dims]``: the mean over the tokens that are text."""
    import numpy as np
    from array_api_compat import array_namespace, to_device

    means = []
    for start in range(0, len(words), _BATCH):
        embedded = model.embed([Example({field: word}) for word in words[start : start + _BATCH]])
        xp = array_namespace(embedded.embeddings)  # PyTorch's, or NumPy's own
        values = np.asarray(to_device(xp.astype(embedded.embeddings, xp.float32), "cpu"))
        counted = np.asarray(to_device(embedded.mask & ~embedded.special, "cpu"))[..., None]
        means.append((values * counted).sum(axis=1) / np.maximum(counted.sum(axis=1), 1))
    return np.concatenate(means)
