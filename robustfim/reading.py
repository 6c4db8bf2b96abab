"""Reading files that a user names as text, even if compressed; and JSON without duplicate keys."""

from __future__ import annotations

import csv
import gzip
import json
import zlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType
from typing import IO, Any, cast

from robustfim.errors import DataError, did_you_mean, near_path, shown

__all__ = [
    "LARGEST_CELL",
    "LONGEST_LINE",
    "LONGEST_NAME",
    "csv_reader",
    "csv_rows",
    "json_rows",
    "open_bytes",
    "read_json",
    "read_text",
    "require_file",
]

LARGEST_CELL = 10_000_000
"""The largest number of characters of a cell of CSV. The standard library's 131,072 would refuse long documents;
without a limit, a missing quote would not be noticed."""

LONGEST_NAME = 255
"""The most bytes of a file's name in any file system."""

LONGEST_LINE = 1 << 25
"""The most characters of a line, since a device may be one endless line."""

_LARGEST = 1 << 30
"""The most bytes of a file that is read as a whole."""

_GZIP = b"\x1f\x8b"

_OTHERS = {
    b"PK\x03\x04": "a ZIP archive, as an Excel workbook (.xlsx) is: save its sheet as CSV, or unpack it",
    b"\xd0\xcf\x11\xe0": "an Excel workbook (.xls): save its sheet as CSV",
    b"PAR1\x15": "Parquet: name the data source parquet",
    b"SQLite format 3\x00": "an SQLite database: export its table as CSV",
    b"BZh9": "packed by bzip2: unpack it",
    b"\xfd7zXZ\x00": "packed by xz: unpack it",
    b"\x28\xb5\x2f\xfd": "packed by zstd: unpack it",
    b"ARROW1\0\0": "Arrow's IPC format: name the data source parquet",
    b"\x89HDF": "HDF5: export its table as CSV",
} | dict.fromkeys(
    (bytes([0x80, protocol]) for protocol in range(2, 6)),
    "a pickle, which runs code when it is read, so it is not: export its rows as CSV or JSON Lines",
)
"""First bytes of formats other than text, with advice for the user."""


def require_file(path: Path) -> None:
    """Check that a file exists.

    Args:
        path: The file; it may be a device or a pipe.

    Raises:
        DataError: The file does not exist, or is a folder.
    """
    if path.is_dir():
        raise DataError(f"{path} is a folder; name the file in it.")
    if not path.exists():
        raise DataError(f"no file {path}.{near_path(path)}")


@contextmanager
def open_bytes(path: Path) -> Iterator[IO[bytes]]:
    """Open a text file for reading; a gzip file is decompressed.

    Args:
        path: The file, with any suffix.

    Raises:
        DataError: The file is missing, a folder, not text, or a broken gzip file.
        OSError: The file cannot be read.
    """
    require_file(path)
    with path.open("rb") as file:
        begin = file.peek(16)[:16]
        for magic, what in _OTHERS.items():
            if begin.startswith(magic):
                raise DataError(f"{path} is {what}.")
        if not begin.startswith(_GZIP):
            yield file
            return
        try:
            with gzip.GzipFile(fileobj=file) as unpacked:
                yield cast("IO[bytes]", unpacked)
        except (EOFError, gzip.BadGzipFile, zlib.error) as error:
            raise DataError(f"{path} cannot be unpacked: {error}.") from None


def read_text(path: Path, encoding: str = "utf-8-sig") -> str:
    """Read a whole text file; a gzip file is decompressed.

    Args:
        path: The file.
        encoding: The encoding of the file; by default UTF-8 with or without a byte order mark.

    Raises:
        DataError: The file cannot be read, is not text in this encoding, or is larger than 1 GiB.
    """
    try:
        with open_bytes(path) as file:
            content = file.read(_LARGEST + 1)
        if len(content) > _LARGEST:
            raise DataError(f"{path} is larger than {_LARGEST >> 20} MiB.")
        return content.decode(encoding)
    except UnicodeDecodeError as error:
        name = encoding.removesuffix("-sig").upper()
        raise DataError(f"{path} is not {name} text: byte {error.start} cannot be read.") from None
    except OSError as error:
        raise DataError(f"{path} cannot be read: {error.strerror or error}.") from error


