"""Readings: whether the expected label holds, and how natural a text is, from pairs that were read one by one.

``python -m benchmarks.readings make FILE NAME… --data FOLDER`` draws pairs of the half that nobody tuned on and prints
them in short; ``… rate FILE NAME VERDICTS…`` puts their hashes and verdicts into ``readings.tsv``, as
``benchmarks.guards`` does. ``… write`` writes the section of RESULTS.md again.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from benchmarks.reach import NAMES, drawn, reached
from benchmarks.reading import digest, short
from benchmarks.sections import replace_section
from benchmarks.validity import Rated, rows_of
from robustfim.candidate import Candidate
from robustfim.record import Card
from robustfim.statistics import wilson

__all__ = ["READINGS", "Read", "keep", "pair_of", "readings", "section", "share", "written"]

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

    @property
    def sound(self) -> bool:
        """Whether the expectation holds and a person could have written the text."""
        return self.holds and self.natural > 0


def readings(path: Path = READINGS) -> list[Read]:
    """Read the pairs.

    Args:
        path: The table.
    """
    return [
        Read(name, source, result, holds == "1", int(natural)) for name, source, result, holds, natural in rows_of(path)
    ]


def _counts(pairs: Sequence[Read]) -> tuple[int, int, int]:
    return (
        sum(pair.holds for pair in pairs),
        sum(pair.natural > 0 for pair in pairs),
        sum(pair.natural > 1 for pair in pairs),
    )


def section(pairs: Sequence[Read], reach: Mapping[str, tuple[int, int]]) -> str:
    """Write the section of RESULTS.md.

    Args:
        pairs: Pairs that were read.
        reach: By perturbation, texts that it changes, and texts that it was tried on.
    """
    lines = [
        "## Label and naturalness of perturbations",
        "",
        "Written by `python -m benchmarks.readings write`.",
        "",
        f"{len(pairs)} pairs of texts of the half that nobody tuned on, 24, 30 or 50 a perturbation where it "
        "applies to so many, read for two questions: does what the check expects hold for a careful reader (of "
        "`antonyms` and `negation`: the text does not speak more for its gold label), and is the text natural "
        "(2 as the source, 1 odd but a person could have written it, 0 nobody would). One language model read "
        "them, the one that had taken the refusals away, and knew which perturbation made them: these numbers are its "
        "own, and no person's. `organisations` and `places` were read again, 50 pairs each, by a language model that "
        "had given them more names; `people` and added sentences, 50 each, by one that had written many of the "
        "sentences. Reach is the share of texts changed, yield that of texts changed "
        "soundly: what is expected holds, and a person could have written it. 95 % intervals by Wilson. Causes that it "
        "showed were mended after it and are in the table: verbs like a month and words before a capital are no longer "
        "nouns of a group (`nouns`), adherents of religions no family names (`people`), Chinatown no city (`places`), "
        "and a book that stands beside a film is not watched (added sentences). Three places that a first draw had "
        "put for Hollywood, Texans who were no team, and a country that was in the "
        "text by its abbreviation were mended before the pairs of the table were drawn.",
        "",
        "| perturbation | pairs | expectation holds | natural ≥ 1 | natural 2 | reach | yield |",
        "| --- | --- | --- | --- | --- | --- | --- |",
    ]
    yields = []
    for name in dict.fromkeys(pair.perturbation for pair in pairs):
        its = [pair for pair in pairs if pair.perturbation == name]
        changed, tried = reach[name]
        yields.append(sum(pair.sound for pair in its) / len(its) * changed / tried)
        shares = [*(share(count, len(its)) for count in _counts(its)), share(changed, tried), f"{yields[-1]:.0%}"]
        lines.append(f"| `{name}` | {len(its)} | {' | '.join(shares)} |")
    texts = sum(row[0] for row in reach.values()) / sum(row[1] for row in reach.values())
    shares = [share(count, len(pairs)) for count in _counts(pairs)]
    mean = sum(yields) / len(yields)
    lines.append(f"| **all** | {len(pairs)} | {' | '.join(shares)} | {texts:.0%} | {mean:.0%} |")
    return "\n".join([*lines, ""])


def share(count: float, total: int) -> str:
    """Write a share with its 95 % interval by Wilson.

    Args:
        count: How many, a mean of several readers where it is not whole.
        total: Of how many.
    """
    low, high = wilson(count, total) or (0.0, 1.0)
    return f"{count / total:.0%} [{low:.0%}, {high:.0%}]"


def _write(given: argparse.Namespace) -> None:
    replace_section(section(readings(), reached()))


def written(dealt: Mapping[str, Card]) -> str:
    """Write cards as a file, a line each.

    Args:
        dealt: The cards, by name.
    """
    lines = [f"  {json.dumps(name)}: {json.dumps(card.model_dump())}" for name, card in dealt.items()]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def pair_of(name: str, kind: str, made: Candidate) -> Rated:
    """Return a candidate as a pair that is not rated yet.

    Args:
        name: The perturbation.
        kind: The kind of text.
        made: The candidate.
    """
    edits = json.dumps([[each.start, each.end, each.before, each.after] for each in made.edits])
    return Rated("", name, kind, made.source.text, made.example.text, "", "-", edits)


def keep(table: Path, about: Sequence[str], pairs: Sequence[tuple[str, str]], verdicts: Sequence[str]) -> None:
    """Put what a reader answered into a table, in the place of the rows that begin alike.

    Args:
        table: The table, which is there.
        about: The first cells of each row.
        pairs: A text and what was made of it, in the order in which they were read.
        verdicts: ``number:verdict``, the number from 1, the verdict 1 or 0, then 2, 1 or 0; of those left out ``12``.
    """
    said, begin = dict(each.split(":") for each in verdicts), "".join(f"{cell}\t" for cell in about)
    lines = [line for line in table.read_text(encoding="utf-8").splitlines() if not line.startswith(begin)]
    for number, texts in enumerate(pairs, 1):
        lines.append("\t".join([*about, *map(digest, texts), *said.get(str(number), "12")]))
    table.write_text("\n".join([*lines, ""]), encoding="utf-8")


def _make(given: argparse.Namespace) -> None:
    with given.file.open("w", encoding="utf-8") as file:
        numbers = Counter[str]()
        for name, kind, made in drawn(given.data, given.sample, given.names or NAMES):
            numbers[name] += 1
            pair = pair_of(name, kind, made)
            print(f"{name} {numbers[name]} {kind} {made.source.label or '-'}: {short(pair)}")
            row = {"perturbation": name, "source": pair.source, "result": pair.result}
            file.write(json.dumps(row, ensure_ascii=False) + "\n")


def _rate(given: argparse.Namespace) -> None:
    rows = [json.loads(line) for line in given.file.read_text(encoding="utf-8").splitlines()]
    pairs = [(row["source"], row["result"]) for row in rows if row["perturbation"] == given.name]
    keep(READINGS, [given.name], pairs, given.verdicts)


def _main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    commands = parser.add_subparsers(required=True)
    make = commands.add_parser("make")
    make.add_argument("file", type=Path)
    make.add_argument("names", nargs="*")
    make.add_argument("--data", type=Path, required=True)
    make.add_argument("--sample", type=int, default=24)
    make.set_defaults(run=_make)
    rate = commands.add_parser("rate")
    rate.add_argument("file", type=Path)
    rate.add_argument("name")
    rate.add_argument("verdicts", nargs="*")
    rate.set_defaults(run=_rate)
    commands.add_parser("write").set_defaults(run=_write)
    given = parser.parse_args()
    given.run(given)


if __name__ == "__main__":
    _main()
