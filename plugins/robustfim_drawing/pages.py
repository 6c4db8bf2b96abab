"""A page of tables and figures in one HTML file. It needs no network; its only script saves figures."""

from __future__ import annotations

import base64
import hashlib
import html
import re
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

from markupsafe import Markup

from robustfim.whole_file import write_whole
from robustfim_drawing.exhibits import closed, document, exhibits_html, page_style, part, template
from robustfim_drawing.number import moment

if TYPE_CHECKING:
    from robustfim.exhibit import Figure, Passages, Table

__all__ = ["OTHERS", "page", "policy_of", "write_page"]

OTHERS = '<nav class="others" hidden></nav>'
"""Where a page links to the others of its folder."""

_SAVING = 'addEventListener("DOMContentLoaded", saveFigures);\n'
_HEAD = 4096
_TITLE = re.compile(r'<meta name="generator" content="robustfim[^"]*">\s*<title>([^<]*)</title>')
"""Within the first bytes of a page."""


def policy_of(style: str, script: str = "", *, served: bool = False) -> str:
    """Write a content-security policy that forbids every request, and all styles and scripts except the page's own.

    Args:
        style: The page's style sheet.
        script: The page's script; empty for none.
        served: Whether the page may load further styles and scripts from its server, and send requests to it.
    """
    more = " 'self'" if served else ""
    parts = ["default-src 'none'", f"style-src '{_digest(style)}'{more}"]
    parts += [f"script-src '{_digest(script)}'{more}"] if script else []
    parts += ["connect-src 'self'"] if served else []
    return "; ".join([*parts, "base-uri 'none'", "form-action 'none'"])


def _digest(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode("utf-8")).digest()).decode("ascii")


def page(
    title: str, findings: Sequence[str], tables: Sequence[Table], figures: Sequence[Figure], *,
    passages: Sequence[Passages] = (), about: str = "", made: str | None = None,
) -> str:  # fmt: skip
    """Return tables and figures as one HTML document: findings, first figure, tables, other figures.

    Args:
        title: The question that the page answers. All texts are escaped.
        findings: The results in sentences; the first is the heading, the rest stand below the first figure.
        tables: The tables.
        figures: The figures; the first one stands above the tables.
        passages: The texts behind the figures, at the end of the page; a click on a dot or a bar unfolds its text.
        about: The model, data and seed behind the numbers, shown beside the title.
        made: When the numbers were made, in ISO 8601; now by default.

    Returns:
        The document. Its content security policy forbids requests, images, and scripts and styles other than the
        document's own.
    """
    leads = {passage.id: passage.title for passage in passages}
    style, script = page_style(), closed(part("save.js"), _SAVING) if figures else ""
    when = moment(made or datetime.now(UTC).isoformat())
    return document(
        template("page.html").render(
            title=title,
            findings=[finding.replace(" %", "\u00a0%") for finding in findings],  # a line does not end between
            style=Markup(style),  # noqa: S704  # written in this package
            script=Markup(script),  # noqa: S704  # written in this package
            policy=policy_of(style, script),
            version="",
            about=" · ".join(filter(None, (about, when))),
            others=Markup(OTHERS),  # noqa: S704  # written in this module
            first=exhibits_html([], figures[:1], leads=leads),
            tables=exhibits_html(tables, []),
            rest=exhibits_html([], figures[1:], passages=passages, leads=leads, beside=True),
        )
    )


def write_page(path: Path, text: str) -> Path:
    """Write a page, with links to the other robustfim pages in its folder.

    Args:
        path: The file; an existing file is replaced, whole or not at all.
        text: The page, with :data:`OTHERS` where the links go.

    Raises:
        OSError: The file cannot be written.
    """
    links = Markup(" · ").join(
        Markup('<a href="{}">{}</a>').format(quote(each.name), title)
        for each in sorted(path.parent.glob("*.html"))
        if each.name != path.name and (title := _title(each))
    )
    others = Markup('<nav class="others" aria-label="Other pages of this folder">See also: {}</nav>').format(links)
    whole = text.replace(OTHERS, str(others) if links else OTHERS, 1)
    return write_whole(path, whole.encode("utf-8", errors="backslashreplace"))


def _title(path: Path) -> str:
    """The title of a page; empty for a file that is none of this harness."""
    try:
        with path.open("rb") as file:
            head = file.read(_HEAD).decode("utf-8", errors="replace")
    except OSError:
        return ""
    found = _TITLE.search(head)
    return html.unescape(found[1]).removesuffix(".") if found else ""
