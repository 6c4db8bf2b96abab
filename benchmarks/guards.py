"""Guards: what each refusal of the perturbations of words costs and saves, from pairs that only the refusal drops.

``python -m benchmarks.guards make FILE GUARD… --data FOLDER`` switches refusals off one at a time, on texts of the
half that is tuned on, writes a sample of the pairs that each alone had dropped to a file outside the checkout, and
prints them. ``python -m benchmarks.guards rate FILE GUARD VERDICTS…`` adds hashes and verdicts to ``guards.tsv``:
``3:00`` says that of pair 3 the expected label does not hold and that nobody would write it, ``7:11`` that it holds and
reads odd; of a pair without a verdict it holds and reads as the source (``12``). ``python -m benchmarks.guards table``
writes the result again.
"""

from __future__ import annotations

import argparse
import importlib
import json
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from benchmarks.reading import digest, made, perturbation, short, texts
from benchmarks.sections import write_results
from benchmarks.validity import Rated, rows_of
from robustfim.example import Example
from robustfim.statistics import wilson
from robustfim_words.persons.register import CLUES
from robustfim_words.text.gazetteer import Gazetteer
from robustfim_words.text.lexicon import LEXICONS, read_table
from robustfim_words.text.tokens import sentences

__all__ = ["GUARDS", "READ", "STRUCTURAL", "Guard", "Pair", "dropped", "off", "pays", "read_pairs", "section"]

READ = Path(__file__).with_name("guards.tsv")
"""The pairs: hashes and answers."""

_PAYS = 2
"""Unsound pairs that a refusal must drop for each sound one."""
_TEXTS = 250
"""Texts of each kind that are tried."""
_SAMPLE = 30


class Guard(NamedTuple):
    """A refusal that can be switched off.

    Attributes:
        place: A module of ``robustfim_words`` and a name in this module, separated by a colon.
        perturbations: The perturbations that are tried without the refusal.
        off: The value that replaces the refusal; None for an empty value of its type (an empty set, a pattern that
            never matches).
    """

    place: str
    perturbations: tuple[str, ...]
    off: Any = None


def _never(*_: object, **__: object) -> bool:
    return False


def _always(*_: object, **__: object) -> bool:
    return True


def _nowhere(*_: object) -> frozenset[int]:
    return frozenset()


def _titles_only() -> dict[str, str]:
    rows = read_table(LEXICONS / "clues.tsv", CLUES)
    return {word: clue for word, clue in rows if "title" in clue}


GUARDS: Mapping[str, Guard] = {
    "clues to names, listed": Guard("persons.register:_shipped_clues", ("people",), _titles_only),
    "what is left of a name": Guard("text.leftovers:left_over", ("people", "places", "organisations"), _never),
    "statements that would say more": Guard("swaps.negation:weakens", ("negation",), _always),
    "headlines": Guard("text.guard:in_headline", ("synonyms", "people", "places", "adverbs"), _nowhere),
    "titles by capitals": Guard("text.guard:_titles", ("synonyms", "people", "places", "numbers"), _nowhere),
    "ratings": Guard("text.ratings:in_rating", ("numbers",), _never),
    "sentences that assert nothing": Guard("swaps.turning:asserted", ("negation", "antonyms"), sentences),
    "judgements of others": Guard("swaps.turning:judging", ("negation", "antonyms"), _always),
    "clauses inside others": Guard("swaps.negation:_inside", ("negation",), _never),
    "words compared, or denied from afar": Guard("swaps.antonyms:_plain", ("antonyms",), _always),
    "nouns that begin with a name": Guard("text.guard:_compounds", ("people", "places"), lambda: Gazetteer(())),
}
"""The refusals that are there, by name; those that did not pay are gone."""
STRUCTURAL = frozenset(
    [
        "what is left of a name",
        "headlines",
        "titles by capitals",
        "ratings",
        "statements that would say more",
        "sentences that assert nothing",
        "judgements of others",
        "clauses inside others",
        "words compared, or denied from afar",
        "nouns that begin with a name",
    ]
)
"""Refusals that stay whatever they cost: names as wholes, one entity all over a text, headlines, titles, numbers that
are the verdict, and what the expectation of a denial rests on: that its writer says so, of what is judged."""


