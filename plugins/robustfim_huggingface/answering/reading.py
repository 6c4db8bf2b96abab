"""Tokenization for question answering: a question, and its context in overlapping windows."""

from __future__ import annotations

from typing import Any

from robustfim.errors import ModelError
from robustfim_huggingface.checkpoint.reading import Reading

__all__ = ["WindowReading"]


class WindowReading:
    """A tokenizer that reads a question and a context of any length, in overlapping windows.

    Args:
        reading: The tokenizer, with the input limit of its model.
        name: The model's name in messages.

    Raises:
        ModelError: The tokenizer does not report the character positions of its tokens.
    """

    def __init__(self, reading: Reading, name: str) -> None:
        self._tokenizer: Any = reading.tokenizer
        self._limit = reading.limit
        if not self._tokenizer.is_fast:
            raise ModelError(
                f"model {name}: its tokenizer does not report where its tokens are in the context, so robustfim "
                "cannot cut out an answer. Save a fast tokenizer: AutoTokenizer.from_pretrained(…, use_fast=True)."
            )
        self._special = int(self._tokenizer.num_special_tokens_to_add(pair=True))

    @property
    def pads_left(self) -> bool:
        """Whether the tokenizer pads before the text."""
        return bool(self._tokenizer.padding_side == "left")

    def filler(self, name: str) -> int:
        """Return the padding value of one of the model's inputs, such as ``input_ids``."""
        fillers = {"input_ids": self._tokenizer.pad_token_id, "token_type_ids": self._tokenizer.pad_token_type_id}
        return int(fillers.get(name, 0))

    def cut(self, question: str) -> str:
        """Truncate a question to half of the limit, to leave room for the context."""
        if self._limit is None:
            return question
        half = (self._limit - self._special) // 2
        encoding = self._tokenizer(question, add_special_tokens=False, return_offsets_mapping=True, verbose=False)
        offsets = encoding["offset_mapping"]
        return question if len(offsets) <= half else question[: offsets[half - 1][1]] if half else ""

    def windows(self, question: str, context: str, stride: int) -> Any:
        """Tokenize a question together with each window (overlapping section) of its context.

        Args:
            question: The question, already truncated by :meth:`cut`.
            context: The context.
            stride: The number of tokens shared by neighbouring windows, at most half of a window's context.

        Returns:
            Lists of tokens without padding, ``[windows][tokens]``, with ``offset_mapping``.
        """
        if self._limit is None:
            return self._tokenizer([question], [context], return_offsets_mapping=True)
        asked = len(self._tokenizer(question, add_special_tokens=False, verbose=False)["input_ids"])
        room = self._limit - self._special - asked
        return self._tokenizer(
            [question],
            [context],
            truncation="only_second",
            max_length=self._limit,
            stride=min(stride, room // 2),
            return_overflowing_tokens=True,
            return_offsets_mapping=True,
        )
