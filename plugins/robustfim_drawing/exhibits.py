"""Tables and figures as HTML, for all pages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING

from markupsafe import Markup

from robustfim_drawing.axis import nice_ceiling
from robustfim_drawing.bar import rate_bar
from robustfim_drawing.figure import NARROW, NOTHING, WIDE, direct, draw, swatch
from robustfim_drawing.number import share

if TYPE_CHECKING:
    from jinja2 import Template

    from robustfim.exhibit import Figure, Passages, Table

__all__ = ["closed", "document", "exhibits_html", "exhibits_style", "page_style", "part", "template"]


@cache
def template(name: str) -> Template:
    """Load a template of this package by its file name."""
    from jinja2 import Environment, FunctionLoader, StrictUndefined

    environment = Environment(
        loader=FunctionLoader(part), autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    environment.filters["share"] = share
    return environment.get_template(name)


def exhibits_html(
    tables: Sequence[Table], figures: Sequence[Figure], *, passages: Sequence[Passages] = (),
    leads: Mapping[str, str] = NOTHING, level: int = 2, beside: bool = False,
) -> Markup:  # fmt: skip
    """Write tables and figures as HTML without scripts, styles or links to other pages.

    Args:
        tables: The tables; their texts are escaped.
        figures: The figures; their texts are escaped.
        passages: Groups of texts that the reader can unfold; a single group is open. The texts are escaped.
        leads: The titles of texts on the page, by id. Dots and bars may link to these ids.
        level: The level of the headings, from 1 to 6.
        beside: Whether figures are small and stand side by side on a wide page.
    """
    written = template("exhibits.html").render(
        tables=tables, figures=figures, passages=passages, leads=leads, heading=Markup("h{}").format(level),
        beside=beside, direct=direct, draw=draw, swatch=swatch, ends=_end, bar=_bar, WIDE=WIDE, NARROW=NARROW,
    )  # fmt: skip
    return Markup(written)  # noqa: S704  # the template escapes every text


def _end(table: Table) -> float:
    """The rate at the right end of a table's bars, in (0, 1]."""
    marks = (mark for bar in table.bars for mark in (bar.rate, bar.limit, *(bar.interval or ())) if mark is not None)
    return min(nice_ceiling(min(max(marks, default=0.05), 1.0) or 0.05, 5)[0], 1.0)


def _bar(table: Table, place: int) -> Markup:
    """The bar of a row."""
    bar = table.bars[place]
    return rate_bar(bar.rate, bar.interval, bar.limit, top=_end(table), kind="all")


def exhibits_style() -> str:
    """Return the style sheet of tables and figures.

    The page must define the colours ``--ink --muted --line --strong --surface``.
    """
    return part("exhibits.css")


def page_style() -> str:
    """Return the style sheet with which every page begins: colours, fonts, the head, tables and figures."""
    return part("page.css") + exhibits_style()


def closed(*scripts: str) -> str:
    """Join scripts: nothing of them is seen outside."""
    return '"use strict";\n(() => {\n' + "\n".join(scripts) + "})();\n"


@cache
def part(name: str, package: str = "robustfim_drawing") -> str:
    """Return the text of a style sheet, template or script that is inserted in pages.

    Args:
        name: ``page.css``, ``exhibits.css``, ``page.html``, ``scatter.js``, which draws on a canvas, or
            ``save.js``, which saves figures; or the path of a file of another package.
        package: The package of the file.
    """
    return (resources.files(package) / name).read_text(encoding="utf-8").replace("\r\n", "\n")


def document(page: str) -> str:
    """Replace characters that an HTML file cannot hold: halves of surrogate pairs and NUL.

    Returns:
        The page, with a question mark for half of a surrogate pair and U+FFFD for NUL.
    """
    return page.encode("utf-8", "replace").decode("utf-8").replace("\x00", "\ufffd")
