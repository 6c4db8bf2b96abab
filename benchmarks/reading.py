"""Reading: pairs of a text and what a perturbation makes of it, to be read one by one, and what the reader said.

``python -m benchmarks.reading make FILE NAME… --data FOLDER`` writes a sample of pairs to a file outside the checkout
and prints them in short; ``python -m benchmarks.reading rate FILE ROUND VERDICTS`` adds their hashes, edits and
verdicts to the rated pairs. ``python -m benchmarks.reading reach --data FOLDER`` counts to how many texts each
perturbation applies now, and ``… again --data FOLDER`` which pairs that are not valid still come; ``python -m
benchmarks.validity --update`` tells both. The texts are several kinds: film sentences, news, reviews, a suite of hate
speech and web text.
"""

from __future__ import annotations

import argparse
import csv
import hashlib
import importlib
import json
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from random import Random

import robustfim_words
from benchmarks.validity import RATINGS, REACH, Rated, read_ratings, rows_of
from robustfim.candidate import Candidate, Edit
from robustfim.example import Example
from robustfim.roles import Substitution

__all__ = ["PARTS", "digest", "made", "pairs", "perturbation", "short", "texts"]

PARTS = ("tune", "count")
"""The halves of the texts: after reading the first, causes are mended; the second is counted."""

_KINDS = {
    "film": ("rotten_tomatoes/train.csv", "rotten_tomatoes/dev.csv"),
    "news": ("ag_news/train.csv", "ag_news/dev.csv"),
    "review": ("counterfactual_imdb/train.csv", "movie_reviews/train.csv"),
    "suite": ("suites/hatecheck_test_suite_cases.csv",),
    "web": ("ud_english_ewt/train.conllu", "ud_english_ewt/dev.conllu"),
}
_LONGEST = 1500
"""Characters of a text that a reader is shown at most."""
_CANDIDATES = 40
_BESIDE = 80
_YARDSTICKS = frozenset(["neighbours", "random_words"])
_DRAWS = "01234"
"""Seeds of the draws in which a pair is looked for."""
_STATE = 6
"""The column of what became of a pair."""


