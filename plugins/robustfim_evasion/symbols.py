"""Disguises by characters: other alphabets, emoji as letters, encodings, and invisible characters that hide a text."""

from __future__ import annotations

import base64
import binascii
import codecs
import re
from collections.abc import Callable, Mapping
from random import Random
from typing import Any
from urllib.parse import quote, unquote

from robustfim_evasion.disguise import Disguise, Disguises
from robustfim_evasion.tables import table
from robustfim_evasion.wrapping import unwrapped, wrapped

__all__ = ["Alphabets", "Emoji", "Encodings", "TagCharacters"]

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


def _of_bytes(write: Callable[[bytes], bytes], read: Callable[[bytes], bytes]) -> Disguise:
    """A disguise of the bytes of UTF-8."""
    return Disguise(
        lambda text, _: write(text.encode("utf-8", "surrogatepass")).decode(),
        lambda text: read(text.encode()).decode("utf-8", "surrogatepass"),
    )


_CODES = {
    "base64": _of_bytes(base64.b64encode, base64.b64decode),
    "base32": _of_bytes(base64.b32encode, base64.b32decode),
    "hex": _of_bytes(binascii.hexlify, binascii.unhexlify),
    "binary": _of_bytes(
        lambda data: b" ".join(f"{byte:08b}".encode() for byte in data),
        lambda data: bytes(int(byte, 2) for byte in data.split()),
    ),
    "percent": Disguise(
        lambda text, _: quote(text, safe="", errors="surrogatepass"), lambda text: unquote(text, errors="surrogatepass")
    ),
    "rot13": Disguise(lambda text, _: codecs.encode(text, "rot13"), lambda text: codecs.decode(text, "rot13")),
    "backwards": Disguise(lambda text, _: text[::-1], lambda text: text[::-1]),
}


class Encodings(Disguises):
    """Encodes the text, with and without a request to decode it.

    The texts imitate prompts that get a request past a guard: a language model behind the guard decodes the text,
    sometimes without being asked.

    Args:
        kinds: Which of ``base64``, ``base32``, ``hex``, ``binary``, ``percent``, ``rot13``, ``backwards``; all by
            default.
        instruction: Whether a request to decode precedes the encoded text. By default there is one candidate with and
            one without the request.
    """

    name = "encodings"

    def __init__(self, *, kinds: list[str] | None = None, instruction: bool | None = None) -> None:
        super().__init__(kinds=kinds)
        asked = {kind: f"{kind}, asked to decode" for kind in self._kinds}
        self._disguises = {
            **self._disguises,
            **{name: _asked(table("decoding")[kind], self._disguises[kind]) for kind, name in asked.items()},
        }
        plain = self._kinds if instruction is not True else ()
        self._kinds = (*plain, *(asked.values() if instruction is not False else ()))

    def disguises(self) -> Mapping[str, Disguise]:
        """Return the disguises by the names of their kinds."""
        return _CODES


def _asked(template: str, code: Disguise) -> Disguise:
    return Disguise(
        lambda text, random: wrapped(template, code.write(text, random)),
        lambda text: code.read(unwrapped(template, text)),
    )
