"""A pipeline of transformers that a script has loaded, as a model without gradients."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from typing import Any

from robustfim.contract import ModelContract
from robustfim.errors import ModelError, UsageError
from robustfim.example import Example

__all__ = ["GivenPipeline"]


class GivenPipeline:
    """A text-classification pipeline of a script.

    It answers by its probabilities alone. For gradients, name the folder of its weights:
    ``{use: huggingface, path: …}``.

    Args:
        pipeline: What ``transformers.pipeline("text-classification", …)`` made. No file can hold it.
        labels: Other names for its labels, in the order of ``id2label``.
        batch_size: Texts a call, at least 1.

    Raises:
        UsageError: It classifies no texts, or ``labels`` are fewer or more than its own.
    """

    def __init__(self, pipeline: Any, labels: list[str] | None = None, batch_size: int = 32) -> None:
        if getattr(pipeline, "task", None) not in ("text-classification", "sentiment-analysis"):
            task = getattr(pipeline, "task", pipeline)
            raise UsageError(f"a pipeline for text-classification is needed, not {task!r}.")
        named = pipeline.model.config.id2label
        self._own = [str(named[index]) for index in sorted(named)]
        if labels is not None and len(labels) != len(self._own):
            own = ", ".join(self._own)
            raise UsageError(f"'labels' has {len(labels)} names, the pipeline {len(self._own)}: {own}.")
        several = pipeline.model.config.problem_type == "multi_label_classification"
        self.contract = ModelContract(batch_size=batch_size, several=several)
        self._pipeline, self.labels = pipeline, tuple(labels or self._own)
        self.device = str(pipeline.device)
        self.fingerprint = secrets.token_hex(32)
        """No other pipeline has it: the weights in memory may be others than those that were loaded."""

    def predict(self, examples: Sequence[Example]) -> list[list[float]]:
        """Call the pipeline once."""
        answers = self._pipeline([_input(each) for each in examples], top_k=None, truncation=True)
        rows = []
        for answer in answers:
            found = {each["label"]: float(each["score"]) for each in answer}
            if missing := [name for name in self._own if name not in found]:
                raise ModelError(f"the pipeline gave no number for {missing[0]!r}.")
            rows.append([found[name] for name in self._own])
        return rows


def _input(example: Example) -> str | dict[str, str]:
    texts = list(example.fields.values())
    if len(texts) > 2:
        raise ModelError(f"a pipeline reads one text or two; an example has {', '.join(example.fields)}.")
    return texts[0] if len(texts) == 1 else {"text": texts[0], "text_pair": texts[1]}
