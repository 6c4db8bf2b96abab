"""Validity: the pairs of a text and a perturbed text in ``ratings.tsv``, which a reader rated one by one."""

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
        round: A letter. In round ``A``, perturbations were corrected after the rating; later rounds have new texts.
        perturbation: The perturbation's name.
        data: The short name of the text's corpus.
        source: The first 20 digits of the text's SHA-256.
        result: The first 20 digits of the perturbed text's SHA-256.
        verdict: ``V`` valid, ``G`` grammar or idiom broken, ``M`` meaning wrong, ``X`` a change of a protected text.
        state: ``mended`` if the perturbation no longer makes the pair, ``stands`` if it does, ``-`` for a valid pair.
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
    """Read the rated pairs from a table.

    Args:
        path: The path of the table.
    """
    return [Rated(*row) for row in rows_of(path)]


def rows_of(path: Path) -> list[list[str]]:
    """Read the rows of a table without its comments.

    Args:
        path: The path of a table with cells separated by tabs.
    """
    lines = path.read_text(encoding="utf-8").splitlines()
    return [line.split("\t") for line in lines if line and not line.startswith("#")]
