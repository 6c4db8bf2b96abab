"""Extractive question answering with any model of ``AutoModelForQuestionAnswering``."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Unpack

from pydantic import NonNegativeInt, PositiveInt

from robustfim.errors import UsageError, did_you_mean
from robustfim.example import Example
from robustfim.roles import Span
from robustfim_huggingface.checkpoint.saved_model import Loading, SavedModel, without_surrogates

if TYPE_CHECKING:
    from robustfim_huggingface.answering.network import AnswerNetwork

__all__ = ["QuestionAnswering"]


class QuestionAnswering(SavedModel["AnswerNetwork"]):
    """A Hugging Face model that answers a question by a span of a context, from a folder or from the hub.

    Every architecture of ``AutoModelForQuestionAnswering`` with a fast tokenizer and safetensors weights works; code of
    a model is never run. A long context is read in overlapping windows, and the best span of all windows is the answer.
    Two answers are equal if SQuAD's evaluation treats them as equal. There are no gradients; select examples by
    ``margin`` or ``entropy``. Needs ``pip install 'robustfim[huggingface]'``.

    Args:
        question: The field of the question.
        context: The field of the text with the answer.
        unanswerable: Whether the model may answer that there is no answer, like a model trained on SQuAD 2.
        answer_length: The largest number of tokens of an answer.
        stride: The number of tokens of the context shared by neighbouring windows.
    """

    labels: tuple[str, ...] = ()
    """None: any span of a context is an answer."""

    def __init__(
        self,
        path: Path | str,
        question: str = "question",
        context: str = "context",
        unanswerable: bool = False,
        answer_length: PositiveInt = 30,
        stride: NonNegativeInt = 128,
        **loading: Unpack[Loading],
    ) -> None:
        if question == context:
            raise UsageError(f"'question' and 'context' both name the field {question!r}.")
        self._question, self._context = question, context
        self._unanswerable, self._answer_length, self._stride = unanswerable, answer_length, stride
        super().__init__(path, **loading)

    def _kind(self) -> type[AnswerNetwork]:
        from robustfim_huggingface.answering.network import AnswerNetwork

        return AnswerNetwork

    def _deciding(self) -> list[object]:
        return [
            *("huggingface/question-answering", self._checkpoint.digest, self._question, self._context),
            *(self._unanswerable, self._answer_length, self._max_length, self._stride, self._dtype),
        ]

    def answer(self, examples: Sequence[Example]) -> list[list[tuple[str, float]]]:
        """Answer questions, ``batch_size`` windows at a time.

        Returns:
            For each question up to 10 spans of its context with different normal forms, the likeliest first, with their
            probabilities among all spans; none if the logits are not finite.
        """
        pairs = [(self._text(example, self._question), self._text(example, self._context)) for example in examples]
        return self.network.answers(
            pairs,
            batch_size=self._batch_size,
            stride=self._stride,
            most_tokens=self._answer_length,
            unanswerable=self._unanswerable,
        )

    def window(self, examples: Sequence[Example]) -> list[list[Span] | None]:
        """Return the parts of truncated examples that the model reads; None for examples that are not truncated.

        The spans are the beginning of the question and the whole context, which is read in overlapping windows.
        """
        found: list[list[Span] | None] = []
        for example in examples:
            question, context = self._text(example, self._question), self._text(example, self._context)
            read = self.network.cut(question)
            whole = read == question
            found.append(None if whole else [(self._question, 0, len(read)), (self._context, 0, len(context))])
        return found

    def _text(self, example: Example, name: str) -> str:
        if name not in example.fields:
            raise UsageError(
                f"model {self._path} reads the field {name!r}, which an example lacks."
                f"{did_you_mean(name, example.fields)} Fields: {', '.join(example.fields)}; 'question' and 'context' "
                "of the model name others."
            )
        return without_surrogates(example.fields[name])
