"""Validity: pairs of a text and what a perturbation made of it, rated one by one by a reader, in ``ratings.tsv``."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

__all__ = ["RATINGS", "Rated", "read_ratings", "rows_of"]

RATINGS = Path(__file__).parent / "ratings.tsv"
"""The rated pairs: hashes, verdicts and edits, no text."""


@dataclass(frozen=True)
class Rated:
    """One rated pair.

    Attributes:
        round: A letter. ``A`` are texts after which causes were fixed, the others fresh ones.
        perturbation: Its name.
        data: The corpus of the text, in short.
        source: The first 20 digits of the text's SHA-256.
        result: Those of the perturbed text.
        verdict: V, G, M or X.
        state: ``mended``, ``stands``, or ``-`` for a valid one.
        edits: The edits, as JSON.
    """

    round: str
    perturbation: str
    data: str
    source: str
    result: str
    verdict: str
    state: str
    edits: str


def read_ratings(path: Path = RATINGS) -> list[Rated]:
    """Read the rated pairs.

    Args:
        path: The table.
    """
    return [Rated(*row) for row in rows_of(path)]


def rows_of(path: Path) -> list[list[str]]:
    """Read the rows of a table, without its comments.

    Args:
        path: A table with tabs between its cells.
    """
    lines = path.read_text(encoding="utf-8").splitlines()
    return [line.split("\t") for line in lines if line and not line.startswith("#")]
