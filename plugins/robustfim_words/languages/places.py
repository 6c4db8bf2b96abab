"""Places: cities are swapped within a country, countries if they have the same kind of article."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from random import Random

from robustfim.candidate import Candidate
from robustfim.example import Example
from robustfim_words.languages.language import Language
from robustfim_words.languages.perturbation import Renaming
from robustfim_words.languages.renaming import mentions, renamed

__all__ = ["Countries", "Dates", "Places"]


class _Named(Renaming):
    """Swaps names of a table for others of their class; a subclass says which."""

    _origin = ""

    def _renamed(self, spoken: Language, example: Example, random: Random) -> Iterator[Candidate]:
        classes = self._classes(spoken)
        found = mentions(spoken, example, classes)

        def pool(name: str, draw: Random) -> Sequence[str]:
            mates = [other for other, kind in classes.items() if kind == classes[name]]
            return draw.sample(mates, len(mates))

        yield from renamed(spoken, example, found, pool, random, self._origin)

    @abstractmethod
    def _classes(self, spoken: Language) -> Mapping[str, str]:
        """Give the class of each name: one gives way to one of its class."""


class Places(_Named):
    """Swaps cities: within a country for the language's own countries, and among all other cities."""

    _origin = "places"

    def _classes(self, spoken: Language) -> Mapping[str, str]:
        home = spoken.grammar.home.split()
        return {name: country if country in home else "" for name, country in spoken.world["city"].items()}


class Countries(_Named):
    """Swaps countries for others with the same kind of article, so the words before them stay right."""

    needs = ("countries",)
    _origin = "countries"

    def _classes(self, spoken: Language) -> Mapping[str, str]:
        kinds = {code: kind for kind, codes in spoken.grammar.countries.items() for code in codes.split()}
        taken = {
            form
            for groups in spoken.grammar.paradigms.values()
            for p in groups
            for f in p.inflected.values()
            for form in f
        }
        return {
            name: kinds[code]
            for name, code in spoken.world["country"].items()
            if code in kinds and not taken.intersection((name, name.lower()))
        }


class Dates(_Named):
    """Swaps months and days of the week, everywhere in the text."""

    _origin = "dates"

    def _classes(self, spoken: Language) -> Mapping[str, str]:
        barred = frozenset(spoken.grammar.date_words)
        kinds = {"month": 12, "weekday": 7}
        return {name: kind for kind in kinds for name in spoken.world[kind] if name not in barred}
