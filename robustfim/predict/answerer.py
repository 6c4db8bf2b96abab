"""The base class of wrappers with which models of other kinds answer with texts and probabilities."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from typing import Any, TypeAlias

from robustfim.example import Example
from robustfim.members import Wrapper

__all__ = ["Answerer", "Answers"]

Answers: TypeAlias = list[list[tuple[str, float]]]
"""For each example its answers with their probabilities; empty for an example without prediction."""


class Answerer(Wrapper, ABC):
    """A wrapper around a model of another kind, which answers with texts and probabilities."""

    @property
    def fingerprint(self) -> str:
        """The fingerprint of the wrapped model."""
        fingerprint: str = self.wrapped.fingerprint
        return fingerprint

    def answer(self, examples: Sequence[Example]) -> Answers:
        """Answer a batch of examples.

        Args:
            examples: The batch, ``[examples]``.

        Returns:
            A list with one answer per example; an empty list if the model gave None.

        Raises:
            ModelError: The model cannot read the examples, or its output cannot be read.
        """
        self._require(examples)
        return self._answers(self._asked(examples), examples)

    @property
    def stream(self) -> Callable[[Sequence[Sequence[Example]]], Iterator[tuple[int, Answers]]]:
        """The wrapped model's function that answers several batches at once, if it has one; else absent."""
        stream = self.wrapped.stream

        def answered(batches: Sequence[Sequence[Example]]) -> Iterator[tuple[int, Answers]]:
            for batch in batches:
                self._require(batch)
            with closing(stream(batches)) as found:
                for index, given in found:
                    yield index, self._answers(given, batches[index])

        return answered

    def _require(self, examples: Sequence[Example]) -> None:  # most read any example
        """Refuse examples that the model cannot read."""

    @abstractmethod
    def _asked(self, examples: Sequence[Example]) -> Any:
        """Ask the model."""

    @abstractmethod
    def _answers(self, found: Any, examples: Sequence[Example]) -> Answers:
        """Make answers of what the model gave."""
