"""Multiple choice with any model of ``AutoModelForMultipleChoice``."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

from robustfim.example import Example
from robustfim.roles import Embedded, Span
from robustfim_huggingface.checkpoint.saved_model import Loading, SavedModel
from robustfim_huggingface.checkpoint.window import read_in_part
from robustfim_huggingface.choice.choice import Alternatives, Choice

if TYPE_CHECKING:
    from robustfim_huggingface.choice.network import ChoiceNetwork

__all__ = ["MultipleChoice"]


class MultipleChoice(Alternatives, SavedModel["ChoiceNetwork"]):
    """A Hugging Face model that chooses among alternatives, from a folder or from the hub.

    Every architecture of ``AutoModelForMultipleChoice`` with safetensors weights works; code of a model is never run.
    The model reads one pair for each alternative, with the context as the first text and the alternative as the second.
    The labels are the numbers of the alternatives, from ``1``. The input for gradients is everything that the model
    reads, so the context is repeated for each alternative. Needs ``pip install 'robustfim[huggingface]'``.

    Args:
        choices: The fields of the alternatives, two or more.
        context: The fields of the context, read in this order and joined by blanks; by default all others.
        words: A mapping from texts of a context field to the words that the model reads instead. With ``{cause: What
            was the cause?}``, the field's text "cause" is read as "What was the cause?".
    """

    def __init__(
        self,
        path: Path | str,
        choices: list[str] | None = None,
        context: list[str] | None = None,
        words: dict[str, str] | None = None,
        **loading: Unpack[Loading],
    ) -> None:
        self._choices = tuple(choices or ("choice1", "choice2"))
        self._require_apart(context or (), "context")
        self._context, self._words = context, words or {}
        super().__init__(path, **loading)

    def _kind(self) -> type[ChoiceNetwork]:
        from robustfim_huggingface.choice.network import ChoiceNetwork

        return ChoiceNetwork

    def _deciding(self) -> list[object]:
        return [
            *("huggingface/choice", self._checkpoint.digest, self._choices, self._context),
            *(sorted(self._words.items()), self._max_length, self._dtype),
        ]

    def predict(self, examples: Sequence[Example]) -> Any:
        """Predict examples in batches of ``batch_size``.

        Returns:
            Probabilities ``[examples, alternatives]``, a float64 array.
        """
        return self.network.choose([self._read(example) for example in examples], self._batch_size)

    def embed(self, examples: Sequence[Example]) -> Embedded:
        """Return the input embeddings of a batch, all in one forward pass.

        Returns:
            Embeddings ``[batch, alternatives · tokens, dims]``, with masks and spans.
        """
        return self.network.embed_choices([self._read(example) for example in examples])

    def logits(self, embeddings: Any, embedded: Embedded) -> Any:
        """Map input embeddings to the logits of the alternatives, differentiably and without dropout."""
        return self.network.logits(embeddings, embedded)

    def training_logits(self, examples: Sequence[Example]) -> Any:
        """Return logits ``[examples, alternatives]``, with gradients to the weights."""
        return self.network.training_choice_logits([self._read(example) for example in examples])

    def window(self, examples: Sequence[Example]) -> list[list[Span] | None]:
        """Return for each example the parts of its text that the model reads; None if it reads the whole example."""
        return read_in_part(
            lambda example: self.embed([example]).spans[0],
            examples,
            self.network.too_long([self._read(example) for example in examples]),
        )

    def _read(self, example: Example) -> Choice:
        names = self._context if self._context is not None else [n for n in example.fields if n not in self._choices]
        texts = self._texts(example, names)
        # A replaced text has no place in the field: its tokens get no span there.
        context = tuple(
            ("", self._words[texts[name]]) if texts[name] in self._words else (name, texts[name]) for name in names
        )
        return Choice(context, tuple((name, texts[name]) for name in self._choices))
