"""The base class of the reference models: a folder, a network that is loaded late, and predictions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, TypeVar

import numpy as np
from numpy.typing import NDArray

from robustfim.errors import ModelError, UsageError
from robustfim.example import Example
from robustfim.roles import Embedded
from robustfim_reference.folder import ModelFolder

if TYPE_CHECKING:
    from torch import Tensor, nn

__all__ = ["Reference"]

Loaded = TypeVar("Loaded")


class Reference:
    """Base of the trained reference models.

    Args:
        path: A folder written by ``robustfim train``; None for the weights of this plugin.
        device: The device to compute on: ``"cpu"``, ``"cuda"``, ``"cuda:1"``…

    Raises:
        UsageError: The folder is missing, or does not have a model of this architecture.
    """

    libraries: ClassVar = {"torch": "robustfim[torch]"}
    architecture: ClassVar[str]
    vocabulary_file: ClassVar[str] = "vocabulary.txt"
    extra: ClassVar[str] = "torch"
    shipped: ClassVar[str | None] = None
    """The folder of the weights that come with it; that of its architecture by default."""

    def __init__(self, *, path: Path | None = None, device: str = "cpu") -> None:
        self.folder = ModelFolder.open(path, self.architecture, self.vocabulary_file, shipped=self.shipped)
        self.device = device

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels, in the order of the columns of ``predict``."""
        return self.folder.labels

    @property
    def fingerprint(self) -> str:
        """The SHA-256 over the settings, the vocabulary and the weights."""
        return self.folder.fingerprint

    @property
    def max_tokens(self) -> int:
        """The largest number of tokens read; the rest of a text is truncated."""
        return int(self.folder.config["max_tokens"])

    @cached_property
    def module(self) -> nn.Module:
        """The network, in evaluation mode. After ``module.double()`` all computations are in float64.

        Raises:
            UsageError: The weights cannot be read or do not fit the settings, or the device does not exist.
            ModelError: torch or another library of the model is not installed.
        """
        try:
            module = self._readable(self.load)
        except ModuleNotFoundError as error:
            raise ModelError(
                f"reference/{self.architecture} needs {error.name}: pip install 'robustfim[{self.extra}]'."
            ) from error
        try:
            module = module.to(self.device)
        except (AssertionError, RuntimeError) as error:  # a build without CUDA asserts
            raise UsageError(f"device={self.device!r} cannot be used: {error}. Leave it out for the CPU.") from error
        return module.eval().requires_grad_(False)

    def _readable(self, load: Callable[[], Loaded]) -> Loaded:
        """Load weights, and say what is wrong with the files."""
        from safetensors import SafetensorError

        try:
            return load()
        except (SafetensorError, OSError, KeyError, TypeError, ValueError, RuntimeError) as error:
            raise UsageError(
                f"{self.folder.path}: the weights cannot be read: {error}. Train them again with "
                f"'robustfim train {self.architecture}'."
            ) from error

    def load(self) -> nn.Module:
        """Load the network from the folder, in float32 and on the CPU."""
        raise NotImplementedError

    def embed(self, examples: Sequence[Example]) -> Embedded:
        """Return the input embeddings of a batch, padded on the right."""
        raise NotImplementedError

    def logits(self, embeddings: Tensor, embedded: Embedded) -> Tensor:
        """Map input embeddings ``[batch, tokens, dims]`` to logits ``[batch, classes]``."""
        raise NotImplementedError

    def predict(self, examples: Sequence[Example]) -> NDArray[np.float64]:
        """Return probabilities ``[examples, classes]``, the softmax of the logits."""
        _ = self.module  # says what is missing when torch is
        import torch

        with torch.inference_mode():
            embedded = self.embed(examples)
            logits = self.logits(embedded.embeddings, embedded)
        probabilities: NDArray[np.float64] = logits.cpu().double().softmax(dim=1).numpy()
        return probabilities
