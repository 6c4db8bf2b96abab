"""Columns: many rows as typed arrays and dictionaries of texts, compressed into one line of text.

The bytes, before gzip and base64, are the length of the head (32 bits), the head as JSON, then the columns, each
beginning at a multiple of 8 bytes. All numbers are little-endian.
"""

from __future__ import annotations

import base64
import gzip
import json
import re
import struct
from array import array
from collections.abc import Iterable
from typing import Any

__all__ = ["Columns", "Texts", "units"]

_WIDTHS = (("B", 1 << 8), ("H", 1 << 16), ("I", 1 << 32))
_NONE = float("nan")


def units(text: str) -> int:
    """Return the length of a text in UTF-16 code units, as a browser counts."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2


class Texts:
    """A dictionary of distinct texts; columns refer to a text by its place."""

    def __init__(self) -> None:
        self._places: dict[str, int] = {}

    def place(self, text: str) -> int:
        """Return the place of a text, and add the text if it is new."""
        return self._places.setdefault(text, len(self._places))

    @property
    def all(self) -> list[str]:
        """Return the texts in the order of their places."""
        return list(self._places)


class Columns:
    """Named columns of numbers, with a head that may hold any JSON."""

    def __init__(self) -> None:
        self._columns: dict[str, array[Any]] = {}

    def counts(self, name: str, numbers: Iterable[int]) -> None:
        """Add a column of whole numbers from 0 to 2³² − 1, in the narrowest type that holds all."""
        kept = list(numbers)
        most = max(kept, default=0)
        code = next(code for code, end in _WIDTHS if most < end)
        self._columns[name] = array(code, kept)

    def numbers(self, name: str, numbers: Iterable[float | None]) -> None:
        """Add a column of floating-point numbers; None is stored as NaN."""
        self._columns[name] = array("d", (_NONE if number is None else number for number in numbers))

    def shares(self, name: str, shares: Iterable[float | None]) -> None:
        """Add a column of fractions in [0, 1], stored in millionths; None is stored as 1,000,001."""
        self._columns[name] = array(
            "I", (1_000_001 if fraction is None else round(1e6 * min(max(fraction, 0.0), 1.0)) for fraction in shares)
        )

    def packed(self, head: dict[str, Any]) -> str:
        """Return the head (a mapping of values) and all columns as one line of base64.

        Args:
            head: Values for the script that reads the line; this method sets the key ``columns``.

        Returns:
            A text of letters, digits and ``+/=``.
        """
        placed, offset, parts = {}, 0, []
        for name, column in self._columns.items():
            data = _little(column)
            placed[name] = [column.typecode, offset, len(column)]
            padding = -len(data) % 8
            parts += [data, bytes(padding)]
            offset += len(data) + padding
        text = json.dumps({**head, "columns": placed}, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
        # Half of a surrogate pair has no UTF-8, and JSON can escape it.
        text = re.sub("[\ud800-\udfff]", lambda found: f"\\u{ord(found[0]):04x}", text)
        first = text.encode("utf-8")
        first += b" " * (-(len(first) + 4) % 8)
        body = struct.pack("<I", len(first)) + first + b"".join(parts)
        return base64.b64encode(gzip.compress(body, 9, mtime=0)).decode("ascii")


def _little(column: array[Any]) -> bytes:
    if struct.pack("=H", 1) == struct.pack("<H", 1):
        return column.tobytes()
    swapped = array(column.typecode, column)
    swapped.byteswap()
    return swapped.tobytes()
