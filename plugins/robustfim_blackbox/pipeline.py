"""A fitted scikit-learn pipeline as a model."""

from __future__ import annotations

import math
from collections.abc import Sequence
from contextlib import suppress
from copy import copy
from functools import cached_property
from typing import Any

from pydantic import PositiveInt

from robustfim.contract import ModelContract
from robustfim.errors import ModelError, UsageError, shown_names
from robustfim.example import Example
from robustfim.labels import class_names
from robustfim_blackbox.digest import digest
from robustfim_blackbox.import_path import place_of
from robustfim_blackbox.inputs import inputs

__all__ = ["SklearnPipeline"]


class SklearnPipeline:
    """A fitted scikit-learn pipeline, by its import path.

    The object has ``predict_proba`` and ``classes_``, or is a function without arguments that returns such an object.
    robustfim itself reads no pickle. The pipeline gets a list of texts; if the examples have several fields, a pandas
    data frame with a column for each. A pipeline that was fitted on a data frame gets the columns in its
    ``feature_names_in_``, from the fields and the other columns of the data. It is imported at the first prediction.

    Args:
        call: The pipeline or the function, as ``package.module:name``; the current folder is searched after the
            installed packages.
        labels: Names of the classes: all in the order of ``classes_`` (a list), or new names for some (a mapping);
            by default the classes' own.
        batch_size: The number of texts in a call, at least 1.
        version: Change it when the answers change but neither the source nor the fitted parameters do.
    """

    def __init__(
        self,
        call: Any,
        labels: list[str] | dict[str, str] | None = None,
        batch_size: PositiveInt = 256,
        version: str | int | float = "",
    ) -> None:
        self._path, self._names, self._version = place_of(call), labels, version
        self.contract = ModelContract(batch_size=batch_size, may_change=True)

    @cached_property
    def _pipeline(self) -> Any:
        found = self._path.load()
        if not hasattr(found, "predict_proba") and callable(found):
            found = found()
        kind, name = type(found).__name__, self._path.path
        classes = getattr(found, "classes_", None)
        if not hasattr(found, "predict"):
            raise UsageError(f"call={name!r} is a {kind}, neither a classifier nor a function that returns one.")
        if classes is None:
            raise ModelError(f"the pipeline {name} ({kind}) has no 'classes_': it is not fitted, or no classifier.")
        if not hasattr(found, "predict_proba"):
            raise ModelError(
                f"the pipeline {name} ({kind}) has no 'predict_proba': wrap its classifier in scikit-learn's "
                "CalibratedClassifierCV, or use 'python' with a function that returns labels."
            )
        return found

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """The labels, in the order of ``classes_``."""
        if getattr(self._pipeline.classes_[0], "shape", ()):
            raise ModelError(f"the pipeline {self._path.path} has several outputs; robustfim tests one label a text.")
        return class_names(self._pipeline.classes_, self._names)

    @cached_property
    def fingerprint(self) -> str:
        """The hash of the fitted parameters, of the source code, and of the options."""
        source = self._path.digest(self._path.load())
        return digest("sklearn", source, _state(self._pipeline), self.labels, self._version)

    @cached_property
    def _columns(self) -> tuple[str, ...]:
        """The columns of the frame that it was fitted on; none where it was fitted on texts."""
        return tuple(map(str, getattr(self._pipeline, "feature_names_in_", ())))

    @cached_property
    def _numbers(self) -> frozenset[str]:
        """The columns that go to steps which read no text: a CSV has nothing but text."""
        steps = [self._pipeline, *getattr(self._pipeline, "get_params", dict)().values()]
        parts: list[Any] = next((step.transformers_ for step in steps if hasattr(step, "transformers_")), [])
        return frozenset(
            str(column)
            for _, step, columns in parts
            if not _reads_text(step)
            for column in _named(columns, self._columns)
        )

    def attached(self, example: Example) -> str:
        """Return an example's further columns that the pipeline reads besides the text fields, as text."""
        return repr([(name, example.meta[name]) for name in self._beside(example)])

    def predict(self, examples: Sequence[Example]) -> Any:
        """Return the class probabilities of examples, from one call of ``predict_proba``.

        Raises:
            ModelError: The pipeline needs a data frame, but pandas is not installed or an example lacks a column; or
                the pipeline was fitted on numbers.
        """
        texts: Any = inputs(examples) if not self._columns else [self._row(example) for example in examples]
        if isinstance(texts[0], dict):
            try:
                import pandas
            except ModuleNotFoundError:
                raise ModelError("examples of several fields need pandas: pip install 'robustfim[data]'.") from None
            texts = pandas.DataFrame(texts)
        try:
            return self._pipeline.predict_proba(texts)
        except ValueError as error:
            has = {*examples[0].fields, *examples[0].meta}
            if missing := [name for name in self._columns if name not in has and name in str(error)]:
                raise ModelError(
                    f"the pipeline {self._path.path} was fitted on the columns {shown_names(self._columns)}, and the "
                    f"data have {shown_names(sorted(has))}: rename one of them to {missing[0]!r}."
                ) from error
            if not hasattr(self._pipeline, "n_features_in_") or hasattr(self._pipeline, "feature_names_in_"):
                raise
            raise ModelError(
                f"the pipeline {self._path.path} ({type(self._pipeline).__name__}) was fitted on "
                f"{self._pipeline.n_features_in_} numbers an example and is given texts: give the whole pipeline, with "
                "what makes numbers of texts, or a function: lambda texts: head.predict_proba(encoder.encode(texts))."
            ) from error

    def _row(self, example: Example) -> dict[str, Any]:
        if len(self._columns) == len(example.fields) == 1:  # under whatever name
            return {self._columns[0]: example.text}
        beside = {name: _cell(example.meta[name], number=name in self._numbers) for name in self._beside(example)}
        return {**example.fields, **beside}

    def _beside(self, example: Example) -> list[str]:
        """The columns of the frame that stand beside the fields; that of gold labels is not there."""
        return [name for name in self._columns if name not in example.fields and name in example.meta]


