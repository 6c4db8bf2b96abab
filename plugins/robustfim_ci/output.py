"""Writing of report files: a file is complete, or an older file stays."""

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
    """Base class of reports that consist of one text file.

    Attributes:
        file: The default name of the file in the suite's report folder.

    Args:
        path: The file to write; None for the default.
    """

    file: ClassVar[str]

    def __init__(self, path: Path | None = None) -> None:
        self.path = path

    @abstractmethod
    def text(self, record: Record) -> str:
        """Return the report as text."""

    def write(self, record: Record, folder: Path) -> Path:
        """Write the file. If writing fails, an older file stays as it was."""
        return write_file(self.path or folder / self.file, self.text(record))


def write_file(path: Path, text: str) -> Path:
    """Write a text to a file. If writing fails, an older file stays as it was.

    Args:
        path: The file; missing folders are created. A device such as ``/dev/stdout`` is written to directly.
        text: The content of the file.

    Raises:
        UsageError: The file cannot be written. The message has the path and the cause.
    """
    data = text.encode("utf-8")
    try:
        if path.is_dir():
            raise UsageError(f"{path} is a folder; name a file in it.")
        return write_whole(path, data)
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror or error}.") from error


def as_json(value: Any) -> str:
    """Return a value as JSON, in ASCII and with a line break at the end."""
    return json.dumps(value, indent=1, allow_nan=False) + "\n"
