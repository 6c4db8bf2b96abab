"""The world: in which part of it a country lies."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from robustfim_words.text.lexicon import LEXICONS, read_table

__all__ = ["part_of"]


def part_of(country: str) -> str:
    """Return the part of the world that a country lies in, ``""`` for an unknown one.

    Args:
        country: Its name, with its ``the`` where it has one.
    """
    return _parts().get(country, "")


@lru_cache(maxsize=1)
def _parts() -> Mapping[str, str]:
    rows = read_table(LEXICONS / "country_regions.tsv", ("part", "countries"))
    return {country.strip(): part for part, countries in rows for country in countries.split(",")}
