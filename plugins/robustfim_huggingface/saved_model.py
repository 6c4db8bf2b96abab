"""A saved model: where its folder comes from, and the network in memory that is made of it at the first use."""

from __future__ import annotations

from abc import ABC, abstractmethod
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Generic, TypeVar

from robustfim.errors import ModelError, UsageError
from robustfim_huggingface.checkpoint import Checkpoint, fetch, open_folder
from robustfim_huggingface.library import library

if TYPE_CHECKING:
    from robustfim_huggingface.network import Network

__all__ = ["SavedModel", "without_surrogates"]

N = TypeVar("N", bound="Network")


class SavedModel(ABC, Generic[N]):
    """What every model of this plugin does alike, whatever it predicts.

    Args:
        path: A folder that ``save_pretrained`` wrote, or a hub id.
        max_length: Tokens read at most, special ones included; None for as many as the model can.
        batch_size: Examples a forward pass, at least 1.
        device: ``auto``, ``cpu``, ``cuda``, ``cuda:1``, ``mps``.
        dtype: The precision of weights and activations.
        revision: The hub's branch, tag or commit.
        offline: Use only what is already on this machine.

    Raises:
        UsageError: The folder is missing or no model, or an option has no usable value.
        ModelError: The folder has only pickled weights.
    """

    def __init__(
        self,
        path: Path | str,
        *,
        max_length: int | None,
        batch_size: int,
        device: str,
        dtype: str,
        revision: str | None,
        offline: bool,
    ) -> None:
        if batch_size < 1 or (max_length is not None and max_length < 1):
            raise UsageError(f"'batch_size' and 'max_length' are at least 1, not {batch_size} and {max_length}.")
        self.batch_size = batch_size
        self._max_length, self._device, self._dtype = max_length, device, dtype
        self._path, self._revision, self._offline = path, revision, offline
        if isinstance(path, Path) or Path(path).is_dir():
            if revision is not None:
                raise UsageError(f"{revision=} is for a hub model; {path} is a folder.")
            self._checkpoint = open_folder(Path(path))

    @property
    @abstractmethod
    def labels(self) -> tuple[str, ...]:
        """The labels, in the order of the columns of ``predict``."""

    @property
    def device(self) -> str:
        """Where the model computes, such as ``cpu`` or ``cuda``; asking loads it."""
        return str(self._network.device)

    @abstractmethod
    def _kind(self) -> type[N]:
        """Import the class of the network."""

    @cached_property
    def _checkpoint(self) -> Checkpoint:
        return fetch(str(self._path), self._revision, offline=self._offline)

    @cached_property
    def _network(self) -> N:
        for name in ("torch", "transformers"):
            library(name, extra="huggingface", error=ModelError)
        return self._kind()(
            self._checkpoint,
            classes=len(self.labels),
            max_length=self._max_length,
            device=self._device,
            dtype=self._dtype,
        )


def without_surrogates(text: str) -> str:
    """Replace half characters, which JSON can smuggle in and no tokenizer takes; all others keep their place.

    Args:
        text: Any text.
    """
    return text.encode("utf-8", "replace").decode("utf-8")
