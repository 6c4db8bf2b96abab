"""Finds the external files of weights of an ``.onnx`` file without the library ``onnx``, by reading its protobuf."""

from __future__ import annotations

import mmap
from collections.abc import Iterator
from pathlib import Path
from typing import Any

__all__ = ["weight_files"]

_MESSAGES: dict[str, dict[int, str]] = {
    "model": {7: "graph", 20: "training", 25: "function"},
    "training": {1: "graph", 2: "graph"},
    "graph": {1: "node", 5: "tensor", 15: "sparse"},
    "function": {7: "node", 11: "attribute"},
    "node": {5: "attribute"},
    "attribute": {5: "tensor", 6: "graph", 10: "tensor", 11: "graph", 22: "sparse", 23: "sparse"},
    "sparse": {1: "tensor", 2: "tensor"},
    "tensor": {13: "external_data"},
}
"""The fields of a message that lead to a tensor, by their numbers in ``onnx.proto``."""
_KEY, _VALUE = 1, 2


def weight_files(path: Path) -> list[Path]:
    """List the external files of tensors of an ``.onnx`` file.

    Args:
        path: The file. A file that is not a protobuf has no external files.

    Returns:
        The existing files, in the order of their paths.
    """
    if not path.stat().st_size:
        return []
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
        try:
            names = set(_locations(content, 0, len(content), "model"))
        except (IndexError, UnicodeDecodeError):
            return []
    return sorted(found for name in names if (found := path.parent / name).is_file())


def _locations(content: Any, start: int, end: int, message: str) -> Iterator[str]:
    """The ``location`` of every tensor of a message."""
    for number, begin, stop in _fields(content, start, end):
        inner = _MESSAGES[message].get(number)
        if inner == "external_data":
            entry = {number: content[a:b].decode() for number, a, b in _fields(content, begin, stop)}
            if entry.get(_KEY) == "location" and entry.get(_VALUE):
                yield entry[_VALUE]
        elif inner:
            yield from _locations(content, begin, stop, inner)


def _fields(content: Any, start: int, end: int) -> Iterator[tuple[int, int, int]]:
    """The fields of a message that have a length: number, start, end."""
    at = start
    while at < end:
        tag, at = _varint(content, at)
        kind = tag & 7
        if kind == 0:
            _, at = _varint(content, at)
        elif kind in (1, 5):
            at += 8 if kind == 1 else 4
        elif kind == 2:
            size, at = _varint(content, at)
            if at + size > end:
                raise IndexError
            yield tag >> 3, at, at + size
            at += size
        else:
            raise IndexError


def _varint(content: Any, at: int) -> tuple[int, int]:
    """A number in base 128, the lowest digits first, and where it ends."""
    value = shift = 0
    while True:
        byte = content[at]
        value |= (byte & 127) << shift
        at, shift = at + 1, shift + 7
        if byte < 128:
            return value, at
