"""Validity: how many of what the perturbations make a reader accepts, from pairs that were rated one by one.

``python -m benchmarks.validity --update`` writes the table of RESULTS.md again.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from robustfim.statistics import wilson

__all__ = ["RATINGS", "Rated", "latest", "read_ratings", "validity"]

RATINGS = Path(__file__).parent / "ratings.tsv"
"""The rated pairs: hashes, verdicts and edits, no text."""

_VERDICTS = ("V", "G", "M", "X")


@dataclass(frozen=True)
class Rated:
    """One rated pair.

    Attributes:
        round: ``A``, texts after which causes were mended; ``B`` and, after more were mended, ``C`` and ``D``: fresh
            texts, rated once.
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
    lines = path.read_text(encoding="utf-8").splitlines()
    return [Rated(*line.split("\t")) for line in lines if line and not line.startswith("#")]


def latest(rated: Sequence[Rated]) -> list[Rated]:
    """Return the pairs on fresh texts, of each perturbation those of its last round.

    Args:
        rated: Rated pairs.
    """
    last = {each.perturbation: max(each.round, "B") for each in sorted(rated, key=lambda each: each.round)}
    return [each for each in rated if each.round == last[each.perturbation]]


def validity(rated: Sequence[Rated]) -> str:
    """Write the shares of valid pairs as a table, with 95 % Wilson intervals.

    Args:
        rated: Rated pairs.
    """
    lines = [
        "| perturbation | valid, fresh texts | 95 % interval | G | M | X | valid, texts of the first round |",
        "| --- | --- | --- | --- | --- | --- | --- |",
    ]
    names = sorted({each.perturbation for each in rated})
    for name in (*names, ""):
        fresh = [each for each in latest(rated) if name in (each.perturbation, "")]
        first = [each for each in rated if each.round == "A" and name in (each.perturbation, "")]
        lines.append(_row(f"`{name}`" if name else "**all**", fresh, first))
    wrong = [each for each in rated if each.verdict != "V"]
    mended = sum(each.state == "mended" for each in wrong)
    lines += ["", f"Of the {len(wrong)} pairs that are not valid, {mended} no longer come; {len(wrong) - mended} do."]
    return "\n".join(lines)


def _row(name: str, fresh: Sequence[Rated], first: Sequence[Rated]) -> str:
    counts = {verdict: sum(each.verdict == verdict for each in fresh) for verdict in _VERDICTS}
    interval = wilson(counts["V"], len(fresh))
    ends = f"{interval[0]:.0%}–{interval[1]:.0%}" if interval else "–"  # an interval's dash
    valid = sum(each.verdict == "V" for each in first)
    return (
        f"| {name} | {counts['V']}/{len(fresh)} | {ends} | {counts['G']} | {counts['M']} | {counts['X']} "
        f"| {valid}/{len(first)} |"
    )


def _update() -> None:
    """Write the table in RESULTS.md again."""
    results = Path(__file__).with_name("RESULTS.md")
    table, begins, ends = validity(read_ratings()), "| perturbation | valid, fresh texts |", "no longer come; "
    lines = results.read_text(encoding="utf-8").splitlines()
    first = next(place for place, line in enumerate(lines) if line.startswith(begins))
    last = next(place for place, line in enumerate(lines) if ends in line)
    results.write_text("\n".join([*lines[:first], *table.splitlines(), *lines[last + 1 :], ""]), encoding="utf-8")


if __name__ == "__main__":
    if sys.argv[1:] == ["--update"]:
        _update()
    print(validity(read_ratings()))
