"""A spaCy pipeline with a text categorizer, from its folder."""

from __future__ import annotations

import json
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
from robustfim_blackbox.saved import folder_hash, library, one_text

__all__ = ["SpacyTextcat"]


class SpacyTextcat:
    """A spaCy pipeline with ``textcat``, as ``nlp.to_disk`` wrote it; no gradients.

    One with ``textcat_multilabel`` gives each label a probability of its own and needs ``decide: {each: …}``. Needs
    ``pip install 'robustfim[spacy]'``, and whatever else its components need.

    Args:
        path: The folder.
        labels: Names of the classes: all in the order of the component (a list), or new names for some (a mapping).
        batch_size: Texts a call, at least 1.

    Raises:
        UsageError: There is no such folder, or it is no pipeline with a text categorizer.
    """

    libraries: ClassVar = {"spacy": "robustfim[spacy]"}

    def __init__(self, path: Path, labels: list[str] | dict[str, str] | None = None, batch_size: int = 128) -> None:
        if batch_size < 1:
            raise UsageError(f"{batch_size=} is below 1.")
        try:
            meta = json.loads((path / "meta.json").read_text(encoding="utf-8"))
            components = [str(name) for name in meta["pipeline"]]
        except (OSError, ValueError, KeyError, TypeError):
            raise UsageError(
                f"{path} is no spaCy pipeline: it has no meta.json that names one. 'path' is the folder that "
                "'nlp.to_disk' wrote, or 'model-best' of 'spacy train'."
            ) from None
        categorizers = [name for name in ("textcat", "textcat_multilabel") if name in components]
        if not categorizers:
            raise UsageError(f"{path} has no component 'textcat'; it has: {', '.join(components) or 'nothing'}.")
        self._path, self._names, self._component = path, labels, categorizers[0]
        self.contract = ModelContract(batch_size=batch_size)

    @cached_property
    def _pipeline(self) -> Any:
        spacy = library("spacy", extra="spacy")
        try:
            return spacy.load(self._path)
        except (OSError, ValueError, KeyError) as error:
            raise ModelError(f"model {self._path} cannot be loaded: {error}") from error

    @cached_property
    def _own(self) -> tuple[str, ...]:
        return tuple(self._pipeline.get_pipe(self._component).labels)

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """The labels, in the order of the component."""
        return renamed(self._own, self._names)

    @cached_property
    def fingerprint(self) -> str:
        """The hash of the folder's files and of the labels."""
        return digest("spacy", folder_hash(self._path), self.labels)

    def predict(self, examples: Sequence[Example]) -> npt.NDArray[np.float64]:
        """Predict a batch."""
        texts = [one_text(example, "spacy") for example in examples]
        documents = self._pipeline.pipe(texts, batch_size=self.contract.batch_size)
        rows = np.array([[document.cats[name] for name in self._own] for document in documents], np.float64)
        if self._component == "textcat":
            rows /= rows.sum(axis=1, keepdims=True)  # from float32
        return rows
