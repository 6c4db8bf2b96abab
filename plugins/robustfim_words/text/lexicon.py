"""Lexicons: tab-separated tables, each line an entry."""

from __future__ import annotations

import hashlib
from functools import cache, lru_cache
from pathlib import Path

from robustfim.errors import UsageError, did_you_mean, shown

__all__ = ["LEXICONS", "closed_class", "files_hash", "listed", "read_pairs", "read_table"]

LEXICONS = Path(__file__).parents[1] / "lexicons"
"""The folder of the shipped tables."""


@cache
def files_hash(*places: Path) -> str:
    """Hash files by their contents, and folders by the names and contents of their files: 12 hexadecimal digits."""
    digest = hashlib.sha256()
    for place in places:
        for path in sorted(each for each in place.rglob("*") if each.is_file()) if place.is_dir() else [place]:
            digest.update(path.relative_to(place.parent).as_posix().encode())
            digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()[:12]


@lru_cache(maxsize=32)
def read_table(path: Path, columns: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    """Read a table.

    Args:
        path: A UTF-8 file. ``#`` begins a comment line, tabs separate the cells, and empty lines are ignored.
        columns: The names of the columns, for error messages. ``"pos: noun|verb"`` is a column ``pos`` that allows only
            the values ``noun`` and ``verb``.

    Returns:
        The rows in the file's order, cells stripped of blanks.

    Raises:
        UsageError: The file cannot be read or has no entry, or a line has another number of cells, an empty cell, or a
            cell with a value that its column does not allow.
    """
    form = " <tab> ".join(columns)
    allowed = [column.partition(": ")[2].split("|") if ": " in column else None for column in columns]
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except UnicodeDecodeError as error:
        bad = error.object[: error.start].count(b"\n") + 1
        raise UsageError(f"{path}:{bad}: not UTF-8 ({error.reason}). Each line is: {form}") from error
    except OSError as error:
        raise UsageError(f"lexicon {str(path)!r} cannot be read: {error}. Each line is: {form}") from error
    rows = []
    for number, line in enumerate(lines, 1):
        if not line.strip() or line.startswith("#"):
            continue
        cells = tuple(cell.strip() for cell in line.split("\t"))
        if len(cells) != len(columns) or not all(cells):
            raise UsageError(f"{path}:{number}: {line!r} is not of the form: {form}")
        for cell, known in zip(cells, allowed, strict=True):
            if known is not None and cell not in known:
                raise UsageError(
                    f"{path}:{number}: unknown {shown(cell)}.{did_you_mean(cell, known)} Each line is: {form}"
                )
        rows.append(cells)
    if not rows:
        raise UsageError(f"lexicon {str(path)!r} has no entry. Each line is: {form}")
    return tuple(rows)


def read_pairs(path: Path, columns: tuple[str, str]) -> dict[str, str]:
    """Read a table of two columns with :func:`read_table` into a mapping from the first column to the second."""
    return {row[0]: row[1] for row in read_table(path, columns)}


def listed(cell: str) -> list[str]:
    """Split a cell of a table at its commas.

    >>> listed("film, motion picture")
    ['film', 'motion picture']
    """
    return [word for word in (part.strip() for part in cell.split(",")) if word]


@cache
def closed_class(name: str) -> frozenset[str]:
    """Return the words of a closed class of English, listed in ``classes.tsv``.

    Args:
        name: The name of the class; an empty name has no words.

    >>> sorted(closed_class("behind a degree"))
    ['as', 'enough', 'than']
    """
    classes = read_pairs(LEXICONS / "classes.tsv", ("class", "words"))
    return frozenset() if not name else frozenset(classes[name].split())
