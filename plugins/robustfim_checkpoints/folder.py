"""Checkpoints: folders of saved models, on this machine or fetched from the hub."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from robustfim.errors import ModelError, UsageError, near_path
from robustfim_checkpoints.adapter import ADAPTER_CONFIG, adapter_config, trained_classes
from robustfim_checkpoints.library import is_offline, library, reason

__all__ = ["Checkpoint", "fetch", "open_folder"]

_HUB_ID = re.compile(r"[\w.-]+(/[\w.-]+)?")
_DECISIVE = {".json", ".txt", ".model", ".safetensors", ".bpe", ".tiktoken", ".vocab"}
"""Suffixes of the files that decide a prediction: configuration, vocabulary, weights."""

_NOT_WANTED = [
    "*/*",  # other formats, checkpoints of the training run
    *("*.bin", "*.pt", "*.pth", "*.ckpt", "*.pkl", "*.h5", "*.msgpack", "*.onnx", "*.ot", "*.gguf", "*.tflite"),
    "model.*.safetensors",  # variants, such as model.fp16.safetensors
]


@dataclass(frozen=True)
class Checkpoint:
    """A complete folder of a saved model: configuration, vocabulary and weights.

    Attributes:
        name: The user's name for the model: a folder or a hub id.
        folder: The folder with the model's files.
        commit: The commit on the hub; None for a local folder.
        adapter: The folder of a PEFT adapter that changes the model's weights; None without an adapter.
    """

    name: str
    folder: Path
    commit: str | None = None
    adapter: Path | None = None

    @cached_property
    def config(self) -> Mapping[str, Any]:
        """The content of ``config.json``.

        Raises:
            ModelError: ``config.json`` is not a JSON object.
        """
        try:
            config = json.loads((self.folder / "config.json").read_text(encoding="utf-8"))
        except ValueError as error:
            raise ModelError(f"model {self.name}: config.json is malformed: {error}.") from error
        if not isinstance(config, dict):
            raise ModelError(f"model {self.name}: config.json holds no JSON object.")
        classes = None if self.adapter is None else trained_classes(self.adapter)
        return config if classes is None else {**config, "num_labels": classes}

    @property
    def several(self) -> bool:
        """Whether the model was trained to predict each label independently (multi-label classification)."""
        return self.config.get("problem_type") == "multi_label_classification"

    @cached_property
    def digest(self) -> str:
        """An identifier of the saved model: the hub's commit, or a SHA-256 of all files that affect a prediction."""
        own = self.commit or _digest_of(self.folder)
        return own if self.adapter is None else f"{own} {_digest_of(self.adapter)}"

    @property
    def vocabulary(self) -> Path:
        """The folder with the tokenizer: the adapter's folder if it has a tokenizer, else the model's folder."""
        with_adapter = self.adapter is not None and any(self.adapter.glob("tokenizer*"))
        return self.adapter if self.adapter is not None and with_adapter else self.folder

    def require_weights(self) -> None:
        """Check that the folder has weights that are not a pickle.

        Raises:
            ModelError: There are no weights, or only weights in a format that can run code.
        """
        if any((self.folder / name).exists() for name in ("model.safetensors", "model.safetensors.index.json")):
            return
        others = sorted(path.name for path in self.folder.iterdir() if path.suffix in {".bin", ".pt", ".pth", ".h5"})
        there = f"; there is {', '.join(others)}" if others else ""
        raise ModelError(
            f"model {self.name}: no model.safetensors{there}. robustfim never loads pickled weights, such as "
            "pytorch_model.bin, because they can run code. If you trust them, convert them once: "
            'python -c "from transformers import AutoModelForSequenceClassification as M; '
            f"M.from_pretrained('{self.name}').save_pretrained('NEW_FOLDER')\", and save the tokenizer beside."
        )


def _digest_of(folder: Path) -> str:
    whole = hashlib.sha256()
    for path in sorted(folder.iterdir()):
        if path.suffix in _DECISIVE and path.is_file():
            with path.open("rb") as file:
                whole.update(f"{path.name}\0{hashlib.file_digest(file, 'sha256').hexdigest()}\n".encode())
    return whole.hexdigest()


