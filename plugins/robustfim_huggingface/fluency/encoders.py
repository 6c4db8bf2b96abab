"""Pretrained models of constraints and scores, loaded from a folder or the hub at the first use."""

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
    """A pretrained model of a constraint or score, in memory, on the CPU and in float32.

    Attributes:
        tokenizer: The model's tokenizer.
        model: The network, in evaluation mode.
        checkpoint: The saved model.
    """

    tokenizer: Any
    model: Any
    checkpoint: Checkpoint

    @cached_property
    def version(self) -> str:
        """The folder's name with a hash of its files, or the hub's name and commit; for an adapter, both digests."""
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
        who: The constraint or score that loads the model, for messages.
        name: A name on the hub, or a folder.
        architecture: A function from a model's config to the class of transformers that reads it, such as
            ``AutoModel``.
        offline: Whether only files on this machine may be used.

    Raises:
        UsageError: The folder or model does not exist, or is not a model of transformers.
        ModelError: transformers is not installed, or the weights are pickled or do not fit the class.
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
