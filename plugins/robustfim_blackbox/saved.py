"""Helpers for models that other libraries saved: imports, hashes, and the text of an example."""

from __future__ import annotations

import hashlib
import json
import mmap
import re
from pathlib import Path
from typing import Any

from robustfim.errors import UsageError
from robustfim.example import Example

__all__ = ["external_weights", "file_hash", "folder_hash", "json_object", "one_text", "onnx_files"]


_LOCATION = re.compile(rb"\n\x08location\x12([\x00-\x7f]|[\x80-\xff][\x00-\x7f])", re.DOTALL)
"""An entry ``location`` of a tensor's ``external_data`` in the protobuf of ONNX, up to the length of its value."""


def external_weights(path: Path) -> list[Path]:
    """List the existing external files of weights that an ``.onnx`` file names, in the order of their paths.

    The library ``onnx`` is not needed: an entry of a protobuf has the same bytes wherever it stands.
    """
    if not path.stat().st_size:
        return []
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
        names = set()
        for match in _LOCATION.finditer(content):
            size = sum((byte & 127) << 7 * place for place, byte in enumerate(match[1]))
            names.add(content[match.end() : match.end() + size].decode("utf-8", "replace"))
    return sorted(found for name in names if "\0" not in name and (found := path.parent / name).is_file())


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
