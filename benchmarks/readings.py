"""Readings: what readers are asked of pairs of a text and what a perturbation made of it, and what they answer.

``benchmarks.blind`` and ``benchmarks.languages`` are such readings. The questions are two: does what a check expects
hold for a careful reader, and is the text natural (2 as the source, 1 odd but a person could have written it, 0 nobody
would).
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from random import Random

from benchmarks.reading import digest
from benchmarks.validity import Rated
from robustfim.candidate import Candidate
from robustfim.record import Card
from robustfim.statistics import wilson

__all__ = ["QUESTIONS", "READERS", "answered", "ask", "keep", "main", "pair_of", "share", "written"]

QUESTIONS = {
    "antonyms": "not more", "negation": "not more", "positive_sentence": "praise", "negative_sentence": "blame",
}  # fmt: skip
"""What a reader is asked of a pair, where it is not whether the label stays."""

READERS = "two language models that had changed nothing"
Command = Callable[[argparse.Namespace], None]


def share(count: float, total: float) -> str:
    """Write a share with its 95 % interval by Wilson.

    Args:
        count: How many, a mean of several readers where it is not whole.
        total: Of how many, or what they are worth in equal ones; of none there is no share.
    """
    interval = wilson(count, total)
    return "–" if interval is None else f"{count / total:.0%} [{interval[0]:.0%}, {interval[1]:.0%}]"


def written(dealt: Mapping[str, Card]) -> str:
    """Write cards as a file, a line each.

    Args:
        dealt: The cards, by name.
    """
    lines = [
        f"  {json.dumps(name)}: {json.dumps(card.model_dump(exclude_defaults=True))}" for name, card in dealt.items()
    ]
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


def ask(file: Path, rows: Sequence[Mapping[str, str]]) -> None:
    """Write pairs for readers, in random order, and beside them a key that says what each is.

    Args:
        file: Where the questions go.
        rows: What the key keeps of each; ``asked`` is what a reader sees.
    """
    shuffled = Random(7).sample(rows, len(rows))  # noqa: S311  # reproducible, not secret
    file.write_text("".join(f"{at}. {row['asked']}\n" for at, row in enumerate(shuffled, 1)), encoding="utf-8")
    file.with_suffix(".key").write_text(json.dumps(shuffled), encoding="utf-8")


def answered(file: Path, answers: Sequence[Path]) -> list[tuple[dict[str, str], list[tuple[int, int]]]]:
    """Return what the key keeps of each pair, and of each reader whether it holds, and how natural it is.

    Args:
        file: The questions.
        answers: Of each reader, lines of number, 1 or 0, and 2, 1 or 0.

    Raises:
        KeyError: A reader left a pair out.
    """
    rows = json.loads(file.with_suffix(".key").read_text(encoding="utf-8"))
    readers = []
    for path in answers:
        lines = [[int(each) for each in line.split()] for line in path.read_text(encoding="utf-8").splitlines()]
        readers.append({at: (holds, natural) for at, holds, natural in filter(None, lines)})
    return [(row, [reader[at] for reader in readers]) for at, row in enumerate(rows, 1)]


def main(about: str | None, make: Command, keep: Command, write: Command, folders: Sequence[str] = ("data",)) -> None:
    """Run the command line of readings: ``make``, ``keep``, ``write``.

    Args:
        about: What it is for.
        make: Draws pairs for readers: ``file``, and the folders.
        keep: Keeps what they answered: ``file``, ``answers``.
        write: Writes what is told of it.
        folders: What ``make`` reads, each an option.
    """
    parser = argparse.ArgumentParser(description=about)
    commands = parser.add_subparsers(required=True)
    making = commands.add_parser("make")
    making.add_argument("file", type=Path)
    making.add_argument("--only", action="append", metavar="NAME", help="a perturbation; may be repeated")
    for folder in folders:
        making.add_argument(f"--{folder}", type=Path, required=True)
    making.set_defaults(run=make)
    keeping = commands.add_parser("keep")
    keeping.add_argument("file", type=Path)
    keeping.add_argument("answers", type=Path, nargs="+")
    keeping.set_defaults(run=keep)
    commands.add_parser("write").set_defaults(run=write)
    given = parser.parse_args()
    given.run(given)
