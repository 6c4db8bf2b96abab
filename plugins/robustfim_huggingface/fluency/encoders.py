"""Pretrained models behind constraints and scores: loaded late, by name or folder, from transformers."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from robustfim.errors import ModelError, UsageError
from robustfim_huggingface.checkpoint.folder import Checkpoint, fetch, open_folder
from robustfim_huggingface.checkpoint.library import library
from robustfim_huggingface.checkpoint.loading import load_model, load_tokenizer

__all__ = ["Pretrained", "load"]


@dataclass(frozen=True)
class Pretrained:
    """A model in memory, on the CPU and in float32, that takes part in no verdict of its own.

    Attributes:
        tokenizer: Its tokenizer.
        model: The network, in evaluation mode.
        checkpoint: Where it was read.
    """

    tokenizer: Any
    model: Any
    checkpoint: Checkpoint

    @cached_property
    def version(self) -> str:
        """The folder with the hash of its files, or the name on the hub with its commit; an adapter with its base's."""
        folder, adapter = self.checkpoint.folder, self.checkpoint.adapter
        if adapter is not None:
            return f"{adapter.name} {self.checkpoint.digest}"
        if self.checkpoint.commit is not None:
            return f"{self.checkpoint.name} {self.checkpoint.commit}"
        digest = hashlib.sha256()
        for path in sorted(each for each in folder.rglob("*") if each.is_file()):
            digest.update(path.relative_to(folder).as_posix().encode())
            digest.update(hashlib.sha256(path.read_bytes()).digest())
        return f"{folder.name} {digest.hexdigest()[:12]}"


def load(who: str, name: str | Path, architecture: Callable[[Mapping[str, Any]], str], *, offline: bool) -> Pretrained:
    """Load a tokenizer and a model for inference.

    Args:
        who: The constraint or score that asks, for messages.
        name: A name on the hub, or a folder.
        architecture: Gives the class of transformers that reads a model with such a config, such as ``AutoModel``.
        offline: Whether nothing may be fetched.

    Raises:
        UsageError: There is no such folder or model, or it is none of transformers.
        ModelError: transformers is not installed, or the weights are pickled or another kind of model's.
    """
    try:
        torch = library("torch", extra="huggingface", error=ModelError)
        local = isinstance(name, Path) or Path(name).is_dir()
        checkpoint = open_folder(Path(name), offline=offline) if local else fetch(str(name), None, offline=offline)
        tokenizer = load_tokenizer(checkpoint)
        model = load_model(checkpoint, torch.float32, tokenizer, architecture(checkpoint.config))
    except (ModelError, UsageError) as error:
        raise type(error)(f"{who}: {error}") from error
    return Pretrained(tokenizer, model, checkpoint)
