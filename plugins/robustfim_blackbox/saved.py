"""Helpers for models that other libraries saved: imports, hashes, and the text of an example."""

from __future__ import annotations

import hashlib
import importlib
import json
from pathlib import Path
from typing import Any

from robustfim.errors import ModelError, UsageError
from robustfim.example import Example

__all__ = ["file_hash", "folder_hash", "json_object", "library", "one_text", "onnx_files"]


def library(name: str, *, extra: str) -> Any:
    """Import an optional library.

    Raises:
        ModelError: The library is missing.
    """
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as missing:
        raise ModelError(f"the library {missing.name!r} is missing: pip install 'robustfim[{extra}]'.") from missing


def file_hash(path: Path) -> str:
    """Return the SHA-256 of a file's content."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def folder_hash(folder: Path) -> str:
    """Return the SHA-256 of the names and contents of all files in a folder and its subfolders."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    lines = [f"{path.relative_to(folder).as_posix()}\0{file_hash(path)}\n" for path in files]
    return hashlib.sha256("".join(lines).encode()).hexdigest()


def json_object(file: Path) -> dict[str, Any]:
    """Read a JSON object from a file; a missing file gives an empty object."""
    try:
        held = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return held if isinstance(held, dict) else {}


def onnx_files(folder: Path) -> list[Path]:
    """List a folder's ``.onnx`` files, else those in its ``onnx/``; only ``model.onnx`` if it exists."""
    files = sorted(folder.glob("*.onnx")) or sorted(folder.glob("onnx/*.onnx"))
    return [file for file in files if file.name == "model.onnx"] or files


def one_text(example: Example, model: str) -> str:
    """Return the text of an example with a single field.

    Raises:
        UsageError: The example has several fields.
    """
    if len(example.fields) != 1:
        raise UsageError(
            f"the model {model!r} reads one text, but an example has {', '.join(example.fields)}. Call the model "
            "from your own function, with 'use: python'. Your function gets the fields by name."
        )
    return example.text
