"""A Python function as a model."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any

from pydantic import PositiveInt

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

    The function is called with a list of texts, or of ``{field: text}`` if the examples have several fields. It returns
    a list or an array with one answer for each text: a row of probabilities in the order of ``labels``, or ``{label:
    probability}``, or a label, or None for no answer. A tagger returns a list of spans for each text, ``(start, end,
    label)`` or ``(start, end, label, probability)``. A regression or a reward model returns a number for each text. The
    function is imported at the first prediction.

    Args:
        call: The function, as ``package.module:name``; the current folder is searched after the installed packages.
        labels: The labels, in the order of the rows; not used for taggers and for models that return numbers.
        task: The kind of answer: one of the ``labels``, ``spans``, or a ``number``.
        logits: Whether the numbers are logits, to which a softmax is applied.
        batch_size: The number of texts in a call, at least 1.
        version: Change it when the function's answers change but its source does not: new weights, another service.
    """

    def __init__(
        self,
        call: str | Callable[..., Any],
        labels: list[str] | None = None,
        task: Task = "labels",
        logits: bool = False,
        batch_size: PositiveInt = 64,
        version: str | int | float = "",
    ) -> None:
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
                f"call={self._path.path!r} is a pipeline of transformers; 'use: python' cannot read the length "
                f"limit of such a pipeline. Write {{use: huggingface/pipeline, pipeline: {self._path.path!r}}}."
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

        The function's own files are the imported modules beside it, and the files beside it or in the current folder
        that are read during the import. Files read later, and services, are not included: change ``version`` for them.
        Each run also asks again for a sample of stored answers.

        Raises:
            UsageError: The function does not exist.
            ModelError: The function's module raised an exception during the import.
        """
        source = self._path.digest(self._function)
        return digest("python", source, self.labels, self._logits, self._version)

    def _call(self, examples: Sequence[Example]) -> Any:
        """Call the function once; what it gives is read by whoever asks."""
        return self._function(inputs(examples))

    def predict(self, examples: Sequence[Example]) -> Any:
        """Predict examples in one call of the function."""
        answers = self._function(inputs(examples))
        source = f"the function {self._path.path}"
        return read_answers(answers, self.labels, expected=len(examples), source=source, logits=self._logits)
