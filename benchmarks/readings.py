"""Readings: whether the expected label holds, and how natural a text is, from pairs that were read one by one.

``python -m benchmarks.readings`` writes the section of RESULTS.md again, from ``readings.tsv``: hashes and answers, no
text.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from benchmarks.validity import rows_of
from robustfim.statistics import wilson

__all__ = ["READINGS", "Read", "readings", "section"]

READINGS = Path(__file__).with_name("readings.tsv")
"""The pairs: hashes and answers."""


class Read(NamedTuple):
    """One pair.

    Attributes:
        perturbation: Its name.
        source: The first 20 digits of the text's SHA-256.
        result: Those of the perturbed text.
        holds: Whether what a check expects of the pair holds for a careful reader.
        natural: 2 as the source, 1 odd but a person could have written it, 0 nobody would.
    """

    perturbation: str
    source: str
    result: str
    holds: bool
    natural: int


def readings(path: Path = READINGS) -> list[Read]:
    """Read the pairs.

    Args:
        path: The table.
    """
    return [
        Read(name, source, result, holds == "1", int(natural)) for name, source, result, holds, natural in rows_of(path)
    ]


def section(pairs: Sequence[Read]) -> str:
    """Write the section of RESULTS.md.

    Args:
        pairs: Pairs that were read.
    """
    names = list(dict.fromkeys(pair.perturbation for pair in pairs))
    lines = [
        "## Label and naturalness of perturbations",
        "",
        "Written by `python -m benchmarks.readings`.",
        "",
        f"{len(pairs)} pairs of texts of the half that nobody tuned on, 30 a perturbation where it applies to "
        "so many, read for two questions: does what the check expects hold for a careful reader (of "
        "`antonyms` and `negation`: the text does not speak more for its gold label), and is the text natural "
        "(2 as the source, 1 odd but a person could have written it, 0 nobody would). One language model read "
        "them, the one that had rewritten the perturbations, and knew which made them: these numbers are its "
        "own, and no person's. 95 % intervals by Wilson.",
        "",
        "After the reading two causes were mended: openers no longer stand behind a dateline, and labels that "
        "are topics (of news) are no longer taken for praise or blame, so that `antonyms` and `negation` "
        "leave news alone; their 16 news pairs are in the table. Later `adverbs`, `drop_sentence`, `intensifiers`, "
        "`negative_sentence`, `neutral_sentence`, `numbers`, `positive_sentence` and the synonyms were changed "
        "to reach more texts or to promise a direction: their rows are of what they were before, and were not read "
        "again by this rubric.",
        "",
        "| perturbation | pairs | expectation holds | natural ≥ 1 | natural 2 |",
        "| --- | --- | --- | --- | --- |",
    ]
    for name in (*names, ""):
        its = [pair for pair in pairs if name in (pair.perturbation, "")]
        shares = [
            _share(sum(pair.holds for pair in its), len(its)),
            *(_share(sum(pair.natural >= least for pair in its), len(its)) for least in (1, 2)),
        ]
        lines.append(f"| {f'`{name}`' if name else '**all**'} | {len(its)} | {' | '.join(shares)} |")
    return "\n".join([*lines, ""])


def _share(count: int, total: int) -> str:
    low, high = wilson(count, total) or (0.0, 1.0)
    return f"{count / total:.0%} [{low:.0%}, {high:.0%}]"


def _main() -> None:
    results = Path(__file__).with_name("RESULTS.md")
    text = results.read_text(encoding="utf-8")
    behind = text.index("## Validity of perturbations\n")
    start = text.find("## Label and naturalness of perturbations\n")
    start = behind if start < 0 else start
    results.write_text(f"{text[:start]}{section(readings())}\n{text[behind:]}", encoding="utf-8")


if __name__ == "__main__":
    _main()
