"""Read COPA's XML as published. DTDs are not fetched, and entities are refused."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

from robustfim.errors import DataError
from robustfim.example import Example
from robustfim.reading import open_bytes
from robustfim_cues.choices.choice import choice, mirrored_number

__all__ = ["read_xml"]

_TEXTS = ("p", "a1", "a2")
_KNOWN = {*_TEXTS, *(f"a{number}" for number in range(3, 100))}


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
    root = _root(path)
    if root.tag != "copa-corpus":
        raise DataError(f"{path}: the root is <{root.tag}>, not <copa-corpus>.")
    for item in root:
        number = item.get("id", "")
        place = f"{path}, item {number or '?'}"
        if item.tag != "item":
            raise DataError(f"{path}: <{item.tag}> where an <item> is expected.")
        for element in item:
            if len(element):
                raise DataError(f"{place}: <{element[0].tag}> inside <{element.tag}>, which holds text alone.")
        outside = [item.tail, item.text, *(element.tail for element in item), root.text]
        if text := next((text for text in outside if text and text.strip()), None):
            raise DataError(f"{place}: text outside of a premise or an alternative: {text.strip()!r:.40}.")
        names = [element.tag for element in item]
        if twice := [name for name in dict.fromkeys(names) if names.count(name) > 1]:
            raise DataError(f"{place}: an item has two <{twice[0]}>.")
        if missing := [name for name in _TEXTS if name not in names]:
            raise DataError(f"{place}: it has no <{missing[0]}>.")
        if strange := sorted({*names} - _KNOWN):
            raise DataError(f"{place}: unknown <{strange[0]}>.")
        texts = {element.tag: element.text or "" for element in item}
        premise = texts.pop("p")
        yield choice(
            premise, item.get("asks-for", ""), [texts[name] for name in sorted(texts)],
            item.get("most-plausible-alternative", ""), number=number, mirrors=mirrored_number(number), place=place,
        )  # fmt: skip


def _root(path: Path) -> ElementTree.Element:
    try:
        with open_bytes(path) as file:
            content = file.read()
        # The release names its DTD, which is never fetched. Whatever defines or needs an entity is refused: one can
        # grow without bound, or read a file of the machine. A zero byte is half a character of UTF-16.
        if b"<!ENTITY" in content.replace(b"\0", b""):
            raise _entity(path)
        return ElementTree.fromstring(content)  # noqa: S314  # no entity is defined in it
    except ElementTree.ParseError as error:
        if "undefined entity" in str(error):
            raise _entity(path) from None
        raise DataError(f"{path}:{error.position[0]}: malformed XML: {error}.") from None
    except (LookupError, OSError, ValueError) as error:  # an encoding that Python does not know, or that reads no bytes
        raise DataError(f"{path} cannot be read: {error}.") from None


def _entity(path: Path) -> DataError:
    return DataError(
        f"{path}: the file defines or uses an XML entity, which robustfim never resolves. Write the text itself in its "
        "place."
    )
