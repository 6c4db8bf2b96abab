"""Places: a city gives way to a city, a country to a country, wherever it is named."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence, Set
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import NamedTuple

from robustfim.candidate import Candidate
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
from robustfim_words.text.tokens import Token, base_of, sentence_bounds
from robustfim_words.things.bonds import bound, names_beside, nationals, neighbours, part_of

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


class Places(WithTagger):
    """Swaps places for others of their kind, all mentions of one together.

    "New York City" is one place, "Boston Celtics" is none. A city changes with its country where the text names
    both; one named with its region ("Austin, Texas") stays, and so does a place of which the text has something that
    cannot change
    along: its people ("Norwegian"), a team, initials; or says where it lies ("nearby", "north of"), or names anything
    else than persons, unless the place only tells where a report was written. The possessive and the article before
    the name are kept.

    Args:
        source: A table of name, kind (city, country, region, continent) and country; the shipped one by default.
        pipeline: A spaCy pipeline, installed or a folder; the shipped one by default.

    Raises:
        UsageError: The lexicon or pipeline is unknown or malformed.
    """

    cased = True

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
        said = {base_of(token)[0].casefold() for field in tokens.values() for token in field}
        known = nationals()
        homes = {country for country, people in known.items() if not people.isdisjoint(said)}
        for field, text in example.fields.items():
            found = list(listed_names(text, tokens[field], self._gazetteer))
            apart: set[int] = set()
            for one, other in pairwise(found):
                if _comma_between(tokens[field], one, other) and one.entry.kind == "city":
                    if one.entry.country == other.entry.name:
                        links.append((_key(one.entry), _key(other.entry)))
                    elif other.entry.kind == "region":
                        apart |= {one.first, other.first}
            apart |= {m.first for m in found if _attributive(text, tokens[field], m)}
            apart |= {m.first for m in found if m.entry.kind == "city" and _governs(tokens[field], m)}
            named = {index for m in found for index in range(m.first, m.last + 1)}
            apart |= {m.first for m in found if _behind_its_town(tokens[field], m, named)}
            apart |= {m.first for m in found if _bound(m.entry, said)}
            homes |= {m.entry.country for m in found if m.first in apart}
            held = homes | {m.entry.country for m in found if m.entry.kind == "region"}
            apart |= {m.first for m in found if m.entry.kind == "country" and m.entry.name in held}
            mentions += [Mention(field, m.first, m.end, _key(m.entry)) for m in found if m.first not in apart]
        cities = {key: self._by_name[key[1]].country for key in (m.key for m in mentions) if key[0] == "city"}
        regions = {self._by_name[key[1]].country for key in (m.key for m in mentions) if key[0] == "region"}
        mentions = [m for m in mentions if m.key[0] != "city" or cities[m.key] not in regions]
        countries = {m.key for m in mentions if m.key[0] == "country"}
        links += [(key, ("country", country)) for key, country in cities.items() if ("country", country) in countries]
        kept = {mention.key for mention in mentions}
        links = [link for link in links if kept.issuperset(link)]
        if _ABOUT.search(example.text):
            return
        lowered = example.text.casefold()
        absent = {
            kind: [place for name, place in self._by_kind.get(kind, ()) if name not in lowered]
            for kind in {kind for kind, _ in kept}
        }

        def draw(entity: frozenset[Key]) -> dict[Key, str] | None:
            beside = {
                self._by_name[m.key[1]].country for m in mentions if m.key not in entity and m.key[0] != "country"
            }
            return self._draw(entity, absent, random, (beside | homes) - {"-"}, said)

        def called(key: Key) -> set[str]:
            """List what a place is called: its words, its initials, its people."""
            return {*short_forms(key[1].removeprefix("the ")), *known.get(key[1], set())}

        for candidate in rename(example, tokens, mentions, links, draw, "places", called=called, stems=True):
            if not names_beside(candidate, example.fields, tokens, persons=False):
                yield candidate

    def _draw(
        self,
        entity: frozenset[Key],
        absent: Mapping[str, list[Place]],
        random: Random,
        beside: Set[str],
        said: Set[str],
    ) -> dict[Key, str] | None:
        """Draw new places that the text has not; of a city and its country, the country follows from the city.

        A place beside others of its country, or its people, ``beside``, gives way to one of that country: roads and
        games lie between them. So does a town of a country with several: its money, language and games are the same.
        A country beside other nations gives way to one of its part of the world.
        """
        new: dict[Key, str] = {}
        for key in sorted(entity, key=lambda key: (key[0] != "city", key)):
            kind, name = key
            cities = [self._by_name[city] for city in new.values() if self._by_name[city].kind == "city"]
            linked = kind == "country" and bool(cities)
            whole = len(entity) > 1 and kind == "city"
            home = self._by_name[name].country
            near = neighbours(name, said) if kind == "country" and not linked else None
            able = [place for place in absent[kind] if place.name not in new.values()]
            if kind in ("city", "region") and not whole:
                mates = [place for place in able if place.country == home and place.name != name]
                about = [place for place in able if part_of(place.country) == part_of(home) and place.name != name]
                if home in beside or len(mates) >= _MATES:
                    able = mates
                elif len(about) >= _MATES:
                    able = about
            pool = [
                place
                for place in able
                if (near is None or place.name in near)
                and (not linked or place.name == cities[0].country)
                and (not whole or place.country in self._by_name)
                and (not whole or place.country != self._by_name[name].country)
                and (not whole or not cities or place.country == cities[0].country)
            ]
            if not pool:
                return None
            new[key] = random.choice(pool).name
        return new


_ABOUT = re.compile(
    r"\b(?:neighbou?r(?:s|ing)?|nearby|adjacent|northern(?:ers?)?|southern(?:ers?)?|eastern(?:ers?)?|western(?:ers?)?|"
    r"(?:north|south|east|west) of|(?:north|south)(?:east|west)(?:ern)?|borders?|bordering)\b",
    re.IGNORECASE,
)
"""Words that say where a place lies."""
_IN = frozenset("in at from to near around through of across outside into for leaving".split())  # noqa: SIM905  # words read better as a text
"""What stands before a place in small letters."""
_MATES = 3
"""Towns of a country that are enough to draw from."""


def _bound(place: Place, said: Set[str]) -> bool:
    """Tell whether the text says what belongs to a place only, or shows it to be a country's in war or in the news."""
    return bound(place.name, said, nation=place.kind in ("country", "city"))


