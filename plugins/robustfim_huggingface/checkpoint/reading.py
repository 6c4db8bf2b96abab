"""Tokenization, with the place of each token and the point where a long text is truncated."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from threading import Lock
from typing import Any, TypeAlias

import numpy as np
import torch
from torch import nn

from robustfim.errors import UsageError
from robustfim.example import Example
from robustfim.roles import Span
from robustfim_checkpoints.places import Places, token_span
from robustfim_huggingface.checkpoint.window import read_in_part

__all__ = ["Columns", "Reading", "positions"]

Columns: TypeAlias = tuple[list[str], list[str] | None, list[tuple[str, ...]]]
"""The texts of examples, their second texts (None where there are none), and the names of the fields of both."""

_NO_LIMIT = 1_000_000
"""The largest limit, in tokens, that is believed. A tokenizer without a limit has 1e30."""


class Reading:
    """A tokenizer, with the largest number of tokens that its model can read.

    Args:
        tokenizer: A transformers tokenizer that can pad.
        model: The model that reads the tokens.
        max_length: The largest number of tokens read, special tokens included; None for the model's own limit.
        name: The name of the model, for messages.

    Attributes:
        tokenizer: The tokenizer.
        limit: The largest number of tokens read, special tokens included; None for no limit.

    Raises:
        UsageError: ``max_length`` is more than the model's number of positions, or leaves no room for a token.
    """

    def __init__(self, tokenizer: Any, model: nn.Module, max_length: int | None, name: str) -> None:
        self.tokenizer = tokenizer
        most = positions(model)
        if max_length is not None and most is not None and max_length > most:
            raise UsageError(f"{max_length=} is more than model {name} can read: {most} tokens.")
        told = tokenizer.model_max_length if tokenizer.model_max_length < _NO_LIMIT else _truncation(tokenizer)
        own = min((limit for limit in (most, told) if limit is not None), default=_NO_LIMIT)
        limit = max_length or own
        special = int(tokenizer.num_special_tokens_to_add(pair=True))
        if limit <= special:
            raise UsageError(f"max_length={limit} leaves no room beside the {special} special tokens of model {name}.")
        self.limit = limit if limit < _NO_LIMIT else None
        self._alone = Lock()  # a fast tokenizer is set to pad and to cut before each call
        self._aside = ThreadPoolExecutor(1)
        self._ahead: dict[tuple[Any, ...], Future[Any]] = {}

    def foresee(self, texts: Sequence[str], pairs: Sequence[str] | None) -> None:
        """Begin to tokenize a batch in the background, for one of the next two calls of :meth:`encode`.

        Args:
            texts: The texts.
            pairs: The second text of each pair, if there are any.
        """
        while len(self._ahead) > 1:  # a batch that did not fit into memory is asked for in halves
            self._ahead.pop(next(iter(self._ahead))).cancel()
        self._ahead[_key(texts, pairs)] = self._aside.submit(self._encoded, texts, pairs, special=False)

    def encode(self, texts: Sequence[str], pairs: Sequence[str] | None, *, special: bool = False) -> Any:
        """Tokenize a batch, padded and truncated to the limit.

        Returns:
            ``input_ids``, ``attention_mask``, ``special_tokens_mask`` if ``special`` is true, and ``token_type_ids`` if
            the tokenizer makes them, each an integer tensor ``[batch, tokens]``.
        """
        begun = None if special or not self._ahead else self._ahead.pop(_key(texts, pairs), None)
        return self._encoded(texts, pairs, special=special) if begun is None else begun.result()

    def _encoded(self, texts: Sequence[str], pairs: Sequence[str] | None, *, special: bool) -> Any:
        with self._alone:
            encoding = self.tokenizer(
                list(texts),
                None if pairs is None else list(pairs),
                padding=True,
                truncation=self.limit is not None,
                max_length=self.limit,
                return_attention_mask=True,
                return_special_tokens_mask=special,
            )
        for name in encoding:  # transformers itself would make the tensors several times more slowly
            encoding[name] = torch.from_numpy(np.array(encoding[name], np.int64).reshape(len(texts), -1))
        return encoding

    def spans(
        self, encoding: Any, texts: Sequence[str], pairs: Sequence[str] | None, fields: Sequence[tuple[str, ...]]
    ) -> Places:
        """Return the place of each token in its text.

        Args:
            encoding: The result of :meth:`encode`.
            texts: The texts.
            pairs: The second text of each pair, if there are any.
            fields: For each example, the field name of its text, and of its second text if it has one.

        Returns:
            The places ``[batch][tokens]``. They are None at special tokens and padding, and everywhere for a slow
            tokenizer, which does not report places.
        """
        whole = [(text,) for text in texts] if pairs is None else list(zip(texts, pairs, strict=True))

        def placed(row: int) -> list[Span]:
            if not encoding.is_fast:
                return [None] * encoding["input_ids"].shape[1]
            tokens = encoding[row]
            return [
                None if source is None else token_span(fields[row][source], whole[row][source], start, end)
                for source, (start, end) in zip(tokens.sequence_ids, tokens.offsets, strict=True)
            ]

        return Places(len(texts), placed)

    def overlong(self, texts: Sequence[str], pairs: Sequence[str] | None) -> list[bool]:
        """Return for each text, with its second text, whether it has more tokens than the limit."""
        if self.limit is None:
            return [False] * len(texts)
        with self._alone:
            whole = self.tokenizer(list(texts), None if pairs is None else list(pairs), verbose=False)
        return [len(ids) > self.limit for ids in whole["input_ids"]]

    def window(
        self, examples: Sequence[Example], columns: Callable[[Sequence[Example]], Columns]
    ) -> list[list[Span] | None]:
        """Return for each example the parts of its text that the model reads; None if it reads the whole example.

        Args:
            examples: The examples.
            columns: A function that splits examples into texts, their second texts and the names of their fields.
        """

        def spans(example: Example) -> Sequence[Span]:
            texts, pairs, fields = columns([example])
            return self.spans(self.encode(texts, pairs), texts, pairs, fields)[0]

        texts, pairs, _ = columns(examples)
        return read_in_part(spans, examples, self.overlong(texts, pairs))


def _truncation(tokenizer: Any) -> int | None:
    """Where a tokenizer was saved to cut, in its file: in memory stands what the last call asked for."""
    file = Path(str(tokenizer.name_or_path), "tokenizer.json")
    try:
        truncation = json.loads(file.read_text(encoding="utf-8"))["truncation"]
        return None if truncation is None else int(truncation["max_length"])
    except (OSError, ValueError, LookupError, TypeError):
        return None


def positions(model: Any) -> int | None:
    """Return the number of positions of a transformers model, special tokens included; None for no limit.

    RoBERTa and similar models reserve the first positions for padding: of 514 positions, they can read 512.
    """
    most = getattr(model.config.get_text_config(), "max_position_embeddings", None)
    if most is None or most < 1:
        return None
    if not isinstance(model, nn.Module):  # such as an export with the interface of transformers
        import transformers

        make: Any = transformers.AutoModelForSequenceClassification
        with torch.device("meta"):
            model = make.from_config(model.config)
    for name, table in model.named_modules():
        if name.endswith("position_embeddings") and isinstance(table, nn.Embedding) and table.padding_idx is not None:
            return min(int(most), table.num_embeddings - table.padding_idx - 1)
    return int(most)


def _key(texts: Sequence[str], pairs: Sequence[str] | None) -> tuple[Any, ...]:
    return tuple(texts), None if pairs is None else tuple(pairs)