@contextmanager
def off(guard: Guard) -> Iterator[None]:
    """Switch a refusal off in all modules that import it.

    Args:
        guard: The refusal.
    """
    module, _, name = guard.place.partition(":")
    holder: Any = importlib.import_module(f"robustfim_words.{module}")
    *path, name = name.split(".")
    for part in path:
        holder = getattr(holder, part)
    old, new = getattr(holder, name), guard.off
    if new is None:
        new = re.compile(r"(?!)") if isinstance(old, re.Pattern) else type(old)()
    holders = [holder] + [
        loaded
        for title, loaded in list(sys.modules.items())
        if title.startswith("robustfim_words") and getattr(loaded, name, None) is old
    ]
    for holder in holders:
        setattr(holder, name, new)
    _forget()
    try:
        yield
    finally:
        for holder in holders:
            setattr(holder, name, old)
        _forget()


def _forget() -> None:
    """Empty the caches in which answers of a refusal may stand."""
    for title, module in list(sys.modules.items()):
        if title.startswith("robustfim_words") and not title.startswith("robustfim_words.tagging"):
            for value in list(vars(module).values()):
                clear = getattr(value, "cache_clear", None)
                if callable(clear):
                    clear()


def _candidates(name: str, known: Mapping[str, list[str]]) -> dict[str, dict[tuple[tuple[int, int], ...], Rated]]:
    """Make what a perturbation makes of each text, one pair for each choice of places."""
    change = perturbation(name)
    found: dict[str, dict[tuple[tuple[int, int], ...], Rated]] = {}
    for kind, its in known.items():
        for text in its:
            own = found.setdefault(text, {})
            for candidate in made(change, Example({"text": text}), "0"):
                places = tuple((edit.start, edit.end) for edit in candidate.edits)
                edits = json.dumps([[e.start, e.end, e.before, e.after] for e in candidate.edits], ensure_ascii=False)
                own.setdefault(places, Rated("", name, kind, text, candidate.example.text, "", "-", edits))
    return found


def dropped(guard: Guard, known: Mapping[str, list[str]], guarded: Callable[[str], Any] | None = None) -> list[Rated]:
    """List candidates that only a refusal prevents, one for each text and perturbation.

    Args:
        guard: The refusal.
        known: The texts of each kind.
        guarded: The candidates that a perturbation makes with the refusal, if they are already known.
    """
    found = []
    before = {name: (guarded or (lambda name: _candidates(name, known)))(name) for name in guard.perturbations}
    with off(guard):
        for name in guard.perturbations:
            for text, own in _candidates(name, known).items():
                fresh = [pair for places, pair in own.items() if places not in before[name][text]]
                if fresh:
                    found.append(Random(text).choice(fresh))  # noqa: S311  # reproducible, not secret
    return found


class Pair(NamedTuple):
    """A rated pair of a text and the perturbed text that a refusal prevents.

    Attributes:
        guard: The refusal that prevents the pair.
        perturbation: The perturbation's name.
        source: The first 20 digits of the text's SHA-256.
        result: The first 20 digits of the perturbed text's SHA-256.
        holds: Whether the expectation of a check holds for a careful reader.
        natural: The naturalness rating: 2 as natural as the source, 1 odd but possible, 0 nobody would write it.
    """

    guard: str
    perturbation: str
    source: str
    result: str
    holds: bool
    natural: int

    @property
    def sound(self) -> bool:
        """Whether the expectation holds and a person could have written the text."""
        return self.holds and self.natural > 0


def read_pairs(path: Path = READ) -> list[Pair]:
    """Read the rated pairs from a table.

    Args:
        path: The path of the table.
    """
    return [
        Pair(guard, name, source, result, holds == "1", int(natural))
        for guard, name, source, result, holds, natural in rows_of(path)
    ]


def pays(sound: int, unsound: int) -> bool:
    """Check whether a refusal is worth keeping: it prevents at least twice as many unsound as sound pairs.

    Args:
        sound: The number of rated pairs that the refusal prevents and that are sound.
        unsound: The number of rated pairs that the refusal prevents and that are unsound.
    """
    return unsound >= _PAYS * sound and unsound > 0


