"""Persons in a text: given and family names, found by lists, capitals, tags and the words around them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from robustfim.example import Example
from robustfim_words.persons.full_names import FullName, full_name
from robustfim_words.persons.gender import told_by_pronouns, told_by_title
from robustfim_words.persons.lone_names import lone_names
from robustfim_words.persons.name_runs import runs
from robustfim_words.persons.names import Key, Mention
from robustfim_words.persons.register import Register
from robustfim_words.text.casing import capitalised, caseless
from robustfim_words.text.guard import fixed
from robustfim_words.text.tokens import Token, token_at

__all__ = ["Persons"]

_BOTH = frozenset(["female", "male"])


@dataclass
class Persons:
    """The persons found in one example.

    Attributes:
        mentions: The mentions of given and family names, in the order of the text.
        links: Pairs of the keys of a given and a family name that stand side by side somewhere in the example.
        genders: For each given name, the genders that a new name may have; empty if the text does not show a gender.
        family_first: Keys of the names of persons whose family name comes first.
    """

    mentions: list[Mention] = field(default_factory=list)
    links: list[tuple[Key, Key]] = field(default_factory=list)
    genders: dict[Key, frozenset[str]] = field(default_factory=dict)
    family_first: set[Key] = field(default_factory=set)

    @classmethod
    def find(cls, example: Example, tagged: Mapping[str, Sequence[Token]], register: Register) -> Persons:
        """Find the persons of an example: first full names, then parts of these names and listed names alone.

        Args:
            example: The example.
            tagged: The tagged tokens of each field.
            register: The known names.
        """
        read = [(name, text, tagged[name]) for name, text in example.fields.items()]
        found, covered, titles = cls(), dict[str, set[int]](), list[tuple[Key, str]]()
        for name, text, tokens in read:
            taken = covered[name] = set(fixed(text, tokens)) | _things(text, tokens, register)
            for run in runs(text, tokens, register, taken):
                person = full_name(text, tokens, run, register)
                if person is not None:
                    found._take(name, tokens, person)
                    partner = _partner(name, tokens, person, register)
                    if partner is not None:
                        found.mentions.append(partner)
                        found.links.append((partner.key, person.family_key))
                        taken.add(partner.first)
                    titles.append((person.given_key, person.title))
                    taken.update(range(person.first, person.last + 1))
        named = {key for link in found.links for key in link}
        free = {name: [i for i in range(len(tokens)) if i not in covered[name]] for name, _, tokens in read}
        for final in (False, True):  # a name that is sure at one place is one everywhere
            for name, text, tokens in read:
                for mention, title in lone_names(name, text, tokens, free[name], register, named):
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

    def _take(self, field: str, tokens: Sequence[Token], person: FullName) -> None:
        """Take in a full name."""
        self.mentions += [
            Mention(field, person.first_given, person.given_end, person.given_key),
            Mention(field, person.first_family, person.family_end, person.family_key),
        ]
        self.links.append((person.given_key, person.family_key))
        if person.first_family < person.first_given:
            self.family_first |= {person.given_key, person.family_key}


def _partner(field: str, tokens: Sequence[Token], person: FullName, register: Register) -> Mention | None:
    """Find who shares a family name by "and" before a full name: "Bill and Melinda Gates"."""
    first = person.first - 2
    if first < 0 or tokens[first + 1].text.lower() not in ("and", "&") or person.title:
        return None
    token, before = tokens[first], token_at(tokens, first - 1)
    alone = before is None or token.starts or not (capitalised(before) or register.is_given(before.text))
    if not (register.is_given(token.text) and alone and token.text[0].isupper() is capitalised(tokens[person.first])):
        return None
    return Mention(field, first, token.end, ("given", token.text.casefold()))


def _gender(listed: frozenset[str], told: frozenset[str]) -> frozenset[str]:
    """Choose the genders of a new given name: the old one's, and where that is open, what the text tells.

    A silent text has room for both.
    """
    if len(listed) == 1:
        return listed
    return {0: _BOTH, 1: told}.get(len(told), frozenset())


def _things(text: str, tokens: Sequence[Token], register: Register) -> set[int]:
    """Find the names of places and organisations that have several words."""
    found: set[int] = set()
    for index in range(len(tokens)):
        match = register.things.match(tokens, index) if capitalised(tokens[index]) or caseless(text) else None
        if match is not None and match.last > match.first:
            found.update(range(match.first, match.last + 1))
    return found
