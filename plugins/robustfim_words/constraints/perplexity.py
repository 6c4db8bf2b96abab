"""Perplexity: a candidate must be about as likely as its source, to a language model."""

from __future__ import annotations

from functools import lru_cache
from math import exp
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from robustfim.candidate import Candidate
from robustfim.errors import UsageError
from robustfim_words.constraints.encoders import load, version

if TYPE_CHECKING:
    from robustfim.roles import Context

__all__ = ["Perplexity"]


class Perplexity:
    """Rejects a candidate that a causal language model finds much less likely than its source.

    The perplexity of a text is exp of its mean negative log-likelihood a token. Each field is compared with its
    source; the largest ratio decides. A text of one token has none and is accepted.

    Args:
        model: A causal language model of transformers: a name on the hub, or a folder.
        ratio: The largest perplexity that is accepted, as a multiple of the source's, above 0.

    Raises:
        UsageError: ``ratio`` is not above 0.
        ModelError: transformers or the model is missing (in ``prepare``).
    """

    libraries: ClassVar = {"torch": "robustfim[torch]", "transformers": "robustfim[huggingface]"}
    per_edit = False

    def __init__(self, *, model: Path | str = "distilbert/distilgpt2", ratio: float = 2.0) -> None:
        if not ratio > 0:
            raise UsageError(f"perplexity: ratio {ratio} is not above 0")
        self._name, self._ratio = model, ratio
        self._loaded: tuple[Any, Any] | None = None
        self._offline = False
        self.surprise = lru_cache(maxsize=4096)(self._surprise)

    def prepare(self, context: Context) -> None:
        """Load the language model.

        Raises:
            ModelError: transformers or the model is missing.
        """
        self._offline = context.offline
        self._load()

    def resources(self) -> dict[str, str]:
        """Name the model."""
        return {"model": version(self._name, self._load()[1])}

    def reject(self, candidate: Candidate) -> str | None:
        """Reject if a changed field is too unlikely beside the source's."""
        after = candidate.example.fields
        for field in sorted({edit.field for edit in candidate.edits}):
            old, new = self.surprise(candidate.source.fields[field]), self.surprise(after[field])
            if old is not None and new is not None and exp(min(new - old, 700.0)) > self._ratio:
                return "perplexity too high"
        return None

    def _load(self) -> tuple[Any, Any]:
        if self._loaded is None:
            self._loaded = load("perplexity", "AutoModelForCausalLM", self._name, offline=self._offline)
        return self._loaded

    def _surprise(self, text: str) -> float | None:
        """Return the mean negative log-likelihood a token, in nats; None for fewer than two tokens."""
        import torch

        tokenizer, model = self._load()
        longest = getattr(model.config, "max_position_embeddings", 1024)
        tokens = tokenizer(text, return_tensors="pt", truncation=True, max_length=min(longest, 1024))["input_ids"]
        if tokens.shape[1] < 2:
            return None
        with torch.inference_mode():
            logits = model(input_ids=tokens).logits[0, :-1]
        return float(torch.nn.functional.cross_entropy(logits.float(), tokens[0, 1:]))
