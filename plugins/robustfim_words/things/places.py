"""Places: a city gives way to a city, a country to a country, wherever it is named."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import NamedTuple

from robustfim.candidate import Candidate
from robustfim.contract import Contract
from robustfim.example import Example
from robustfim_words.persons.names import Key, Mention, listed_names, opens_report, rename
from robustfim_words.persons.register import plain
from robustfim_words.tagging.resourced import WithTagger
from robustfim_words.tagging.tagger import check_pipeline, tagger
from robustfim_words.text.casing import capitalised
from robustfim_words.text.gazetteer import Gazetteer, Match
from robustfim_words.text.inflection import is_word
from robustfim_words.text.leftovers import short_forms
from robustfim_words.text.lexicon import LEXICONS, read_table
from robustfim_words.text.tokens import Token
from robustfim_words.things.world import nationals, part_of

__all__ = ["Place", "Places"]

COLUMNS = ("name", "kind: city|country|region|continent", "country")
_MATES = 3
"""Places of a country, or of its part of the world, that are enough to draw from."""
_INITIALS = 4
"""Letters of the longest name that is spelled: "US troops" has no adjective's form."""


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


class Places(WithTagger):
    """Swaps places for others of their kind, all mentions of one together.

    "New York City" is one place, "Boston Celtics" is none. A city changes with its country where the text names
    both; one named with its region ("Austin, Texas") stays, and so does a country of which the text has its people
    ("Norwegian"). A place gives way to one of its country, or of its part of the world, where there are enough. The
    possessive and the article before the name are kept.

    Args:
        source: A table of name, kind (city, country, region, continent) and country; the shipped one by default.
        pipeline: A spaCy pipeline, installed or a folder; the shipped one by default.

    Raises:
        UsageError: The lexicon or pipeline is unknown or malformed.
    """

    contract = Contract(cased=True, carries=True)

    def __init__(self, *, source: Path | None = None, pipeline: Path | str | None = None) -> None:
        check_pipeline(pipeline)
        self._pipeline = pipeline
        places = [Place(*row) for row in read_table(source or LEXICONS / "places.tsv", COLUMNS)]
        self._gazetteer = Gazetteer((name, place) for place in places for name in {place.name, plain(place.name)})
        self._by_name = {place.name: place for place in places}
        self._by_kind: dict[str, list[tuple[str, Place]]] = {}
        for place in self._by_name.values():
            self._by_kind.setdefault(place.kind, []).append((place.name.casefold(), place))

    def foresee(self, examples: Sequence[Example]) -> None:
        """Tag the texts of a block in batches."""
        tagger(self._pipeline).prepare(examples)

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
            addresses: set[int] = set()
            for one, other in pairwise(found):
                if _comma_between(tokens[field], one, other) and one.entry.kind == "city":
                    if one.entry.country == other.entry.name:
                        links.append((_key(one.entry), _key(other.entry)))
                    elif other.entry.kind == "region":
                        addresses |= {one.first, other.first}
            listed = {place for match in found for place in range(match.first, match.last + 1)}
            mentions += [
                Mention(field, match.first, match.end, _key(match.entry))
                for match in found
                if match.first not in addresses and not _in_longer_name(text, tokens[field], match, listed)
            ]
        keys = {mention.key for mention in mentions}
        homes = [(key, ("country", self._by_name[key[1]].country)) for key in keys if key[0] == "city"]
        links = [link for link in (*links, *sorted(homes)) if keys.issuperset(link)]
        lowered = example.text.casefold()
        absent = {
            kind: [place for name, place in self._by_kind.get(kind, ()) if name not in lowered]
            for kind in {kind for kind, _ in keys}
        }

        def draw(entity: frozenset[Key]) -> dict[Key, str] | None:
            return self._draw(entity, absent, random)

        def called(key: Key) -> set[str]:
            """List what a place is called: its words, its initials, its people."""
            return {*short_forms(key[1].removeprefix("the ")), *nationals().get(key[1], set())}

        yield from rename(example, tokens, mentions, links, draw, "places", called=called, stems=True)

    def _draw(
        self, entity: frozenset[Key], absent: Mapping[str, Sequence[Place]], random: Random
    ) -> dict[Key, str] | None:
        """Draw new places that the text has not; of a city and its country, the country follows from the city."""
        new: dict[Key, str] = {}
        country = ""
        for kind, name in sorted(entity, key=lambda key: (key[0] != "city", key)):
            home, together = self._by_name[name].country, len(entity) > 1
            able = [place for place in absent[kind] if place.name not in new.values()]
            if country:
                able = [place for place in able if country in (place.name, place.country)]
            elif together:
                named = {place.name for place in absent["country"]}
                able = [place for place in able if place.country in named and place.country != home]
            mates = [place for place in able if place.country == home]
            about = [place for place in able if part_of(place.country) == part_of(home)]
            pool = next((pool for pool in (mates, about) if len(pool) >= _MATES), able)
            if not pool:
                return None
            drawn = random.choice(pool)
            new[kind, name] = drawn.name
            country = drawn.country if together and kind == "city" else country
        return new


def _in_longer_name(text: str, tokens: Sequence[Token], match: Match[Place], listed: Set[int]) -> bool:
    """Tell whether a place is a part of a name, an address or a title: "Austin, TX", "An American Werewolf in London".

    In small letters it is a place behind a preposition only, and with no noun behind.
    """
    first = match.first
    before = tokens[first - 1] if first else None
    after, beyond = (tokens[at] if at < len(tokens) else None for at in (match.last + 1, match.last + 2))
    noun = after is not None and after.tag[:2] in ("NN", "JJ") and text[match.end : after.start] == " "
    if text[tokens[first].start : match.end].islower() and (before is None or before.tag not in ("IN", "TO") or noun):
        return True
    if (
        after is not None
        and after.text == ","
        and beyond is not None
        and len(beyond.text) == 2
        and beyond.text.isupper()
    ):
        return True
    if before is not None and before.text == "," and first > 1 and match.entry.kind != "city":
        town = tokens[first - 2]
        if town.kind == "word" and capitalised(town) and first - 2 not in listed:
            return True  # "Saginaw, Michigan"
    if before is not None and before.tag in ("IN", "TO") and first > 1:
        head = tokens[first - 2]
        if capitalised(head) and not head.starts and is_word(head.text) and not head.text.isupper():
            return True
    spelled = tokens[first].text.replace(".", "").isupper() and len(tokens[first].text) < _INITIALS + 1
    return noun and spelled and not opens_report(tokens, match.last + 1, match.last + 1)


def _key(place: Place) -> Key:
    return place.kind, place.name


def _comma_between(tokens: Sequence[Token], one: Match[Place], other: Match[Place]) -> bool:
    """Tell whether nothing but a comma parts two places."""
    return other.first == one.last + 2 and tokens[one.last + 1].text == ","
