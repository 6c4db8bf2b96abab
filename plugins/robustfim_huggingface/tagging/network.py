"""The network of a token classifier, which finds spans in texts with the pipeline of transformers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from robustfim.spans import Span
from robustfim_checkpoints.folder import Checkpoint
from robustfim_checkpoints.loading import quiet
from robustfim_checkpoints.places import trimmed
from robustfim_huggingface.checkpoint.network import Network

__all__ = ["TaggerNetwork", "spans_of"]


class TaggerNetwork(Network):
    """A token classifier in memory, in evaluation mode, with frozen weights."""

    auto = "AutoModelForTokenClassification"

    def __init__(
        self, checkpoint: Checkpoint, *, classes: int, max_length: int | None, device: str, dtype: str
    ) -> None:
        import transformers

        super().__init__(checkpoint, classes=classes, max_length=max_length, device=device, dtype=dtype)
        if self.reading.limit is not None:
            self.reading.tokenizer.model_max_length = self.reading.limit
        with quiet(transformers):  # which tells the device
            make: Any = transformers.TokenClassificationPipeline
            self._pipeline = make(model=self._model, tokenizer=self.reading.tokenizer, device=self.device)

    def spans(self, texts: Sequence[str], *, aggregation: str, stride: int | None, batch_size: int) -> list[list[Span]]:
        """Find labelled spans, such as names, in texts.

        Args:
            texts: The texts, ``[texts]``.
            aggregation: How word pieces are joined to spans: the pipeline's ``aggregation_strategy``.
            stride: The number of tokens that two windows of a long text share; None to truncate long texts.
            batch_size: The number of windows in a forward pass.

        Returns:
            For each text its spans with scores, in order, without blanks at their ends.
        """
        options: dict[str, Any] = {} if stride is None else {"stride": stride}
        return [
            spans_of(text, self._pipeline(text, aggregation_strategy=aggregation, batch_size=batch_size, **options))
            if text.strip()
            else []
            for text in texts
        ]

    def read_until(self, text: str) -> int:
        """Return how far the model reads a truncated text: the character index after the last token read."""
        encoding = self.reading.encode([text], None)
        spans = self.reading.spans(encoding, [text], None, [("text",)])[0]
        return max((span[2] for span in spans if span is not None), default=0)


def spans_of(text: str, groups: Sequence[Mapping[str, Any]]) -> list[Span]:
    """Convert the output of a token-classification pipeline to spans.

    Args:
        text: The text.
        groups: ``start``, ``end``, ``entity_group`` and ``score`` of each span.

    Returns:
        The spans, in order, with their scores, without blanks at their ends.
    """
    spans = [(trimmed(text, group["start"], group["end"]), group) for group in groups]
    return [
        Span(start, end, str(each["entity_group"]), min(1.0, max(0.0, float(each["score"]))))
        for (start, end), each in spans
        if start < end
    ]
