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
    _from = "origins"
    """The attribute of the grammar's names that lists the origins of new names."""

    def _renamed(self, spoken: Language, example: Example, random: Random) -> Iterator[Candidate]:
        names = spoken.grammar.names
        if not self._fits(spoken, example):
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
        origins = getattr(spoken.grammar.names, self._from).split()
        if gender is None:
            pool = [last for last, origin in spoken.last_names.items() if origin in origins]
        else:
            firsts = ((name, origin) for name, (known, origin) in spoken.first_names.items() if known == gender)
            usual = spoken.knows if self._from == "origins" else bool
            pool = [name for name, origin in firsts if origin in origins and usual(name)]
        return random.sample(pool, len(pool))


class NameOrigins(People):
    """Swaps first and last names for names of the same gender from other languages: *Ayşe* or *Giulia* for *Anna*."""

    _origin = "name_origins"
    _from = "others"


class NameGender(People):
    """Swaps a first name for a name of the other gender, in texts without other words that show the gender."""

    _origin = "name_gender"
    _whole = False

    def _telling(self, spoken: Language) -> frozenset[str]:
        return frozenset(word for group in spoken.grammar.articles for word in group.split())

    def _fits(self, spoken: Language, example: Example) -> bool:
        names, texts = spoken.grammar.names, example.fields.values()
        words = {word for text in texts for token in spoken.tokens(text) for word in (token.text, token.text.lower())}
        agreeing = names.agreeing and any(re.search(names.agreeing, text) for text in texts)
        return words.isdisjoint(names.gendered.split()) and not agreeing

    def _pool(self, spoken: Language, name: str, gender: str | None, random: Random) -> Sequence[str]:
        return super()._pool(spoken, name, "m" if gender == "f" else "f", random) if gender else ()


def _shown(spoken: Language, example: Example) -> tuple[dict[str, str], set[str], set[str]]:
    """Find the names that the words around them show to be a person's, though no table has them, or as words, too.

    *Claire* is a person behind *voisine* or before *Dupont*, *Mbappé* behind *Kylian*, *Lefebvre* behind *Mme*.

    Returns:
        The genders of first names; last names; and the last names that a title introduces.
    """
    firsts: dict[str, str] = {}
    lasts, titled = set[str](), set[str]()
    titles = frozenset(spoken.grammar.names.titles.split())
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