def _adapted(name: str, folder: Path, *, offline: bool) -> Checkpoint:
    """Open the base model of an adapter, which names a folder, also one beside its own, or a hub id."""
    config = adapter_config(folder)
    base = str(config["base_model_name_or_path"])
    places = [place for place in (folder / base, Path(base)) if place.is_dir()]
    try:
        opened = open_folder(places[0]) if places else fetch(base, config.get("revision"), offline=offline)
    except (ModelError, UsageError) as error:
        raise type(error)(
            f"adapter {name}: its base model {base!r} cannot be opened: {error} Where it lies elsewhere, write the "
            f"place into 'base_model_name_or_path' of its {ADAPTER_CONFIG}."
        ) from error
    return replace(opened, name=name, adapter=folder)


def open_folder(folder: Path, *, offline: bool = False) -> Checkpoint:
    """Open the folder of a model, or of a PEFT adapter with its base model, on this machine.

    Raises:
        UsageError: The folder is missing, is a file, or has no model.
        ModelError: The model's weights are missing or pickled.
    """
    if folder.is_file():
        raise UsageError(f"{folder} is a file; name the folder that 'save_pretrained' wrote.")
    if not folder.is_dir():
        raise UsageError(f"no folder {folder}.{near_path(folder)}")
    if (folder / ADAPTER_CONFIG).is_file():
        return _adapted(str(folder), folder, offline=offline)
    if not (folder / "config.json").is_file():
        there = ", ".join(sorted(path.name for path in folder.iterdir())[:12]) or "nothing"
        raise UsageError(f"{folder} is not a saved model: it has no config.json. It holds: {there}.")
    checkpoint = Checkpoint(str(folder), folder)
    checkpoint.require_weights()
    return checkpoint


def fetch(name: str, revision: str | None, *, offline: bool) -> Checkpoint:
    """Fetch a model from the hub, or find it in the hub's cache on this machine.

    Args:
        name: The hub id, ``"owner/model"``.
        revision: A branch, tag or commit; None for the main branch.
        offline: Whether to use only the cache. ``HF_HUB_OFFLINE=1`` has the same effect.

    Raises:
        UsageError: There is no folder with this name, and the hub has no such model or ``offline`` is set.
        ModelError: The hub cannot be reached, refuses access, or has the weights only as a pickle.
    """
    if not _HUB_ID.fullmatch(name):
        raise UsageError(f"no folder {name}, and no hub model can have that name; a hub id is 'owner/model'.")
    hub = library("huggingface_hub", extra="huggingface")
    errors = library("huggingface_hub.errors", extra="huggingface")
    offline = offline or is_offline()
    try:
        folder = Path(
            hub.snapshot_download(name, revision=revision, ignore_patterns=_NOT_WANTED, local_files_only=offline)
        )
    except errors.GatedRepoError as error:
        raise ModelError(
            f"model {name}: the hub gives it only to those who accepted its terms. Accept them on its page, "
            "then set HF_TOKEN or run 'hf auth login'."
        ) from error
    except errors.RepositoryNotFoundError as error:
        raise UsageError(
            f"no folder {name}, and no hub model of that name could be fetched (the hub has none; a private one "
            "needs HF_TOKEN)."
        ) from error
    except errors.RevisionNotFoundError as error:
        raise UsageError(f"model {name}: the hub has no {revision=}.") from error
    except Exception as error:  # the client's errors (requests, httpx, xet, its own) share no base
        if offline:
            raise UsageError(
                f"no folder {name}, and no hub model of that name could be fetched (offline): the cache has no "
                "complete copy. Run once without --offline and HF_HUB_OFFLINE, or name a folder."
            ) from error
        raise ModelError(
            f"no folder {name}, and fetching the hub model failed: {reason(error)} Check the connection and run "
            "again (what has arrived is kept), or name a folder that 'save_pretrained' wrote."
        ) from error
    if (folder / ADAPTER_CONFIG).is_file():
        return _adapted(name, folder, offline=offline)
    if not (folder / "config.json").is_file():
        raise UsageError(f"hub model {name} is not a transformers model: it has no config.json.")
    checkpoint = Checkpoint(name, folder, commit=folder.name)
    checkpoint.require_weights()
    return checkpoint
