"""Perplexity: a candidate must be about as likely as its source, to a causal or a masked language model."""

from __future__ import annotations

from functools import lru_cache
from math import exp
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from robustfim.candidate import Candidate
from robustfim.errors import ModelError, UsageError
from robustfim_words.constraints.edited_sentences import edited_sentences
from robustfim_words.constraints.encoders import load, masked, version

if TYPE_CHECKING:
    from robustfim.roles import Context

__all__ = ["Perplexity"]

_ROWS = 32
"""Masked copies of a sentence that are sent through the model at once."""


class Perplexity:
    """Rejects a candidate that a language model finds much less likely than its source.

    The perplexity of a text is exp of its mean negative log-likelihood a token. Each field is compared with its
    source; the largest ratio decides. A text of one token has none and is accepted.

    A masked language model, told by the architecture in its config, judges the sentences that are edited, by their
    pseudo-log-likelihood: each token is masked in turn and predicted from all the others (Salazar et al. 2020). It
    sees what stands behind an edit as well, and takes one row of its batches for each token of a sentence.

    Args:
        model: A causal or masked language model of transformers: a name on the hub, or a folder.
        ratio: The largest perplexity that is accepted, as a multiple of the source's, above 0: the mean log-likelihood
            of a token may fall by ln(``ratio``).

    Raises:
        UsageError: ``ratio`` is not above 0.
        ModelError: transformers or the model is missing (in ``prepare``).
    """

    libraries: ClassVar = {"torch": "robustfim[torch]", "transformers": "robustfim[huggingface]"}

    def __init__(self, *, model: Path | str = "distilbert/distilgpt2", ratio: float = 2.0) -> None:
        if not ratio > 0:
            raise UsageError(f"perplexity: ratio {ratio} is not above 0")
        self._name, self._ratio = model, ratio
        self._loaded: tuple[Any, Any] | None = None
        self._masked = False
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
        self._load()
        pairs: list[tuple[str, str]] = []
        for field in sorted({edit.field for edit in candidate.edits}):
            text, edits = candidate.source.fields[field], [e for e in candidate.edits if e.field == field]
            pairs += [cut[:2] for cut in edited_sentences(text, edits)] if self._masked else [(text, after[field])]
        for before, made in pairs:
            old, new = self.surprise(before), self.surprise(made)
            if old is not None and new is not None and exp(min(new - old, 700.0)) > self._ratio:
                return "perplexity too high"
        return None

    def _load(self) -> tuple[Any, Any]:
        if self._loaded is None:
            self._masked = masked("perplexity", self._name, offline=self._offline)
            reader = "AutoModelForMaskedLM" if self._masked else "AutoModelForCausalLM"
            loaded = load("perplexity", reader, self._name, offline=self._offline)
            if self._masked and loaded[0].mask_token_id is None:
                raise ModelError(f"perplexity: the tokeniser of {str(self._name)!r} has no mask token.")
            self._loaded = loaded
        return self._loaded

    def _surprise(self, text: str) -> float | None:
        """Return the mean negative log-likelihood a token, in nats; None for fewer than two tokens."""
        import torch

        tokenizer, model = self._load()
        longest = min(getattr(model.config, "max_position_embeddings", 1024), 1024, tokenizer.model_max_length)
        read = tokenizer(
            text, return_tensors="pt", truncation=True, max_length=int(longest), return_special_tokens_mask=True
        )
        tokens = read["input_ids"]
        if self._masked:
            return _pseudo(model, tokens[0], read["special_tokens_mask"][0], tokenizer.mask_token_id)
        if tokens.shape[1] < 2:
            return None
        with torch.inference_mode():
            logits = model(input_ids=tokens).logits[0, :-1]
        return float(torch.nn.functional.cross_entropy(logits.float(), tokens[0, 1:]))


def _pseudo(model: Any, tokens: Any, special: Any, mask: int) -> float | None:
    """Return the mean negative pseudo-log-likelihood of the tokens that are not special, both ``[tokens]``, in nats."""
    import torch

    places = (special == 0).nonzero()[:, 0]
    if len(places) < 2:
        return None
    total = 0.0
    for part in places.split(_ROWS):
        row = torch.arange(len(part))
        rows = tokens.repeat(len(part), 1)
        rows[row, part] = mask
        with torch.inference_mode():
            logits = model(input_ids=rows).logits[row, part]
        total += float(torch.nn.functional.cross_entropy(logits.float(), tokens[part], reduction="sum"))
    return total / len(places)
