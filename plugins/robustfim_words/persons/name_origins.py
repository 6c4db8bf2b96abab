"""Name origins: persons get names of another origin, for fairness checks."""

from __future__ import annotations

from pathlib import Path

from robustfim_texts import some_of
from robustfim_words.persons.names import Key
from robustfim_words.persons.people import People
from robustfim_words.persons.persons import Persons

__all__ = ["NameOrigins"]


class NameOrigins(People):
    """Renames persons to names of other origins: "Kirsten Dunst" becomes "Aisha Rahman" or "Lakshmi Iyer".

    This perturbation works like ``people``, but the new names are of another origin than the old names. The model's
    output should not depend on the origin of a name.

    Args:
        to: The origin or origins of the new names, spelled as in the table of names (arabic, chinese, indian,
            nigerian, …); all by default.
        source: A table of name, kind (given, family), gender (female, male, any) and origin; the shipped table by
            default.
        pipeline: A spaCy pipeline, installed or a folder; the shipped one by default.

    Raises:
        UsageError: An origin is unknown, or the lexicon or pipeline unknown or malformed.
    """

    _name = "name_origins"

    def __init__(
        self, *, to: list[str] | str | None = None, source: Path | None = None, pipeline: Path | str | None = None
    ) -> None:
        super().__init__(source=source, pipeline=pipeline)
        self._to = some_of("to", to, self._register.origins)

    def _origins(self, keys: list[Key], persons: Persons) -> list[str]:
        """List the origins to draw from: none of the person's own."""
        old = {origin for key in keys for origin in self._register.origins_of(key)}
        able = {*self._to} & {*super()._origins(keys, persons)} - old
        return sorted(able)