def read_json(text: str | bytes | bytearray) -> Any:
    """Read JSON and refuse duplicate keys in an object, since readers differ in which one they use.

    Raises:
        ValueError: The text is not JSON, is not in its encoding, or an object has a duplicate key.
        RecursionError: The text is nested too deeply.
    """
    try:
        return json.loads(text, object_pairs_hook=_once_each)
    except UnicodeDecodeError as error:
        raise ValueError(f"it is not {error.encoding.upper()} text: byte {error.start} cannot be read") from None


def json_rows(lines: Iterable[str], name: object) -> Iterator[tuple[str, dict[str, Any]]]:
    """Read a file of JSON Lines (one JSON object per line), given as lines.

    Args:
        lines: The lines; blank ones are skipped.
        name: The name of the file, for messages.

    Yields:
        The place of each object, ``file:line``, and the object.

    Raises:
        DataError: A line is not a JSON object.
    """
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        place, array = f"{name}:{number}", ""
        if line.lstrip().startswith(("[", "]")):
            written = f"pandas.read_json({str(name)!r}).to_json('rows.jsonl', orient='records', lines=True)"
            array = (
                f' JSON Lines has one object a line, without an array around them: python -c "import pandas; {written}"'
            )
        try:
            row = read_json(line)
        except json.JSONDecodeError as error:
            raise DataError(f"{place}: malformed JSON at column {error.colno}: {error.msg}.{array}") from None
        except (RecursionError, ValueError) as error:  # nested too deeply; a number of too many digits
            raise DataError(f"{place}: JSON that cannot be read: {error}.") from None
        if not isinstance(row, dict):
            raise DataError(f"{place}: a line holds one JSON object, not {shown(row, 40)}.{array}")
        yield place, row


def csv_reader(lines: Iterable[str], **form: Any) -> Any:
    """Return a reader of :mod:`csv` that takes cells of up to :data:`LARGEST_CELL` characters.

    Args:
        lines: The lines of the file, each with its line end.
        form: The keywords of ``csv.reader``.
    """
    csv.field_size_limit(max(csv.field_size_limit(), LARGEST_CELL))  # the limit is the process's
    return csv.reader(lines, **form)


def csv_rows(
    lines: Iterable[str], name: object, columns: Mapping[str, str] = MappingProxyType({}), **form: Any
) -> Iterator[tuple[str, dict[str, str]]]:
    """Read the rows of a CSV or TSV file with a header line.

    Args:
        lines: The lines, each with its line end.
        name: The name of the file, for messages.
        columns: The columns that the file must have, each with the end of the message about a file without it.
        form: The keywords of ``csv.reader``.

    Yields:
        The place of each row, ``file:line``, and its cells by column.

    Raises:
        DataError: A column is missing, or a row is malformed or has another number of cells than the header.
    """
    reader = csv_reader(lines, **form)
    try:
        header = [cell.strip() for cell in next(reader, [])]
        for column, remedy in columns.items():
            if column not in header:
                raise DataError(
                    f"{name}: no column {shown(column)}.{did_you_mean(column, header)} It has: "
                    f"{', '.join(header) or 'none'}{remedy}."
                )
        begin = reader.line_num + 1
        for cells in reader:
            if cells and len(cells) != len(header):
                raise DataError(f"{name}:{begin}: {len(cells)} cells where the header has {len(header)}.")
            if cells:
                yield f"{name}:{begin}", dict(zip(header, cells, strict=True))
            begin = reader.line_num + 1
    except csv.Error as error:
        raise DataError(f"{name}:{reader.line_num}: {error}.") from None


def _once_each(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        raise ValueError(f"the key {next(key for key in keys if keys.count(key) > 1)!r} stands twice in one object")
    return found
