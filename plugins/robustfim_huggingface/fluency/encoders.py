"""Pretrained models behind constraints: loaded late, by name or folder, from transformers."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

from robustfim.errors import ModelError

__all__ = ["load", "masked", "version"]


def load(constraint: str, architecture: str, name: str | Path, *, offline: bool) -> tuple[Any, Any]:
    """Load a tokeniser and a model for inference.

    Args:
        constraint: The constraint's name, for the message.
        architecture: The class of transformers that reads the model, such as ``AutoModel``.
        name: A name on the hub, or a folder.
        offline: Whether nothing may be fetched.

    Raises:
        ModelError: transformers is not installed, the model is not there, or its weights are another kind of model's.
    """
    transformers = _transformers(constraint)
    try:
        reader = transformers.AutoTokenizer
        tokenizer = reader.from_pretrained(str(name), local_files_only=offline)
        model, found = getattr(transformers, architecture).from_pretrained(
            str(name), local_files_only=offline, use_safetensors=True, output_loading_info=True
        )
    except (OSError, ValueError) as error:
        raise _unread(constraint, name, error) from error
    missing = [
        key for key in sorted(found["missing_keys"]) if "pooler" not in key or architecture.endswith("Classification")
    ]
    if missing:
        raise ModelError(
            f"{constraint}: the weights of {str(name)!r} lack {missing[0]}, which would be random numbers. "
            f"It takes a model that {architecture} reads whole."
        )
    return tokenizer, model.eval()


def masked(constraint: str, name: str | Path, *, offline: bool) -> bool:
    """Tell whether a model is a masked language model, by the architecture that its config names.

    Raises:
        ModelError: transformers is not installed, or the config is not there.
    """
    try:
        config = _transformers(constraint).AutoConfig.from_pretrained(str(name), local_files_only=offline)
    except (OSError, ValueError) as error:
        raise _unread(constraint, name, error) from error
    return any(each.endswith(("ForMaskedLM", "ForPreTraining")) for each in config.architectures or ())


def _transformers(constraint: str) -> Any:
    try:
        import transformers
    except ImportError as error:
        raise ModelError(f"{constraint} needs transformers: pip install 'robustfim[huggingface]'") from error
    return transformers


def _unread(constraint: str, name: str | Path, error: Exception) -> ModelError:
    first = str(error).strip().splitlines()[0]
    return ModelError(f"{constraint}: the model {str(name)!r} cannot be loaded: {first}")


def version(name: str | Path, model: Any) -> str:
    """Name a loaded model: the folder with the hash of its files, or the name on the hub with its commit."""
    place = Path(name)
    if place.is_dir():
        digest = hashlib.sha256()
        for path in sorted(each for each in place.rglob("*") if each.is_file()):
            digest.update(path.relative_to(place).as_posix().encode())
            digest.update(hashlib.sha256(path.read_bytes()).digest())
        return f"{place.name} {digest.hexdigest()[:12]}"
    return " ".join(filter(None, (str(name), getattr(model.config, "_commit_hash", None))))
