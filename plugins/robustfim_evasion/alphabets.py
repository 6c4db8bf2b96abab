"""Other alphabets: letters that are read as Latin ones and are other characters."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from robustfim_evasion.disguise import Disguise, Disguises
from robustfim_evasion.tables import table

__all__ = ["Alphabets"]


class Alphabets(Disguises):
    """Writes the text in another alphabet: fullwidth, mathematical, circled, upside down, Cyrillic and others.

    Models what text fields, name generators and transliteration give: a person still reads it, a tokeniser knows none
    of the characters. The tables stand in ``tables/alphabets.yaml``; what they leave out stays Latin.
    """

    name = "alphabets"

    def disguises(self) -> Mapping[str, Disguise]:
        """Give every kind by name."""
        return {kind: _disguise(entry) for kind, entry in table("alphabets").items()}


def _disguise(entry: Mapping[str, Any]) -> Disguise:
    there, back = str.maketrans(entry["from"], entry["to"]), str.maketrans(entry["to"], entry["from"])
    step = -1 if entry.get("backwards") else 1
    return Disguise(lambda text, _: text.translate(there)[::step], lambda text: text.translate(back)[::step])
