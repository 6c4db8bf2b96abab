"""The model ``windows``, which cuts a long text into windows and joins another model's answers to them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import ClassVar

import numpy as np

from robustfim.errors import UsageError, shown, suggestions
from robustfim.example import Example
from robustfim.parts import ModelPart
from robustfim.roles import Model, Span
from robustfim.window import Window, windows
from robustfim.words import word_spans

__all__ = ["Windows"]


class Windows:
    """Cuts a long text into windows, asks a model about each window, and joins the probabilities.

    The field with the most words is cut. Windows of one text overlap by ``size - stride`` words. The other fields are
    repeated in each window. There are no gradients.

    Args:
        model: The model that reads the windows, by name or with its options.
        size: The number of words of a window, at least 1.
        stride: The number of words between the beginnings of neighbouring windows, from 1 to ``size``.
        label: A label. The window with the highest probability of this label decides, as in a guard that blocks a text
            because of one bad window. With null, the mean over the windows is used.

    Raises:
        UsageError: A number is out of range, or the model has no such label.
    """

    libraries: ClassVar[Mapping[str, str]] = {}

    def __init__(self, *, model: Model, size: int, stride: int, label: str | None = None) -> None:
        self._model, self._size, self._stride, self._label = model, size, stride, label
        self.labels = ModelPart(model).labels
        if not 1 <= stride <= size:
            raise UsageError(f"windows need 1 ≤ stride ≤ size, unlike {stride=} and {size=}.")
        if label is not None and label not in self.labels:
            raise UsageError(f"the model has no label {shown(label)}.{suggestions(label, self.labels)}")

    @property
    def fingerprint(self) -> str:
        """The fingerprint of the other model, with the options."""
        by = f"most {self._label}" if self._label is not None else "mean"
        return f"{self._model.fingerprint} in windows of {self._size} words every {self._stride}, {by}"

    def predict(self, examples: Sequence[Example]) -> list[list[float]]:
        """Return probabilities ``[examples, classes]``, joined over the windows of each example."""
        cuts = [[*self._cut(example)] for example in examples]
        rows = np.asarray(self._model.predict([window for cut in cuts for window, _, _ in cut]), dtype=float)
        parts = np.split(rows, np.cumsum([len(cut) for cut in cuts])[:-1])  # [windows, classes] each
        if self._label is None:
            return [part.mean(axis=0).tolist() for part in parts]
        column = self.labels.index(self._label)
        return [part[part[:, column].argmax()].tolist() for part in parts]

    def window(self, examples: Sequence[Example]) -> list[list[Span] | None]:
        """Return for each example the parts of its text that the model reads; None if it reads all of it."""
        cuts = [[*self._cut(example)] for example in examples]
        read = windows(self._model, [window for cut in cuts for window, _, _ in cut])
        if read is None:
            return [None] * len(examples)
        own = iter(read)
        return [_joined([(*each, next(own)) for each in cut]) for cut in cuts]

    def _cut(self, example: Example) -> Iterator[tuple[Example, str, int]]:
        """Cut an example into windows, each with the field that is cut and where in it the window begins."""
        words = {name: word_spans(text) for name, text in example.fields.items()}
        field = max(words, key=lambda name: len(words[name]))
        text, spans = example.fields[field], words[field]
        for first in range(0, max(1, len(spans) - self._size + self._stride), self._stride):
            part = spans[first : first + self._size]
            start = part[0][0] if first else 0
            end = part[-1][1] if first + self._size < len(spans) else len(text)
            yield replace(example, fields={**example.fields, field: text[start:end]}), field, start


def _joined(cut: Sequence[tuple[Example, str, int, Window | None]]) -> list[Span] | None:
    """Join what is read of the windows of an example; None where each is read whole."""
    if all(read is None for *_, read in cut):
        return None
    spans: list[Span] = []
    for window, field, start, read in cut:
        whole = [(name, 0, len(text)) for name, text in window.fields.items()]
        for name, first, last in whole if read is None else read.parts:
            moved = start if name == field else 0
            spans.append((name, first + moved, min(last, len(window.fields[name])) + moved))
    return spans
