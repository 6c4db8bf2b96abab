"""The constraint ``perplexity``, which uses a causal or masked language model."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp
from pathlib import Path

from pydantic import PositiveFloat

from robustfim.candidate import Candidate
from robustfim_huggingface.fluency.edited_sentences import edited_sentences
from robustfim_huggingface.fluency.language_model import LanguageModel

__all__ = ["Perplexity"]


class Perplexity(LanguageModel):
    """Rejects a perturbed text that a language model finds much less likely than its source.

    The perplexity of a text is exp of the mean negative log-likelihood of its tokens. Each field is compared with the
    same field of the source, and the largest ratio decides. A text of one token has no perplexity and is accepted.

    A masked language model (recognised by its config) judges the edited sentences by their pseudo-log-likelihood: each
    token is masked in turn and predicted from all others (Salazar et al. 2020). It also sees the words after an edit.
    It needs one row of a batch for each token of a sentence.

    Args:
        model: A causal or masked language model of transformers: a name on the hub, or a folder.
        ratio: The largest perplexity that is accepted, as a multiple of the source's perplexity, above 0.

    Raises:
        ModelError: transformers or the model is missing (in ``prepare``).
    """

    def __init__(self, *, model: Path | str = "distilbert/distilgpt2", ratio: PositiveFloat = 2.0) -> None:
        super().__init__("perplexity", model)
        self._ratio = ratio

    def foresee(self, candidates: Sequence[Candidate]) -> None:
        """Compute the perplexity of candidates and sources in batches, and cache the results for later calls."""
        self.numbers(candidates)

    def numbers(self, candidates: Sequence[Candidate]) -> list[float]:
        """Return how far each candidate's mean log-likelihood per token falls or rises against its source, in nats."""
        return [-(rise or 0.0) for rise in self._rises(candidates)]

    def _rises(self, candidates: Sequence[Candidate]) -> list[float | None]:
        """By how many nats a token each surprises more than its source; None where one of the two has one token."""
        pairs = [self._pairs(candidate) for candidate in candidates]
        texts = list(dict.fromkeys(text for pair in pairs for both in pair for text in both))
        known = dict(zip(texts, self.surprise(texts), strict=True))
        found: list[float | None] = []
        for pair in pairs:
            both = [(known[before], known[after]) for before, after in pair]
            rises = [new - old for old, new in both if old is not None and new is not None]
            found.append(max(rises, default=None))
        return found

    def reject(self, candidate: Candidate) -> str | None:
        """Return a reason to reject a candidate whose perplexity exceeds ``ratio`` times the source's, else None."""
        (rise,) = self._rises([candidate])
        return "perplexity too high" if rise is not None and exp(min(rise, 700.0)) > self._ratio else None

    def _pairs(self, candidate: Candidate) -> list[tuple[str, str]]:
        """What is compared: the edited sentences, of a causal model whole fields, before and after."""
        fields = sorted({edit.field for edit in candidate.edits})
        if self.masked:
            return [pair for field in fields for pair in edited_sentences(candidate, field)]
        return [(candidate.source.fields[field], candidate.example.fields[field]) for field in fields]
