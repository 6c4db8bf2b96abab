"""A pipeline of transformers that finds spans and that a script has loaded, as a tagger."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from typing import Any

from robustfim.contract import ModelContract
from robustfim.errors import ModelError, UsageError
from robustfim.example import Example
from robustfim.spans import Span

__all__ = ["GivenTagger"]


class GivenTagger:
    """A token-classification pipeline of a script.

    Args:
        pipeline: What ``transformers.pipeline("token-classification", …, aggregation_strategy="simple")`` made. No file
            can hold it.
        batch_size: Texts a call, at least 1.

    Raises:
        UsageError: It finds no spans.
    """

    labels: tuple[str, ...] = ()
    """None: a decision is the set of spans of a text."""

    def __init__(self, pipeline: Any, batch_size: int = 32) -> None:
        if (task := getattr(pipeline, "task", pipeline)) not in ("token-classification", "ner"):
            raise UsageError(f"a pipeline for token-classification is needed, not {task!r}.")
        self._pipeline, self.device = pipeline, str(pipeline.device)
        self.contract = ModelContract(batch_size=batch_size)
        self.fingerprint = secrets.token_hex(32)
        """No other pipeline has it: the weights in memory may be others than those that were loaded."""

    def tag(self, examples: Sequence[Example]) -> list[list[Span]]:
        """Find the spans of texts.

        Raises:
            ModelError: The pipeline gives a label to each word piece, and no spans.
        """
        from robustfim_huggingface.tagging.network import spans_of

        found = []
        for example in examples:
            groups = self._pipeline(example.text) if example.text.strip() else []
            if any("entity_group" not in each for each in groups):
                raise ModelError(
                    "the pipeline gives a label to each word piece, and no spans: make it with "
                    "aggregation_strategy='simple'."
                )
            found.append(spans_of(example.text, groups))
        return found
