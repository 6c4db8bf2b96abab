"""Names from the same text: a person is given the name of another person in the text."""

from __future__ import annotations

from itertools import groupby
from random import Random

from robustfim.example import Example
from robustfim_words.persons.names import Key, entities
from robustfim_words.persons.persons import Persons
from robustfim_words.persons.register import Register
from robustfim_words.text.tokens import Tagged

__all__ = ["Passage"]


class Passage:
    """The persons named in one example, who can be given each other's names.

    A person can be given the name of another person if both names have the same parts (a given name, a family name or
    both) and if the gender of the given name fits. A person whom the text only calls "Dunst" has no given name to give.

    Args:
        example: The example.
        tokens: The tagged tokens of each field.
        persons: The persons found in the example.
        register: The known names.
    """

    def __init__(self, example: Example, tokens: Tagged, persons: Persons, register: Register) -> None:
        self._register, self._persons = register, persons
        self._written: dict[Key, str] = {}
        for mention in persons.mentions:
            start = tokens[mention.field][mention.first].start
            self._written.setdefault(mention.key, example.fields[mention.field][start : mention.end])
        self._people = entities([mention.key for mention in persons.mentions], persons.links)

    def draw(self, person: frozenset[Key], random: Random) -> dict[Key, str] | None:
        """Draw another person of the example, whose name replaces the name of the given person.

        Args:
            person: The keys of the person who is renamed.
            random: The random source for the choice among the persons who fit.

        Returns:
            The new name for each key; None if no other person of the example fits.
        """
        others = [paired for other in self._people if other != person and (paired := self._paired(person, other))]
        return random.choice(others) if others else None

    def _paired(self, person: frozenset[Key], other: frozenset[Key]) -> dict[Key, str] | None:
        """Pair the parts of two names; None where they do not fit."""
        mine, theirs = ({kind: list(keys) for kind, keys in groupby(sorted(each), lambda key: key[0])}
                        for each in (person, other))  # fmt: skip
        if not mine.keys() <= theirs.keys() or any(len(keys) > 1 for keys in (*mine.values(), *theirs.values())):
            return None
        if "given" in mine and not self._genders(mine["given"][0]) & self._genders(theirs["given"][0]):
            return None
        return {keys[0]: self._written[theirs[kind][0]] for kind, keys in mine.items()}

    def _genders(self, given: Key) -> frozenset[str]:
        return self._register.genders(given[1]) or self._persons.genders[given]
