"""Shortcuts across sources: how many planted cues are found, how many of those found are wrong, and four real sources.

``python -m benchmarks.sources --data FOLDER`` writes the section into RESULTS.md.
"""

from __future__ import annotations

import argparse
import csv
import json
import random
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from benchmarks.sections import replace_section
from robustfim.statistics import Rate, mean_interval, percent
from robustfim_cues.sources.heterogeneity import shortcuts

__all__ = ["Planted", "planted", "section", "simulate"]

_TITLE = "## Shortcuts across sources"
_REAL = (
    ("rotten_tomatoes/train.csv", 2000),
    ("movie_reviews/train.csv", 800),
    ("counterfactual_imdb/train.csv", 1600),
    ("contrast_imdb/dev.csv", 400),
)
"""Files of the folder of data, and how many rows of each are drawn."""


@dataclass(frozen=True)
class Planted:
    """What became of planted cues.

    Attributes:
        sources: The number of sources.
        examples: Examples of each.
        productivity: That of a planted cue in its source, in (0, 1); it stands in 5 % of its examples.
        found: How many planted cues were found, of those planted.
        wrong: In each repetition, the share of those found that were not planted, or not in that source.
    """

    sources: int
    examples: int
    productivity: float
    found: Rate
    wrong: tuple[float, ...]


