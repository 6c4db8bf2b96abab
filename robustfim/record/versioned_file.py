"""JSON files with a version: run records and lock files."""

from __future__ import annotations

from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from robustfim.errors import UsageError, shown, shown_place
from robustfim.reading import read_json

__all__ = ["read_versioned"]

_BEGINNING = 4096
_LARGEST = 1 << 30
"""Bytes that are read of one file; a device may have no end."""

File = TypeVar("File", bound=BaseModel)


def read_versioned(path: Path, model: type[File], *, key: str, version: int, what: str, hint: str) -> File:
    """Read a file that an equal or older robustfim wrote.

    Args:
        path: The file.
        model: What it holds.
        key: The key of its version number.
        version: The newest version that can be read.
        what: What it is called in a message: ``"run record"``.
        hint: How to get one.

    Raises:
        UsageError: There is no such file, it is something else, or it was written by a newer robustfim.
    """
    try:
        with path.open("rb") as file:
            content = file.read(_BEGINNING)
            if not content.lstrip().startswith((b"{", b"[")):
                raise ValueError("it does not begin as JSON does")  # told as the others are
            content += file.read(_LARGEST)
        if len(content) > _LARGEST:
            raise ValueError(f"it is larger than {_LARGEST >> 20} MiB")  # as above
        raw = read_json(content)
    except FileNotFoundError:
        raise UsageError(f"no {what} at {path}. {hint}") from None
    except (OSError, ValueError, RecursionError) as error:  # no text, no JSON, a number or a depth without measure
        raise UsageError(f"{path} is not a {what}: {error}. {hint}") from error
    found = raw.get(key) if isinstance(raw, dict) else None
    if not isinstance(found, int):
        raise UsageError(f"{path} is not a {what}: it has no {shown(key)} number. {hint}")
    if found > version:
        raise UsageError(f"{path} has {key} {found}; this robustfim reads up to {version}: upgrade it.")
    try:
        return model.model_validate(raw)
    except ValidationError as error:
        first = error.errors()[0]
        place = shown_place(first["loc"])
        raise UsageError(f"{path} is not a {what}: {place}: {first['msg']}. {hint}") from error
