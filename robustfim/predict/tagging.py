"""A wrapper for taggers, which answers with the spans of a text, written as a text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from robustfim.errors import ModelError
from robustfim.example import Example
from robustfim.predict.answerer import Answerer, Answers
from robustfim.spans import Span, require_spans, written_spans

__all__ = ["Tagging"]


class Tagging(Answerer):
    """A wrapper around a tagger, which gives all spans found in a text as one answer.

    See :class:`robustfim.roles.TaggingModel`. The probability of an answer is the lowest probability of its spans, or 1
    if no span has one.
    """

    def _require(self, examples: Sequence[Example]) -> None:
        if several := next((example for example in examples if len(example.fields) > 1), None):
            raise ModelError(f"a tagger reads one text, and an example has {', '.join(several.fields)}.")

    def _asked(self, examples: Sequence[Example]) -> Any:
        return self.wrapped.tag(examples)

    def _answers(self, found: Any, examples: Sequence[Example]) -> Answers:
        found = list(found)
        if len(found) != len(examples):
            raise ModelError(f"the tagger gave the spans of {len(found)} texts for {len(examples)}.")
        return [
            [] if spans is None else [_answer(spans, example)] for spans, example in zip(found, examples, strict=True)
        ]


def _answer(spans: Any, example: Example) -> tuple[str, float]:
    try:
        read: tuple[Span, ...] = require_spans(spans, example.text)
    except (TypeError, ValueError) as error:
        raise ModelError(f"the tagger must give a list of (start, end, label) for each text: {error}.") from error
    sure = [1.0 if span.probability is None else span.probability for span in read]
    return written_spans(read), min(sure, default=1.0)
