"""Causal and masked language models that measure how unlikely texts are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from robustfim.errors import ModelError
from robustfim_checkpoints.pretrained import Pretrained
from robustfim_huggingface.fluency.measure import Measure

__all__ = ["LanguageModel"]

_ROWS = 32
"""Rows that are sent through the model at once."""
_KEPT = 50_000
"""Texts whose surprisal is kept in memory."""


class LanguageModel(Measure):
    """A causal or masked language model, recognised by the architecture in its config and loaded at the first use.

    Args:
        who: The constraint's name in messages.
        name: The model: a name on the hub, or a folder.
    """

    def __init__(self, who: str, name: Path | str) -> None:
        super().__init__(who, name, _reader)
        self._known: dict[str, float | None] = {}

    @cached_property
    def _loaded(self) -> Pretrained:
        loaded = super()._loaded
        if _is_masked(loaded.model.config.architectures) and loaded.tokenizer.mask_token_id is None:
            raise ModelError(f"{self._who}: the tokeniser of {str(self._name)!r} has no mask token.")
        return loaded

    @property
    def masked(self) -> bool:
        """Whether the language model is masked."""
        return _is_masked(self._loaded.model.config.architectures)

    def surprise(self, texts: Sequence[str]) -> list[float | None]:
        """Compute the mean negative log-likelihood of a token in each text, in batches.

        Args:
            texts: Any texts, ``[texts]``.

        Returns:
            For each text the mean in nats over its n tokens t₁ … tₙ, or None if a text has fewer than two tokens. For a
            causal model this is −1/n Σ log p(tᵢ | t₁ … tᵢ₋₁), without the first token, which is not predicted. For a
            masked model it is the pseudo-log-likelihood −1/n Σ log p(tᵢ | all other tokens), with each token masked in
            turn (Salazar et al. 2020).
        """
        new = [text for text in dict.fromkeys(texts) if text not in self._known]
        if len(self._known) + len(new) > _KEPT:
            self._known = {}
            new = list(dict.fromkeys(texts))
        if new:
            self._known |= dict(zip(new, self._surprise(new), strict=True))
        return [self._known[text] for text in texts]

    def _surprise(self, texts: Sequence[str]) -> list[float | None]:
        loaded, is_masked = self._loaded, self.masked
        tokenizer, model = loaded.tokenizer, loaded.model
        longest = min(getattr(model.config, "max_position_embeddings", 1024), 1024, tokenizer.model_max_length)
        read = [
            tokenizer(text, truncation=True, max_length=int(longest), return_special_tokens_mask=True) for text in texts
        ]
        rows: list[tuple[int, list[int], list[int]]] = []  # text, tokens, the places that are predicted
        for index, each in enumerate(read):
            tokens, special = each["input_ids"], each["special_tokens_mask"]
            places = [place for place, mark in enumerate(special) if not mark] if is_masked else range(1, len(tokens))
            if len(tokens) - sum(special) >= 2:
                rows += [(index, tokens, [place]) for place in places] if is_masked else [(index, tokens, [*places])]
        totals, counts = [0.0] * len(texts), [0] * len(texts)
        mask = tokenizer.mask_token_id if is_masked else None
        rows.sort(key=lambda row: len(row[1]))
        for start in range(0, len(rows), _ROWS):
            batch = rows[start : start + _ROWS]
            for (index, _, places), loss in zip(batch, _losses(model, batch, mask), strict=True):
                totals[index] += loss
                counts[index] += len(places)
        return [total / count if count else None for total, count in zip(totals, counts, strict=True)]


def _reader(config: Mapping[str, Any]) -> str:
    return "AutoModelForMaskedLM" if _is_masked(config.get("architectures")) else "AutoModelForCausalLM"


def _is_masked(architectures: Sequence[str] | None) -> bool:
    return any(architecture.endswith(("ForMaskedLM", "ForPreTraining")) for architecture in architectures or ())


def _losses(model: Any, batch: Sequence[tuple[int, list[int], list[int]]], mask: int | None) -> list[float]:
    """Sum −log p of the predicted places of each row; ``mask`` stands there, None in a causal model."""
    import torch

    width = max(len(tokens) for _, tokens, _ in batch)
    ids = torch.tensor([[*tokens, *[0] * (width - len(tokens))] for _, tokens, _ in batch])
    attended = torch.arange(width) < torch.tensor([len(tokens) for _, tokens, _ in batch])[:, None]
    wanted = ids.clone()
    if mask is not None:
        for row, (_, _, places) in enumerate(batch):
            ids[row, places] = mask
    with torch.inference_mode():
        logits = model(input_ids=ids, attention_mask=attended.long()).logits.float()
    before = int(mask is None)  # a causal model predicts a token at the place before it
    loss = torch.nn.functional.cross_entropy
    return [
        float(loss(logits[row, [place - before for place in places]], wanted[row, places], reduction="sum"))
        for row, (_, _, places) in enumerate(batch)
    ]
