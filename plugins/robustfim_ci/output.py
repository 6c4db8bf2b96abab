"""Output: a report's file, written whole or not at all."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from robustfim.errors import UsageError
from robustfim.whole_file import write_whole

__all__ = ["as_json", "write_file"]


def write_file(path: Path, text: str) -> Path:
    """Write a file whole, or leave an older one as it was.

    Args:
        path: The file; folders on the way are made. A device such as ``/dev/stdout`` is written to as it is.
        text: Its contents.

    Returns:
        The path.

    Raises:
        UsageError: The file cannot be written; the message names it and says why.
    """
    data = text.encode("utf-8")
    try:
        if path.is_dir():
            raise UsageError(f"{path} is a folder; name a file in it.")
        return write_whole(path, data)
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror or error}.") from error


def as_json(value: Any) -> str:
    """Write JSON, in ASCII and with a line break at its end.

    Args:
        value: Plain values without NaN.
    """
    return json.dumps(value, indent=1, allow_nan=False) + "\n"
