"""Treebanks: tagged sentences in the CoNLL-U format of Universal Dependencies."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from robustfim.errors import DataError

__all__ = ["Sentence", "read_conllu"]


@dataclass(frozen=True, slots=True)
class Sentence:
    """A tagged sentence, its lists of equal length ``[tokens]``.

    Attributes:
        words: The tokens.
        spaces: Whether a space follows each token.
        tags: Fine tags (Penn Treebank).
        pos: Coarse tags (UPOS).
        document: The number of its document in the file, from 0.
    """

    words: tuple[str, ...]
    spaces: tuple[bool, ...]
    tags: tuple[str, ...]
    pos: tuple[str, ...]
    document: int


def read_conllu(path: Path) -> Iterator[Sentence]:
    """Read the sentences of a CoNLL-U file.

    Args:
        path: A file with the ten columns of https://universaldependencies.org/format.html.

    Yields:
        Sentences in the file's order; multiword tokens as their parts, empty nodes left out.

    Raises:
        DataError: A line has not ten columns, or the file holds no sentence.
    """
    document, rows, joined, found = -1, list[tuple[str, str, str, bool]](), dict[int, bool](), False
    with path.open(encoding="utf-8") as lines:
        for number, line in enumerate([*lines, "\n"], 1):
            cells = line.rstrip("\n").split("\t")
            if line.startswith("# newdoc"):
                document += 1
            elif line.startswith("#"):
                continue
            elif not line.strip():
                if rows:
                    found = True
                    words, tags, pos, spaces = zip(*rows, strict=True)
                    yield Sentence(words, spaces, tags, pos, max(document, 0))
                rows, joined = [], {}
            elif len(cells) != 10:
                raise DataError(f"{path}:{number}: {len(cells)} columns where CoNLL-U has 10")
            elif "-" in cells[0]:
                first, last = (int(part) for part in cells[0].split("-"))
                joined |= dict.fromkeys(range(first, last), False)
                joined[last] = "SpaceAfter=No" not in cells[9]
            elif "." not in cells[0]:
                space = joined.get(int(cells[0]), "SpaceAfter=No" not in cells[9])
                rows.append((cells[1], cells[4], cells[3], space))
    if not found:
        raise DataError(f"{path}: no sentence found")
