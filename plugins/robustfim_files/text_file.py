"""Reading of text files: the lines after decoding, and errors with their place."""

from __future__ import annotations

import codecs
import io
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from robustfim.errors import DataError, UsageError, shown, suggestions
from robustfim.reading import LONGEST_LINE, open_bytes

__all__ = ["known_encoding", "text_lines"]

_BLOCK = 1 << 20
_UTF16_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


def known_encoding(encoding: str) -> str:
    """Return Python's name of an encoding; for UTF-8, the variant that skips a byte order mark.

    Raises:
        UsageError: Python does not know the encoding.
    """
    try:
        name = codecs.lookup(encoding).name
    except LookupError:
        known = ["utf-8", "utf-16", "latin-1", "cp1252", "ascii"]
        raise UsageError(f"unknown encoding {shown(encoding)}.{suggestions(encoding, known, 'Usual ones')}") from None
    return "utf-8-sig" if name == "utf-8" else name


def text_lines(path: Path, encoding: str, newline: str) -> Iterator[str]:
    r"""Yield the lines of a text file, each with its line end. Files compressed by gzip are decompressed.

    Args:
        path: The file.
        encoding: A name from :func:`known_encoding`.
        newline: ``""`` ends a line at any line break, ``"\n"`` only at ``\n``. Line breaks are not translated.

    Raises:
        DataError: The file is missing or unreadable, is not in this encoding, or has NUL bytes.
    """
    try:
        with open_bytes(path) as content, io.TextIOWrapper(content, encoding, newline=newline) as file:
            for number, line in enumerate(iter(partial(file.readline, LONGEST_LINE), ""), start=1):
                if len(line) == LONGEST_LINE:
                    raise DataError(f"{path}:{number}: a line of more than {LONGEST_LINE:,} characters.")
                if "\0" in line:
                    raise DataError(
                        f"{path}:{number}: a NUL byte: this is not a text in {_shown(encoding)}. "
                        "If it is UTF-16, say 'encoding: utf-16'."
                    )
                yield line
    except UnicodeDecodeError:
        raise DataError(_undecodable(path, encoding)) from None
    except (OSError, UnicodeError) as error:  # utf-16 without its byte order mark is a bare UnicodeError
        raise DataError(f"{path} cannot be read: {error}.") from error


def _undecodable(path: Path, encoding: str) -> str:
    """Find the first byte that is not in the encoding; the stream itself only knows its own block."""
    decoder = codecs.getincrementaldecoder(encoding)()
    line, start = 1, 0
    with open_bytes(path) as file:
        marked = file.read(2) in _UTF16_MARKS
        other = "utf-16" if marked else "latin-1" if encoding != "iso8859-1" else "utf-8"
        remedy = f"Name the file's own encoding, such as 'encoding: {other}'."
        file.seek(0)
        while block := file.read(_BLOCK):
            try:
                decoder.decode(block)
            except UnicodeDecodeError as error:
                # `error.object` is the block behind the bytes that the decoder had kept from the one before.
                offset = start + len(block) - len(error.object) + error.start
                line += block[: max(0, offset - start)].count(b"\n")
                byte = error.object[error.start]
                return (
                    f"{path}:{line}: byte 0x{byte:02x} at offset {offset} is not {_shown(encoding)} "
                    f"({error.reason}). {remedy}"
                )
            line += block.count(b"\n")
            start += len(block)
    return f"{path}:{line}: the last character is not complete in {_shown(encoding)}. {remedy}"


def _shown(encoding: str) -> str:
    return encoding.removesuffix("-sig").upper()
