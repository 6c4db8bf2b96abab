"""The constraint ``similarity``: a candidate's sentence embedding must be close to its source's."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field

from robustfim.candidate import Candidate
from robustfim_huggingface.fluency.measure import Measure

__all__ = ["Similarity"]


class Similarity(Measure):
    """Rejects a perturbed text if the cosine of its sentence embedding and its source's is too small.

    The embedding is the mean over a text's tokens, or the embedding of the first token if a folder of
    sentence-transformers requires it (Reimers and Gurevych 2019). Each field is compared with the same field of the
    source, and the smallest cosine decides.

    Args:
        model: An encoder of transformers or sentence-transformers: a name on the hub, or a folder.
        limit: The smallest cosine that is accepted, in [-1, 1].

    Raises:
        ModelError: transformers is missing, or the model cannot be loaded (in ``prepare``).
    """

    def __init__(
        self,
        *,
        model: Path | str = "sentence-transformers/all-MiniLM-L6-v2",
        limit: Annotated[float, Field(ge=-1, le=1)] = 0.8,
    ) -> None:
        super().__init__("similarity", model, lambda _: "AutoModel")
        self._limit = limit
        self.embedding = lru_cache(maxsize=4096)(self._embed)

    def reject(self, candidate: Candidate) -> str | None:
        """Return a reason to reject a candidate whose cosine with the source is below ``limit``, else None."""
        return "sentence similarity too low" if self.numbers([candidate])[0] < self._limit else None

    def numbers(self, candidates: Sequence[Candidate]) -> list[float]:
        """Return each candidate's cosine similarity with its source, the smallest of all changed fields."""
        pairs = [
            [
                (candidate.source.fields[name], candidate.example.fields[name])
                for name in {edit.field for edit in candidate.edits}
            ]
            for candidate in candidates
        ]
        return [min((self.cosine(*both) for both in pair), default=1.0) for pair in pairs]

    def cosine(self, one: str, other: str) -> float:
        """Return the cosine of the embeddings of two texts, in [-1, 1]."""
        a, b = self.embedding(one), self.embedding(other)
        return float(a @ b / max(float(a.norm() * b.norm()), 1e-12))

    def _embed(self, text: str) -> Any:
        """Embed one text, ``[dims]``."""
        loaded = self._loaded
        longest = getattr(loaded.model.config, "max_position_embeddings", 512)
        inputs = loaded.tokenizer(text, return_tensors="pt", truncation=True, max_length=min(longest, 512))
        return loaded.sentence_vectors(inputs)[0]
