"""The model ``huggingface/tagging-pipeline``: a pipeline that finds spans and that a script has loaded."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from robustfim.contract import ModelContract
from robustfim.errors import ModelError
from robustfim.example import Example
from robustfim.roles import Span as Place
from robustfim.spans import Span
from robustfim_huggingface.checkpoint.given import Given
from robustfim_huggingface.checkpoint.saved_model import without_surrogates

__all__ = ["GivenTagger"]


class GivenTagger(Given):
    """A token-classification pipeline given by a script.

    Args:
        pipeline: The pipeline, made by ``transformers.pipeline("token-classification", …,
            aggregation_strategy="simple")``. In a suite, give ``package.module:name`` of the pipeline, or of a function
            that returns it.
        batch_size: The number of texts in a call, at least 1.

    Raises:
        UsageError: The pipeline does not find spans.
    """

    labels: tuple[str, ...] = ()
    """None: a decision is the set of spans of a text."""

    def __init__(self, pipeline: Any, batch_size: int = 32) -> None:
        super().__init__(pipeline, ("token-classification", "ner"))
        self.contract = ModelContract(batch_size=batch_size)
        self._chunks = "tokenizer_params" in getattr(self._pipeline, "_preprocess_params", {})  # its stride

    def window(self, examples: Sequence[Example]) -> list[list[Place] | None]:
        """Return for each example the parts of its text that the model reads; None if it reads the whole example."""
        if self._chunks:
            return [None] * len(examples)
        return self._reading.window(
            examples,
            lambda some: (
                [without_surrogates(each.text) for each in some],
                None,
                [tuple(each.fields) for each in some],
            ),
        )

    def tag(self, examples: Sequence[Example]) -> list[list[Span]]:
        """Find labelled spans, such as names, in texts.

        Raises:
            ModelError: The pipeline labels word pieces instead of spans.
        """
        from robustfim_huggingface.tagging.network import spans_of

        texts = [without_surrogates(example.text) for example in examples]
        tokenizer = self._pipeline.tokenizer
        own = tokenizer.model_max_length  # a script goes on with its pipeline
        tokenizer.model_max_length = self._reading.limit or own
        try:
            answers = [self._pipeline(text) if text.strip() else [] for text in texts]
        finally:
            tokenizer.model_max_length = own
        if any("entity_group" not in group for groups in answers for group in groups):
            raise ModelError(
                "the pipeline gives a label to each word piece, and no spans: make it with "
                "aggregation_strategy='simple'."
            )
        return [spans_of(example.text, groups) for example, groups in zip(examples, answers, strict=True)]
