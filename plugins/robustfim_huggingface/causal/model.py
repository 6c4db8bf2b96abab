"""The base class of causal language models that classify through label words or alternatives."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import PositiveInt

from robustfim.errors import UsageError
from robustfim.example import Example
from robustfim.roles import Embedded, Span
from robustfim_huggingface.causal.completion import Answers, Completion, Normalise
from robustfim_huggingface.causal.prompt import Prompt
from robustfim_huggingface.checkpoint.saved_model import SavedModel
from robustfim_huggingface.checkpoint.window import read_in_part

if TYPE_CHECKING:
    from robustfim_huggingface.causal.network import CausalNetwork

__all__ = ["CausalModel"]


class CausalModel(SavedModel["CausalNetwork"]):
    """Base of the models that read probabilities from a causal language model.

    Args:
        path: A folder written by ``save_pretrained``, or a hub id.
        prompt: The template of the prompt.
        neutral: A template without the example's text; None if none is needed.
        normalise: The normalisation of an answer's log-likelihood.
        batch_size: The number of examples in a forward pass, at least 1.
        **options: The options of :class:`~robustfim_huggingface.checkpoint.saved_model.SavedModel`.

    Raises:
        UsageError: A template or another option has no usable value.
        ModelError: The folder has only pickled weights.
    """

    def __init__(
        self,
        path: Path | str,
        *,
        prompt: str,
        neutral: str | None,
        normalise: Normalise,
        batch_size: PositiveInt = 16,
        **options: Any,
    ) -> None:
        if normalise == "pmi" and neutral is None:
            raise UsageError(
                "normalise: pmi compares with a prompt without the example. Write this prompt as 'neutral'."
            )
        self._template, self._neutral, self._normalise = prompt, neutral, normalise
        self._prompt = Prompt(prompt)
        self._baseline = Prompt(neutral or "", "neutral", needs_field=False) if normalise == "pmi" else None
        super().__init__(path, batch_size=batch_size, **options)

    @abstractmethod
    def _answers(self) -> Answers:
        """Tell how answers are read."""

    @abstractmethod
    def _completion(self, example: Example) -> Completion:
        """Make an example a prompt and the answers that may follow it."""

    def _kind(self) -> Callable[..., CausalNetwork]:
        from robustfim_huggingface.causal.network import CausalNetwork

        return partial(CausalNetwork, answers=self._answers())

    def _deciding(self) -> list[object]:
        return [self._checkpoint.digest, self._template, self._neutral, self._normalise, self._max_length, self._dtype]

    def predict(self, examples: Sequence[Example]) -> Any:
        """Return the class probabilities of examples, in batches of ``batch_size``.

        Returns:
            Probabilities ``[examples, classes]``, a float64 array; a row is NaN if a logit is NaN, or if the prompt has
            no token.
        """
        return self.network.complete([self._completion(example) for example in examples], self._batch_size)

    def embed(self, examples: Sequence[Example]) -> Embedded:
        """Return the input embeddings of a batch, all in one forward pass.

        Returns:
            Embeddings ``[batch, tokens, dims]`` of the prompt and the answers, each token once, with masks and spans.
            Each tensor of ``inputs`` has the batch as its first dimension.
        """
        return self.network.embed_completions([self._completion(example) for example in examples])

    def logits(self, embeddings: Any, embedded: Embedded) -> Any:
        """Map input embeddings to logits, differentiably and without dropout.

        Returns:
            Logits ``[batch, classes]``, float32 or finer: the log-likelihoods, normalised by ``normalise``.
        """
        return self.network.completion_logits(embeddings, embedded)

    def window(self, examples: Sequence[Example]) -> list[list[Span] | None]:
        """Return for each example the parts of its text that the model reads; None if it reads the whole example."""
        return read_in_part(
            lambda example: self.embed([example]).spans[0],
            examples,
            self.network.cut([self._completion(example) for example in examples]),
        )
