"""Names of people: swapped for names of the same gender and origin, of another origin, or of the other gender."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from random import Random

from robustfim.candidate import Candidate
from robustfim.contract import Contract
from robustfim.example import Example
from robustfim_words.languages.language import Language
from robustfim_words.languages.perturbation import Renaming
from robustfim_words.languages.renaming import mentions, renamed

__all__ = ["NameGender", "NameOrigins", "People"]


class People(Renaming):
    """Swaps first and last names for others of the same gender and the same language.

    The first and the last name of *Anna Schmidt* change together, everywhere in the text; *Annas* keeps its ending. A
    first name is not changed if a capitalised word that is not a last name follows: the two may be a title or a brand.
    """

    contract = Contract(carries=True, separable="mentions")
    needs = ("names",)
    _origin = "people"
    _whole = True
    """Whether the names of one person change together."""

    def _renamed(self, spoken: Language, example: Example, random: Random) -> Iterator[Candidate]:
        names = spoken.grammar.names
        if names is None or not self._fits(spoken, example):
            return
        firsts, lasts, titled = _shown(spoken, example)
        firsts = {name: gender for name, (gender, _) in spoken.first_names.items()} | firsts
        lasts |= spoken.last_names.keys()
        found = mentions(
            spoken,
            example,
            dict.fromkeys([*lasts, *firsts]),
            not_after=frozenset(names.not_after.split()) | self._telling(spoken),
            not_before=frozenset(names.not_before.split()),
        )
        at = {(m.field, m.first): m for m in found}
        people, linked = {}, []
        for first in found:
            last = at.get((first.field, first.last + 1))
            if last is None or first.name not in firsts or last.name not in lasts:
                continue
            if last.start == first.end + 1:  # a first name, a blank, a last name
                whole = (first.begins or (self._whole and first.after_role)) and last.ends
                people[first.field, first.first] = first._replace(begins=whole, ends=whole)
                people[last.field, last.first] = last._replace(begins=whole, ends=whole)
                linked.append((first.name, last.name))
        named = {m.name for m in people.values()} | titled
        single = [m for m in found if (m.field, m.first) not in people]
        whole_text = [*people.values(), *(m for m in single if m.name in named or m.name in firsts)]
        yield from renamed(
            spoken, example, whole_text, lambda name, draw: self._pool(spoken, name, firsts.get(name), draw), random,
            self._origin, linked if self._whole else (),
        )  # fmt: skip

    def _fits(self, spoken: Language, example: Example) -> bool:
        """Whether nothing in the texts stands against other names."""
        return True

    def _telling(self, spoken: Language) -> frozenset[str]:
        """Words before a name that another name would not fit."""
        return frozenset()

    def _pool(self, spoken: Language, name: str, gender: str | None, random: Random) -> Sequence[str]:
        """Draw the names that may stand for one, in random order; a last name has no gender."""
        own = spoken.grammar.names.origins.split() if spoken.grammar.names else ()
        if gender is not None:
            return _drawn(self._first(spoken, gender, own), random)
        return _drawn([last for last, origin in spoken.last_names.items() if origin in own], random)

    def _first(self, spoken: Language, gender: str, own: Sequence[str]) -> list[str]:
        common = [n for n, (g, origin) in spoken.first_names.items() if g == gender and origin in own]
        return [name for name in common if spoken.knows(name)]


class NameOrigins(People):
    """Swaps first and last names for names of the same gender from other languages: *Ayşe* or *Giulia* for *Anna*."""

    _origin = "name_origins"

    def _pool(self, spoken: Language, name: str, gender: str | None, random: Random) -> Sequence[str]:
        others = spoken.grammar.names.others.split() if spoken.grammar.names else ()
        if gender is not None:
            return _drawn([n for n, (g, o) in spoken.first_names.items() if g == gender and o in others], random)
        return _drawn([last for last, origin in spoken.last_names.items() if origin in others], random)


class NameGender(People):
    """Swaps a first name for a name of the other gender, in texts without other words that show the gender."""

    _origin = "name_gender"
    _whole = False

    def _telling(self, spoken: Language) -> frozenset[str]:
        return frozenset(word for group in spoken.grammar.articles for word in group.split())

    def _fits(self, spoken: Language, example: Example) -> bool:
        names = spoken.grammar.names
        if names is None:
            return False
        gendered = frozenset(names.gendered.split())
        texts = example.fields.values()
        words = {token.text for text in texts for token in spoken.tokens(text)}
        told = any(word in gendered or word.lower() in gendered for word in words)
        return not told and not (names.agreeing and any(re.search(names.agreeing, text) for text in texts))

    def _pool(self, spoken: Language, name: str, gender: str | None, random: Random) -> Sequence[str]:
        own = spoken.grammar.names.origins.split() if spoken.grammar.names else ()
        if gender is None:
            return ()
        other = "m" if gender == "f" else "f"
        return _drawn(self._first(spoken, other, own), random)


def _shown(spoken: Language, example: Example) -> tuple[dict[str, str], set[str], set[str]]:
    """Find the names that the words around them show to be a person's, though no table has them, or as words, too.

    *Claire* is a person behind *voisine* or before *Dupont*, *Mbappé* behind *Kylian*, *Lefebvre* behind *Mme*.

    Returns:
        The genders of first names; last names; and the last names that a title introduces.
    """
    firsts: dict[str, str] = {}
    lasts, titled = set[str](), set[str]()
    titles = frozenset(spoken.grammar.names.titles.split()) if spoken.grammar.names else frozenset()
    persons = frozenset(spoken.grammar.introduces.split())
    for text in example.fields.values():
        tokens = spoken.tokens(text)
        for place, token in enumerate(tokens[1:], 1):
            previous = tokens[place - 1]
            between = text[previous.end : token.start]
            if previous.text in titles and between in {" ", ". "} and spoken.may_be_last_name(token.text):
                titled.add(token.text)
            if between != " ":
                continue
            if previous.text in persons and (gender := spoken.gender(token.text)):
                firsts[token.text] = gender
            usual = previous.text in spoken.first_names or not spoken.knows(previous.text)  # else a word, too
            known = spoken.may_be_last_name(token.text) if usual else token.text in spoken.last_names
            if known and (gender := spoken.gender(previous.text)):
                firsts[previous.text] = gender
                lasts.add(token.text)
    return firsts, lasts | titled, titled


def _drawn(names: Sequence[str], random: Random) -> list[str]:
    return random.sample(names, len(names))
