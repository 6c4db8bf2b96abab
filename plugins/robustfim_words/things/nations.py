"""Nations: a country changes together with its abbreviations, people and cities."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from functools import lru_cache
from itertools import takewhile
from pathlib import Path
from random import Random
from typing import NamedTuple

from robustfim.candidate import Candidate
from robustfim.example import Example
from robustfim_texts import touches
from robustfim_words.persons.names import Key, Mention, listed_names, places, rename
from robustfim_words.persons.people import register
from robustfim_words.text.casing import capitalised, caseless, unaccented
from robustfim_words.text.commonness import as_common, common
from robustfim_words.text.gazetteer import Gazetteer, Match
from robustfim_words.text.lexicon import LEXICONS, closed_class, listed, read_table
from robustfim_words.text.tokens import Tagged, Token, Tokens, token_at
from robustfim_words.things.groups import Groups, before_noun
from robustfim_words.things.ties import owners

__all__ = ["INSIDE", "NAMED", "Nations", "Place", "near"]

COLUMNS = ("name", "kind: city|country|region|continent|abbreviation|initials", "country")
NAMED = frozenset(["country", "abbreviation", "initials"])
"""Kinds of the names of a nation itself."""
INSIDE = frozenset(["city", "region"])
"""Kinds of the places in a nation."""
TIE = "tie"
"""The role of a word that is of one nation only, such as the name of its president."""
_NOUNS = frozenset(["person", "persons"])
_BEFORE = 4
"""The number of words beside a place that may show its kind."""
_BEHIND = 9
"""The number of words behind a nation's that may show that it is somebody's: "the Finnish maker of phones Nokia"."""
_IN_PHRASE = ("NN", "JJ", "CC", "CD", "POS", "HYPH", "RBS")
_WORLD = 4.85
"""The smallest commonness of two nations of different parts of the world of which one gives way to the other."""


class Place(NamedTuple):
    """One line of the table of places.

    Attributes:
        name: The name, with ``the`` if it has an article.
        kind: City, country, region or continent; an abbreviation of a country ("US"), or its initials ("U.S.").
        country: The country of the place. For a place that belongs to no country, the place's own name or ``-``.
    """

    name: str
    kind: str
    country: str


def near(country: str, other: str) -> bool:
    """Tell whether two countries belong to one part of the world: France and Belgium, Canada and Australia.

    Args:
        country: A country's name, with ``the`` if it has an article; a country that no table lists is near none.
        other: Another country's name.
    """
    return any({country, other} <= part for part in _parts())


@lru_cache(maxsize=1)
def _parts() -> list[frozenset[str]]:
    rows = read_table(LEXICONS / "country_regions.tsv", ("part", "countries"))
    return [frozenset(listed(countries)) for _, countries in rows]


class Nations:
    """Finds the names, words and places of nations in a text, and swaps a nation for another.

    For example, "Iraqi forces left Iraq" becomes "Syrian forces left Syria". A nation is not swapped if the text has a
    word that other nations have no counterpart for: its capital, its president, its phone maker.

    Args:
        words: A table of word, country and role; the shipped table by default.
        places: A table of name, kind and country; the shipped tables by default.
        to: The new countries, spelled as in the table of words; all nations by default.

    Raises:
        UsageError: A country is unknown, or a table is malformed.
    """

    def __init__(
        self, *, words: Path | None = None, places: Path | None = None, to: Sequence[str] | str | None = None
    ) -> None:
        self._groups = Groups(words or LEXICONS / "nationalities.tsv", nouns=_NOUNS, to=to)
        tables = [places] if places else [LEXICONS / "places.tsv", LEXICONS / "cities.tsv"]
        self.by_name = {row[0]: Place(*row) for table in tables for row in read_table(table, COLUMNS)}
        self.known = {row[0] for row in read_table(tables[0], COLUMNS)} | self._groups.roles.keys()
        self._gazetteer = Gazetteer(
            (name, place)
            for place in self.by_name.values()
            for name in {place.name, unaccented(place.name), place.name.removeprefix("the ")}
        )
        self._known = {name.casefold().split()[-1] for name in self.by_name}
        self._words = self._groups.words
        homes = {word: self._home_of(next(iter(roles.values()))) for word, roles in self._groups.roles.items()}
        homes |= {unaccented(place.name.removeprefix("the ")): place.country for place in self.by_name.values()}
        homes |= {place.name.removeprefix("the "): place.country for place in self.by_name.values()}
        self._all = Gazetteer((name, (name, home)) for name, home in homes.items())
        self._short = {(place.country, place.kind): name for name, place in self.by_name.items() if name.isupper()}
        self.countries = [name for name, place in self.by_name.items() if place.country == name]
        self.peoples = self._groups.to

    def mentions(self, example: Example, tokens: Tagged) -> list[Mention]:
        """Find the places and the words for nations ("Iraq", "Iraqi") in an example.

        Args:
            example: The example.
            tokens: The tagged tokens of each field.

        Returns:
            The mentions. The key of a mention has two parts, a kind and the name in the table. For words, and for names
            before a noun ("U.S. troops"), the kind is the role. For a place that cannot change, the kind is empty.
        """
        found: list[Mention] = []
        for field, text in example.fields.items():
            its = tokens[field]
            said = [
                (match.first, match.end, (role, match.entry[0]))
                for match, found_role in self._groups.found(text, its)
                if (role := self._plays(text, its, match, found_role)) and role != TIE
            ]
            taken = {first for first, _, _ in said}
            named = [
                self._named(text, its, match)
                for match in listed_names(text, its, self._gazetteer)
                if match.first not in taken
            ]
            found += [Mention(field, *rest) for rest in sorted([*said, *named])]
        return found

    def _named(self, text: str, tokens: Tokens, match: Match[Place]) -> tuple[int, int, Key]:
        """Return first token, end and key of a place; a short name is an adjective before a noun, or has its "the"."""
        place, first = match.entry, match.first
        if self._told(text, tokens, match):
            return first, match.end, ("", place.name)  # of no kind: it stays
        key = ("country" if place.name in self._words else place.kind, place.name)
        if place.kind in ("abbreviation", "initials"):
            if before_noun(text, tokens, match.last) or self._beside_word(tokens, match.last):
                return first, match.end, ("adjective", place.name)
            if first and tokens[first - 1].small == "the":
                return first - 1, match.end, (place.kind, f"the {place.name}")
        return first, match.end, key

    def _beside_word(self, tokens: Tokens, last: int) -> bool:
        """Tell whether another adjective of a nation is joined to a word: "U.S. and Iraqi forces"."""
        joined = token_at(tokens, last + 1).tag == "CC"
        return joined and "adjective" in self._groups.roles.get(token_at(tokens, last + 2).text, {})

    def _plays(self, text: str, tokens: Tokens, match: Match[tuple[str, dict[str, str]]], role: str) -> str:
        """Return the role of a word, "" where it is something else: a language, money, a part of another word.

        No person's name is a capital, a country's is an adjective by its noun, and "the French" are persons.
        """
        before = token_at(tokens, match.first - 1)
        if role in INSIDE:
            return "" if capitalised(before) else role
        first = before.small
        if role == "person" and before.tag not in ("DT", "CD", "JJ", "PRP$"):
            return ""  # a name: "Scot"
        noun = before_noun(text, tokens, match.last)
        next_word = tokens[match.last + 1].small if noun else ""
        if first in closed_class("before a nation") or (match.entry[0] in self.by_name and not noun):
            return ""
        if next_word in closed_class("currencies") or next_word in closed_class("behind a nation"):
            return ""
        if role != "adjective" or noun:
            return role
        if first == "the":
            return "persons"
        return role if first in closed_class("forms of be") else ""

    def _told(self, text: str, tokens: Tokens, match: Match[Place]) -> bool:
        """Check whether a place is a part of a name, surrounds an unknown place, or has a word of its kind beside it.

        "Bank of America"; "Saginaw, Michigan"; "the port city of Basra"; "Kabul, the capital".
        """
        before = tokens[max(0, match.first - _BEFORE) : match.first][::-1]
        words = [token.small for token in before]
        if len(before) > 1 and words[0] in ("of", ","):
            nouns = ("PROPN", "NOUN") if words[0] == "," else ("PROPN",)
            named = before[1].pos in nouns if caseless(text) else capitalised(before[1])
            strange = match.entry.kind == "country" and before[1].text.casefold() not in self._known
            if named and (words[0] == "of" or strange or match.entry.kind == "region"):
                return True
        if caseless(text) and (not words or words[0] == "of" or before[0].tag.startswith("NN")):
            return True  # a title: "sweet home alabama"
        if match.entry.kind == "city" and self._in_state(tokens, match.last + 1):
            return True
        if words and words[0] in closed_class("before a nation"):
            return True
        behind = [token.small for token in tokens[match.last + 1 : match.last + 2 + _BEFORE]]
        if behind and behind[0] in closed_class("currencies") | closed_class("behind a nation"):
            return True
        kinds, plain_words = closed_class("kinds of places"), closed_class("of a kind of place")
        before_it = takewhile(lambda word: word in plain_words | kinds, words)
        aside = takewhile(lambda word: word != ",", behind[1:]) if behind[:1] == [","] else ()
        return not kinds.isdisjoint(before_it) or not kinds.isdisjoint(aside)

    def _in_state(self, tokens: Tokens, index: int) -> bool:
        """Tell whether a state follows a city, by its abbreviation, too: ", Ore.", ", MN"."""
        if index + 2 > len(tokens) - 1 or tokens[index].text != "," or not capitalised(tokens[index + 1]):
            return False
        known = self._gazetteer.match(tokens, index + 1)
        return (
            known.entry.kind == "region" if known else tokens[index + 1].text.isupper() or tokens[index + 2].text == "."
        )

    def home(self, key: Key) -> str:
        """Return the country of a mention, or ``-`` if it has no country.

        Args:
            key: The key of the mention.
        """
        place = self.by_name.get(key[1].removeprefix("the ") if key[0] in NAMED else "") or self.by_name.get(key[1])
        if place is not None:
            return place.country
        (group,) = set(self._groups.roles.get(key[1], {}).values()) or {"-"}
        return self._home_of(group)

    def moved(
        self,
        example: Example,
        tokens: Tagged,
        mentions: Sequence[Mention],
        needs: Callable[[Key], bool],
        among: Sequence[str],
        random: Random,
        origin: str,
    ) -> Iterator[Candidate]:
        """Yield candidates (perturbed examples), each with one nation replaced by another that is about as well known.

        A nation stays if the text has anything else of it: a city, a president, a part of a longer name.

        Args:
            example: The example.
            tokens: The tagged tokens of each field.
            mentions: The result of :meth:`mentions`.
            needs: A function that returns whether a mention is a reason to replace the nation.
            among: The nations from which the new nation is drawn.
            random: The random source.
            origin: The perturbation's name.
        """
        own = [mention for mention in mentions if mention.key[0] not in INSIDE and self.home(mention.key) != "-"]
        keys = list(dict.fromkeys(mention.key for mention in own))
        links = [(one, other) for one in keys for other in keys if one < other and self.home(one) == self.home(other)]
        tied = self.tied(example, tokens, own)
        lowered = example.text.casefold()
        known = {self.home(key) for key in keys}
        absent = [
            group
            for group in among
            if self._home_of(group) not in known | tied
            and not any(word.casefold() in lowered for word in (group, *self._words.get(group, {}).values()))
        ]

        bare = {  # "I am Scottish"
            mention.key
            for mention in own
            for its in [tokens[mention.field]]
            if not before_noun(example.fields[mention.field], its, mention.last(its))
        }

        def draw(entity: frozenset[Key]) -> dict[Key, str] | None:
            home = self.home(next(iter(entity)))
            nearer = {group for group in absent if near(group, home)}
            usual = [group for group in absent if group in nearer or min(common(group), common(home)) >= _WORLD]
            able = [group for group in usual or absent if self._new(group, entity, bare)]
            if home in tied or not able or not any(map(needs, entity)) or len(set(map(self._group, entity))) > 1:
                return None
            return self._new(as_common(able, home, random, nearer), entity, bare)

        yield from rename(example, tokens, own, draw, origin, links)

    def tied(self, example: Example, tokens: Tagged, mentions: Sequence[Mention]) -> set[str]:
        """List the nations of which a text has something that does not change: a place, a president, a longer name.

        Args:
            example: The example.
            tokens: The tagged tokens of each field.
            mentions: The mentions that change.
        """
        spans, found = places(tokens, mentions), owners(example, tokens)
        for field, text in example.fields.items():
            for index, token in enumerate(tokens[field]):
                match = self._all.match(tokens[field], index)
                if match is None:
                    continue
                name, home = match.entry
                written, before = text[token.start : match.end], token_at(tokens[field], index - 1)
                person = register().is_given(before.text) and capitalised(before)
                cased = written[0].isupper() or text.islower() or name.islower()
                if cased and name.isupper() <= written.isupper():
                    changes = person or touches(spans.get(field, ()), token.start, match.end)
                    found |= set() if changes else {home}
        for mention in mentions:
            its = tokens[mention.field]
            last = mention.last(its)
            low = caseless(example.fields[mention.field])
            behind = its[last + 1 : last + 1 + _BEHIND]
            words = [*takewhile(_in_phrase, behind)]
            called = behind[len(words) :][:1]
            calls = [word for word in called if word.text not in self._groups.roles and (low or words)]
            named = any(word.pos == "PROPN" if low else capitalised(word) for word in calls)
            if named or not closed_class("kinds of firms").isdisjoint(word.small for word in words):
                found.add(self.home(mention.key))
        return found

    def _group(self, key: Key) -> str:
        """Return the nation whose word or name a key is, which may be a part of a country: England."""
        roles = self._groups.roles.get(key[1])
        return next(iter(roles.values())) if roles else key[1] if key[1] in self._words else self.home(key)

    def _home_of(self, group: str) -> str:
        return self.by_name[group].country if group in self.by_name else group

    def _new(self, group: str, entity: frozenset[Key], bare: Collection[Key]) -> dict[Key, str] | None:
        """Name all that a text has of a nation by its counterparts; None where one is lacking.

        An adjective that is the nation's name stands before a noun only: "New Zealand wine".
        """
        words = self._words.get(group, {})
        new = {
            key: self._short.get((group, key[0]), group) if key[0] in NAMED else words.get(key[0], "") for key in entity
        }
        unlike = any(key[0] == "adjective" and key in bare and name == group for key, name in new.items())
        return new if all(new.values()) and not unlike else None


def _in_phrase(token: Token) -> bool:
    """Tell whether a word may stand between a nation's and the noun it goes with; news writes "#39;s" for "'s"."""
    return token.text.startswith("#39") or (token.tag.startswith(_IN_PHRASE) and not capitalised(token))
