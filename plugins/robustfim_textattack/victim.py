"""The model under attack, in the form that TextAttack calls."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from robustfim.errors import ModelError
from robustfim.example import Example
from robustfim.prediction import Prediction
from robustfim.roles import DifferentiableModel, Model

__all__ = ["Victim"]

_NO_TEXT = "\0"
"""Stands for a token that is not a text: no word contains it."""


class Victim:
    """Answers TextAttack's queries with a model, through the interface of TextAttack's ``ModelWrapper``.

    Args:
        model: The model.
        predict: A function that predicts examples, such as ``Context.predict``.
        fields: The names of the fields of a query's texts, in order.

    Attributes:
        labels: The model's labels; TextAttack's class 0 is the first.
        fields: The names of the fields that a query's texts stand for.
        max_length: The number of words that TextAttack may read: no limit in practice.
    """

    max_length = 1_000_000

    def __init__(
        self, model: Model, predict: Callable[[Sequence[Example]], Sequence[Prediction | None]], fields: Sequence[str]
    ) -> None:
        self.model, self.labels = model, tuple(model.labels)
        self.fields = tuple(fields)
        self._predict = predict

    def __call__(self, text_input_list: Sequence[str | Sequence[str]], **_: Any) -> Any:
        """Predict texts.

        Args:
            text_input_list: A text for each query, or where an example has several fields a tuple of them.

        Returns:
            A tensor of probabilities, ``[queries, classes]``, in double precision: TextAttack would apply a softmax to
            rows that sum to 1 less exactly.

        Raises:
            ModelError: A prediction is not finite, or a query does not have the model's fields.
        """
        import torch

        answers = self._predict([self._example(each) for each in text_input_list])
        if any(answer is None for answer in answers):
            raise ModelError("the model gave no finite numbers for a text that TextAttack asked for.")
        rows = torch.tensor([answer.tilted for answer in answers if answer is not None], dtype=torch.float64)
        return rows / rows.sum(dim=1, keepdim=True)

    def get_grad(self, text_input: str | Sequence[str]) -> dict[str, Any]:
        """Return the gradient of the predicted label's loss with respect to the input embedding.

        Returns:
            ``gradient``, ``[tokens, dims]``, and ``ids``, the indices of the tokens in the text.

        Raises:
            ModelError: The model is not differentiable.
        """
        import torch

        model = self._differentiable()
        embedded = model.embed([self._example(text_input)])
        point = embedded.embeddings.detach().clone().requires_grad_(True)
        logits = model.logits(point, embedded)
        loss = torch.nn.functional.cross_entropy(logits, logits.argmax(dim=1))
        gradient = torch.autograd.grad(loss, point)[0][0].cpu().numpy()
        return {"ids": list(range(len(gradient))), "gradient": gradient}

    def tokenize(self, inputs: Sequence[str | Sequence[str]], strip_prefix: bool = False) -> list[list[str]]:
        """Split texts into the model's tokens, as substrings of the texts.

        Returns:
            For each text one string for each row of ``get_grad``. A token that is not in the text, such as [CLS], is a
            character that occurs in no word.

        Raises:
            ModelError: The model does not report the places of its tokens.
        """
        model = self._differentiable()
        found = []
        for each in inputs:
            example = self._example(each)
            embedded = model.embed([example])
            spans = list(embedded.spans[0])
            spans += [None] * (embedded.embeddings.shape[1] - len(spans))
            found.append([_NO_TEXT if span is None else example.fields[span[0]][span[1] : span[2]] for span in spans])
        return found

    def _example(self, texts: str | Sequence[str]) -> Example:
        parts = (texts,) if isinstance(texts, str) else tuple(texts)
        if len(parts) != len(self.fields):
            raise ModelError(
                f"TextAttack asked for {len(parts)} text where the model reads {', '.join(self.fields)}; "
                "this attack does not keep several fields apart."
            )
        return Example(dict(zip(self.fields, parts, strict=True)))

    def _differentiable(self) -> DifferentiableModel:
        if not isinstance(self.model, DifferentiableModel):
            raise ModelError(
                f"this attack needs gradients, and {type(self.model).__name__} has none (no 'embed' and 'logits')."
            )
        return self.model
