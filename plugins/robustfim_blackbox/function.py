"""A model that is a Python function."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any

from robustfim.contract import ModelContract
from robustfim.errors import UsageError
from robustfim.example import Example
from robustfim.labels import class_names
from robustfim_blackbox.answers import read_answers
from robustfim_blackbox.digest import digest
from robustfim_blackbox.import_path import place_of
from robustfim_blackbox.inputs import inputs
from robustfim_blackbox.task import Task, require_labels

__all__ = ["PythonFunction"]


class PythonFunction:
    """A Python function from texts to probabilities or labels.

    The function is called with a list of texts, or of ``{field: text}`` where the examples have several fields. It
    returns a list or an array with one answer a text: a row of probabilities in the order of ``labels``, or
    ``{label: probability}``, or the label alone, or None for no answer. A tagger returns for each text a list of spans,
    ``(start, end, label)``, with the probability behind it where there is one; a regression or a reward model a number
    for each. It is imported at the first prediction.

    Args:
        call: The function, as ``package.module:name``; the current folder is searched after the installed packages.
        labels: The labels, in the order of the rows; none of a tagger, nor of a model that gives numbers.
        task: What the function says of a text: one of its ``labels``, its ``spans``, or a ``number``.
        logits: Whether the numbers are logits; a softmax is then applied.
        batch_size: Texts a call, at least 1.
        version: Change it when the function's answers change without its source: new weights, another service.
    """

    def __init__(
        self,
        call: str | Callable[..., Any],
        labels: list[str] | None = None,
        task: Task = "labels",
        logits: bool = False,
        batch_size: int = 64,
        version: str | int | float = "",
    ) -> None:
        if batch_size < 1:
            raise UsageError(f"{batch_size=} is below 1.")
        require_labels(task, labels, logits=logits)
        self._path, self._logits, self._version = place_of(call), logits, version
        self.labels = class_names(labels or ())
        self.contract = ModelContract(batch_size=batch_size, may_change=True)
        if task == "spans":
            self.tag = self._call
        elif task == "number":
            self.rate = self._call

    @cached_property
    def _function(self) -> Any:
        found = self._path.load()
        if hasattr(found, "task") and type(found).__module__.startswith("transformers."):
            raise UsageError(
                f"call={self._path.path!r} is a pipeline of transformers, whose window 'python' cannot know: "
                f"{{use: huggingface/pipeline, pipeline: {self._path.path!r}}}."
            )
        if inspect.isclass(found) or not callable(found):
            what = (
                "a class; name an instance that can be called, or a function"
                if inspect.isclass(found)
                else f"no function{'; a fitted pipeline is for use: sklearn' * hasattr(found, 'predict')}"
            )
            raise UsageError(f"call={self._path.path!r} is {what}.")
        return found

    @cached_property
    def fingerprint(self) -> str:
        """The hash of the function's source file (of its package, if it is in one), its own files, and the options.

        Its own files are the modules beside it that it imports, and what lies beside it or in the current folder and is
        read while it is imported. What it reads later, or asks elsewhere, is not in it: a sample of stored answers is
        asked again, and ``version`` stands for it.

        Raises:
            UsageError: There is no such function.
            ModelError: Its module raised when it was imported.
        """
        source = self._path.digest(self._function)
        return digest("python", source, self.labels, self._logits, self._version)

    def _call(self, examples: Sequence[Example]) -> Any:
        """Call the function once; what it gives is read by whoever asks."""
        return self._function(inputs(examples))

    def predict(self, examples: Sequence[Example]) -> Any:
        """Call the function once."""
        answers = self._function(inputs(examples))
        source = f"the function {self._path.path}"
        return read_answers(answers, self.labels, expected=len(examples), source=source, logits=self._logits)
