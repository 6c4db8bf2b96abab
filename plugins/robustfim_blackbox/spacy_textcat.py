"""A spaCy pipeline with a text categorizer, from its folder or from a script."""

from __future__ import annotations

import configparser
import json
import secrets
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt
from pydantic import PositiveInt

from robustfim.contract import ModelContract
from robustfim.errors import ModelError, UsageError, shown
from robustfim.example import Example
from robustfim.labels import class_names
from robustfim_blackbox.digest import digest
from robustfim_blackbox.saved import folder_hash, one_text
from robustfim_checkpoints.library import library

__all__ = ["GivenTextcat", "SpacyTextcat"]

_FACTORIES = ("textcat", "textcat_multilabel")


class SpacyTextcat:
    """A spaCy pipeline with ``textcat``, saved by ``nlp.to_disk``; no gradients.

    A pipeline with ``textcat_multilabel`` gives each label a separate probability, and needs ``decide: {each: …}`` in
    the suite. Needs ``pip install 'robustfim[spacy]'`` and the libraries of its components.

    Args:
        path: The folder.
        labels: Names of the classes: all in the order of the component (a list), or new names for some (a mapping).
        batch_size: The number of texts in a call, at least 1.

    Raises:
        UsageError: The folder is missing, or has no pipeline with a text categorizer.
    """

    libraries: ClassVar = {"spacy": "robustfim[spacy]"}

    def __init__(
        self, path: Path, labels: list[str] | dict[str, str] | None = None, batch_size: PositiveInt = 128
    ) -> None:
        try:
            meta = json.loads((path / "meta.json").read_text(encoding="utf-8"))
            factories = _factories(path, [str(name) for name in meta["pipeline"]])
        except (OSError, ValueError, KeyError, TypeError, configparser.Error):
            raise UsageError(
                f"{path} is not a spaCy pipeline: it has no meta.json that names one. 'path' is the folder that "
                "'nlp.to_disk' wrote, or 'model-best' of 'spacy train'."
            ) from None
        self._path, self._names = path, labels
        self._component, several = _categorizer(factories, str(path))
        self.contract = ModelContract(batch_size=batch_size, several=several)

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
        """The labels, in the order of the pipeline's text categorizer.

        Raises:
            ModelError: The component has no labels.
        """
        if not self._own:
            raise ModelError(f"the component {self._component!r} has no labels: it is not trained.")
        return class_names(self._own, self._names)

    @cached_property
    def fingerprint(self) -> str:
        """The hash of the folder's files and of the labels."""
        return digest("spacy", folder_hash(self._path), self.labels)

    def predict(self, examples: Sequence[Example]) -> npt.NDArray[np.float64]:
        """Predict a batch."""
        texts = [one_text(example, "spacy") for example in examples]
        documents = self._pipeline.pipe(texts, batch_size=self.contract.batch_size)
        rows = np.array([[document.cats[name] for name in self._own] for document in documents], np.float64)
        if not self.contract.several:
            rows /= rows.sum(axis=1, keepdims=True)  # from float32
        return rows


class GivenTextcat(SpacyTextcat):
    """A spaCy pipeline given by a script, with ``textcat`` or ``textcat_multilabel``; no gradients.

    Args:
        pipeline: The trained ``Language``; it cannot stand in a suite file.
        labels: As for ``spacy``.
        batch_size: As for ``spacy``.

    Raises:
        UsageError: The object is not a spaCy pipeline, or has no text categorizer.
    """

    def __init__(
        self, pipeline: Any, labels: list[str] | dict[str, str] | None = None, batch_size: PositiveInt = 128
    ) -> None:
        if not hasattr(pipeline, "pipe_names"):
            raise UsageError(f"a pipeline of spaCy is needed, not {shown(pipeline)}; 'spacy' takes the folder of one.")
        factories = {name: pipeline.get_pipe_meta(name).factory for name in pipeline.pipe_names}
        self._given, self._names, self._token = pipeline, labels, secrets.token_hex(32)
        self._component, several = _categorizer(factories, "the pipeline of spaCy")
        self.contract = ModelContract(batch_size=batch_size, several=several)

    @cached_property
    def _pipeline(self) -> Any:
        return self._given

    @property
    def fingerprint(self) -> str:
        """A unique text, since a pipeline in memory may change."""
        return self._token


def _factories(folder: Path, components: list[str]) -> dict[str, str]:
    """What made each component of a saved pipeline, which may be named otherwise."""
    config = configparser.ConfigParser(interpolation=None)
    config.read(folder / "config.cfg", encoding="utf-8")
    return {name: config.get(f"components.{name}", "factory", fallback=name).strip('"') for name in components}


def _categorizer(factories: dict[str, str], whose: str) -> tuple[str, bool]:
    """The name of the text categorizer, and whether it tells each label by itself."""
    named = [name for factory in _FACTORIES for name, made_by in factories.items() if made_by == factory]
    if not named:
        raise UsageError(f"{whose} has no component 'textcat'; it has: {', '.join(factories) or 'nothing'}.")
    return named[0], factories[named[0]] != _FACTORIES[0]