def _behind_its_town(tokens: Sequence[Token], match: Match[Place], named: Set[int]) -> bool:
    """Tell whether a comma parts a place from a town that is not listed: "Saginaw, Michigan"."""
    first = match.first
    if match.entry.kind == "city" or first < 2 or tokens[first - 1].text != ",":
        return False
    town = tokens[first - 2]
    return town.kind == "word" and first - 2 not in named and (capitalised(town) or tokens[first].text.islower())


_TURNED = frozenset(
    ["north", "south", "east", "west", "northern", "southern", "eastern", "western", "new", "greater", "central"]
)


_OF_A_CITY = frozenset(
    """
    apartment bar boy cab cabbie club cop detective doctor girl hotel lawyer nightclub police resident restaurant street
    student suburb taxi teacher teen teenager tenement waiter waitres waitress writer
    """.split()  # noqa: SIM905  # words read better as a text
)
"""What any city has, so that its name before it in small letters is no part of another name."""
_GEOGRAPHY = frozenset(
    "coast island islands border borders region sea ocean gulf river war invaded invasion mediterranean med".split()  # noqa: SIM905  # words read better as a text
)
"""Words beside which a country or region is bound to where it lies, or to what happened there."""


_HISTORY = frozenset("nazi nazis european asian african arab soviet".split())  # noqa: SIM905  # words read better as a text
"""Words of a sentence that only some other place would fit."""
_HOLDS = frozenset("archbishop bank bishop capital college duke earl emperor museum port university".split())  # noqa: SIM905  # words read better as a text
_GAMES = frozenset(
    """
    coach homer homered inning innings league nl pitcher pitchers playoff playoffs points quarterback season standings
    touchdown touchdowns victory wild-card yards
    """.split()  # noqa: SIM905  # words read better as a text
)
"""Words of a sentence in which a town may be its team."""
_SPELLED = frozenset("acronym abbreviation short language languages speak spoken accent anthem flag".split())  # noqa: SIM905  # words read better as a text
"""Words of a sentence in which a place is bound to its name or to what is spoken there."""
_IS = frozenset("is are was were has had have".split())  # noqa: SIM905  # words read better as a text


