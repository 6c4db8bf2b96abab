"""Places: a city becomes another city, a country another country, everywhere in the text."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import zip_longest
from pathlib import Path
from random import Random

from robustfim.candidate import Candidate
from robustfim.contract import Contract
from robustfim.example import Example
from robustfim_words.persons.names import Key, Mention, opens_report, rename
from robustfim_words.tagging.resourced import Proposing, WithTagger
from robustfim_words.tagging.tagger import check_pipeline
from robustfim_words.text.commonness import as_common, common
from robustfim_words.text.lexicon import closed_class
from robustfim_words.text.text_kind import text_kind
from robustfim_words.text.tokens import Tokens, token_at
from robustfim_words.things.namesakes import NAMESAKE, namesakes, new_name, recognised_places, strange_places
from robustfim_words.things.nations import INSIDE, NAMED, Nations, Place, near

__all__ = ["Place", "Places"]

_HOME = "the United States"
"""The country of places that no table lists, in a text that names none."""
_NOWHERE = "-"
"""The country of a place in no single country, such as Scandinavia."""
_MATES = 3
"""The number of places of a country that suffices to draw only from there."""
_OUTSHONE = 0.75
"""A place that is more common by more than this than all others of its country, such as London, leaves its country."""


class Places(WithTagger, Proposing):
    """Swaps a place for another of its kind, everywhere in the text.

    "New York City" counts as one place; "Boston Celtics" is not a place. A country changes together with its
    abbreviations and people, unless the text names one of its cities, leaders or institutions. A new city is in the
    country of the old one if enough cities of it are listed, and always if the text names the country. A new place is
    about as well known as the old one. A little-known city, and a country in a review, change only where something lies
    there, comes from there or goes there; a country only if no smaller place changes. The possessive is kept, and the
    article before the name agrees.

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
        self._by_kind: dict[tuple[str, bool], list[Place]] = {}
        for place in self._nations.by_name.values():
            if not place.name.isupper():
                self._by_kind.setdefault((place.kind, place.name in self._nations.known), []).append(place)

    def _candidates(self, example: Example, random: Random) -> Iterator[Candidate]:
        """Propose candidates, each with one place, or one nation with all that is of it, renamed."""
        tokens = self._read(example)
        mentions = self._nations.mentions(example, tokens)
        small = ("continent", *INSIDE)
        named = {self._nations.home(mention.key) for mention in mentions if mention.key[0] not in small}
        tied = self._nations.tied(example, tokens, mentions)
        named |= tied.intersection(self._nations.countries)
        around = {self._nations.home(mention.key) for mention in mentions if mention.key[0] == "region"}
        inside = [
            mention
            for mention in mentions
            if mention.key[0] in small
            and (mention.key[0] != "city" or self._nations.home(mention.key) not in around)
            and (mention.key[0] != "continent" or not named)
            and (mention.key[1] in self._nations.by_name or self._opens(tokens[mention.field], mention, named))
        ]
        inside += strange_places(example, tokens)
        inside += recognised_places(example, tokens, [*mentions, *inside])
        sure = {
            mention.key
            for mention in inside
            if mention.key[1] in self._nations.known
            or mention.key[1] not in self._nations.by_name
            or _lies(tokens[mention.field], mention)
            or token_at(tokens[mention.field], mention.last(tokens[mention.field]) + 1).text == ","
        }
        lowered = example.text.casefold()

        def draw(entity: frozenset[Key]) -> dict[Key, str] | None:
            (key,) = entity
            if key[0] == NAMESAKE:
                return new_name(key, lowered, random)
            return None if key[1] in tied or key not in sure else self._draw(key, lowered, named, tied, random)

        alone = rename(example, tokens, inside, draw, "places")
        reviewed = any(text_kind(text) == "review" for text in example.fields.values())
        needed = {
            mention.key
            for mention in mentions
            if self._names(mention.key) and not (reviewed and not _lies(tokens[mention.field], mention))
        }
        together = self._nations.moved(
            example, tokens, mentions, needed.__contains__, self._nations.countries, random, "places"
        )
        called = rename(example, tokens, namesakes("place", example, tokens, mentions), draw, "places")
        smaller = [candidate for pair in zip_longest(alone, called) for candidate in pair if candidate is not None]
        yield from smaller or together

    def _names(self, key: Key) -> bool:
        """Tell whether a mention names a place, if only before a noun: "U.S. troops"."""
        return key[0] in NAMED or key[1] in self._nations.by_name

    def _opens(self, tokens: Tokens, mention: Mention, named: Collection[str]) -> bool:
        """Tell whether a word opens a report that says nothing else of its nation: "WASHINGTON (Reuters)"."""
        return opens_report(tokens, mention.first, mention.first) and self._nations.home(mention.key) not in named

    def _draw(
        self, key: Key, lowered: str, named: Collection[str], tied: Collection[str], random: Random
    ) -> dict[Key, str] | None:
        """Draw a new place, as well known, which the text has not; of a nation that is named, too, one in it."""
        home, listed = self._nations.home(key), key[1] in self._nations.by_name
        if not listed:
            home = next(iter(named)) if len(named) == 1 else _HOME
        able = [
            place
            for place in self._by_kind.get((key[0], key[1] in self._nations.known)) or self._by_kind[key[0], True]
            if place.name.casefold().split()[-1] not in lowered
            and not (place.name in key[1] or key[1] in place.name)
            and place.name not in tied
        ]
        pool = [place for place in able if place.country == home]
        if len(pool) < _MATES and home in named and listed:
            return None
        outshone = all(common(key[1]) - common(place.name) > _OUTSHONE for place in pool)
        if home != _NOWHERE and (len(pool) < _MATES or (outshone and home not in named)):
            pool = [place for place in able if place.country != home] or able
        nearer = [place.name for place in pool if near(place.country, home)]
        return {key: as_common([place.name for place in pool], key[1], random, nearer)} if pool else None


def _lies(tokens: Tokens, mention: Mention) -> bool:
    """Tell whether something lies in a place, comes from it or goes there: "in southern Iraq"."""
    before = (token.text.lower() for token in reversed(tokens[: mention.first]))
    first = next((word for word in before if word not in closed_class("parts of a place")), "")
    return first in closed_class("in or to a place")
