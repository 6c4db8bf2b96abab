"""Read COPA's XML as published, with expat. DTDs are not fetched, and entities are refused."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.parsers import expat

from robustfim.errors import DataError
from robustfim.example import Example
from robustfim.reading import open_bytes
from robustfim_cues.choices.choice import choice, mirrored_number

__all__ = ["read_xml"]

_TEXTS = ("p", "a1", "a2")


class _Items:
    """Collects the items of a file while expat reads it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.items: list[tuple[dict[str, str], dict[str, str]]] = []
        self.open: list[str] = []
        self.parser = parser = expat.ParserCreate()
        parser.buffer_text = True
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._text
        # The release names its DTD, which is never fetched. Whatever defines or needs an entity is refused: one can
        # grow without bound, or read a file of the machine.
        parser.EntityDeclHandler = self._entity
        parser.ExternalEntityRefHandler = self._entity
        parser.SkippedEntityHandler = self._entity

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        self.open.append(name)
        if self.open[:-1] == [] and name != "copa-corpus":
            raise self.error(f"the root is <{name}>, not <copa-corpus>")
        if len(self.open) == 2:
            if name != "item":
                raise self.error(f"<{name}> where an <item> is expected")
            self.items.append((attributes, {}))
        elif len(self.open) == 3:
            texts = self.items[-1][1]
            if name in texts:
                raise self.error(f"an item has two <{name}>")
            texts[name] = ""
        elif len(self.open) > 3:
            raise self.error(f"<{name}> inside <{self.open[-2]}>, which holds text alone")

    def _end(self, name: str) -> None:
        self.open.pop()

    def _text(self, text: str) -> None:
        if len(self.open) == 3:
            self.items[-1][1][self.open[-1]] += text
        elif text.strip():
            raise self.error(f"text outside of a premise or an alternative: {text.strip()!r:.40}")

    def _entity(self, *given: Any) -> int:
        raise self.error(
            "the file defines or uses an XML entity, which robustfim never resolves. Write the text itself in its place"
        )

    def error(self, what: str) -> DataError:
        """Return an error that names the file and the current line."""
        return DataError(f"{self.path}:{self.parser.CurrentLineNumber}: {what}.")


def read_xml(path: Path) -> Iterator[Example]:
    """Read the items of an XML file in the format of COPA and Balanced COPA.

    The items 1001 to 2000 mirror the items 1 to 1000 (Kavumba et al. 2019).

    Args:
        path: A file whose root is ``<copa-corpus>``.

    Yields:
        The examples, in the file's order.

    Raises:
        DataError: The file is malformed or uses entities, or an item lacks an element or attribute.
    """
    found = _Items(path)
    try:
        with open_bytes(path) as file:
            found.parser.ParseFile(file)
    except (LookupError, OSError, ValueError) as error:  # an encoding that Python does not know, or that reads no bytes
        raise DataError(f"{path} cannot be read: {error}.") from None
    except expat.ExpatError as error:
        raise DataError(f"{path}:{error.lineno}: malformed XML: {expat.ErrorString(error.code)}.") from None
    for attributes, texts in found.items:
        number = attributes.get("id", "")
        place = f"{path}, item {number or '?'}"
        if missing := [name for name in _TEXTS if name not in texts]:
            raise DataError(f"{place}: it has no <{missing[0]}>.")
        if strange := sorted(set(texts) - {*_TEXTS, *(f"a{n}" for n in range(3, 100))}):
            raise DataError(f"{place}: unknown <{strange[0]}>.")
        given = [text for name, text in texts.items() if name != "p"]
        if len(given) == 2:
            given = [texts["a1"], texts["a2"]]
        yield choice(
            texts["p"], attributes.get("asks-for", ""), given, attributes.get("most-plausible-alternative", ""),
            number=number, mirrors=mirrored_number(number), place=place,
        )  # fmt: skip