def _governs(tokens: Sequence[Token], match: Match[Place]) -> bool:
    """Tell whether a city stands for its government: "Tokyo denies"."""
    after = tokens[match.last + 1] if match.last + 1 < len(tokens) else None
    beyond = tokens[match.last + 2] if match.last + 2 < len(tokens) else None
    acts = after is not None and after.tag in ("VBZ", "VBD", "VBP", "MD")
    has = after is not None and after.text.lower() in ("has", "had") and beyond is not None and beyond.tag[:2] == "VB"
    return acts and after is not None and (has or after.text.lower() not in _IS)


def _near(tokens: Sequence[Token], match: Match[Place]) -> Sequence[Token]:
    """Return the tokens of the sentence of a place."""
    return tokens[slice(*sentence_bounds(tokens, match.first, match.last))]


def _attributive(text: str, tokens: Sequence[Token], match: Match[Place]) -> bool:
    """Tell whether a place stands beside words that make another name of it: "south london", "chicago chronicle".

    Initials stand for an adjective ("US troops"), which another country's name is not; in small letters a noun right
    behind may be a part of the name.
    """
    before = tokens[match.first - 1] if match.first else None
    after = tokens[match.last + 1] if match.last + 1 < len(tokens) else None
    beyond = tokens[match.last + 2] if match.last + 2 < len(tokens) else None
    state = (
        after is not None
        and after.text == ","
        and beyond is not None
        and beyond.kind == "word"
        and len(beyond.text) == 2
    )
    low = text[tokens[match.first].start : match.end].islower()
    city_noun = match.entry.kind == "city" and after is not None and after.text.lower().rstrip("s") in _OF_A_CITY
    named = before is not None and low and before.pos == "PROPN" and before.kind == "word"
    if low and not city_noun and (before is None or before.text.lower() not in _IN):
        return True
    if low and after is not None and (after.text in "([" or (after.pos == "PROPN" and after.kind == "word")):
        return True  # "searching for paris (a girl)"
    if named or (state and beyond is not None and (low or beyond.text.isupper())):
        return True
    if before is not None and before.kind == "number":
        return True  # a team and its score
    of = match.first > 1 and before is not None and before.text.lower() == "of"
    if match.entry.kind == "city" and of and tokens[match.first - 2].text.lower() in _HOLDS:
        return True
    sentence = _near(tokens, match)
    barred = _HISTORY if match.entry.kind == "city" else _GEOGRAPHY | _HISTORY
    barred |= _SPELLED if match.entry.kind == "country" else _SPELLED | _GAMES
    if any(token.text.lower() in barred for token in sentence):
        return True
    if low and match.entry.kind == "country" and match.end < tokens[match.last].end:
        return True  # "denmark's dogma movement"
    if low and (before is None or before.tag[:2] == "VB" or tokens[match.first].starts):
        return True  # a title: "anyone who has seen chicago"
    shouted = tokens[match.first].text.isupper() and len(tokens[match.first].text) > 4 and not text.isupper()
    if shouted and after is not None and after.text in ("!", "/", "?"):
        return True
    if before is not None and before.text.lower() in ("against", "beat", "beats", "over", "versus", "vs", "v"):
        return True  # a team
    if (
        before is not None
        and before.text in ("in", "to", "from", "of")
        and match.first > 1
        and _named_thing(tokens[match.first - 2])
    ):
        return True  # "An American Werewolf in London"
    if low and match.end < tokens[match.last].end and after is not None and not is_word(after.text):
        return True  # "london's albert hall"
    if before is not None and (before.text.lower() in _TURNED or before.text.rstrip(".") in ("N", "S", "E", "W")):
        return True
    noun = after is not None and after.tag[:2] in ("NN", "JJ") and text[match.end : after.start] == " "
    noun = noun and not (after is not None and opens_report(tokens, match.last + 1, match.last + 1))
    short = tokens[match.first].text.replace(".", "").isupper() and len(tokens[match.first].text) < 5
    return noun and (short or not city_noun)


def _named_thing(token: Token) -> bool:
    """Tell whether a word is an ordinary one that is written as a part of a name inside a sentence."""
    return capitalised(token) and not token.starts and is_word(token.text) and not token.text.isupper()


def _key(place: Place) -> Key:
    return place.kind, place.name


def _comma_between(tokens: Sequence[Token], one: Match[Place], other: Match[Place]) -> bool:
    """Tell whether nothing but a comma parts two places."""
    return other.first == one.last + 2 and tokens[one.last + 1].text == ","
