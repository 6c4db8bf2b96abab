"""Reading: how texts become tokens, where each token stands, and where a text is cut off."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch import nn

from robustfim.errors import UsageError
from robustfim.roles import Span

__all__ = ["Reading", "positions"]

_NO_LIMIT = 1_000_000
"""Tokens. A tokenizer without a limit says 1e30."""


class Reading:
    """A tokenizer, with the limit of its model.

    Args:
        tokenizer: A transformers tokenizer that can pad.
        model: Its model.
        max_length: Tokens read at most, special ones included; None for the model's own limit.
        name: What the user calls the model, for messages.

    Attributes:
        tokenizer: The tokenizer.
        limit: Tokens read at most, special ones included; None for any number.

    Raises:
        UsageError: ``max_length`` is more than the model has positions, or leaves no room for a token.
    """

    def __init__(self, tokenizer: Any, model: nn.Module, max_length: int | None, name: str) -> None:
        self.tokenizer = tokenizer
        most = positions(model)
        if max_length is not None and most is not None and max_length > most:
            raise UsageError(f"{max_length=} is more than model {name} can read: {most} tokens.")
        own = min((limit for limit in (most, tokenizer.model_max_length) if limit is not None), default=_NO_LIMIT)
        limit = max_length or own
        special = int(tokenizer.num_special_tokens_to_add(pair=True))
        if limit <= special:
            raise UsageError(f"max_length={limit} leaves no room beside the {special} special tokens of model {name}.")
        self.limit = limit if limit < _NO_LIMIT else None

    def encode(self, texts: Sequence[str], pairs: Sequence[str] | None) -> Any:
        """Tokenize a batch, padded and cut to the limit.

        Returns:
            ``input_ids``, ``attention_mask``, ``special_tokens_mask`` and perhaps ``token_type_ids``, each an
            integer tensor ``[batch, tokens]``; of a fast tokenizer also ``offset_mapping``.
        """
        encoding = self.tokenizer(
            list(texts),
            None if pairs is None else list(pairs),
            padding=True,
            truncation=self.limit is not None,
            max_length=self.limit,
            return_tensors="pt",
            return_attention_mask=True,
            return_special_tokens_mask=True,
            return_offsets_mapping=self.tokenizer.is_fast,
        )
        for name in ("input_ids", "attention_mask", "special_tokens_mask"):
            encoding[name] = encoding[name].to(torch.int64)  # a batch without any token comes back as floats
        return encoding

    def spans(
        self, encoding: Any, texts: Sequence[str], pairs: Sequence[str] | None, fields: Sequence[tuple[str, ...]]
    ) -> list[list[Span]]:
        """Tell where each token stands.

        Args:
            encoding: What :meth:`encode` returned.
            texts: The texts.
            pairs: Their pairs, if they have any.
            fields: The field of each text, and of its pair.

        Returns:
            ``[batch][tokens]``; None at special tokens and padding, and everywhere for a slow tokenizer,
            which does not know.
        """
        batch, tokens = encoding["input_ids"].shape
        if not self.tokenizer.is_fast:
            return [[None] * tokens for _ in range(batch)]
        spans = []
        for row, offsets in enumerate(encoding["offset_mapping"].tolist()):
            sources = (texts[row],) if pairs is None else (texts[row], pairs[row])
            spans.append(
                [
                    None if source is None else _span(fields[row][source], sources[source], start, end)
                    for source, (start, end) in zip(encoding.sequence_ids(row), offsets, strict=True)
                ]
            )
        return spans

    def overlong(self, texts: Sequence[str], pairs: Sequence[str] | None) -> list[bool]:
        """Tell for each text, with its pair, whether it has more tokens than the limit."""
        if self.limit is None:
            return [False] * len(texts)
        whole = self.tokenizer(list(texts), None if pairs is None else list(pairs), verbose=False)
        return [len(ids) > self.limit for ids in whole["input_ids"]]


def positions(model: Any) -> int | None:
    """Count the positions a transformers model has, special tokens included; None for any number.

    RoBERTa and its kin number positions from behind the padding's: of 514 only 512 can be read.
    """
    most = getattr(model.config.get_text_config(), "max_position_embeddings", None)
    if most is None or most < 1:
        return None
    for name, table in model.named_modules():
        if name.endswith("position_embeddings") and isinstance(table, nn.Embedding) and table.padding_idx is not None:
            return min(int(most), table.num_embeddings - table.padding_idx - 1)
    return int(most)


def _span(field: str, text: str, start: int, end: int) -> Span:
    """Place a token, without the blanks before it that byte-pair tokenizers count in."""
    while start < end - 1 and text[start].isspace():
        start += 1
    return (field, start, end) if start < end else None
