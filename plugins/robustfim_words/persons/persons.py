"""Persons in a text: given and family names, found by lists, capitals, tags and the words around them."""

from __future__ import annotations

from dataclasses import dataclass, field

from robustfim.example import Example
from robustfim_words.persons.finder import Finder
from robustfim_words.persons.gender import told_by_pronouns, told_by_title
from robustfim_words.persons.names import Key, Mention
from robustfim_words.persons.register import Register
from robustfim_words.text.analysed import analysed
from robustfim_words.text.tokens import Tagged

__all__ = ["Persons"]

_BOTH = frozenset(["female", "male"])


@dataclass
class Persons:
    """The persons found in one example.

    Attributes:
        mentions: The mentions of given and family names, in the order of the text.
        links: Pairs of the keys of a given and a family name that stand side by side somewhere in the example.
        genders: For each given name, the genders that a new name may have; empty if the text does not show a gender.
        family_first: The given names that stand behind the name of the family: "Hae-rin" of "Kim Hae-rin".
    """

    mentions: list[Mention] = field(default_factory=list)
    links: list[tuple[Key, Key]] = field(default_factory=list)
    genders: dict[Key, frozenset[str]] = field(default_factory=dict)
    family_first: set[Key] = field(default_factory=set)

    @classmethod
    def find(cls, example: Example, tagged: Tagged, register: Register) -> Persons:
        """Find the persons of an example: first full names, then parts of these names and listed names alone.

        Args:
            example: The example.
            tagged: The tagged tokens of each field.
            register: The known names.
        """
        finders = [Finder(read, register) for read in analysed(example, tagged)]
        found, titles = cls(), list[tuple[Key, str]]()
        for finder in finders:
            for given, family, title in finder.full_names():
                partner = finder.partner(given)
                for one in (partner, given) if partner else (given,):
                    found.mentions.append(one)
                    found.links.append((one.key, family.key))
                found.mentions.append(family)
                titles.append((given.key, title))
                found.family_first |= {given.key} if title == "family first" else set()
        named = {key for link in found.links for key in link}
        for final in (False, True):  # a name that is sure at one place is one everywhere
            for finder in finders:
                for mention, title in finder.lone_names(named):
                    titles.append((mention.key, title))
                    if final:
                        found.mentions.append(mention)
            named = named | {key for key, _ in titles}
        order = list(example.fields)
        found.mentions.sort(key=lambda mention: (order.index(mention.field), mention.first))
        pronouns = told_by_pronouns(tagged.values())
        for mention in found.mentions:
            if mention.key[0] == "given":
                told = next(
                    (gender for key, title in titles if key == mention.key and (gender := told_by_title(title))), None
                )
                found.genders[mention.key] = _gender(register.genders(mention.key[1]), told or pronouns)
        return found


def _gender(listed: frozenset[str], told: frozenset[str]) -> frozenset[str]:
    """Choose the genders of a new given name: the old one's, and where that is open, what the text tells.

    A silent text has room for both.
    """
    if len(listed) == 1:
        return listed
    return {0: _BOTH, 1: told}.get(len(told), frozenset())
