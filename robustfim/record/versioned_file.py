"""JSON files with a version: run records and lock files."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import IO, Any, TypeVar

from pydantic import BaseModel, ValidationError

from robustfim.errors import UsageError, shown, shown_place
from robustfim.reading import read_json

__all__ = ["read_versioned"]

_BEGINNING = 4096
_CHUNK = 1 << 20
_LARGEST = 1 << 30
"""The most bytes to read from a file, since a device may never end."""

File = TypeVar("File", bound=BaseModel)


def read_versioned(
    path: Path, model: type[File], *, key: str, version: int, what: str, hint: str, until: bytes = b"",
    complete: Callable[[dict[str, Any]], dict[str, Any]] = dict,
) -> File:  # fmt: skip
    """Read and check a file with a version number, written by this version of robustfim or an older one.

    Args:
        path: The file.
        model: The pydantic model of the file's content.
        key: The key of the version number in the file.
        version: The newest version that can be read.
        what: The kind of file in messages: ``"run record"``.
        hint: How to get such a file, for messages.
        until: The line before the file's last list: reading ends there, and the list is empty. By default all is read.
        complete: Adds content from other files, such as a database, before the content is checked.

    Raises:
        UsageError: The file does not exist, is malformed, or was written by a newer robustfim.
    """
    try:
        with path.open("rb") as file:
            content = file.read(_BEGINNING)
            if not content.lstrip().startswith((b"{", b"[")):
                raise ValueError("it does not begin as JSON does")  # told as the others are
            content += _rest(file, content, until)
        if len(content) > _LARGEST:
            raise ValueError(f"it is larger than {_LARGEST >> 20} MiB")  # as above
        before, line, _ = content.partition(until) if until else (content, b"", b"")
        raw = read_json(before + line + b"]}" * bool(line))
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
        return model.model_validate(complete(raw))
    except ValidationError as error:
        first = error.errors()[0]
        place = shown_place(first["loc"])
        raise UsageError(f"{path} is not a {what}: {place}: {first['msg']}. {hint}") from error


def _rest(file: IO[bytes], content: bytes, until: bytes) -> bytes:
    """Read what follows the beginning of a file, up to a line that ends the reading."""
    read = bytearray(content)
    while len(read) <= _LARGEST and (chunk := file.read(_CHUNK)):
        read += chunk
        if until and until in read[-len(chunk) - len(until) :]:
            break
    return bytes(read[len(content) :])
