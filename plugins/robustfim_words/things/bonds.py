"""Bonds: what else in a text belongs to a place or a nation, so that another would be wrong beside it."""

from __future__ import annotations

from collections.abc import Collection, Set
from functools import cache, lru_cache

from robustfim_words.persons.people import register
from robustfim_words.text.inflection import is_word
from robustfim_words.text.lexicon import LEXICONS, read_table

__all__ = ["bound", "nationals", "neighbours", "part_of"]

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
