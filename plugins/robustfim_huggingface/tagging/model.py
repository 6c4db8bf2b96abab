"""Token classification with any model of ``AutoModelForTokenClassification``."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal, Unpack

from pydantic import PositiveInt

from robustfim.example import Example
from robustfim.roles import Span as Place
from robustfim.spans import Span
from robustfim_huggingface.checkpoint.saved_model import Loading, SavedModel, without_surrogates

if TYPE_CHECKING:
    from robustfim_huggingface.tagging.network import TaggerNetwork

__all__ = ["TokenClassifier"]


class TokenClassifier(SavedModel["TaggerNetwork"]):
    """A Hugging Face tagger of names or personal data, from a folder or from the hub.

    Every architecture of ``AutoModelForTokenClassification`` with a fast tokenizer and safetensors weights works; code
    of a model is never run. Spans are found by the token-classification pipeline of transformers. Their labels are the
    model's labels without ``B-`` and ``I-``. There are no gradients. Needs ``pip install 'robustfim[huggingface]'``.

    Args:
        aggregation: How word pieces are joined to spans: the pipeline's ``aggregation_strategy``.
        stride: The number of tokens shared by neighbouring windows of a long text. Without it, a long text is
            truncated.
    """

    labels: tuple[str, ...] = ()
    """None: a decision is the set of spans of a text."""

    def __init__(
        self,
        path: Path | str,
        aggregation: Literal["simple", "first", "average", "max"] = "simple",
        stride: PositiveInt | None = None,
        **loading: Unpack[Loading],
    ) -> None:
        self._aggregation, self._stride = aggregation, stride
        super().__init__(path, **loading)

    def _kind(self) -> type[TaggerNetwork]:
        from robustfim_huggingface.tagging.network import TaggerNetwork

        return TaggerNetwork

    def _deciding(self) -> list[object]:
        own = self._aggregation, self._stride
        return ["huggingface/token-classification", self._checkpoint.digest, *own, self._max_length, self._dtype]

    def tag(self, examples: Sequence[Example]) -> list[list[Span]]:
        """Find the spans of texts."""
        return self.network.spans(
            [without_surrogates(example.text) for example in examples],
            aggregation=self._aggregation,
            stride=self._stride,
            batch_size=self._batch_size,
        )

    def window(self, examples: Sequence[Example]) -> list[list[Place] | None]:
        """Return for each example the parts of its text that the model reads; None if it reads the whole example."""
        if self._stride is not None:
            return [None] * len(examples)
        texts = [without_surrogates(example.text) for example in examples]
        return [
            [(next(iter(example.fields)), 0, self.network.read_until(text))] if cut else None
            for example, text, cut in zip(examples, texts, self.network.reading.overlong(texts, None), strict=True)
        ]
