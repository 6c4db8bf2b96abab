"""Bonds: what else in a text belongs to a place or a nation, so that another would be wrong beside it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence, Set
from functools import cache, lru_cache

from robustfim.candidate import Candidate
from robustfim.guard import touches
from robustfim_words.persons.name_runs import known
from robustfim_words.persons.names import opens_report
from robustfim_words.persons.people import register
from robustfim_words.persons.persons import Persons
from robustfim_words.persons.register import plain
from robustfim_words.text.casing import capitalised, caseless
from robustfim_words.text.inflection import is_word
from robustfim_words.text.lexicon import LEXICONS, read_table
from robustfim_words.text.tokens import Token, base_of, sentence_bounds

__all__ = ["bound", "names_beside", "nationals", "neighbours", "part_of"]

_AFFAIRS = frozenset(
    """
    abducted airlift allies ally ambassador annexation apartheid army battlefield border borders captors
    ceasefire coalition colonial colonialism colonies colony combat communist communists consulate coup defector
    defectors deployed deployment deport deported dictator dictatorship diplomat diplomatic diplomats embassy
    exile exiled extradition fled front genocide government guerrilla guerrillas hijackers hostage hostages
    insurgency insurgent insurgents invade invaded invasion junta kidnappers massacre militant militants
    military militia minister ministers missile missiles nuclear occupation occupied offensive parliament
    peacekeepers postwar premier president prewar rebel rebels refugee refugees regime reservist reservists
    resistance sanctions secession seized separatist separatists soldier soldiers stalinist terrorist terrorists
    treaty tribunal troops uranium veteran veterans war warlord wars wartime
    """.split()  # noqa: SIM905  # words read better as a text
)
"""Words of war, borders and powers: what is said of a nation beside them is history, and no other's."""
_CONTINENTS = frozenset(
    """
    africa african africans arab arabs arabic asia asian asians balkan balkans caribbean europe european europeans
    latin mediterranean nordic scandinavia scandinavian slavic pacific
    """.split()  # noqa: SIM905  # words read better as a text
)


@lru_cache(maxsize=1)
def _ties() -> dict[str, frozenset[str]]:
    rows = read_table(LEXICONS / "place_ties.tsv", ("place", "words"))
    return {place: frozenset(word.strip() for word in words.split(",")) for place, words in rows}


@lru_cache(maxsize=1)
def _parts() -> dict[str, str]:
    rows = read_table(LEXICONS / "country_regions.tsv", ("part", "countries"))
    return {country.strip(): part for part, countries in rows for country in countries.split(",")}


@lru_cache(maxsize=1)
def nationals() -> dict[str, set[str]]:
    """Read what the people of each country are called, in small letters."""
    found: dict[str, set[str]] = {}
    for word, country, _ in read_table(LEXICONS / "nationalities.tsv", ("word", "country", "role")):
        found.setdefault(country, set()).add(word.casefold())
    return found


@cache
def _origins(word: str) -> frozenset[str]:
    """Return the origins of a name that is no ordinary word."""
    if is_word(word) or word in register().places:
        return frozenset()
    return frozenset(register().origins_of(("given", word)) | register().origins_of(("family", word)))


def bound(place: str, said: Collection[str], *, nation: bool) -> bool:
    """Tell whether a text says something that belongs to a place or a nation only.

    Args:
        place: A place, or the country of a nationality.
        said: The words of the text, case-folded.
        nation: Whether it is a nation, which is bound by words of war and by names of its language, too.
    """
    if not _ties().get(place, frozenset()).isdisjoint(said):
        return True
    if not nation:
        return False
    own = nationals().get(place, set())
    return not _AFFAIRS.isdisjoint(said) or any(len(of) == 1 and not of.isdisjoint(own) for of in map(_origins, said))


def part_of(country: str) -> str:
    """Return the part of the world that a country lies in, ``""`` for an unknown one."""
    return _parts().get(country, "")


def neighbours(country: str, said: Set[str]) -> frozenset[str] | None:
    """List the countries that may stand in for one beside other nations or continents: those of its part of the world.

    Args:
        country: A country.
        said: The words of the text, case-folded.

    Returns:
        None where the text names no other nation, and any country may stand in.
    """
    others = {
        other
        for other in {*nationals(), *_parts()} - {country}
        if not nationals().get(other, set()).isdisjoint(said) or other.casefold() in said
    }
    if not others and _CONTINENTS.isdisjoint(said) and not {"u.s.", "us", "uk", "u.k.", "eu"} & said:
        return None
    return frozenset(other for other, part in _parts().items() if part == _parts().get(country) and other != country)


def names_beside(
    candidate: Candidate, source: Mapping[str, str], tokens: Mapping[str, Sequence[Token]], *, persons: bool
) -> bool:
    """Tell whether a text names something that stays beside what a candidate changes: a place, a firm, a landmark.

    A listed place or organisation does anywhere, another name in the sentence of a change or behind "in" and its like.
    Persons in other sentences do not count, nor the words of nations, which :func:`neighbours` sees to.

    Args:
        candidate: The candidate.
        source: The texts before its edits, by field.
        tokens: Their tagged tokens.
        persons: Whether persons in the sentence of a change count.
    """
    found = Persons.find(((field, text, tokens[field]) for field, text in source.items()), register())
    for field, its in tokens.items():
        spans = [(edit.start, edit.end) for edit in candidate.edits if edit.field == field]
        changed = {place for place, token in enumerate(its) if touches(spans, token.start, token.end)}
        if changed and opens_report(its, min(changed), max(changed)):
            continue  # where a report was written
        near = {place for index in changed for place in range(*sentence_bounds(its, index, index))}
        apart = {
            place
            for mention in found.mentions
            if mention.field == field
            for place in range(mention.first, len(its))
            if its[place].start < mention.end and not (persons and place in near)
        }
        for index in range(len(its)):
            if index not in changed and index not in apart and _name(source[field], its, index):
                before = its[index - 1].text.lower() if index else ""
                if not persons and register().is_given(base_of(its[index])[0]) and before not in _AT:
                    continue
                if index in near or before in _AT or _listed(its, index):
                    return True
    return False


def _name(text: str, tokens: Sequence[Token], index: int) -> bool:
    """Tell whether a word is a name: a listed one, or no word of the dictionary and written or tagged as a name."""
    token = tokens[index]
    word = base_of(token)[0]
    low = caseless(text)
    if token.kind != "word" or len(word) < 2 or word.casefold() in _demonyms() or not (low or capitalised(token)):
        return False
    strange = not known(plain(word)) and (token.pos == "PROPN" or not low) and word.casefold() not in _SIGNS
    return strange or _listed(tokens, index)


def _listed(tokens: Sequence[Token], index: int) -> bool:
    """Tell whether a listed place or organisation begins at a word, which is no ordinary one."""
    match = register().things.match(tokens, index)
    return match is not None and (match.last > index or not known(base_of(tokens[index])[0]))


_AT = frozenset("in at from to near around".split())  # noqa: SIM905  # words read better as a text
_SIGNS = frozenset(
    """
    tv tvs dvd dvds vhs cd cds pc imho imo lol omg wow btw ok okay
    monday tuesday wednesday thursday friday saturday sunday
    january february march april may june july august september october november december
    """.split()  # noqa: SIM905  # words read better as a text
)
"""Short forms that name nobody, days and months."""


@lru_cache(maxsize=1)
def _demonyms() -> frozenset[str]:
    return frozenset(word for words in nationals().values() for word in words)