def digest(text: str) -> str:
    """Return the first 20 digits of a text's SHA-256."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:20]


def texts(data: Path, part: str) -> dict[str, list[str]]:
    """Read the texts of each kind that belong to a part, by their hash, and were not rated before.

    Args:
        data: The folder of the public data sets.
        part: One of ``PARTS``.
    """
    rated = {each.source for each in read_ratings()}
    found: dict[str, list[str]] = {}
    for kind, paths in _KINDS.items():
        for text in dict.fromkeys(text for path in paths for text in _read(data / path)):
            key = digest(text)
            if 20 < len(text) <= _LONGEST and key not in rated and int(key, 16) % len(PARTS) == PARTS.index(part):
                found.setdefault(kind, []).append(text)
    return found


def _read(path: Path) -> Iterator[str]:
    csv.field_size_limit(10**9)
    with path.open(encoding="utf-8", newline="") as file:
        if path.suffix == ".conllu":
            passage: list[str] = []
            for line in file:
                if line.startswith("# newpar") and passage:
                    yield " ".join(passage)
                    passage = []
                if line.startswith("# text = "):
                    passage.append(line.removeprefix("# text = ").strip())
            yield " ".join(passage)
        else:
            yield from (row.get("text") or row["test_case"] for row in csv.DictReader(file))


def perturbation(name: str) -> object:
    """Make a perturbation of the words, with its options as they are.

    Args:
        name: As suites write it.
    """
    module, cls = robustfim_words.robustfim_offers()["perturbations"][name].split(":")
    return getattr(importlib.import_module(module), cls)()


def made(perturbation: object, example: Example, seed: str) -> Iterator[Candidate]:
    """Make what a perturbation makes of an example; of one with endless draws, the first forty.

    Args:
        perturbation: Of either kind.
        example: The source example.
        seed: Starts the draws, with the text.
    """
    random = Random(f"{seed}{example.text}")  # noqa: S311  # reproducible, not secret
    if isinstance(perturbation, Substitution):
        return (Candidate(example, (edit,)) for edit in perturbation.edits(example, random))
    return islice(perturbation.propose(example, random), _CANDIDATES)  # type: ignore[attr-defined]  # the other kind


def pairs(name: str, known: dict[str, list[str]], sample: int, seed: int, most: int) -> tuple[list[Rated], int, int]:
    """Draw pairs of a perturbation, as many of each kind of text as there are.

    Args:
        name: The perturbation.
        known: Texts by kind.
        sample: Pairs wanted.
        seed: Of the draw.
        most: Texts of each kind that are tried.

    Returns:
        The pairs, unrated, their texts in place of hashes; the texts applied to, and the texts tried.
    """
    change, applied, tried = perturbation(name), 0, 0
    by_kind: list[list[Rated]] = []
    for kind, its in known.items():
        found: list[Rated] = []
        for text in Random(seed).sample(its, min(most, len(its))):  # noqa: S311  # as above
            tried += 1
            example = Example({"text": text})
            candidates = list(made(change, example, str(seed)))
            if candidates:
                applied += 1
                chosen = Random(f"{seed}{text}").choice(candidates)  # noqa: S311  # as above
                edits = json.dumps([[e.start, e.end, e.before, e.after] for e in chosen.edits], ensure_ascii=False)
                found.append(Rated("", name, kind, text, chosen.example.text, "", "-", edits))
        by_kind.append(found)
    drawn = [each for row in _in_turn(by_kind) for each in row][:sample]
    return drawn, applied, tried


def _in_turn(rows: list[list[Rated]]) -> Iterator[list[Rated]]:
    for place in range(max(map(len, rows), default=0)):
        yield [row[place] for row in rows if place < len(row)]


def short(pair: Rated) -> str:
    """Show the places of a pair's edits with what is beside them.

    Args:
        pair: The pair.
    """
    edits = [Edit("text", start, end, before, after) for start, end, before, after in json.loads(pair.edits)]
    parts, at = [], 0
    for edit in sorted(edits, key=lambda edit: edit.start):
        gap = pair.source[at : edit.start]
        if at == 0:
            gap = gap if len(gap) <= _BESIDE else f"…{gap[-_BESIDE:]}"
        elif len(gap) > 2 * _BESIDE:
            gap = f"{gap[:_BESIDE]} … {gap[-_BESIDE:]}"
        parts.append(f"{gap}[{edit.before}→{edit.after}]")
        at = edit.end
    rest = pair.source[at:]
    return "".join(parts) + (rest if len(rest) <= _BESIDE else f"{rest[:_BESIDE]}…")


def _make(given: argparse.Namespace) -> None:
    known = texts(given.data, given.part)
    with given.file.open("w", encoding="utf-8") as file:
        for name in given.names or sorted(robustfim_words.robustfim_offers()["perturbations"]):
            drawn, applied, tried = pairs(name, known, given.sample, given.seed, given.texts)
            print(f"== {name}: applies to {applied} of {tried} texts")
            for number, pair in enumerate(drawn, 1):
                print(f"{number} {pair.data}: {short(pair)}" if given.sample else "")
                file.write(json.dumps(vars(pair), ensure_ascii=False) + "\n")


def _rate(given: argparse.Namespace) -> None:
    """Add the pairs of one perturbation: those with a verdict have it, the others are valid."""
    rows = [Rated(**json.loads(line)) for line in given.file.read_text(encoding="utf-8").splitlines()]
    rows = [row for row in rows if row.perturbation == given.name]
    verdicts = {int(each[:-1]): each[-1] for each in given.verdicts}
    change = perturbation(given.name)
    with RATINGS.open("a", encoding="utf-8") as file:
        for number, row in enumerate(rows, 1):
            verdict = verdicts.get(number, "V")
            back = verdict != "V" and any(
                candidate.example.text == row.result
                for seed in ("0", given.round)
                for candidate in made(change, Example({"text": row.source}), seed)
            )
            state = "-" if verdict == "V" else "stands" if back else "mended"
            edits = row.edits if len(json.loads(row.edits)) <= 4 and len(row.edits) < 400 else row.edits.count("[") - 1
            cells = [given.round, row.perturbation, row.data, digest(row.source), digest(row.result), verdict, state]
            file.write("\t".join([*cells, str(edits).replace("\t", " ")]) + "\n")


def _again(given: argparse.Namespace) -> None:
    """Write again what became of the pairs that are not valid and whose text is at hand."""
    known = {digest(text): text for paths in _KINDS.values() for path in paths for text in _read(given.data / path)}
    changes: dict[str, object] = {}
    lines = RATINGS.read_text(encoding="utf-8").splitlines()
    for number, line in enumerate(lines):
        row = None if line.startswith("#") else Rated(*line.split("\t"))
        if row is None or row.verdict == "V" or row.source not in known or row.perturbation == "rules":
            continue
        change = changes.setdefault(row.perturbation, perturbation(row.perturbation))
        example = Example({"text": known[row.source]})
        results = (digest(each.example.text) for seed in (*_DRAWS, row.round) for each in made(change, example, seed))
        cells = line.split("\t")
        cells[_STATE] = "stands" if row.result in results else "mended"
        lines[number] = "\t".join(cells)
    RATINGS.write_text("\n".join([*lines, ""]), encoding="utf-8")


def _reach(given: argparse.Namespace) -> None:
    """Write again to how many texts the perturbations apply now."""
    known = texts(given.data, "count")
    names = given.names or sorted(set(robustfim_words.robustfim_offers()["perturbations"]) - _YARDSTICKS)
    kept = [row for row in rows_of(REACH) if row[0] != "now" or row[1] not in names]
    for name in names:
        _, applied, tried = pairs(name, known, 0, 0, given.texts)
        kept.append(["now", name, str(applied), str(tried)])
        print(f"{name}: {applied} of {tried}")
    head = [line for line in REACH.read_text(encoding="utf-8").splitlines() if line.startswith("#")]
    REACH.write_text("\n".join([*head, *("\t".join(row) for row in sorted(kept)), ""]), encoding="utf-8")


def _main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    commands = parser.add_subparsers(required=True)
    make = commands.add_parser("make")
    make.add_argument("file", type=Path)
    make.add_argument("names", nargs="*")
    make.add_argument("--data", type=Path, required=True)
    make.add_argument("--part", choices=PARTS, default="tune")
    make.add_argument("--sample", type=int, default=40)
    make.add_argument("--seed", type=int, default=0)
    make.add_argument("--texts", type=int, default=200)
    make.set_defaults(run=_make)
    rate = commands.add_parser("rate")
    rate.add_argument("file", type=Path)
    rate.add_argument("round")
    rate.add_argument("name")
    rate.add_argument("verdicts", nargs="*")
    rate.set_defaults(run=_rate)
    again = commands.add_parser("again")
    again.add_argument("--data", type=Path, required=True)
    again.set_defaults(run=_again)
    reach = commands.add_parser("reach")
    reach.add_argument("names", nargs="*")
    reach.add_argument("--data", type=Path, required=True)
    reach.add_argument("--texts", type=int, default=100)
    reach.set_defaults(run=_reach)
    given = parser.parse_args()
    given.run(given)


if __name__ == "__main__":
    _main()
