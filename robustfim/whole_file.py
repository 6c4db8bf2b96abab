"""Write files as a whole or not at all."""

from __future__ import annotations

import csv
import io
import json
import math
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from robustfim.errors import UsageError

__all__ = ["csv_bytes", "defined", "json_bytes", "write_json", "write_whole", "writing"]

_UNSEEN = re.compile("[\xad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\U000e0000-\U000e01ef]")
"""Characters that are invisible, or change the order in which neighbouring characters are shown."""

_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def write_whole(path: Path, data: bytes) -> Path:
    """Write a file atomically, so that no reader sees a half-written file; missing folders are made.

    Args:
        path: The file; an existing file is replaced. A device such as ``/dev/stdout`` is written to directly.
        data: The contents of the file.

    Raises:
        OSError: The file cannot be written; an older file is left unchanged.
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


@contextmanager
def writing(what: object) -> Iterator[None]:
    """A context manager in which a file that cannot be written is a UsageError.

    Args:
        what: The file, for the message; perhaps with its purpose.
    """
    try:
        yield
    except OSError as error:
        raise UsageError(f"{what} cannot be written: {error.strerror or error}.") from error


def write_json(path: Path, value: Any) -> Path:
    """Write plain values as a JSON file atomically, with null for a number that is not finite.

    Args:
        path: The file; an existing file is replaced.
        value: Dictionaries, lists, texts and numbers.

    Raises:
        OSError: The file cannot be written; an older file is left unchanged.
    """
    return write_whole(path, json_bytes(value, indent=1) + b"\n")


def json_bytes(value: Any, indent: int | None = None) -> bytes:
    """Write plain values as JSON, with null for a number that is not finite.

    Invisible characters are written as escapes, so that an editor shows them.

    Args:
        value: Dictionaries, lists, texts and numbers.
        indent: Blanks of each level; None for one line.
    """
    from pydantic import TypeAdapter

    try:
        text = TypeAdapter(Any).dump_json(value, indent=indent).decode()
    except ValueError:
        # Half of a surrogate pair (a cut emoji) is no UTF-8; its backslash escape is valid JSON.
        text = json.dumps(defined(value), indent=indent, ensure_ascii=False, allow_nan=False)
    text = _UNSEEN.sub(lambda unseen: json.dumps(unseen[0])[1:-1], text)
    return text.encode(errors="backslashreplace")


def csv_bytes(rows: Iterable[Sequence[object]]) -> bytes:
    """Write rows as CSV, with a quote before a text that a spreadsheet would take for a formula.

    Args:
        rows: The header and the rows; None is an empty cell.
    """
    file = io.StringIO(newline="")
    csv.writer(file, lineterminator="\n").writerows(
        [f"'{cell}" if isinstance(cell, str) and cell.startswith(_FORMULA) else cell for cell in row] for row in rows
    )
    return file.getvalue().encode("utf-8", "replace")


def defined(value: Any) -> Any:
    """Replace numbers that are not finite with None."""
    if isinstance(value, dict):
        return {key: defined(item) for key, item in value.items()}
    if isinstance(value, list):
        return [defined(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
