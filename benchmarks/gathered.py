"""Slices that are found: planted ones that ``robustfim slices`` tells, and others that it tells wrongly.

``python -m benchmarks.gathered`` writes the section into RESULTS.md. Texts are random words of a Zipf vocabulary; a
planted slice fails more often than the rest, and what is told is right where it names a word or label of the slice.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from benchmarks.sections import replace_section
from robustfim.seeds import random_for
from robustfim.statistics import wilson
from robustfim_study.slice_search import LEVEL, SliceRow, find_slices

__all__ = ["Planted", "Row", "measure", "planted", "section"]

_BASE, _EXAMPLES = 0.3, 10_000
_WORDS = [f"w{number}" for number in range(200)]
_COMMON = [1 / (number + 2) for number in range(200)]
_AIM = 0.8


@dataclass(frozen=True)
class Planted:
    """What is planted.

    Attributes:
        said: What it is, in words.
        words: Every example of the slice has them all; of two the first is as common again elsewhere.
        share: Of the examples, in [0, 1].
        times: How much more often it fails than the rest.
    """

    said: str
    words: tuple[str, ...]
    share: float
    times: float


@dataclass(frozen=True)
class Row:
    """What was found of one kind.

    Attributes:
        planted: What was planted.
        runs: Data sets.
        found: In how many of them it was told.
        told: Slices told in all.
        false: Those of them that name nothing that was planted.
    """

    planted: Planted
    runs: int
    found: int
    told: int
    false: int


_PLANTED = (
    Planted("nothing", (), 0.0, 1.0),
    Planted("a word in 3 %, twice the rate", ("zebra",), 0.03, 2.0),
    Planted("a word in 2 %, twice the rate", ("zebra",), 0.02, 2.0),
    Planted("a word in 5 %, 1.5 times the rate", ("zebra",), 0.05, 1.5),
    Planted("two words together in 3 %, twice the rate", ("zebra", "gnu"), 0.03, 2.0),
)


def planted(kind: Planted, seed: int) -> list[SliceRow]:
    """Draw a data set.

    Args:
        kind: What is planted.
        seed: Of the draw.

    Returns:
        Tested examples, each with whether it fails.
    """
    chance, found = random_for(seed, kind.said), []
    for number in range(_EXAMPLES):
        words = set(chance.choices(_WORDS, _COMMON, k=chance.randint(5, 30)))
        there = chance.random() < kind.share
        if there:
            words |= {*kind.words}
        elif chance.random() < kind.share:
            words |= {*kind.words[:-1]}  # of two words the first stands elsewhere as often
        fails = chance.random() < _BASE * (kind.times if there else 1.0)
        found.append(SliceRow(str(number), " ".join(sorted(words)), fails, "all", chance.choice("ab"), "a"))
    return found


def measure(runs: int) -> Iterator[Row]:
    """Search in data sets of each kind.

    Args:
        runs: Data sets of each.
    """
    for kind in _PLANTED:
        names = {*kind.words}
        hits = told = false = 0
        for seed in range(runs):
            found = [{str(each.value) for each in one.literals} for one in find_slices(planted(kind, seed)).found]
            right = [not names.isdisjoint(each) for each in found]
            hits += any(names <= each for each in found) if names else 0
            told, false = told + len(found), false + right.count(False)
        yield Row(kind, runs, hits, told, false)


def section(rows: Sequence[Row]) -> str:
    """Write the section of RESULTS.md.

    Args:
        rows: What was found.
    """
    lines = [
        "## Slices that are found",
        "",
        f"Measured by `python -m benchmarks.gathered --runs {rows[0].runs}`.",
        "",
        f"{_EXAMPLES:,} tested examples of which {_BASE:.0%} fail, with words of a Zipf vocabulary, and {rows[0].runs} "
        f"data sets a row; e-BH at {LEVEL:.0%}. *Found*: the planted slice is told, with all of its words; *false*: "
        f"slices that are told and name none of them. Aims: a word in 3 % with twice the rate found in {_AIM:.0%}, and "
        f"{LEVEL:.0%} false, of those told.",
        "",
        "| planted | found | slices told | false, of those told |",
        "| --- | --- | --- | --- |",
    ]
    for row in rows:
        found = "–" if not row.planted.words else f"{row.found} of {row.runs} {_ends(row.found, row.runs)}"
        false = f"{row.false} {_ends(row.false, row.told)}" if row.told else "–"
        lines.append(f"| {row.planted.said} | {found} | {row.told} | {false} |")
    return "\n".join([*lines, "", ""])


def _ends(count: int, number: int) -> str:
    interval = wilson(count, number)
    return "" if interval is None else f"[{interval[0]:.1%}, {interval[1]:.1%}]"


def main() -> None:
    """Measure and write the section."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=100)
    rows = list(measure(parser.parse_args().runs))
    replace_section(section(rows))
    print(section(rows))


if __name__ == "__main__":
    main()
