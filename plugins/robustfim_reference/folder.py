"""The folder of a trained model, checked without importing torch."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from functools import cached_property
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any

from robustfim.errors import UsageError

__all__ = ["CONFIG", "WEIGHTS", "ModelFolder"]

CONFIG, WEIGHTS = "config.json", "model.safetensors"


@dataclass(frozen=True)
class ModelFolder:
    """The folder of a reference model.

    Attributes:
        path: The folder.
        architecture: The required architecture: ``"fasttext"``, ``"cnn"``, ``"lstm"``, ``"bert"`` or ``"tagger"``.
        vocabulary: The name of the vocabulary's file; None if the model has none.
    """

    path: Path
    architecture: str
    vocabulary: str | None

    @classmethod
    def open(
        cls, path: Path | None, architecture: str, vocabulary: str | None, shipped: str | None = None
    ) -> ModelFolder:
        """Open a model's folder, and check that its files are complete and of the required architecture.

        Args:
            path: A folder written by ``robustfim train``; None for the weights of this plugin.
            architecture: The required architecture.
            vocabulary: The name of the vocabulary's file; None if the model has none.
            shipped: The name of the folder with the plugin's own weights; by default the architecture.

        Raises:
            UsageError: The folder or one of its files is missing, or the folder has another kind of model.
        """
        if path is None:
            with as_file(files("robustfim_reference") / "weights" / (shipped or architecture)) as own:
                path = own
        folder = cls(Path(path), architecture, vocabulary)
        again = f"Write one with 'robustfim train {architecture} --out FOLDER', or leave 'path' out."
        if not folder.path.is_dir():
            raise UsageError(f"no folder {folder.path} with a trained model. {again}")
        for name in folder.names:
            if not (folder.path / name).is_file():
                raise UsageError(f"{folder.path} holds no {name}, so it is not a trained {architecture}. {again}")
        if folder.kind != architecture:
            raise UsageError(f"{folder.path} holds a model of kind {folder.kind!r}, not {architecture!r}. {again}")
        return folder

    @property
    def names(self) -> list[str]:
        """The names of the files that affect a prediction."""
        return [name for name in (CONFIG, self.vocabulary, WEIGHTS) if name is not None]

    @cached_property
    def config(self) -> dict[str, Any]:
        """The settings of the training."""
        try:
            config = json.loads((self.path / CONFIG).read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise UsageError(f"{self.path / CONFIG} cannot be read: {error}.") from error
        if not isinstance(config, dict):
            raise UsageError(f"{self.path / CONFIG} holds no JSON object.")
        return config

    @property
    def kind(self) -> str:
        """The architecture that the settings name."""
        return str(self.config.get("architecture") or self.config.get("model_type"))

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """The labels, in the order of the model's outputs.

        Raises:
            UsageError: The settings have fewer than two labels.
        """
        numbered = self.config.get("id2label")
        labels = self.config.get("labels") or (
            [numbered[key] for key in sorted(numbered, key=int)] if isinstance(numbered, dict) else []
        )
        if not isinstance(labels, list) or len(labels) < 2:
            raise UsageError(f"{self.path / CONFIG} names fewer than two labels.")
        return tuple(str(label) for label in labels)

    @cached_property
    def fingerprint(self) -> str:
        """The SHA-256 over the settings, vocabulary and weights, 64 hexadecimal digits."""
        digest = hashlib.sha256()
        for name in self.names:
            content = (self.path / name).read_bytes()
            digest.update(f"{name} {len(content)}\n".encode())
            digest.update(content)
        return digest.hexdigest()
