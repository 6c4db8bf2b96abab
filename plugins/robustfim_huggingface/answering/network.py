"""The network of an extractive question answering model, which maps questions and contexts to answers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from robustfim.errors import ModelError
from robustfim.prediction import MOST_ANSWERS
from robustfim_checkpoints.folder import Checkpoint
from robustfim_checkpoints.places import trimmed
from robustfim_huggingface.answering.spans import Window, best_answers
from robustfim_huggingface.checkpoint.network import Network

__all__ = ["AnswerNetwork"]


@dataclass(frozen=True)
class _Part:
    """A window as the tokenizer made it."""

    inputs: dict[str, list[int]]
    """What the model's forward pass takes, ``[tokens]`` each."""
    offsets: npt.NDArray[np.int64]
    none: int
    """The place of the first special token, by whose logits a model says that there is no answer."""


class AnswerNetwork(Network):
    """A question answering model in memory, which reads a context of any length in overlapping windows.

    Raises:
        ModelError: The tokenizer does not report the character positions of its tokens.
    """

    auto = "AutoModelForQuestionAnswering"

    def __init__(
        self, checkpoint: Checkpoint, *, classes: int, max_length: int | None, device: str, dtype: str
    ) -> None:
        super().__init__(checkpoint, classes=classes, max_length=max_length, device=device, dtype=dtype)
        if not self.reading.tokenizer.is_fast:
            raise ModelError(
                f"model {self._name}: its tokenizer does not report where its tokens are in the context, so robustfim "
                "cannot cut out an answer. Save a fast tokenizer: AutoTokenizer.from_pretrained(…, use_fast=True)."
            )
        self._special = int(self.reading.tokenizer.num_special_tokens_to_add(pair=True))

    def answers(
        self,
        pairs: Sequence[tuple[str, str]],
        *,
        batch_size: int,
        stride: int,
        most_tokens: int,
        unanswerable: bool,
    ) -> list[list[tuple[str, float]]]:
        """Return the likeliest answers to questions, each a span of the question's context.

        Args:
            pairs: Questions with their contexts, ``[questions]``.
            batch_size: The number of windows in a forward pass.
            stride: The number of tokens that two neighbouring windows share, at most half of a window's context.
            most_tokens: The largest number of tokens in an answer.
            unanswerable: Whether the model may answer that there is no answer.

        Returns:
            For each question up to 10 answers with probabilities, the likeliest first.
        """
        parts = [
            (row, part)
            for row, (question, context) in enumerate(pairs)
            for part in self._parts(question, context, stride)
        ]
        parts.sort(key=lambda part: len(part[1].offsets))  # of neighbouring lengths, so that little is padded
        windows: list[list[Window]] = [[] for _ in pairs]
        for start in range(0, len(parts), batch_size):
            batch = parts[start : start + batch_size]
            for (row, _), window in zip(batch, self._windows([part for _, part in batch]), strict=True):
                windows[row].append(window)
        return [
            best_answers(context, window, most_tokens=most_tokens, unanswerable=unanswerable, count=MOST_ANSWERS)
            for (_, context), window in zip(pairs, windows, strict=True)
        ]

    def cut(self, question: str) -> str:
        """Truncate a question to half of the limit, to leave room for the context."""
        if self.reading.limit is None:
            return question
        half = (self.reading.limit - self._special) // 2
        encoding = self.reading.tokenizer(
            question, add_special_tokens=False, return_offsets_mapping=True, verbose=False
        )
        offsets = encoding["offset_mapping"]
        return question if len(offsets) <= half else question[: offsets[half - 1][1]] if half else ""

    def _parts(self, question: str, context: str, stride: int) -> Iterator[_Part]:
        """Tokenize one question with all windows of its context, of which neighbours share at most a half."""
        question, options = self.cut(question), dict[str, Any]()
        if self.reading.limit is not None:
            asked = len(self.reading.tokenizer(question, add_special_tokens=False, verbose=False)["input_ids"])
            options = {
                "truncation": "only_second",
                "max_length": self.reading.limit,
                "stride": min(stride, (self.reading.limit - self._special - asked) // 2),
                "return_overflowing_tokens": True,
            }
        encoding = self.reading.tokenizer([question], [context], return_offsets_mapping=True, **options)
        for row, ids in enumerate(encoding["input_ids"]):
            sources = encoding.sequence_ids(row)
            offsets = [
                trimmed(context, *each) if source == 1 else (0, 0)
                for source, each in zip(sources, encoding["offset_mapping"][row], strict=True)
            ]
            none = sources.index(None) if None in sources else 0
            inputs = {name: encoding[name][row] for name in encoding if name in self._accepted}
            yield _Part({**inputs, "attention_mask": [1] * len(ids)}, np.array(offsets, np.int64), none)

    def _windows(self, parts: Sequence[_Part]) -> Iterator[Window]:
        """Pad a batch, send it through the model, and cut the padding off again."""
        longest = max(len(part.offsets) for part in parts)
        left = self.reading.tokenizer.padding_side == "left"
        fillers = {
            "input_ids": self.reading.tokenizer.pad_token_id,
            "token_type_ids": self.reading.tokenizer.pad_token_type_id,
        }
        inputs: dict[str, Tensor] = {}
        for name in parts[0].inputs:
            rows = [part.inputs[name] for part in parts]
            fill = [[fillers.get(name, 0)] * (longest - len(row)) for row in rows]
            padded = [more + row if left else row + more for row, more in zip(rows, fill, strict=True)]
            inputs[name] = torch.tensor(padded, device=self.device)
        with torch.inference_mode():
            output: Any = self._model(**inputs)
        starts, ends = (each.float().cpu().double().numpy() for each in (output.start_logits, output.end_logits))
        for row, part in enumerate(parts):
            size = len(part.offsets)
            own = slice(longest - size, None) if left else slice(0, size)
            start, end = starts[row, own], ends[row, own]
            yield Window(start, end, part.offsets, float(start[part.none] + end[part.none]))
