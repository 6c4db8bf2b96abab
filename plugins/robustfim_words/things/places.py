"""Places: a city gives way to a city, a country to a country, wherever it is named."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, NamedTuple

from robustfim.candidate import Candidate
from robustfim.example import Example
from robustfim_words.persons.names import Key, Mention, listed_names, rename
from robustfim_words.tagging.tagger import check_pipeline, tagger
from robustfim_words.text.gazetteer import Gazetteer, Match
from robustfim_words.text.lexicon import LEXICONS, read_table
from robustfim_words.text.tokens import Token

if TYPE_CHECKING:
    from robustfim.roles import Context

__all__ = ["Place", "Places"]

COLUMNS = ("name", "kind: city|country|region|continent", "country")


class Place(NamedTuple):
    """A line of the lexicon.

    Attributes:
        name: The name, with its ``the`` where it has one.
        kind: City, country, region or continent.
        country: The country it lies in; its own name, or ``-``, for one that lies in none.
    """

    name: str
    kind: str
    country: str


class Places:
    """Swaps places for others of their kind, all mentions of one together.

    "New York City" is one place, "Boston Celtics" is none. A city named with its country ("Paris, France")
    changes with it; one named with its region ("Austin, Texas") stays. The possessive and the article before the
    name are kept.

    Args:
        source: A table of name, kind (city, country, region, continent) and country; the shipped one by default.
        pipeline: A spaCy pipeline, installed or a folder; the shipped one by default.

    Raises:
        UsageError: The lexicon or pipeline is unknown or malformed.
    """

    def __init__(self, *, source: Path | None = None, pipeline: Path | str | None = None) -> None:
        check_pipeline(pipeline)
        self._pipeline = pipeline
        places = [Place(*row) for row in read_table(source or LEXICONS / "places.tsv", COLUMNS)]
        self._gazetteer = Gazetteer((place.name, place) for place in places)
        self._by_name = {place.name: place for place in places}
        self._by_kind: dict[str, list[Place]] = {}
        for place in self._by_name.values():
            self._by_kind.setdefault(place.kind, []).append(place)

    def prepare(self, context: Context) -> None:
        """Tag the run's texts in batches."""
        tagger(self._pipeline).prepare(context)

    def propose(self, example: Example, random: Random) -> Iterator[Candidate]:
        """Propose candidates, each with one place (or a city and its country) renamed.

        Args:
            example: The source example.
            random: Draws the new places.
        """
        tokens = {field: tagger(self._pipeline).tag(text) for field, text in example.fields.items()}
        mentions: list[Mention] = []
        links: list[tuple[Key, Key]] = []
        for field, text in example.fields.items():
            found = list(listed_names(text, tokens[field], self._gazetteer))
            apart: set[int] = set()
            for one, other in pairwise(found):
                if _comma_between(tokens[field], one, other) and one.entry.kind == "city":
                    if one.entry.country == other.entry.name:
                        links.append((_key(one.entry), _key(other.entry)))
                    elif other.entry.kind == "region":
                        apart |= {one.first, other.first}
            mentions += [Mention(field, m.first, m.end, _key(m.entry)) for m in found if m.first not in apart]
        kept = {mention.key for mention in mentions}
        links = [link for link in links if kept.issuperset(link)]
        lowered = example.text.casefold()

        def draw(entity: frozenset[Key]) -> dict[Key, str] | None:
            return self._draw(entity, lowered, random)

        yield from rename(example, tokens, mentions, links, draw, "places")

    def _draw(self, entity: frozenset[Key], lowered: str, random: Random) -> dict[Key, str] | None:
        """Draw new places; of a city and its country, the country follows from the city."""
        new: dict[Key, str] = {}
        for key in sorted(entity, key=lambda key: (key[0] != "city", key)):
            kind, name = key
            cities = [self._by_name[city] for city in new.values() if self._by_name[city].kind == "city"]
            linked = kind == "country" and bool(cities)
            whole = len(entity) > 1 and kind == "city"
            pool = [
                place
                for place in self._by_kind.get(kind, ())
                if place.name.casefold() not in lowered
                and place.name not in new.values()
                and (not linked or place.name == cities[0].country)
                and (not whole or place.country in self._by_name)
                and (not whole or place.country != self._by_name[name].country)
                and (not whole or not cities or place.country == cities[0].country)
            ]
            if not pool:
                return None
            new[key] = random.choice(pool).name
        return new


def _key(place: Place) -> Key:
    return place.kind, place.name


def _comma_between(tokens: Sequence[Token], one: Match[Place], other: Match[Place]) -> bool:
    """Tell whether nothing but a comma parts two places."""
    return other.first == one.last + 2 and tokens[one.last + 1].text == ","
