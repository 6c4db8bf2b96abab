"""A classifier of fastText, from its file."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from robustfim.contract import ModelContract
from robustfim.errors import ModelError, UsageError
from robustfim.example import Example
from robustfim_blackbox.digest import digest
from robustfim_blackbox.pipeline import renamed
from robustfim_blackbox.saved import file_hash, library, one_text

__all__ = ["MAGIC", "FastTextFile"]

MAGIC = (793712314).to_bytes(4, "little")
"""What a file of fastText begins with."""
_PREFIX = "__label__"


class FastTextFile:
    """A supervised model of fastText, as ``save_model`` wrote it (``.bin``, ``.ftz``); no gradients.

    Its labels exclude one another (loss ``softmax`` or ``hs``); those of ``ova`` do not and are refused. A line break
    is a blank, since fastText reads one line. Needs ``pip install 'robustfim[fasttext]'``.

    Args:
        path: The file.
        labels: Names of the classes: all in the order of the file, the commonest in training first (a list), or new
            names for some (a mapping); by default its own, without ``__label__``.
        batch_size: Texts a call, at least 1.

    Raises:
        UsageError: There is no such file, or it is none of fastText.
    """

    libraries: ClassVar = {"fasttext": "robustfim[fasttext]"}

    def __init__(self, path: Path, labels: list[str] | dict[str, str] | None = None, batch_size: int = 1024) -> None:
        if batch_size < 1:
            raise UsageError(f"{batch_size=} is below 1.")
        if not path.is_file():
            raise UsageError(f"{path}: there is no such file; 'path' is what fastText's 'save_model' wrote.")
        with path.open("rb") as file:
            if file.read(len(MAGIC)) != MAGIC:
                raise UsageError(f"{path} is no model of fastText: 'path' is what its 'save_model' wrote.")
        self._path, self._names = path, labels
        self.contract = ModelContract(batch_size=batch_size)

    @cached_property
    def _model(self) -> Any:
        fasttext = library("fasttext", extra="fasttext")
        try:
            model = fasttext.load_model(str(self._path))
        except (ValueError, RuntimeError, MemoryError) as error:
            raise ModelError(f"model {self._path} cannot be loaded: {error}") from error
        trained = model.f.getArgs()
        if trained.model.name != "supervised":
            raise UsageError(f"model {self._path} has no labels: train it with 'train_supervised'.")
        if trained.loss.name == "ova":
            raise UsageError(
                f"model {self._path} gives each label a probability of its own (loss 'ova'): wrap it with "
                "'use: python', and say 'decide: {each: {LABEL: 0.5}}'."
            )
        return model

    @cached_property
    def _own(self) -> tuple[str, ...]:
        return tuple(self._model.get_labels())

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """The labels, in the order of the file.

        Raises:
            ModelError: It cannot be loaded.
            UsageError: It was not trained to classify, its labels do not exclude one another, or the option ``labels``
                does not fit it.
        """
        return renamed([name.removeprefix(_PREFIX) for name in self._own], self._names)

    @cached_property
    def fingerprint(self) -> str:
        """The hash of the file and of the options."""
        return digest("fasttext", file_hash(self._path), self.labels)

    def predict(self, examples: Sequence[Example]) -> npt.NDArray[np.float64]:
        """Predict a batch.

        Args:
            examples: The batch, of one field, ``[examples]``.

        Returns:
            Probabilities ``[examples, classes]``; NaN for a text of which the model knows nothing.

        Raises:
            UsageError: An example has several fields.
            ModelError: The model cannot be loaded.
        """
        texts = [" ".join(one_text(example, "fasttext").split("\n")) for example in examples]
        place = {name: column for column, name in enumerate(self._own)}
        rows = np.zeros((len(texts), len(place)))
        for row, names, shares in zip(rows, *self._model.predict(texts, k=-1), strict=True):
            row[[place[name] for name in names]] = shares
            row[:] = row if len(names) else np.nan
        return np.asarray(rows / rows.sum(axis=1, keepdims=True))  # fastText adds 1e-5 to each
