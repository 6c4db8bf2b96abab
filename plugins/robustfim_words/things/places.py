"""Places: a city becomes another city, a country another country, everywhere in the text."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import zip_longest
from pathlib import Path
from random import Random

from robustfim.candidate import Candidate
from robustfim.contract import Contract
from robustfim.example import Example
from robustfim_words.persons.names import Key, Mention, opens_report, rename
from robustfim_words.tagging.resourced import Proposing, WithTagger
from robustfim_words.tagging.tagger import check_pipeline
from robustfim_words.text.commonness import as_common
from robustfim_words.text.tokens import Token
from robustfim_words.things.namesakes import NAMESAKE, namesakes, new_name, recognised_places, strange_places
from robustfim_words.things.nations import INSIDE, NAMED, Nations, Place, part_of

__all__ = ["Place", "Places"]

_MATES = 3
"""The number of places of a country that suffices to draw only from there."""


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
        self._by_kind: dict[str, list[Place]] = {}
        for place in self._nations.by_name.values():
            if place.name in self._nations.known and not place.name.isupper():
                self._by_kind.setdefault(place.kind, []).append(place)

    def _candidates(self, example: Example, random: Random) -> Iterator[Candidate]:
        """Propose candidates, each with one place, or one nation with all that is of it, renamed."""
        tokens = self._read(example)
        mentions = self._nations.mentions(example, tokens)
        small = ("continent", *INSIDE)
        named = {self._nations.home(mention.key) for mention in mentions if mention.key[0] not in small}
        named |= self._nations.tied(example, tokens, mentions) - {"-"}
        around = {self._nations.home(mention.key) for mention in mentions if mention.key[0] == "region"}
        inside = [
            mention
            for mention in mentions
            if mention.key[0] in small
            and (mention.key[0] != "city" or self._nations.home(mention.key) not in around)
            and (mention.key[1] in self._nations.by_name or self._opens(tokens[mention.field], mention, named))
        ]
        inside += strange_places(example, tokens)
        inside += recognised_places(example, tokens, [*mentions, *inside])
        lowered = example.text.casefold()

        def draw(entity: frozenset[Key]) -> dict[Key, str] | None:
            (key,) = entity
            if key[0] == NAMESAKE:
                return new_name(key, lowered, random)
            return self._draw(key, lowered, named, random)

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

    def _opens(self, tokens: Sequence[Token], mention: Mention, named: Collection[str]) -> bool:
        """Tell whether a word opens a report that says nothing else of its nation: "WASHINGTON (Reuters)"."""
        return opens_report(tokens, mention.first, mention.first) and self._nations.home(mention.key) not in named

    def _draw(self, key: Key, lowered: str, named: Collection[str], random: Random) -> dict[Key, str] | None:
        """Draw a new place, as well known, which the text has not; of a nation that is named, too, one in it."""
        home = self._nations.home(key)
        able = [place for place in self._by_kind[key[0]] if place.name.casefold() not in lowered]
        able = [place for place in able if place.name not in key[1]]
        pool = [place for place in able if place.country == home]
        if len(pool) < _MATES and home in named:
            return None
        pool = pool if len(pool) >= _MATES else able
        near = {place.name for place in pool if part_of(place.country) == part_of(home)}
        return {key: as_common({place.name: place for place in pool}, key[1], random, near)} if pool else None
