"""The perturbation ``alphabets``: characters of other alphabets that people read as Latin letters."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from robustfim_evasion.disguise import Disguise, Disguises
from robustfim_evasion.tables import table

__all__ = ["Alphabets"]


class Alphabets(Disguises):
    """Writes the text in another alphabet: fullwidth, mathematical, circled, upside down, Cyrillic and others.

    The texts imitate the output of generators of fancy text and of transliteration. A person still reads it, but a
    tokeniser does not know the characters. The tables are in ``tables/alphabets.yaml``; letters outside of them stay
    Latin.
    """

    name = "alphabets"

    def disguises(self) -> Mapping[str, Disguise]:
        """Return the disguises by the names of their kinds."""
        return {kind: _disguise(entry) for kind, entry in table("alphabets").items()}


def _disguise(entry: Mapping[str, Any]) -> Disguise:
    there, back = str.maketrans(entry["from"], entry["to"]), str.maketrans(entry["to"], entry["from"])
    step = -1 if entry.get("backwards") else 1
    return Disguise(lambda text, _: text.translate(there)[::step], lambda text: text.translate(back)[::step])
