"""A tagger: to whoever looks, a model that answers with the spans of a text in their notation."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from typing import Any

from robustfim.errors import ModelError
from robustfim.example import Example
from robustfim.members import Wrapper
from robustfim.spans import Span, require_spans, written_spans

__all__ = ["Tagging"]


class Tagging(Wrapper):
    """A :class:`robustfim.roles.TaggingModel` that answers: what it finds in a text is one decision.

    The probability of an answer is that of its least sure span, 1 where no span has one.
    """

    @property
    def fingerprint(self) -> str:
        """That of the tagger."""
        fingerprint: str = self.wrapped.fingerprint
        return fingerprint

    def answer(self, examples: Sequence[Example]) -> list[list[tuple[str, float]]]:
        """Tag a batch.

        Args:
            examples: The batch, ``[examples]``.

        Returns:
            One answer an example; none where the tagger gave None.

        Raises:
            ModelError: The examples have several texts, or what the tagger gave are no spans of theirs.
        """
        self._require(examples)
        return self._answers(self.wrapped.tag(examples), examples)

    @property
    def stream(self) -> Callable[[Sequence[Sequence[Example]]], Iterator[tuple[int, list[list[tuple[str, float]]]]]]:
        """Tag several batches, as the tagger streams them; absent where it does not."""
        stream = self.wrapped.stream

        def answered(batches: Sequence[Sequence[Example]]) -> Iterator[tuple[int, list[list[tuple[str, float]]]]]:
            for batch in batches:
                self._require(batch)
            with closing(stream(batches)) as found:
                for index, spans in found:
                    yield index, self._answers(spans, batches[index])

        return answered

    @staticmethod
    def _require(examples: Sequence[Example]) -> None:
        if several := next((each for each in examples if len(each.fields) > 1), None):
            raise ModelError(f"a tagger reads one text, and an example has {', '.join(several.fields)}.")

    @staticmethod
    def _answers(found: Any, examples: Sequence[Example]) -> list[list[tuple[str, float]]]:
        found = list(found)
        if len(found) != len(examples):
            raise ModelError(f"the tagger gave the spans of {len(found)} texts for {len(examples)}.")
        return [[] if spans is None else [_answer(spans, each)] for spans, each in zip(found, examples, strict=True)]


def _answer(spans: Any, example: Example) -> tuple[str, float]:
    try:
        read: tuple[Span, ...] = require_spans(spans, example.text)
    except (TypeError, ValueError) as error:
        raise ModelError(f"the tagger must give a list of (start, end, label) for each text: {error}.") from error
    sure = [1.0 if span.probability is None else span.probability for span in read]
    return written_spans(read), min(sure, default=1.0)