def simulate(
    sources: int, examples: int, productivity: float, generator: np.random.Generator, *, cues: int = 2000
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], dict[str, int]]:
    """Draw the counts of cues in sources.

    Of the cues, 2 % are planted in one source: half of them stand as often in the others and tell nothing there, half
    stand nowhere else. A quarter tells the label in all sources, by one odds ratio, whose logarithm is normal with
    deviation 0.7. The others tell nothing, and stand more often in one source than in another.

    Args:
        sources: Their number, ≥ 2.
        examples: Examples of each; the share of the label differs from source to source.
        productivity: That of a planted cue, in (0, 1).
        generator: What draws.
        cues: How many cues.

    Returns:
        The counts ``[cues, sources, 2]``, the examples ``[sources, 2]``, and the source of each planted cue by name.
    """
    of_label = (examples * np.linspace(0.4, 0.6, sources)).round().astype(np.int64)
    totals = np.stack([of_label, examples - of_label], axis=1)
    share = totals / examples
    coverage = np.exp(generator.uniform(np.log(0.005), np.log(0.2), (cues, 1, 1)))
    odds = coverage / (1 - coverage) * np.exp(generator.normal(0, 0.3, (cues, sources, 1)))
    told = np.where(np.arange(cues) < cues // 4, generator.normal(0, 0.7, cues), 0.0)[:, None, None]
    odds = odds * np.exp(told * np.array([0.5, -0.5]))
    rates = odds / (1 + odds)
    where = {}
    for cue in range(cues - cues // 50, cues):
        source = int(generator.integers(sources))
        where[str(cue)] = source
        rates[cue] = 0.05 if cue % 2 else 0.0
        rates[cue, source] = 0.05 * np.array([productivity, 1 - productivity]) / share[source]
    return generator.binomial(totals, rates).astype(np.int64), totals, where


def planted(sources: int, examples: int, productivity: float, *, repeats: int, seed: int = 0) -> Planted:
    """Plant cues again and again, and look for them.

    Args:
        sources: Their number, ≥ 2.
        examples: Examples of each.
        productivity: That of a planted cue, in (0, 1).
        repeats: How often.
        seed: The seed of what is drawn.
    """
    generator = np.random.default_rng([seed, sources, examples, round(100 * productivity)])
    hits = number = 0
    wrong = []
    for _ in range(repeats):
        counts, totals, where = simulate(sources, examples, productivity, generator)
        found = shortcuts([str(each) for each in range(len(counts))], counts, totals).found
        # Of two sources, what differs in one differs in the other: which of both is told by the lift alone.
        right = sum(where.get(each.cue) == each.source or (sources == 2 and each.cue in where) for each in found)
        hits, number = hits + right, number + len(where)
        wrong.append((len(found) - right) / len(found) if found else 0.0)
    return Planted(sources, examples, productivity, Rate(hits, number), tuple(wrong))


def real(data: Path) -> dict[str, Any]:
    """Run the command on four sources of the folder of data; return its record."""
    with tempfile.TemporaryDirectory() as folder:
        paths = []
        for name, number in _REAL:
            with (data / name).open(encoding="utf-8", newline="") as file:
                rows = list(csv.DictReader(file))
            random.Random(0).shuffle(rows)  # noqa: S311  # a draw that can be made again
            path = Path(folder) / f"{Path(name).parent}.csv"
            with path.open("w", encoding="utf-8", newline="") as file:
                writer = csv.DictWriter(file, ["text", "label"], extrasaction="ignore")
                writer.writeheader()
                writer.writerows(rows[:number])
            paths.append(str(path))
        record = Path(folder) / "record.json"
        given = ["cues", "sources", *paths, "--folds", "3", "--json", str(record)]
        subprocess.run([sys.executable, "-m", "robustfim", *given], check=True)  # the command of this house
        found: dict[str, Any] = json.loads(record.read_text(encoding="utf-8"))
    return found


def section(rows: Sequence[Planted], found: dict[str, Any], command: str) -> str:
    """Write the section of RESULTS.md.

    Args:
        rows: What became of planted cues.
        found: The record of the command on real sources.
        command: How to measure it again.
    """
    return "\n".join([*_simulated(rows, command), "", *_measured(found), "", ""])


def _simulated(rows: Sequence[Planted], command: str) -> Iterator[str]:
    yield from (_TITLE, "", f"Measured by `{command}`.", "")
    yield (
        f"{len(rows[0].wrong)} data sets a row, of 2,000 cues: 40 are planted in one source, in 5 % of its examples, "
        "of which half stand as often in the other sources and tell nothing there, and half stand nowhere else; 500 "
        "tell the label in all sources, by one odds ratio. Found by `robustfim cues sources` at a false discovery rate "
        "of 5 %. Aim: at least 90 % found, at most 5 % of what is found wrong."
    )
    yield from ("", "| sources | examples each | productivity | planted cues found | wrong, of those found | aim |")
    yield "| --- | --- | --- | --- | --- | --- |"
    for row in rows:
        wrong = sum(row.wrong) / len(row.wrong)
        met = "met" if row.found.rate is not None and row.found.rate >= 0.9 and wrong <= 0.05 else "missed"
        yield (
            f"| {row.sources} | {row.examples:,} | {percent(row.productivity)} | {row.found} | "
            f"{percent(wrong, mean_interval(row.wrong, low=0, high=1))} | {met} |"
        )


def _measured(found: dict[str, Any]) -> Iterator[str]:
    drawn = ", ".join(f"{name} ({number:,})" for name, number in found["sources"].items())
    yield f"Four sources of reviews, drawn from {drawn}; three folds. Lost: against *as it is*, paired."
    ways = list(found["accuracy"][0]["ways"])
    yield from ("", f"| source | {' | '.join(ways)} | lost without shortcuts | lost to other sources |")
    yield "| --- " * (len(ways) + 3) + "|"
    for each in found["accuracy"]:
        told = [percent(each["ways"][way]["right"] / each["examples"], each["ways"][way]["interval"]) for way in ways]
        lost = [
            percent(each["ways"][way]["lost"], each["ways"][way]["lost_interval"], unit="points")
            for way in ("no shortcuts", "other sources")
        ]
        yield f"| {' | '.join([each['source'] or 'all', *told, *lost])} |"
    yield from ("", *found["findings"][1:])


def main() -> None:
    """Measure and write the section."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--data", type=Path, required=True, metavar="FOLDER", help="holds the four sources")
    parser.add_argument("--repeats", type=int, default=50, help="data sets a row (default 50)")
    given = parser.parse_args()
    rows = [
        planted(sources, examples, productivity, repeats=given.repeats)
        for sources in (2, 3)
        for examples in (500, 1000, 2000)
        for productivity in (0.8, 0.9)
    ]
    for row in rows:
        print(row.sources, row.examples, row.productivity, row.found, sum(row.wrong) / len(row.wrong))
    text = section(rows, real(given.data), f"python -m benchmarks.sources --data FOLDER --repeats {given.repeats}")
    replace_section(text)


if __name__ == "__main__":
    main()
