"""Files that are written whole or not at all."""

from __future__ import annotations

import os
from pathlib import Path

__all__ = ["write_whole"]


def write_whole(path: Path, data: bytes) -> Path:
    """Write a file so that a reader never meets a part of it; folders on the way are made.

    Args:
        path: The file; one of that name is replaced. A device such as ``/dev/stdout`` is written to as it is.
        data: Its contents.

    Returns:
        The path.

    Raises:
        OSError: It cannot be written; an older file is left as it was.
    """
    if path.exists() and not path.is_file() and not path.is_dir():
        path.write_bytes(data)
        return path
    path.parent.mkdir(parents=True, exist_ok=True)
    scratch = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        scratch.write_bytes(data)
        scratch.replace(path)
    finally:
        scratch.unlink(missing_ok=True)
    return path
