"""Added sentences, one by one: how many answers of four models each moves, and which way.

``python -m benchmarks.added --data FOLDER --tree CHECKOUT`` puts each sentence of this checkout and of the one named
behind texts of its kind, asks the reference models, and writes the section of RESULTS.md. A sentence that changes far
more answers than the others of its kind, and nearly all one way, may say something of the matter: somebody reads it
again. What it says decides, not the models.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from benchmarks.planted import MODELS, Probability, model_of
from benchmarks.reach import texts
from benchmarks.sections import replace_section
from robustfim_words.text.lexicon import read_table
from robustfim_words.text.text_kind import kind_of

__all__ = ["Added", "Moved", "added", "grouped", "moved", "section"]

_TEXTS = 40
"""Texts of each kind."""
_FEWEST = 8
"""Changed answers below which nothing is said of their way."""
_ONE_WAY = 0.9
_LEXICONS = Path("plugins", "robustfim_words", "lexicons")


class Added(NamedTuple):
    """A sentence that is added.

    Attributes:
        sentence: It.
        kind: The kind of texts behind which it stands: review, news, question or message.
    """

    sentence: str
    kind: str


class Moved(NamedTuple):
    """What a sentence moves.

    Attributes:
        changed: Answers that change, of all models.
        up: Those of them that change to praise.
        asked: Texts, times models.
    """

    changed: int
    up: int
    asked: int


def added(tree: Path) -> list[Added]:
    """Read the neutral sentences of a checkout.

    Args:
        tree: Its folder.
    """
    lexicons = tree / _LEXICONS
    said = read_table(lexicons / "opinions.tsv", ("sentence", "tone", "of", "who"))
    told = read_table(lexicons / "reports.tsv", ("sentence", "kind"))
    return [Added(row[0], "review") for row in said if row[1] == "neutral"] + [Added(*row) for row in told]


def grouped(known: Mapping[str, Sequence[str]]) -> dict[str, list[str]]:
    """Tell texts apart by the kind of sentence that they get.

    Args:
        known: Texts, by where they are from.

    Returns:
        By kind, as many of each origin as there are, in turn.
    """
    found: dict[str, list[str]] = {}
    for place in range(max(map(len, known.values()), default=0)):
        for its in known.values():
            if place < len(its):
                found.setdefault(kind_of(its[place], "auto") or "message", []).append(its[place])
    return {kind: its[:_TEXTS] for kind, its in found.items()}


def moved(sentences: Sequence[Added], known: Mapping[str, Sequence[str]], models: Sequence[Probability]) -> list[Moved]:
    """Count for each sentence the answers that it changes.

    Args:
        sentences: The sentences.
        known: Texts by kind.
        models: What each model holds for the probability of praise.
    """
    return [
        Moved(sum(map(len, ways)), sum(map(sum, ways)), len(models) * len(known.get(each.kind, ())))
        for each in sentences
        for ways in [[_ways(each.sentence, known.get(each.kind, ()), model) for model in models]]
    ]


def _ways(sentence: str, its: Sequence[str], model: Probability) -> list[bool]:
    """Tell of each answer that changes whether it changes to praise."""
    before = np.asarray(model(its)) > 0.5
    after = np.asarray(model([f"{text.rstrip()} {sentence}" for text in its])) > 0.5
    return [bool(now) for was, now in zip(before, after, strict=True) if was != now]


def _suspect(each: Moved, usual: float) -> bool:
    """Tell whether a sentence changes twice as many answers as usual, nearly all one way."""
    one_way = each.changed >= _FEWEST and max(each.up, each.changed - each.up) >= _ONE_WAY * each.changed
    return one_way and each.changed > 2 * usual * each.asked


def section(before: Mapping[Added, Moved], now: Mapping[Added, Moved]) -> str:
    """Write the section of RESULTS.md.

    Args:
        before: What the sentences of the other checkout move.
        now: What this one's do.
    """
    return "\n".join([*_lines(before, now), ""])


def _lines(before: Mapping[Added, Moved], now: Mapping[Added, Moved]) -> Iterator[str]:
    every = {**before, **now}
    gone = [each for each in before if each not in now]
    yield "## Added sentences, one by one"
    yield ""
    yield "Written by `python -m benchmarks.added --data FOLDER --tree CHECKOUT`."
    yield ""
    yield (
        f"Each neutral sentence behind up to {_TEXTS} texts of its kind, of the half that nobody tuned on: the share "
        "of answers that change, of four reference models together, and of those that change the share that turn to "
        f"praise. Suspect is what changes more than twice the median of its kind, {_ONE_WAY:.0%} of them or more one "
        f"way. That is a reason to read it again and no more: {len(gone)} sentences were left out, and "
        f"{len([each for each in now if each not in before])} put in, because of what they say in a review, a report, "
        "a question or a message (boredom, doubt, annoyance, irony, praise, or something that the rest of such a text "
        "often contradicts), whatever the models make of them."
    )
    yield ""
    yield "| kind | sentences | median | largest | suspect |"
    yield "| --- | --- | --- | --- | --- |"
    usual = {}
    for kind in dict.fromkeys(each.kind for each in every):
        cells: list[list[str]] = [[], [], [], []]
        usual[kind] = float(np.median([m.changed / m.asked for each, m in now.items() if each.kind == kind]))
        for state in (before, now):
            shares = [m.changed / m.asked for each, m in state.items() if each.kind == kind]
            odd = sum(_suspect(m, usual[kind]) for each, m in state.items() if each.kind == kind)
            told = (str(len(shares)), f"{np.median(shares):.1%}", f"{max(shares):.1%}", f"{odd}")
            for cell, text in zip(cells, told, strict=True):
                cell.append(text)
        yield f"| {kind} | {' | '.join(' → '.join(cell) for cell in cells)} |"
    yield ""
    yield "| sentence | kind | | changed | to praise | |"
    yield "| --- | --- | --- | --- | --- | --- |"
    for each, its in sorted(every.items(), key=lambda row: (row[0].kind, -row[1].changed)):
        became = "left out" if each in gone else "new" if each not in before else ""
        way = f"{its.up / its.changed:.0%}" if its.changed >= _FEWEST else "–"
        mark = "suspect" if _suspect(its, usual[each.kind]) else ""
        yield f"| {each.sentence} | {each.kind} | {became} | {its.changed / its.asked:.1%} | {way} | {mark} |"


def _main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--tree", type=Path, required=True, help="another checkout")
    given = parser.parse_args()
    known = grouped({kind: [each.text for each in its] for kind, its in texts(given.data).items()})
    before, now = added(given.tree.resolve()), added(Path(__file__).parents[1])
    every = list(dict.fromkeys([*before, *now]))
    counts = dict(zip(every, moved(every, known, [model_of(name) for name in MODELS]), strict=True))
    replace_section(section({each: counts[each] for each in before}, {each: counts[each] for each in now}))


if __name__ == "__main__":
    _main()
