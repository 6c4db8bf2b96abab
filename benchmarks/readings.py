"""Readings: what readers are asked of pairs of a text and what a perturbation made of it, and what they answer.

``benchmarks.blind`` and ``benchmarks.languages`` are such readings. The questions are two: does what a check expects
hold for a careful reader, and is the text natural (2 as the source, 1 odd but a person could have written it, 0 nobody
would).
"""

from __future__ import annotations

import argparse
import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from random import Random

from benchmarks.validity import Rated
from robustfim.candidate import Candidate, Edit
from robustfim.record import Card
from robustfim.statistics import wilson

__all__ = ["QUESTIONS", "READERS", "answered", "ask", "digest", "keep", "main", "marked", "pair_of", "share", "written"]

QUESTIONS = {
    "antonyms": "not more", "negation": "not more", "positive_sentence": "praise", "negative_sentence": "blame",
}  # fmt: skip
"""What a reader is asked of a pair, where it is not whether the label stays."""

READERS = "two language models that had changed nothing"
Command = Callable[[argparse.Namespace], None]


def digest(text: str) -> str:
    """Return the first 20 digits of a text's SHA-256."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:20]


def marked(pair: Rated) -> str:
    """Write the whole text of a pair on one line, with each edit as ``[before→after]``.

    Args:
        pair: The pair of a text and a candidate.
    """
    edits = sorted((Edit("text", *edit) for edit in json.loads(pair.edits)), key=lambda edit: edit.start)
    parts, at = [], 0
    for edit in edits:
        parts.append(f"{pair.source[at : edit.start]}[{edit.before}→{edit.after}]")
        at = edit.end
    return " ".join("".join([*parts, pair.source[at:]]).split())


def share(count: float, total: float) -> str:
    """Write a fraction with its 95 % Wilson interval.

    Args:
        count: The numerator; the mean of several readers' counts need not be a whole number.
        total: The denominator, or an effective number of cases. For 0, there is no fraction.
    """
    interval = wilson(count, total)
    return "–" if interval is None else f"{count / total:.0%} [{interval[0]:.0%}, {interval[1]:.0%}]"


def written(dealt: Mapping[str, Card]) -> str:
    """Write cards as JSON with one line for each card.

    Args:
        dealt: The card of each perturbation, by name.
    """
    lines = [
        f"  {json.dumps(name)}: {json.dumps(card.model_dump(exclude_defaults=True))}" for name, card in dealt.items()
    ]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def pair_of(name: str, kind: str, made: Candidate) -> Rated:
    """Make a pair without a rating from a candidate.

    Args:
        name: The perturbation's name.
        kind: The kind of text.
        made: The candidate.
    """
    edits = json.dumps([[edit.start, edit.end, edit.before, edit.after] for edit in made.edits])
    return Rated("", name, kind, made.source.text, made.example.text, "", "-", edits)


def keep(table: Path, about: Sequence[str], pairs: Sequence[tuple[str, str]], verdicts: Sequence[str]) -> None:
    """Write a reader's answers to a table. Earlier rows with the same first cells are replaced.

    Args:
        table: The path of an existing table.
        about: The first cells of each row.
        pairs: Pairs of a text and a perturbed text, in the order in which they were read.
        verdicts: The answers as ``number:verdict``, with the pair's number from 1. A verdict has two digits: 1 or 0 for
            whether the expectation holds, then the naturalness 2, 1 or 0. A pair without a verdict gets ``12``.
    """
    said, begin = dict(verdict.split(":") for verdict in verdicts), "".join(f"{cell}\t" for cell in about)
    lines = [line for line in table.read_text(encoding="utf-8").splitlines() if not line.startswith(begin)]
    for number, texts in enumerate(pairs, 1):
        lines.append("\t".join([*about, *map(digest, texts), *said.get(str(number), "12")]))
    table.write_text("\n".join([*lines, ""]), encoding="utf-8")


def ask(file: Path, rows: Sequence[Mapping[str, str]]) -> None:
    """Write pairs for readers in random order, and a key file that identifies each pair.

    Args:
        file: The file for the pairs. The key is written beside it.
        rows: The facts about each pair that go into the key; ``asked`` is the text that a reader sees.
    """
    shuffled = Random(7).sample(rows, len(rows))  # noqa: S311  # reproducible, not secret
    file.write_text("".join(f"{at}. {row['asked']}\n" for at, row in enumerate(shuffled, 1)), encoding="utf-8")
    file.with_suffix(".key").write_text(json.dumps(shuffled), encoding="utf-8")


def answered(file: Path, answers: Sequence[Path]) -> list[tuple[dict[str, str], list[tuple[int, int]]]]:
    """Return for each pair its row in the key and the readers' answers.

    An answer has two numbers: whether the expectation holds (1 or 0), and the naturalness (2, 1 or 0).

    Args:
        file: The file with the pairs.
        answers: A file for each reader. Each of its lines has the pair's number and the two numbers of the answer.

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
        about: A description for ``--help``.
        make: A function that draws pairs for readers, with the arguments ``file`` and the folders.
        keep: A function that keeps the readers' answers, with the arguments ``file`` and ``answers``.
        write: A function that writes the results.
        folders: The names of the folders that ``make`` reads, each an option of the command.
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
