"""Versions: pairs of two checkouts on fresh texts, read in random order by somebody who is not told which made which.

``python -m benchmarks.versions make FILE NAME… --data FOLDER --tree CHECKOUT --seed N`` lets the checkout named and
this one change the same texts, of the half that nobody tuned on and none that ``benchmarks.reach`` draws, and writes a
sample of each for a reader, pairs that both made once; beside FILE a key. ``… keep FILE NUMBER…`` puts hashes and
verdicts into ``versions.tsv``: the numbers are the pairs that are not sound. ``… write`` writes the section of
RESULTS.md.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from itertools import chain, zip_longest
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import robustfim
from benchmarks import reach
from benchmarks.reading import digest, short
from benchmarks.readings import pair_of, share
from benchmarks.sections import replace_section
from benchmarks.validity import rows_of
from robustfim.example import Example

__all__ = ["Versioned", "mixed", "section", "versions"]

TABLE = Path(__file__).with_name("versions.tsv")
_HEAD = (
    "# Pairs of two versions, read without the version. Columns: perturbation <tab> hashes of text and of result\n"
    "# <tab> versions that made it <tab> sound (1 or 0); behind a - version <tab> texts it changed <tab> of how many.\n"
)
_KINDS = ("film", "news", "review", "web")
_SAMPLE = 50
"""Pairs of a version and a perturbation that are read at most."""


class Versioned(NamedTuple):
    """One pair.

    Attributes:
        perturbation: Its name.
        by: The versions that made it: before, now, or both.
        sound: Whether what is expected holds, and a person could have written it.
    """

    perturbation: str
    by: frozenset[str]
    sound: bool


def versions(path: Path = TABLE) -> tuple[list[Versioned], dict[tuple[str, str], tuple[int, int]]]:
    """Read the pairs, and how many texts each version changed, of how many, by perturbation and version.

    Args:
        path: The table.
    """
    rows = rows_of(path)
    pairs = [Versioned(row[0], frozenset(row[3].split()), row[4] == "1") for row in rows if row[1] != "-"]
    return pairs, {(row[0], row[2]): (int(row[3]), int(row[4])) for row in rows if row[1] == "-"}


def mixed(made: Mapping[str, Sequence[Mapping[str, Any]]], seed: int) -> list[tuple[Mapping[str, Any], list[str]]]:
    """Draw as many pairs of each kind of text as there are, of each version, and mix them.

    Args:
        made: By version what it made: kind, source, result, and more.
        seed: Of the draw.

    Returns:
        Pairs with the versions that made them, in random order.
    """
    found: dict[tuple[str, str], tuple[Mapping[str, Any], list[str]]] = {}
    for version, rows in made.items():
        by_kind: dict[str, list[Mapping[str, Any]]] = {}
        for row in sorted(rows, key=lambda row: str(row["source"])):
            by_kind.setdefault(row["kind"], []).append(row)
        for its in by_kind.values():
            Random(seed).shuffle(its)  # noqa: S311  # reproducible, not secret
        turns = chain.from_iterable(zip_longest(*(by_kind[kind] for kind in sorted(by_kind))))
        for row in [row for row in turns if row is not None][:_SAMPLE]:
            found.setdefault((row["source"], row["result"]), (row, []))[1].append(version)
    pairs = list(found.values())
    Random(seed).shuffle(pairs)  # noqa: S311  # as above
    return pairs


def section(pairs: Sequence[Versioned], changed: Mapping[tuple[str, str], tuple[int, int]]) -> str:
    """Write the section of RESULTS.md.

    Args:
        pairs: Pairs that were read.
        changed: By perturbation and version, texts changed, of how many.
    """
    lines = [
        "## Nations, places, people and negation, read without the version",
        "",
        "Written by `python -m benchmarks.versions write`.",
        "",
        f"At most {_SAMPLE} pairs of each version, of the same fresh texts (films, news, reviews, web) of the half "
        "that nobody tuned on, mixed; one that both made was read once. Sound: what is expected holds, and a person "
        "would write it, which nobody does who contradicts the rest of the text. The reader, a language model, was not "
        "told the version, but had written today's, and can guess where a text is changed at several places. Before is "
        "`5968b81f`. 95 % intervals by Wilson.",
        "",
        "| perturbation | sound before | sound now | texts changed before | now |",
        "| --- | --- | --- | --- | --- |",
    ]
    for name in dict.fromkeys(pair.perturbation for pair in pairs):
        its = [[pair.sound for pair in pairs if pair.perturbation == name and v in pair.by] for v in ("before", "now")]
        reached = [share(*changed[name, version]) for version in ("before", "now")]
        lines.append(f"| `{name}` | {' | '.join([*(share(sum(row), len(row)) for row in its), *reached])} |")
    return "\n".join([*lines, ""])


def _made(names: Sequence[str], fresh: Mapping[str, Sequence[tuple[str, str]]]) -> dict[str, list[dict[str, str]]]:
    """Let the packages that Python finds change texts: by perturbation a pair of each that changes."""
    found: dict[str, list[dict[str, str]]] = {name: [] for name in names}
    for name in names:
        for kind, its in fresh.items():
            examples = [Example({"text": text}, label or None) for text, label in its]
            for each in filter(None, robustfim.perturb(name, examples, candidates=8, seed=0).candidates):
                pair = pair_of(name, kind, Random(each[0].source.text).choice(each))  # noqa: S311  # as above
                about = f"{kind} | gold {each[0].source.gold[0] if each[0].source.gold else '-'} | {short(pair)}"
                found[name].append({"kind": kind, "source": pair.source, "result": pair.result, "asked": about})
    return found


def _make(given: argparse.Namespace) -> None:
    from benchmarks.checkout import in_checkout

    drawn = {each.text for its in reach.texts(given.data).values() for each in its}
    fresh = {
        kind: [(each.text, each.gold[0] if each.gold else "") for each in its]
        for kind, its in reach.texts(given.data, given.seed, drawn).items()
        if kind in _KINDS
    }
    before = in_checkout(given.tree, __file__, "propose", *given.names, read=fresh)
    made = {"before": before, "now": _made(given.names, fresh)}
    key: list[tuple[str, str, str, list[str]]] = []
    with given.file.open("w", encoding="utf-8") as file:
        for name in given.names:
            for row, by in mixed({version: rows[name] for version, rows in made.items()}, given.seed):
                key.append((name, digest(row["source"]), digest(row["result"]), by))
                file.write(f"{len(key)}. {name} | {row['asked']}\n")
    tried = sum(map(len, fresh.values()))
    counts = [(name, version, len(rows[name]), tried) for version, rows in made.items() for name in given.names]
    given.file.with_suffix(".key").write_text(json.dumps({"pairs": key, "counts": counts}), encoding="utf-8")


def _keep(given: argparse.Namespace) -> None:
    key = json.loads(given.file.with_suffix(".key").read_text(encoding="utf-8"))
    rows = [
        "\t".join([*pair[:3], " ".join(pair[3]), str(int(number not in given.unsound))])
        for number, pair in enumerate(key["pairs"], 1)
    ]
    rows += [f"{name}\t-\t{version}\t{changed}\t{tried}" for name, version, changed, tried in key["counts"]]
    names = {row.split("\t")[0] for row in rows}
    kept = ["\t".join(row) for row in rows_of(TABLE) if row[0] not in names] if TABLE.exists() else []
    TABLE.write_text(_HEAD + "".join(f"{row}\n" for row in sorted([*kept, *rows])), encoding="utf-8")


def _main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    commands = parser.add_subparsers(required=True)
    make = commands.add_parser("make")
    make.add_argument("file", type=Path)
    make.add_argument("names", nargs="+")
    make.add_argument("--data", type=Path, required=True)
    make.add_argument("--tree", type=Path, required=True, help="another checkout")
    make.add_argument("--seed", type=int, required=True)
    make.set_defaults(run=_make)
    propose = commands.add_parser("propose")
    propose.add_argument("names", nargs="+")
    propose.set_defaults(run=lambda given: print(json.dumps(_made(given.names, json.load(sys.stdin)))))
    keep = commands.add_parser("keep")
    keep.add_argument("file", type=Path)
    keep.add_argument("unsound", type=int, nargs="*")
    keep.set_defaults(run=_keep)
    commands.add_parser("write").set_defaults(run=lambda _: replace_section(section(*versions())))
    given = parser.parse_args()
    given.run(given)


if __name__ == "__main__":
    _main()
