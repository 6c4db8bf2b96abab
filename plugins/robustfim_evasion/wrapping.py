"""Disguises that put the whole text into a template or among harmless sentences."""

from __future__ import annotations

import html
import json
from collections.abc import Callable, Mapping
from random import Random
from typing import Annotated, NamedTuple

from pydantic import Field

from robustfim_evasion.disguise import Disguise, Disguises
from robustfim_evasion.tables import table

__all__ = ["Haystack", "Markup", "Quoting", "RolePlay", "unwrapped", "wrapped"]


def wrapped(template: str, text: str) -> str:
    """Return a template with a text in its place ``{text}``.

    Args:
        template: A text with ``{text}`` at one place.
        text: The text to put there.
    """
    before, _, behind = template.partition("{text}")
    return before + text + behind


def unwrapped(template: str, text: str) -> str:
    """Return the text that :func:`wrapped` put into a template.

    Args:
        template: A text with ``{text}`` at one place.
        text: The result of :func:`wrapped`.
    """
    before, _, behind = template.partition("{text}")
    return text.removeprefix(before).removesuffix(behind)


class RolePlay(Disguises):
    """Wraps the text in a role play: a scene of a novel, a rehearsal, a grandmother's story, a simulated machine.

    The texts imitate jailbreaks that ask for the same thing as fiction. The text is included word for word.

    Args:
        kinds: Names of templates in ``tables/role_play.yaml``; all by default.
    """

    name = "role_play"

    def disguises(self) -> Mapping[str, Disguise]:
        """Return the disguises by the names of their kinds."""
        return {kind: _wrapping(template) for kind, template in table("role_play").items()}


class Quoting(Disguises):
    """Quotes the text, reports it, asks for a translation of it, or puts a "do not" before it.

    The texts imitate a payload that is mentioned rather than said. Your policy decides whether the label may change: a
    guard of prompts should still find the payload, while a moderator may accept a quotation. Set ``expect``
    accordingly.

    Args:
        kinds: Names of templates in ``tables/quoting.yaml``; all by default.
    """

    name = "quoting"

    def disguises(self) -> Mapping[str, Disguise]:
        """Return the disguises by the names of their kinds."""
        return {kind: _wrapping(template) for kind, template in table("quoting").items()}


class Markup(Disguises):
    """Embeds the text in Markdown, HTML, XML or JSON, escaped as the format asks.

    The texts imitate payloads in documents, pages and answers of tools that a language model reads.

    Args:
        kinds: Names of templates in ``tables/markup.yaml``; all by default.
    """

    name = "markup"

    def disguises(self) -> Mapping[str, Disguise]:
        """Return the disguises by the names of their kinds."""
        return {kind: _wrapping(each["template"], each["escape"]) for kind, each in table("markup").items()}


class _Escape(NamedTuple):
    """How a format writes a text, and how it is read again."""

    write: Callable[[str], str]
    read: Callable[[str], str]


_ESCAPES = {
    "none": _Escape(str, str),
    "html": _Escape(html.escape, html.unescape),
    "references": _Escape(lambda text: "".join(f"&#{ord(each)};" for each in text), html.unescape),
    "json": _Escape(lambda text: json.dumps(text, ensure_ascii=False)[1:-1], lambda text: str(json.loads(f'"{text}"'))),
    "json_escapes": _Escape(
        lambda text: "".join(f"\\u{unit:04x}" for unit in _units(text)), lambda text: str(json.loads(f'"{text}"'))
    ),
    "quoted_lines": _Escape(lambda text: text.replace("\n", "\n> "), lambda text: text.replace("\n> ", "\n")),
}


def _units(text: str) -> list[int]:
    """The units of UTF-16, of which JSON's escapes are made."""
    data = text.encode("utf-16-be", "surrogatepass")
    return [int.from_bytes(data[place : place + 2], "big") for place in range(0, len(data), 2)]


def _wrapping(template: str, escape: str = "none") -> Disguise:
    code = _ESCAPES[escape]
    return Disguise(
        lambda text, _: wrapped(template, code.write(text)), lambda text: code.read(unwrapped(template, text))
    )


_BREAK = "\n\n"


class Haystack(Disguises):
    """Hides the text as a paragraph at the start, in the middle or at the end of a long harmless text.

    The texts imitate payloads in long prompts and documents. A model that averages its tokens gives them little weight,
    and a model that truncates may not read them. The run reports texts beyond the model's window.

    Args:
        kinds: Positions of the text, ``start``, ``middle``, ``end``; all by default.
        sentences: The number of harmless sentences around the text, from 2 to the 50 of ``tables/harmless.yaml``.
    """

    name = "haystack"

    def __init__(self, *, kinds: list[str] | None = None, sentences: Annotated[int, Field(ge=2, le=50)] = 20) -> None:
        self._pool: list[str] = table("harmless")["sentences"]
        self._sentences = sentences
        super().__init__(kinds=kinds)

    def disguises(self) -> Mapping[str, Disguise]:
        """Return the disguises by the names of their kinds."""
        places = {"start": 0, "middle": self._sentences // 2, "end": self._sentences}
        return {kind: self._at(place) for kind, place in places.items()}

    def _at(self, place: int) -> Disguise:
        def write(text: str, random: Random) -> str:
            drawn = random.sample(self._pool, self._sentences)
            before, behind = " ".join(drawn[:place]), " ".join(drawn[place:])
            return _BREAK.join(part for part in (before, text, behind) if part)

        def read(text: str) -> str:
            if place:
                text = text.partition(_BREAK)[2]
            return text.rpartition(_BREAK)[0] if place < self._sentences else text

        return Disguise(write, read)
