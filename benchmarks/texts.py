"""Texts for timings: source texts, and candidates made of them."""

from __future__ import annotations

import csv
import random
from pathlib import Path

from robustfim_reference.bundled import Reviews

__all__ = ["CANDIDATES", "candidates", "sources"]

CANDIDATES = 8
"""Candidates a source, as in suites/sentiment.yaml."""

_ATTEMPTS = 10 * CANDIDATES


def sources(data: Path | None) -> tuple[str, list[str]]:
    """Read source texts.

    Args:
        data: A folder that holds ``rotten_tomatoes/dev.csv``; None for the reviews that ship with robustfim.

    Returns:
        The source of the texts, in words, and the texts.

    Raises:
        OSError: The folder does not hold the file.
    """
    if data is None:
        return "the bundled reviews", [example.text for example in Reviews().load()]
    with (data / "rotten_tomatoes" / "dev.csv").open(encoding="utf-8", newline="") as file:
        return "rotten_tomatoes/dev", [row["text"] for row in csv.DictReader(file)]


def candidates(texts: list[str], number: int) -> dict[str, list[str]]:
    """Make distinct candidates by exchanging two pairs of neighbouring words of a source text.

    Args:
        texts: Source texts.
        number: The number of candidates in all. There are fewer if the source texts do not suffice.

    Returns:
        For each source text, up to ``CANDIDATES`` candidates.
    """
    generator = random.Random(0)  # noqa: S311  # reproducible, not secret
    pools: dict[str, list[str]] = {}
    seen = set(texts)
    left = number
    for text in texts:
        words = text.split()
        pool: list[str] = []
        for _ in range(_ATTEMPTS if len(words) > 2 else 0):
            if len(pool) == min(CANDIDATES, left):
                break
            changed = list(words)
            for _ in range(2):
                place = generator.randrange(len(changed) - 1)
                changed[place], changed[place + 1] = changed[place + 1], changed[place]
            candidate = " ".join(changed)
            if candidate not in seen:
                seen.add(candidate)
                pool.append(candidate)
        if pool:
            pools[text] = pool
            left -= len(pool)
    return pools
