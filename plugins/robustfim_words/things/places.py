"""Places: a city becomes another city, a country another country, everywhere in the text."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import cache
from itertools import zip_longest
from pathlib import Path
from random import Random

from robustfim.candidate import Candidate
from robustfim.contract import Contract
from robustfim.example import Example
from robustfim_words.persons.names import Key, opens_report, rename
from robustfim_words.tagging.resourced import Proposing, WithTagger
from robustfim_words.tagging.tagger import check_pipeline
from robustfim_words.text.commonness import common, drawn
from robustfim_words.things.namesakes import NAMESAKE, namesakes, new_name, recognised_places, strange_places
from robustfim_words.things.nations import INSIDE, NAMED, Nations, Place, part_of

__all__ = ["Place", "Places"]

_HEARD_OF = 2.8
"""The smallest commonness of a new place: log10 of its frequency in a billion words."""
_MATES = 3
"""The number of places of a country, or of a part of the world, that suffices to draw only from there."""


class Places(WithTagger, Proposing):
    """Swaps a place for another of its kind, everywhere in the text.

    "New York City" counts as one place; "Boston Celtics" is not a place. A country changes together with its
    abbreviations, people and cities. If the text also names the country of a city, the new city is in the same country.
    Otherwise a new place comes from the same country or part of the world, if enough places are listed there. The
    possessive is kept, and the article before the name agrees.

    Args:
        source: A table of name, kind (city, country, region, continent) and country; the shipped tables by
            default.
        pipeline: A spaCy pipeline, installed or a folder; the shipped one by default.

    Raises:
        UsageError: The lexicon or pipeline is unknown or malformed.
    """

    contract = Contract(cased=True, carries=True)

    def __init__(self, *, source: Path | None = None, pipeline: Path | str | None = None) -> None:
        self._pipeline = check_pipeline(pipeline)
        self._nations = Nations(places=source)
        self._by_kind: dict[str, list[tuple[str, Place]]] = {}
        for place in self._nations.by_name.values():
            mates = self._by_kind.setdefault(place.kind, [])
            mates += [] if place.name.isupper() or common(place.name) < _HEARD_OF else [(place.name.casefold(), place)]

    def _candidates(self, example: Example, random: Random) -> Iterator[Candidate]:
        """Propose candidates, each with one place, or one nation with all that is of it, renamed."""
        tokens = self._read(example)
        mentions = self._nations.mentions(example, tokens)
        small = ("continent", *INSIDE)
        known = {
            mention.key for mention in mentions if opens_report(tokens[mention.field], mention.first, mention.first)
        }
        inside = [
            mention
            for mention in mentions
            if mention.key[0] in small and (mention.key[1] in self._nations.by_name or mention.key in known)
        ]
        inside += strange_places(example, tokens)
        inside += recognised_places(example, tokens, [*mentions, *inside])
        named = {self._nations.home(mention.key) for mention in mentions if mention.key[0] not in small}
        lowered = example.text.casefold()

        @cache
        def strange(kind: str) -> list[Place]:
            return [place for folded, place in self._by_kind[kind] if folded not in lowered]

        def draw(entity: frozenset[Key]) -> dict[Key, str] | None:
            (key,) = entity
            if key[0] == NAMESAKE:
                return new_name(key, lowered, random)
            return self._draw(key, strange(key[0]), named, random)

        alone = rename(example, tokens, inside, draw, "places")
        together = self._nations.moved(
            example, tokens, mentions, self._names, self._nations.countries, random, "places"
        )
        called = rename(example, tokens, namesakes("place", example, tokens, mentions), draw, "places")
        for pair in zip_longest(alone, together, called):
            yield from (candidate for candidate in pair if candidate is not None)

    def _names(self, key: Key) -> bool:
        """Tell whether a mention names a place, if only before a noun: "U.S. troops"."""
        return key[0] in NAMED or key[1] in self._nations.by_name

    def _draw(
        self, key: Key, strange: Sequence[Place], named: Collection[str], random: Random
    ) -> dict[Key, str] | None:
        """Draw a new place, which the text has not; of a nation that is named, too, one that lies in it."""
        home = self._nations.home(key)
        able = [place for place in strange if place.name not in key[1]]
        pool = [place for place in able if place.country == home]
        if len(pool) < _MATES and home in named:
            return None
        if len(pool) < _MATES:
            pool = [place for place in able if part_of(place.country) == part_of(home)]
        if len(pool) < _MATES:
            pool = able
        return {key: drawn([place.name for place in pool], 1, random)[0]} if pool else None
