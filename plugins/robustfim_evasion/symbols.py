"""Emoji between words or as letters, and invisible characters that carry a hidden text."""

from __future__ import annotations

import re
from collections.abc import Mapping
from random import Random

from robustfim_evasion.disguise import Disguise, Disguises
from robustfim_evasion.tables import table

__all__ = ["Emoji", "TagCharacters"]

_BLANK = "\u200b"
_INDICATORS = {ord("a") + place: chr(0x1F1E6 + place) + _BLANK for place in range(26)}
"""Regional indicators, one for each letter. A zero-width space keeps two of them from being drawn as a flag."""
_TAGS = {code: 0xE0000 + code for code in range(0x20, 0x7F)}
_CAPITALS = {ord("A") + place: chr(ord("a") + place) for place in range(26)}
_UNTAGGED = {tag: code for code, tag in _TAGS.items()}
_SELECTORS = [*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0)]
"""The 256 variation selectors, one for each value of a byte."""
_BYTES = {chr(selector): byte for byte, selector in enumerate(_SELECTORS)}


class Emoji(Disguises):
    """Puts an emoji after the text (``end``), between all words (``between``), or in place of letters (``letters``).

    The texts imitate posts with emoji. Readers see and understand the whole text. ``letters`` writes regional
    indicators, and loses the case.
    """

    name = "emoji"

    def disguises(self) -> Mapping[str, Disguise]:
        """Return the disguises by the names of their kinds."""
        drawn: list[str] = table("emoji")
        indicators = {after: chr(letter) for letter, after in _INDICATORS.items()}
        letters, between = re.compile("|".join(indicators)), re.compile(f" (?:{'|'.join(drawn)})(?= )")
        return {
            "end": Disguise(
                lambda text, random: f"{text} {random.choice(drawn)}", lambda text: text.rpartition(" ")[0]
            ),
            "between": Disguise(
                lambda text, random: re.sub(r"(?<=\S) (?=\S)", lambda _: f" {random.choice(drawn)} ", text),
                lambda text: between.sub("", text),
            ),
            "letters": Disguise(
                lambda text, _: text.translate(_CAPITALS).translate(_INDICATORS),
                lambda text: letters.sub(lambda found: indicators[found[0]], text),
                lambda text: text.translate(_CAPITALS),
            ),
        }


class TagCharacters(Disguises):
    """Hides the text after an emoji, in invisible characters that language models read.

    The texts imitate smuggled instructions ("ASCII smuggling"): ``tags`` writes ASCII characters as Unicode's tag
    characters; other characters stay visible. ``selectors`` writes the bytes of UTF-8 as variation selectors.
    """

    name = "tag_characters"

    def disguises(self) -> Mapping[str, Disguise]:
        """Return the disguises by the names of their kinds."""
        return {
            "tags": Disguise(_tags, lambda text: text[1:].translate(_UNTAGGED)),
            "selectors": Disguise(_bytes, _text),
        }


def _tags(text: str, random: Random) -> str:
    cover: str = random.choice(table("emoji"))
    return cover + text.translate(_TAGS)


def _bytes(text: str, random: Random) -> str:
    cover: str = random.choice(table("emoji"))
    return cover + "".join(chr(_SELECTORS[byte]) for byte in text.encode("utf-8", "surrogatepass"))


def _text(text: str) -> str:
    return bytes(_BYTES[each] for each in text[1:]).decode("utf-8", "surrogatepass")