def _named(columns: Any, names: Sequence[str]) -> list[str]:
    """The columns of a part of a ColumnTransformer, which may be places or say of each whether it is there."""
    import numpy as np

    listed = [columns] if isinstance(columns, str) else columns
    if isinstance(listed, list) and all(isinstance(each, str) for each in listed):
        return listed
    return [str(name) for name in np.atleast_1d(np.asarray(names)[listed])]


def _reads_text(step: Any) -> bool:
    """Whether a fitted step, or one inside it, makes words or categories of text."""
    steps = [step, *(each for _, each in getattr(step, "steps", ()))]
    categories = [kind.dtype.kind for each in steps for kind in getattr(each, "categories_", ())]
    return any(hasattr(each, "analyzer") for each in steps) or any(kind in "OUST" for kind in categories)


def _cell(value: Any, *, number: bool) -> Any:
    """A cell as pandas reads it: a blank one is missing."""
    if value is None or (isinstance(value, str) and not value.strip()):
        return math.nan
    if number and isinstance(value, str):
        with suppress(ValueError):
            return float(value)
    return value


def _state(pipeline: Any) -> str | None:
    """Hash what was fitted; None where it holds what cannot be hashed (a lambda, a lock, an open file)."""
    from joblib.hashing import NumpyHasher  # comes with scikit-learn

    class Hasher(NumpyHasher):  # type: ignore[misc]  # joblib ships no types
        def save(self, item: Any) -> None:
            if "_stop_words_id" in getattr(item, "__dict__", ()):  # an address in memory, other in each process
                item = copy(item)
                del item._stop_words_id
            super().save(item)

    try:
        return str(Hasher(hash_name="sha1").hash(pipeline))
    except Exception:  # the classes of a pipeline may raise anything when they are asked for their state
        return None