def section(pairs: list[Pair]) -> str:
    """Write the results as a section of Markdown.

    Args:
        pairs: The rated pairs.
    """
    lines = [
        "## Guards of perturbations",
        "",
        "Written by `python -m benchmarks.guards table`.",
        "",
        f"{len(pairs)} pairs that one refusal alone keeps from being made, of texts of the half that is tuned on, were "
        "read for two questions: does what a check expects hold for a careful reader, and could a person have "
        "written the text. Sound is a pair of which both are true. A refusal stays where it drops unsound pairs twice "
        "as often as sound ones or more, or holds a text's structure, or what an expectation rests on; the others "
        "went, with those that dropped no pair of 2,000 texts. A language model read them, and knew which refusal had "
        "dropped them, of the last five another one, which did not: these numbers are their own, and no person's. The "
        "share of unsound pairs has a 95 % interval by Wilson.",
        "",
        "| refusal | of | pairs | sound | label wrong | nobody would write it | unsound | |",
        "| --- | --- | --- | --- | --- | --- | --- | --- |",
    ]
    for guard in dict.fromkeys(pair.guard for pair in pairs):
        its = [pair for pair in pairs if pair.guard == guard]
        sound = sum(pair.sound for pair in its)
        low, high = wilson(len(its) - sound, len(its)) or (0.0, 1.0)
        names = ", ".join(f"`{name}`" for name in dict.fromkeys(pair.perturbation for pair in its))
        cells = [
            guard, names, len(its), sound, sum(not pair.holds for pair in its),
            sum(pair.natural == 0 for pair in its),
            f"{1 - sound / len(its):.0%} [{low:.0%}, {high:.0%}]",
            "stays" if pays(sound, len(its) - sound) else "stays: structural" if guard in STRUCTURAL else "went",
        ]  # fmt: skip
        lines.append(f"| {' | '.join(map(str, cells))} |")
    return "\n".join([*lines, ""])


def _make(given: argparse.Namespace) -> None:
    known = {
        kind: Random(0).sample(its, min(given.texts, len(its)))  # noqa: S311  # as above
        for kind, its in texts(given.data, "tune").items()
    }
    kept: dict[str, Any] = {}
    with given.file.open("a", encoding="utf-8") as file:
        for name in given.names or GUARDS:
            pairs = dropped(GUARDS[name], known, lambda name: kept.setdefault(name, _candidates(name, known)))
            drawn = Random(0).sample(pairs, min(given.sample, len(pairs)))  # noqa: S311  # as above
            print(f"== {name}: drops pairs of {len(pairs)} texts")
            for number, pair in enumerate(drawn, 1):
                print(f"{number} {pair.perturbation}: {short(pair)}", flush=True)
                file.write(json.dumps({"guard": name, **vars(pair)}, ensure_ascii=False) + "\n")


def _rate(given: argparse.Namespace) -> None:
    rows = [json.loads(line) for line in given.file.read_text(encoding="utf-8").splitlines()]
    rows = [row for row in rows if row["guard"] == given.name]
    verdicts = dict(given_verdict.split(":") for given_verdict in given.verdicts)
    with READ.open("a", encoding="utf-8") as file:
        for number, row in enumerate(rows, 1):
            verdict = verdicts.get(str(number), "12")
            if verdict != "-":
                hashes = digest(row["source"]), digest(row["result"])
                file.write("\t".join([given.name, row["perturbation"], *hashes, *verdict]) + "\n")


def _table(given: argparse.Namespace) -> None:
    write_results(section(read_pairs()))


def _main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    commands = parser.add_subparsers(required=True)
    make = commands.add_parser("make")
    make.add_argument("file", type=Path)
    make.add_argument("names", nargs="*")
    make.add_argument("--data", type=Path, required=True)
    make.add_argument("--sample", type=int, default=_SAMPLE)
    make.add_argument("--texts", type=int, default=_TEXTS)
    make.set_defaults(run=_make)
    rate = commands.add_parser("rate")
    rate.add_argument("file", type=Path)
    rate.add_argument("name")
    rate.add_argument("verdicts", nargs="*")
    rate.set_defaults(run=_rate)
    commands.add_parser("table").set_defaults(run=_table)
    given = parser.parse_args()
    given.run(given)


if __name__ == "__main__":
    _main()
