"""Easy and hard examples: those that a model solves, or does not solve, without the premise (Kavumba et al. 2019)."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from robustfim.errors import DataError
from robustfim.example import Example
from robustfim.reading import json_rows, read_text
from robustfim.whole_file import write_whole
from robustfim_cues.models.partial_input import PartialInput

__all__ = ["Side", "read_split", "write_split"]

Side = Literal["easy", "hard"]


def write_split(examples: Sequence[Example], solved: PartialInput, path: Path) -> Path:
    """Write a JSON Lines file that says for each example whether it is easy or hard.

    Args:
        examples: The examples that were cross-validated.
        solved: The cross-validated answers of a model that reads only part of the input.
        path: The file; an existing file is replaced.
    """
    lines = []
    for example, right, given in zip(examples, solved.solved, solved.given, strict=True):
        row: dict[str, object] = {"id": example.id, "split": "easy" if right else "hard", "given": round(given, 6)}
        if "number" in example.meta:
            row["number"] = example.meta["number"]
        lines.append(json.dumps(row, ensure_ascii=False) + "\n")
    return write_whole(path, "".join(lines).encode())


def read_split(path: Path) -> dict[str, Side]:
    """Read from a file which examples are easy and which are hard.

    Args:
        path: A file that :func:`write_split` wrote.

    Returns:
        By example id, ``easy`` or ``hard``.

    Raises:
        DataError: The file is missing or malformed.
    """
    sides: dict[str, Side] = {}
    for place, row in json_rows(read_text(path).split("\n"), path):
        name, side = row.get("id"), row.get("split")
        if not isinstance(name, str) or side not in ("easy", "hard"):
            raise DataError(f'{place}: a line is {{"id": …, "split": "easy" or "hard"}}.')
        sides[name] = side
    return sides
