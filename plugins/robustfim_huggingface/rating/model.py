"""Regression with any sequence classifier of transformers that has a single output."""

from __future__ import annotations

from collections.abc import Sequence

from robustfim.errors import ModelError
from robustfim.example import Example
from robustfim_huggingface.classifier.labels import is_regression
from robustfim_huggingface.classifier.text_model import TextModel

__all__ = ["Regression"]


class Regression(TextModel):
    """A Hugging Face regression or reward model, from a folder or from the hub; it predicts a number for a text.

    Every architecture of ``AutoModelForSequenceClassification`` with one output and safetensors weights works; code of
    a model is never run. The prediction is the model's output, unchanged. There are no gradients. Needs ``pip install
    'robustfim[huggingface]'``.
    """

    labels: tuple[str, ...] = ()
    """None: a decision is a number."""

    @property
    def _outputs(self) -> int:
        return 1

    def _deciding(self) -> list[object]:
        if not is_regression(self._checkpoint.config):
            raise ModelError(
                f"model {self._checkpoint.name} has several outputs, so it is no rating model. If the outputs are the "
                "logits of labels, write 'use: huggingface'."
            )
        return ["huggingface/regression", self._checkpoint.digest, *self._reading()]

    def rate(self, examples: Sequence[Example]) -> list[float]:
        """Predict a number for each example, in batches of ``batch_size``.

        Returns:
            One number for each example, in the units that the model learned; NaN if the text has no token.
        """
        texts, pairs, _ = self._columns(examples)
        return [float(number) for (number,) in self.network.outputs(texts, pairs, self._batch_size)]
