"""Adapters of PEFT (LoRA and its kin): a small folder that changes the weights of a base model."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from robustfim.errors import ModelError
from robustfim_huggingface.checkpoint.library import library

__all__ = ["ADAPTER_CONFIG", "adapter_config", "merge", "saved_weights", "trained_classes"]

ADAPTER_CONFIG = "adapter_config.json"
_WEIGHTS = "adapter_model.safetensors"
_PREFIX = "base_model.model."


def adapter_config(folder: Path) -> Mapping[str, Any]:
    """Read what an adapter is and which model it changes.

    Args:
        folder: A folder that ``save_pretrained`` of PEFT wrote.

    Returns:
        The contents of ``adapter_config.json``, with ``base_model_name_or_path``.

    Raises:
        ModelError: It is malformed, names no base model, changes no weights, or has its weights only as a pickle.
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
    """List the shapes of an adapter's weights by the name that they have in the base model.

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
    """Tell how many classes the head has that was trained with an adapter; None where it brings none.

    The base model's configuration does not know: its head is often another. Of a head's layers the last has the fewest
    rows, one a class.
    """
    config = adapter_config(folder)
    heads = set(config.get("modules_to_save") or ())
    shapes = saved_weights(folder).items() if config.get("task_type") == "SEQ_CLS" else ()
    rows = [shape[0] for name, shape in shapes if len(shape) == 2 and heads.intersection(name.split("."))]
    return min(rows, default=None)


def merge(model: Any, folder: Path) -> Any:
    """Add what an adapter learned to the weights of its base model.

    Returns:
        The merged model, without a trace of PEFT, so that gradients and embeddings are those of any other.

    Raises:
        ModelError: PEFT is missing.
    """
    peft = library("peft", extra="peft", error=ModelError)
    return peft.PeftModel.from_pretrained(model, str(folder)).merge_and_unload()
