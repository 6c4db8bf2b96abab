"""Adapters of PEFT, such as LoRA: small folders that change the weights of a base model."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from robustfim.errors import ModelError
from robustfim_checkpoints.library import library

__all__ = ["ADAPTER_CONFIG", "adapter_config", "merge", "saved_weights", "trained_classes"]

ADAPTER_CONFIG = "adapter_config.json"
_WEIGHTS = "adapter_model.safetensors"
_PREFIX = "base_model.model."


def adapter_config(folder: Path) -> Mapping[str, Any]:
    """Read an adapter's configuration, which names the base model.

    Args:
        folder: A folder written by PEFT's ``save_pretrained``.

    Returns:
        The contents of ``adapter_config.json``, with ``base_model_name_or_path``.

    Raises:
        ModelError: The configuration is malformed, names no base model or an adapter that changes no weights, or the
            weights are only a pickle.
    """
    try:
        config = json.loads((folder / ADAPTER_CONFIG).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ModelError(f"adapter {folder}: {ADAPTER_CONFIG} cannot be read: {error}.") from error
    base = config.get("base_model_name_or_path") if isinstance(config, dict) else None
    if not isinstance(base, str) or not base:
        raise ModelError(
            f"adapter {folder}: its {ADAPTER_CONFIG} names no base model. Write the folder or the hub id of the model "
            "that it was trained on into 'base_model_name_or_path' there."
        )
    if "num_virtual_tokens" in config:
        raise ModelError(
            f"adapter {folder} is of the kind {config.get('peft_type')}, which adds virtual tokens and changes no "
            "weights: call it from your own function, with 'use: python'."
        )
    if not (folder / _WEIGHTS).is_file():
        raise ModelError(
            f"adapter {folder} has no {_WEIGHTS}. robustfim never loads pickled weights, such as adapter_model.bin, "
            "because they can run code. If you trust them, load it once with PEFT and call "
            "save_pretrained('NEW_FOLDER')."
        )
    return dict(config)


def saved_weights(folder: Path) -> dict[str, tuple[int, ...]]:
    """Return the shape of each weight of an adapter, by the weight's name in the base model.

    Raises:
        ModelError: The file is broken.
    """
    from safetensors import SafetensorError, safe_open

    try:
        with safe_open(folder / _WEIGHTS, framework="numpy") as file:
            return {name.removeprefix(_PREFIX): tuple(file.get_slice(name).get_shape()) for name in file.keys()}  # noqa: SIM118  # no mapping
    except (SafetensorError, OSError) as error:
        raise ModelError(f"adapter {folder}: {_WEIGHTS} cannot be read: {error}.") from error


def trained_classes(folder: Path) -> int | None:
    """Return the number of classes of the head that was trained with an adapter; None if the adapter has no head.

    The base model's configuration may describe another head. The number of classes is the number of rows of the head's
    last layer, the layer with the fewest rows.
    """
    config = adapter_config(folder)
    heads = set(config.get("modules_to_save") or ())
    shapes = saved_weights(folder).items() if config.get("task_type") == "SEQ_CLS" else ()
    rows = [shape[0] for name, shape in shapes if len(shape) == 2 and heads.intersection(name.split("."))]
    return min(rows, default=None)


def merge(model: Any, folder: Path) -> Any:
    """Add an adapter's weights to the weights of its base model.

    Returns:
        The merged model, an ordinary transformers model without PEFT's wrappers.

    Raises:
        ModelError: PEFT is missing.
    """
    peft = library("peft", extra="peft")
    return peft.PeftModel.from_pretrained(model, str(folder)).merge_and_unload()
