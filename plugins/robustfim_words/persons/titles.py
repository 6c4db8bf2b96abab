"""Titles: "Mr." becomes "Dr." before a name."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

from robustfim.candidate import Candidate, Edit
from robustfim.contract import Contract
from robustfim.example import Example
from robustfim_words.persons.people import register
from robustfim_words.tagging.resourced import Proposing, WithTagger
from robustfim_words.text.analysed import Analysed, analysed
from robustfim_words.text.articles import swap
from robustfim_words.text.casing import capitalised, like_name
from robustfim_words.text.inflection import is_word
from robustfim_words.text.lexicon import LEXICONS, read_table

__all__ = ["Titles"]


_MOST = 6
"""The number of new titles offered for each title, drawn at random."""
_SHORT = frozenset(["Mr", "Mrs", "Ms", "Dr", "Prof"])


class Titles(WithTagger, Proposing):
    """Swaps the title before a name for another title that fits the person: "Mrs. Okafor" becomes "Dr. Okafor".

    The title of a name changes everywhere in the text at once. A title of one gender becomes a title of the same gender
    or of both genders. A title of both genders becomes another title of both genders. Titles in the title of a work
    ("Dr. Strangelove") and titles of rank or office ("Sir", "Lady", "President") are not changed.

    Args:
        source: A table of title, gender (female, male, any) and group; the shipped table by default. Titles are swapped
            within a group.

    Raises:
        UsageError: The table is malformed.
    """

    contract = Contract(carries=True)

    def __init__(self, *, source: Path | None = None) -> None:
        columns = ("title", "gender: female|male|any", "group")
        table = [(title.rstrip("."), *row) for title, *row in read_table(source or LEXICONS / "titles.tsv", columns)]
        self._gender = {title: gender for title, gender, _ in table}
        self._group = {title: group for title, _, group in table}
        self._by_small = {title.lower(): title for title in self._gender}

    def _candidates(self, example: Example, random: Random) -> Iterator[Candidate]:
        """Propose candidates, each with one person's title swapped throughout."""
        found: dict[str, dict[str, list[tuple[Analysed, int]]]] = {}
        for read in analysed(example, self._read(example)):
            for index, token in enumerate(read.tokens):
                title = self._by_small.get(token.text.lower())
                if title is not None and index not in read.fixed and (name := _called(read, index)):
                    found.setdefault(name, {}).setdefault(title, []).append((read, index))
        for titles in found.values():
            if len(titles) == 1:  # of somebody who is called both ways, none changes
                ((old, places),) = titles.items()
                fitting = [new for new in self._gender if self._suits(old, new)]
                for new in random.sample(fitting, min(_MOST, len(fitting))):
                    yield Candidate(example, tuple(_edit(read, index, old, new) for read, index in places))

    def _suits(self, old: str, new: str) -> bool:
        """Check whether a title fits the person that another title stands before."""
        genders = ("any",) if self._gender[old] == "any" else (self._gender[old], "any")
        return self._gender[new] in genders and self._group[new] == self._group[old] and _long(new) != _long(old)


def _stopped(read: Analysed, index: int) -> int:
    """Return the index of the stop of a title, or of the title."""
    after = read.at(index + 1)
    gaps = ("", " ") if read.low else ("",)
    stop = after is not None and after.text == "." and read.text[read.tokens[index].end : after.start] in gaps
    return index + stop


def _edit(read: Analysed, index: int, old: str, new: str) -> Edit:
    end = read.tokens[_stopped(read, index)].end
    stop = read.text[read.tokens[index].end : end]
    dotted = new in _SHORT and (stop or (old not in _SHORT and new == "Prof"))
    written = f"{new}{stop or '.'}" if dotted else new
    case = like_name if read.tokens[index].text.islower() else _as_listed
    return swap(read.field, read.text, read.tokens, index, written, f"titles: {old} → {new}", end=end, case=case)


def _as_listed(old: str, new: str) -> str:
    return new.upper() if old.isupper() and len(old) > 3 else new


def _called(read: Analysed, index: int) -> str:
    """Return the name behind a title; ``""`` without a name, and where the title belongs to another name."""
    place = _stopped(read, index) + 1
    token, name, before = read.tokens[index], read.at(place), read.at(index - 1)
    if name is None or read.text[read.tokens[place - 1].end : name.start] != " ":
        return ""
    called = read.word(place)
    sure = name.pos == "PROPN" and not is_word(called) if read.low else capitalised(token) and capitalised(name)
    inside = before is not None and capitalised(before) and not before.starts and read.adjacent(index - 1, index)
    styled = before is not None and before.small == "the"  # "the Reverend Ian Paisley"
    one_case = read.text.isupper() or not (called.isupper() or (token.text.isupper() and len(token.text) > 1))
    thing = register().things.match(read.tokens, place) is not None
    person = register().is_family(called) or register().is_given(called)  # not "Dr. Strangelove"
    named = sure and person and one_case and len(called) > 2
    return called.casefold() if named and not (inside or styled or thing) else ""


def _long(title: str) -> str:
    """Write out a title: "Dr" and "Doctor" are one."""
    return {"Dr": "Doctor", "Prof": "Professor"}.get(title, title)
