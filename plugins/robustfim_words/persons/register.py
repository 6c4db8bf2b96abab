"""The register of persons: known names of persons, and words that distinguish them from other names."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from robustfim_words.persons.names import Key
from robustfim_words.text import inflection
from robustfim_words.text.casing import unaccented
from robustfim_words.text.gazetteer import Gazetteer
from robustfim_words.text.lexicon import LEXICONS, read_pairs, read_table
from robustfim_words.text.tokens import tokenise

__all__ = ["CLUES", "NO_ORIGIN", "Name", "Register"]

NO_ORIGIN = "-"

_CLUES = ("title", "title_female", "title_male", "given_title_female", "given_title_male", "thing", "no_person")
CLUES: tuple[str, str] = ("word", "clue: " + "|".join(_CLUES))


class Name(NamedTuple):
    """One line of the list of names.

    Attributes:
        name: The name.
        kind: ``given`` or ``family``.
        gender: ``female``, ``male`` or ``any``.
        origin: The language or region in which the name is usual; ``-`` for a name that is recognised but never put
            into a text.
    """

    name: str
    kind: str
    gender: str
    origin: str


class Register:
    """The known names of persons, places and organisations.

    Args:
        names: The names of persons. A name may be listed several times, with different genders and origins.
        places: Names of places ("Paris"). Such a name alone is not taken for a person.
        organisations: Names of organisations ("Warner Brothers"). No part of such a name is taken for a person.
        clues: Words in small letters, each with its kind (a column of ``clues.tsv``); the shipped words by default.
    """

    def __init__(
        self,
        names: Iterable[Name],
        places: Iterable[str] = (),
        organisations: Iterable[str] = (),
        clues: Mapping[str, str] | None = None,
    ) -> None:
        self.by_key: dict[Key, list[Name]] = {}
        self._pools: dict[tuple[str, str], dict[str, set[str]]] = {}
        for name in names:
            self.by_key.setdefault((name.kind, name.name.casefold()), []).append(name)
            if name.origin != NO_ORIGIN:
                genders = self._pools.setdefault((name.origin, name.kind), {}).setdefault(name.name, set())
                genders |= {"female", "male"} if name.gender == "any" else {name.gender}
        self._fitting: dict[tuple[str, str, frozenset[str]], list[tuple[str, frozenset[str], bool]]] = {}
        self.origins = sorted({origin for origin, _ in self._pools})
        self.families = Gazetteer((name, name) for kind, name in self.by_key if kind == "family")
        self.places = frozenset(place.casefold() for place in places)
        known = (*sorted(self.places), *organisations)
        self.things = Gazetteer((name, name) for name in (*known, *map(unaccented, known)))
        self._clues = clues if clues is not None else _shipped_clues()

    def is_given(self, word: str) -> bool:
        """Check whether a word is a known given name."""
        return ("given", word.casefold()) in self.by_key

    def is_family(self, name: str) -> bool:
        """Check whether a name, of one or several words, is a known family name."""
        return ("family", name.casefold()) in self.by_key

    def genders(self, word: str) -> frozenset[str]:
        """Return the genders of a given name (``female``, ``male``); empty for an unknown name."""
        known = {name.gender for name in self.by_key.get(("given", word.casefold()), ())}
        return frozenset(["female", "male"]) if "any" in known else frozenset(known)

    def origins_of(self, key: Key) -> set[str]:
        """Return the origins of a name; empty for an unknown name."""
        return {name.origin for name in self.by_key.get(key, ())} - {NO_ORIGIN}

    def clue(self, word: str) -> str:
        """Return the kind of a word in ``clues.tsv``, or ``""`` if the table does not list the word."""
        return self._clues.get(word.lower(), "")

    def pool(self, origin: str, kind: str, genders: frozenset[str], taken: set[str]) -> list[str]:
        """List the names of an origin from which a new name can be drawn.

        Args:
            origin: The origin of the names.
            kind: ``given`` or ``family``.
            genders: The possible genders of a given name, of which it must have at least one.
            taken: Case-folded words that no new name may contain.

        Returns:
            The names, sorted. Names that are also ordinary words ("Joy", "Frank") may carry an opinion, so they are
            listed only if the origin has no other names.
        """
        if (origin, kind, genders) not in self._fitting:
            self._fitting[origin, kind, genders] = [
                (name, frozenset(token.text.casefold() for token in tokenise(name)), inflection.is_word(name))
                for name, known in sorted(self._pools.get((origin, kind), {}).items())
                if kind == "family" or known & genders
            ]
        fitting = self._fitting[origin, kind, genders]
        names = [(name, ordinary) for name, words, ordinary in fitting if taken.isdisjoint(words)]
        return [name for name, ordinary in names if not ordinary] or [name for name, _ in names]


def _shipped_clues() -> dict[str, str]:
    nations = read_table(LEXICONS / "nationalities.tsv", ("word", "country", "role"))
    religions = read_table(LEXICONS / "religions.tsv", ("word", "religion", "role"))
    listed = read_pairs(LEXICONS / "clues.tsv", CLUES)
    return {word.lower(): "no_person" for word, _, _ in (*nations, *religions)} | listed
