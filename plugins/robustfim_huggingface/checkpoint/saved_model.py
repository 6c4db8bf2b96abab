"""The base class of models with a saved folder, whose network is loaded at the first use."""

from __future__ import annotations

import hashlib
import json
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Generic, Literal, TypedDict, TypeVar

from pydantic import PositiveInt

from robustfim.contract import ModelContract
from robustfim.errors import UsageError
from robustfim_checkpoints.folder import Checkpoint, fetch, open_folder
from robustfim_checkpoints.library import library
from robustfim_huggingface.checkpoint.known_words import known_words

if TYPE_CHECKING:
    from robustfim_huggingface.checkpoint.network import Network

__all__ = ["Loading", "SavedModel", "without_surrogates"]

N = TypeVar("N", bound="Network")
Precision = Literal["float32", "float16", "bfloat16"]


class Loading(TypedDict, total=False):
    """Options that all models of this plugin share; :class:`SavedModel` documents them."""

    max_length: PositiveInt | None
    batch_size: PositiveInt
    device: str
    dtype: Precision
    revision: str | None
    offline: bool


class SavedModel(ABC, Generic[N]):
    """Base class of this plugin's models, which are loaded from a folder or from the hub.

    The methods raise UsageError if an example lacks a field or its fields are ambiguous, and ModelError if the model
    cannot be loaded or has no table of input embeddings.

    Args:
        path: A folder written by ``save_pretrained``, or a hub id.
        max_length: The largest number of tokens read at once, special tokens included; by default the model's limit.
        batch_size: The number of texts in a forward pass, at least 1.
        device: ``auto`` (a GPU if there is one), ``cpu``, ``cuda``, ``cuda:1``, ``mps``.
        dtype: The precision of weights and activations. The softmax is always computed in float32 or finer.
        revision: The hub's branch, tag or commit.
        offline: Use only files that are already on this machine.

    Raises:
        UsageError: The folder is missing or not a model, or an option has no usable value.
        ModelError: The folder has only pickled weights.
    """

    libraries: ClassVar = {"torch": "robustfim[torch]", "transformers": "robustfim[huggingface]"}

    def __init__(
        self,
        path: Path | str,
        *,
        max_length: PositiveInt | None = None,
        batch_size: PositiveInt = 32,
        device: str = "auto",
        dtype: Precision = "float32",
        revision: str | None = None,
        offline: bool = False,
    ) -> None:
        self._batch_size = batch_size
        self._max_length, self._device, self._dtype = max_length, device, dtype
        self._path, self._revision, self._offline = path, revision, offline
        if isinstance(path, Path) or Path(path).is_dir():
            if revision is not None:
                raise UsageError(f"{revision=} is for a hub model; {path} is a folder.")
            self._checkpoint = open_folder(Path(path), offline=offline)

    @property
    @abstractmethod
    def labels(self) -> tuple[str, ...]:
        """The labels, in the order of the columns of ``predict``."""

    @property
    def contract(self) -> ModelContract:
        """The number of texts that the model takes in a call."""
        return ModelContract(batch_size=self._batch_size)

    @property
    def device(self) -> str:
        """The device of the model, such as ``cpu`` or ``cuda``. Reading this property loads the model."""
        return str(self.network.device)

    def called(self, name: str) -> None:
        """Set the model's name in messages. Call it before the model is loaded."""
        self._path, self._checkpoint = name, replace(self._checkpoint, name=name)

    def known_words(self) -> list[str]:
        """Return the entries of the model's vocabulary that can begin a word, in the vocabulary's order."""
        return known_words(self.network.reading.tokenizer)

    @cached_property
    def fingerprint(self) -> str:
        """A SHA-256 that identifies the model: its files or hub commit, and every option that affects an answer."""
        return hashlib.sha256(json.dumps(self._deciding()).encode()).hexdigest()

    @abstractmethod
    def _deciding(self) -> list[object]:
        """The kind of model, the hash of its files, and every option that alters an answer."""

    @abstractmethod
    def _kind(self) -> Callable[..., N]:
        """Import the class of the network."""

    @cached_property
    def _checkpoint(self) -> Checkpoint:
        return fetch(str(self._path), self._revision, offline=self._offline)

    @property
    def _outputs(self) -> int:
        """How many numbers the head gives."""
        return len(self.labels)

    @cached_property
    def network(self) -> N:
        """The network in memory. Reading this property loads the model."""
        for name in ("torch", "transformers"):
            library(name, extra="huggingface")
        return self._kind()(
            self._checkpoint,
            classes=self._outputs,
            max_length=self._max_length,
            device=self._device,
            dtype=self._dtype,
        )


def without_surrogates(text: str) -> str:
    """Replace lone surrogates (half characters), which JSON allows and tokenizers refuse, by ``?``."""
    return text.encode("utf-8", "replace").decode("utf-8")
