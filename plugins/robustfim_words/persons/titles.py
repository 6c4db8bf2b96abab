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
from robustfim_words.text.articles import swap
from robustfim_words.text.casing import capitalised, caseless, like_name
from robustfim_words.text.guard import fixed
from robustfim_words.text.inflection import is_word
from robustfim_words.text.lexicon import LEXICONS, read_table
from robustfim_words.text.tokens import Token, base_of, token_at

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
        places: dict[tuple[str, str], list[tuple[str, int, int]]] = {}
        tokens = self._read(example)
        titled: dict[str, set[str]] = {}
        for field, text in example.fields.items():
            kept = fixed(text, tokens[field])
            for index, token in enumerate(tokens[field]):
                title = self._by_small.get(token.text.lower())
                found = _named(text, tokens[field], index) if title is not None and index not in kept else None
                if title is not None and found is not None:
                    end, name = found
                    places.setdefault((title, name), []).append((field, index, end))
                    titled.setdefault(name, set()).add(title)
        for (old, name), found_at in places.items():
            if len(titled[name]) > 1:
                continue  # somebody who is called both ways
            fitting = [t for t, g in self._gender.items() if g in (self._gender[old], "any") and _long(t) != _long(old)]
            fitting = [t for t in fitting if self._gender[old] != "any" or self._gender[t] == "any"]
            fitting = [t for t in fitting if self._group[t] == self._group[old]]
            for new in random.sample(fitting, min(_MOST, len(fitting))):
                yield Candidate(example, tuple(self._edit(example, tokens, place, old, new) for place in found_at))

    def _edit(
        self, example: Example, tokens: dict[str, tuple[Token, ...]], place: tuple[str, int, int], old: str, new: str
    ) -> Edit:
        field, index, end = place
        text = example.fields[field]
        stop = text[tokens[field][index].end : end]
        dotted = new in _SHORT and (stop or (old not in _SHORT and new == "Prof"))
        written = f"{new}{stop or '.'}" if dotted else new
        case = like_name if text[tokens[field][index].start].islower() else _as_listed
        return swap(field, text, tokens[field], index, written, f"titles: {old} → {new}", end=end, case=case)


def _as_listed(old: str, new: str) -> str:
    return new.upper() if old.isupper() and len(old) > 3 else new


def _named(text: str, tokens: tuple[Token, ...], index: int) -> tuple[int, str] | None:
    """Return the end of a title, with its stop, and the name behind it; None where there is none."""
    low = caseless(text)
    place, end = index + 1, tokens[index].end
    if (
        place < len(tokens)
        and tokens[place].text == "."
        and text[end : tokens[place].start] in ("", " " if low else "")
    ):
        place, end = place + 1, tokens[place].end
    if place == len(tokens) or text[end : tokens[place].start] != " " or not (low or capitalised(tokens[index])):
        return None
    name, before = tokens[place], token_at(tokens, index - 1)
    if (
        before is not None
        and capitalised(before)
        and not before.starts
        and text[before.end : tokens[index].start] == " "
    ):
        return None
    called = base_of(name)[0]
    sure = name.pos == "PROPN" and not is_word(called) if low else capitalised(name)
    thing = register().things.match(tokens, place) is not None
    short = tokens[index].text.isupper() and len(tokens[index].text) > 1 and not (called.isupper() or text.isupper())
    shouted = short or (called.isupper() and not text.isupper())  # "DR NIGHT'S MANOR", "DR Congo"
    if not sure or thing or shouted or len(called) < 3:
        return None
    return end, called.casefold()


def _long(title: str) -> str:
    """Write out a title: "Dr" and "Doctor" are one."""
    return {"Dr": "Doctor", "Prof": "Professor"}.get(title, title)
