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
from robustfim_words.text.lexicon import LEXICONS, closed_class, read_table

__all__ = ["Titles"]


_ACADEMIC = "academic"


class Titles(WithTagger, Proposing):
    """Swaps the title before a name for another title of the same person: "Mrs. Okafor" becomes "Ms. Okafor".

    The title of a name changes everywhere in the text at once. "Mrs." and "Miss" become "Ms.", a rank or an office is
    written out or abbreviated ("Sen.", "Senator"), and "Dr." and "Professor" change places in texts about research.
    Titles in the title of a work ("Dr. Strangelove"), "Mr." and titles of the nobility ("Sir", "Lady") are not changed.

    Args:
        source: A table of title, gender (female, male, any) and group; the shipped table by default. Titles are swapped
            within a group, for one of the same gender or of both genders. Those of the group ``academic`` are swapped
            in texts about research only.

    Raises:
        UsageError: The table is malformed.
    """

    contract = Contract(carries=True)

    def __init__(self, *, source: Path | None = None) -> None:
        columns = ("title", "gender: female|male|any", "group")
        table = read_table(source or LEXICONS / "titles.tsv", columns)
        self._short = frozenset(title.rstrip(".") for title, *_ in table if title.endswith("."))
        self._rows = [(title.rstrip("."), gender, group) for title, gender, group in table]
        self._by_small = {title.lower(): title for title, *_ in self._rows}

    def _candidates(self, example: Example, random: Random) -> Iterator[Candidate]:
        """Propose candidates, each with one person's title swapped throughout."""
        found: dict[str, dict[str, list[tuple[Analysed, int]]]] = {}
        research = False
        for read in analysed(example, self._read(example)):
            research = research or any(token.small in closed_class("of research") for token in read.tokens)
            for index, token in enumerate(read.tokens):
                title = self._by_small.get(token.small)
                if title is not None and index not in read.fixed and (name := _called(read, index)):
                    found.setdefault(name, {}).setdefault(title, []).append((read, index))
        for titles in found.values():
            if len(titles) == 1:  # of somebody who is called both ways, none changes
                ((old, places),) = titles.items()
                fitting = [*self._suiting(old, research=research)]
                for new in random.sample(fitting, len(fitting)):
                    yield Candidate(example, tuple(self._edit(read, index, old, new) for read, index in places))

    def _suiting(self, old: str, *, research: bool) -> Iterator[str]:
        """List the titles that fit the person that another title stands before."""
        groups = {group: gender for title, gender, group in self._rows if title == old}
        for new, gender, group in self._rows:
            fits = group in groups and gender in ("any", groups[group])
            if fits and new != old and (research or group != _ACADEMIC):
                yield new

    def _edit(self, read: Analysed, index: int, old: str, new: str) -> Edit:
        end = read.tokens[_stopped(read, index)].end
        stop = read.text[read.tokens[index].end : end]
        dotted = new in self._short and (stop or old not in self._short)
        written = f"{new}{stop or '.'}" if dotted else new
        return swap(
            read.field, read.text, read.tokens, index, written, f"titles: {old} → {new}", end=end, case=like_name
        )


def _stopped(read: Analysed, index: int) -> int:
    """Return the index of the stop of a title, or of the title."""
    after = read.at(index + 1)
    gaps = ("", " ") if read.low else ("",)
    stop = after.text == "." and read.text[read.tokens[index].end : after.start] in gaps
    return index + stop


def _called(read: Analysed, index: int) -> str:
    """Return the name behind a title; ``""`` without a name, and where the title belongs to another name."""
    place = _stopped(read, index) + 1
    token, name, before = read.tokens[index], read.at(place), read.at(index - 1)
    if read.text[read.tokens[place - 1].end : name.start] != " ":
        return ""
    called = read.word(place)
    sure = name.pos == "PROPN" and not is_word(called) if read.low else capitalised(token) and capitalised(name)
    inside = capitalised(before) and not before.starts and read.adjacent(index - 1, index)
    styled = before.small in ("the", "and", "&")  # "the Reverend Ian Paisley", "Mr. and Mrs."
    one_case = read.text.isupper() or not (called.isupper() or (token.text.isupper() and len(token.text) > 1))
    thing = register().things.match(read.tokens, place) is not None
    person = register().is_family(called) or register().is_given(called)  # not "Dr. Strangelove"
    named = sure and person and one_case and len(called) > 2
    return called.casefold() if named and not (inside or styled or thing) else ""
