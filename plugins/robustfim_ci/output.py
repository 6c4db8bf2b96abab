"""Output: a report's file, written whole or not at all."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from pathlib import Path
from typing import Any, ClassVar

from robustfim.errors import UsageError
from robustfim.record import Record
from robustfim.whole_file import write_whole

__all__ = ["FileReport", "as_json", "write_file"]


class FileReport(ABC):
    """A report that is the text of one file.

    Attributes:
        file: Its name in the suite's report folder.

    Args:
        path: The file to write instead; None for that name.
    """

    file: ClassVar[str]

    def __init__(self, path: Path | None = None) -> None:
        self.path = path

    @abstractmethod
    def text(self, record: Record) -> str:
        """Write the report as a text."""

    def write(self, record: Record, folder: Path) -> Path:
        """Write the file, whole or not at all."""
        return write_file(self.path or folder / self.file, self.text(record))


def write_file(path: Path, text: str) -> Path:
    """Write a file whole, or leave an older one as it was.

    Args:
        path: The file; folders on the way are made. A device such as ``/dev/stdout`` is written to as it is.
        text: Its contents.

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
    """Write JSON, in ASCII and with a line break at its end."""
    return json.dumps(value, indent=1, allow_nan=False) + "\n"
