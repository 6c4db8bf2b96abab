"""Pretrained models of constraints, scores and paraphrasers, loaded from a folder or the hub at the first use."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from robustfim.errors import ModelError, UsageError
from robustfim_checkpoints.folder import Checkpoint, fetch, open_folder
from robustfim_checkpoints.library import library, torch_device
from robustfim_checkpoints.loading import load_model, load_tokenizer

__all__ = ["Pretrained", "check", "load"]

_AFTER_PADDING = frozenset(["roberta", "xlm-roberta", "camembert", "xlm-roberta-xl", "longformer", "mpnet"])
"""Architectures whose positions are counted from behind the padding token's."""


@dataclass(frozen=True)
class Pretrained:
    """A pretrained model in memory.

    Attributes:
        tokenizer: The model's tokenizer.
        model: The network, in evaluation mode.
        checkpoint: The saved model.
        device: The device on which the network computes.
    """

    tokenizer: Any
    model: Any
    checkpoint: Checkpoint
    device: Any

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

    @cached_property
    def longest(self) -> int:
        """The largest number of tokens that the network reads, special tokens included."""
        known, config = [self.tokenizer.model_max_length], self.model.config  # astronomical where it is not known
        if (positions := getattr(config, "max_position_embeddings", None)) is not None:
            known.append(positions - (config.pad_token_id + 1 if config.model_type in _AFTER_PADDING else 0))
        return int(min(known))

    @property
    def digest(self) -> str:
        """The first 12 digits of the hub's commit, or of a hash of the folder's files."""
        return self.checkpoint.digest[:12]

    @cached_property
    def _first_token(self) -> bool:
        """Whether sentence-transformers pools this encoder by its first token."""
        path = self.checkpoint.folder / "1_Pooling" / "config.json"
        return path.is_file() and bool(json.loads(path.read_text(encoding="utf-8")).get("pooling_mode_cls_token"))

    def sentence_vectors(self, inputs: Mapping[str, Any]) -> Any:
        """Embed tokenized texts, ``[texts, dims]``.

        An embedding is the mean over a text's tokens, or the first token's if a folder of sentence-transformers says so
        (Reimers and Gurevych 2019).
        """
        import torch

        with torch.inference_mode():
            states = self.model(**inputs).last_hidden_state
        mask = inputs["attention_mask"][..., None].to(states.dtype)
        return states[:, 0] if self._first_token else (states * mask).sum(1) / mask.sum(1).clamp(min=1)

    def reads(self, text: str) -> bool:
        """Return whether the network can read the whole text: it is not too long, and has no broken characters."""
        try:
            text.encode()
        except UnicodeEncodeError:
            return False
        # A text of such a length need not be split to be known.
        if len(text) > 64 * self.longest:
            return False
        return 0 < len(self.tokenizer(text, verbose=False)["input_ids"]) <= self.longest


@contextmanager
def _named(who: str) -> Iterator[None]:
    try:
        yield
    except (ModelError, UsageError) as error:
        raise type(error)(f"{who}: {error}") from error


def check(who: str, name: str | Path) -> None:
    """Check, without importing anything heavy, that a folder holds a saved model; a hub's name is not looked up.

    Args:
        who: The constraint, score or option that names the model, for messages.
        name: A name on the hub, or a folder.

    Raises:
        UsageError: The folder does not exist, or has no model.
        ModelError: The folder has pickled weights only.
    """
    if isinstance(name, Path) or Path(name).is_dir():
        with _named(who):
            open_folder(Path(name))


def load(
    who: str, name: str | Path, architecture: Callable[[Mapping[str, Any]], str], *, offline: bool,
    device: str = "cpu", dtype: str = "float32",
) -> Pretrained:  # fmt: skip
    """Load a tokenizer and a model for inference.

    Args:
        who: The constraint, score or option that loads the model, for messages.
        name: A name on the hub, or a folder.
        architecture: A function from a model's config to the class of transformers that reads it, such as
            ``AutoModel``.
        offline: Whether only files on this machine may be used.
        device: A torch device, or ``auto``: a GPU if there is one.
        dtype: The precision of weights and activations.

    Raises:
        UsageError: The folder or model does not exist, or is not a model of transformers.
        ModelError: transformers is not installed, or the weights are pickled or do not fit the class.
    """
    with _named(who):
        torch = library("torch", extra="huggingface")
        local = isinstance(name, Path) or Path(name).is_dir()
        checkpoint = open_folder(Path(name), offline=offline) if local else fetch(str(name), None, offline=offline)
        tokenizer = load_tokenizer(checkpoint)
        model = load_model(checkpoint, getattr(torch, dtype), tokenizer, architecture(checkpoint.config))
        place = torch_device(device)
    return Pretrained(tokenizer, model.to(place), checkpoint, place)
