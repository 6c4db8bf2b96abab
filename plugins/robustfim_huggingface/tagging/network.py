"""The network of a token classifier: from texts to spans, by the pipeline of transformers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from robustfim.spans import Span
from robustfim_huggingface.checkpoint.folder import Checkpoint
from robustfim_huggingface.checkpoint.loading import quiet
from robustfim_huggingface.checkpoint.network import Network

__all__ = ["TaggerNetwork", "spans_of"]


class TaggerNetwork(Network):
    """A token classifier in memory, in evaluation mode, its weights frozen."""

    auto = "AutoModelForTokenClassification"

    def __init__(
        self, checkpoint: Checkpoint, *, classes: int, max_length: int | None, device: str, dtype: str
    ) -> None:
        import transformers

        super().__init__(checkpoint, classes=classes, max_length=max_length, device=device, dtype=dtype)
        if self._reading.limit is not None:
            self.tokenizer.model_max_length = self._reading.limit
        with quiet(transformers):  # which tells the device
            make: Any = transformers.TokenClassificationPipeline
            self._pipeline = make(model=self._model, tokenizer=self.tokenizer, device=self.device)

    def spans(self, texts: Sequence[str], *, aggregation: str, stride: int | None, batch_size: int) -> list[list[Span]]:
        """Find the spans of texts.

        Args:
            texts: The texts, ``[texts]``.
            aggregation: How the pieces of a word and the words of a span become one, as the pipeline calls it.
            stride: Tokens that two windows of a long text share; None where it is cut.
            batch_size: Windows a forward pass.

        Returns:
            The spans of each, in order, with their scores, without blanks at their ends.
        """
        options: dict[str, Any] = {} if stride is None else {"stride": stride}
        return [
            spans_of(text, self._pipeline(text, aggregation_strategy=aggregation, batch_size=batch_size, **options))
            if text.strip()
            else []
            for text in texts
        ]

    def read_until(self, text: str) -> int:
        """Tell where the last token ends that is read of a text that is cut."""
        encoding = self._reading.encode([text], None)
        spans = self._reading.spans(encoding, [text], None, [("text",)])[0]
        return max((span[2] for span in spans if span is not None), default=0)


def spans_of(text: str, groups: Sequence[Mapping[str, Any]]) -> list[Span]:
    """Read what a pipeline of token classification says of a text.

    Args:
        text: The text.
        groups: ``start``, ``end``, ``entity_group`` and ``score`` of each span.

    Returns:
        The spans, in order, with their scores, without blanks at their ends.
    """
    spans = [(_trimmed(text, each["start"], each["end"]), each) for each in groups]
    return [
        Span(start, end, str(each["entity_group"]), min(1.0, max(0.0, float(each["score"]))))
        for (start, end), each in spans
        if start < end
    ]


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """Leave out the blanks that byte-pair tokenizers count in."""
    while start < end and text[start].isspace():
        start += 1
    while start < end and text[end - 1].isspace():
        end -= 1
    return start, end
