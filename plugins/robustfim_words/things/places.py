"""Places: a city gives way to a city, a country to a country, wherever it is named."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import NamedTuple

from robustfim.candidate import Candidate
from robustfim.contract import Contract
from robustfim.example import Example
from robustfim_words.persons.names import Key, Mention, listed_names, rename
from robustfim_words.persons.register import plain
from robustfim_words.tagging.resourced import WithTagger
from robustfim_words.tagging.tagger import check_pipeline, tagger
from robustfim_words.text.commonness import drawn
from robustfim_words.text.gazetteer import Gazetteer
from robustfim_words.text.lexicon import LEXICONS, read_table
from robustfim_words.things.world import part_of

__all__ = ["Place", "Places"]

COLUMNS = ("name", "kind: city|country|region|continent|abbreviation|initials", "country")
_MATES = 3
"""Places of a country, or of its part of the world, that are enough to draw from."""


class Place(NamedTuple):
    """A line of the lexicon.

    Attributes:
        name: The name, with its ``the`` where it has one.
        kind: City, country, region or continent; an abbreviation of a country ("US"), or its initials ("U.S.").
        country: The country it lies in; its own name, or ``-``, for one that lies in none.
    """

    name: str
    kind: str
    country: str


class Places(WithTagger):
    """Swaps places for others of their kind, all mentions of one together.

    "New York City" is one place, "Boston Celtics" is none. A city changes with its country where the text names
    both. A place gives way to one of its country, or of its part of the world, where there are enough. The
    possessive and the article before the name are kept.

    Args:
        source: A table of name, kind (city, country, region, continent) and country; the shipped ones by
            default.
        pipeline: A spaCy pipeline, installed or a folder; the shipped one by default.

    Raises:
        UsageError: The lexicon or pipeline is unknown or malformed.
    """

    contract = Contract(cased=True, carries=True)

    def __init__(self, *, source: Path | None = None, pipeline: Path | str | None = None) -> None:
        check_pipeline(pipeline)
        self._pipeline = pipeline
        tables = [source] if source else [LEXICONS / "places.tsv", LEXICONS / "cities.tsv"]
        places = [Place(*row) for table in tables for row in read_table(table, COLUMNS)]
        self._gazetteer = Gazetteer((name, place) for place in places for name in {place.name, plain(place.name)})
        self._by_name = {place.name: place for place in places}
        self._by_kind: dict[str, list[tuple[str, Place]]] = {}
        for place in self._by_name.values():
            self._by_kind.setdefault(place.kind, []).append((place.name.casefold(), place))

    def propose(self, example: Example, random: Random) -> Iterator[Candidate]:
        """Propose candidates, each with one place (or a city and its country) renamed."""
        tokens = {field: tagger(self._pipeline).tag(text) for field, text in example.fields.items()}
        mentions: list[Mention] = []
        for field, text in example.fields.items():
            mentions += [
                Mention(field, match.first, match.end, _key(match.entry))
                for match in listed_names(text, tokens[field], self._gazetteer)
                if match.entry.name.isupper() <= text[tokens[field][match.first].start : match.end].isupper()
            ]
        keys = {mention.key for mention in mentions}
        homes = [(key, ("country", self._by_name[key[1]].country)) for key in keys if key[0] == "city"]
        links = [link for link in sorted(homes) if keys.issuperset(link)]
        lowered = example.text.casefold()
        short = {self._by_name[name].country for kind, name in keys if kind in ("abbreviation", "initials")}
        absent = {
            kind: [
                place for name, place in self._by_kind.get(kind, ()) if name not in lowered and place.name not in short
            ]
            for kind in {kind for kind, _ in keys}
        }

        def draw(entity: frozenset[Key]) -> dict[Key, str] | None:
            return self._draw(entity, absent, random)

        yield from rename(example, tokens, mentions, links, draw, "places")

    def _draw(
        self, entity: frozenset[Key], absent: Mapping[str, Sequence[Place]], random: Random
    ) -> dict[Key, str] | None:
        """Draw new places that the text has not; of a city and its country, the country follows from the city."""
        new: dict[Key, str] = {}
        country = ""
        for kind, name in sorted(entity, key=lambda key: (key[0] != "city", key)):
            home, together = self._by_name[name].country, len(entity) > 1
            able = [place for place in absent[kind] if place.name not in new.values() and name not in place.name]
            if country:
                able = [place for place in able if country in (place.name, place.country)]
            elif together:
                named = {place.name for place in absent["country"]}
                able = [place for place in able if place.country in named and place.country != home]
            pool = [place for place in able if place.country == home]
            if len(pool) < _MATES:
                part = part_of(home)
                pool = [place for place in able if part_of(place.country) == part]
            if len(pool) < _MATES:
                pool = able
            if not pool:
                return None
            (chosen,) = drawn([place.name for place in pool], 1, random)
            new[kind, name] = chosen
            country = self._by_name[chosen].country if together and kind == "city" else country
        return new


def _key(place: Place) -> Key:
    return place.kind, place.name
