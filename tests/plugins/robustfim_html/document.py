"""A strict reader of HTML: every element is closed, in order, and nothing is named twice."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from html.parser import HTMLParser

__all__ = ["Element", "parse"]

_VOID = {"meta", "link", "br", "input", "img", "hr"}
_INLINE = {"a", "b", "bdi", "code", "del", "ins", "span", "svg"}
_VISIBLE_NOT = {"style", "script", "title"}


@dataclass(eq=False)
class Element:
    """An element with its attributes and what it holds, in order."""

    tag: str
    attributes: dict[str, str]
    content: list[Element | str] = field(default_factory=list)

    def walk(self) -> Iterator[Element]:
        """Visit the element and all in it, in document order."""
        yield self
        for each in self.content:
            if isinstance(each, Element):
                yield from each.walk()

    def all(self, tag: str = "", css: str = "") -> list[Element]:
        """Find elements by tag and class."""
        return [
            e for e in self.walk() if tag in ("", e.tag) and (not css or css in e.attributes.get("class", "").split())
        ]

    def one(self, tag: str = "", css: str = "") -> Element:
        """Find the only such element."""
        (found,) = self.all(tag, css)
        return found

    @property
    def scripts(self) -> list[Element]:
        """The scripts that run; a script of another type is data."""
        return [e for e in self.all("script") if "type" not in e.attributes]

    @cached_property
    def ids(self) -> dict[str, Element]:
        """Every element that has an id."""
        return {e.attributes["id"]: e for e in self.walk() if "id" in e.attributes}

    def by_id(self, name: str) -> Element:
        """Find the element of an id."""
        return self.ids[name]

    @property
    def text(self) -> str:
        """What a reader sees, without style and script."""
        return self.without()

    def without(self, *tags: str) -> str:
        """Return the text without that of some elements."""
        hidden = _VISIBLE_NOT.union(tags)
        return "".join(
            each if isinstance(each, str) else each.without(*tags) if each.tag not in hidden else ""
            for each in self.content
        )

    @property
    def words(self) -> str:
        """The text with white space made even, and some between blocks."""
        return " ".join("".join(self._spaced()).split())

    def _spaced(self) -> Iterator[str]:
        for each in self.content:
            if isinstance(each, str):
                yield each
            elif each.tag not in _VISIBLE_NOT:
                edge = "" if each.tag in _INLINE else " "
                yield edge
                yield from each._spaced()
                yield edge


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.root = Element("#document", {})
        self.open = [self.root]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        names = [name for name, _ in attrs]
        assert len(names) == len(set(names)), f"<{tag}> repeats an attribute: {names}"
        element = Element(tag, {name: value or "" for name, value in attrs})
        self.open[-1].content.append(element)
        if tag not in _VOID:
            self.open.append(element)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag not in _VOID, f"<{tag}/> is written without its slash"
        self.handle_starttag(tag, attrs)
        self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        assert self.open[-1].tag == tag, f"</{tag}> closes <{self.open[-1].tag}> at {self.getpos()}"
        self.open.pop()

    def handle_data(self, data: str) -> None:
        self.open[-1].content.append(data)

    def handle_comment(self, data: str) -> None:
        raise AssertionError(f"a comment: {data!r}")

    def unknown_decl(self, data: str) -> None:
        raise AssertionError(f"a declaration: {data!r}")


def parse(page: str) -> Element:
    """Read a page; an AssertionError tells what is not well-formed."""
    assert page.startswith("<!doctype html>\n")
    reader = _Reader()
    reader.feed(page)
    reader.close()
    assert len(reader.open) == 1, f"never closed: {[element.tag for element in reader.open[1:]]}"
    return reader.root
