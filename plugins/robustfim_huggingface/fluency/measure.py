"""The base class of constraints that measure texts with a pretrained model."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from robustfim_checkpoints.pretrained import Pretrained, load

if TYPE_CHECKING:
    from robustfim.roles import Context

__all__ = ["Measure"]


class Measure:
    """Base of constraints with a pretrained model, which is loaded at the first use.

    Args:
        who: The constraint's name in messages.
        name: The model: a name on the hub, or a folder.
        reader: A function from the model's config to the class of transformers that reads it.
    """

    libraries: ClassVar = {"torch": "robustfim[torch]", "transformers": "robustfim[huggingface]"}

    def __init__(self, who: str, name: Path | str, reader: Callable[[Mapping[str, Any]], str]) -> None:
        self._who, self._name, self._reader = who, name, reader
        self._offline = False

    @cached_property
    def _loaded(self) -> Pretrained:
        return load(self._who, self._name, self._reader, offline=self._offline)

    def prepare(self, context: Context) -> None:
        """Load the model.

        Raises:
            UsageError: The model does not exist, or does not fit the constraint.
            ModelError: transformers is missing, or the model cannot be loaded.
        """
        self._offline = context.offline
        _ = self._loaded

    def resources(self) -> dict[str, str]:
        """Return the model's name and version, for the record."""
        return {"model": self._loaded.version}
