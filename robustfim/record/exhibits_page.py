"""Exhibits as a page of their own, which needs no network, no script and no other file."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Sequence

from jinja2 import Environment, StrictUndefined
from markupsafe import Markup

from robustfim.exhibit import Figure, Passages, Table
from robustfim.record.exhibits_html import document, exhibits_html, exhibits_style

__all__ = ["page"]

_STYLE = """\
:root { --bg: #f6f6f4; --surface: #fff; --ink: #1b1d22; --muted: #5c616c; --line: #e3e3de; --strong: #8b9099;
  color-scheme: light dark; }
@media screen and (prefers-color-scheme: dark) {
  :root { --bg: #131419; --surface: #1b1d24; --ink: #e7e8ec; --muted: #a2a8b4; --line: #2d313b; --strong: #757b87; }
}
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 1080px; padding: 24px; background: var(--bg); color: var(--ink);
  font: 15px/1.55 ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", Arial, sans-serif; }
h1 { font-size: 26px; margin: 0 0 4px; overflow-wrap: anywhere; }
li { overflow-wrap: anywhere; }
.about { color: var(--muted); font-size: 13px; margin: 4px 0; overflow-wrap: anywhere; }
.answer { font-size: 18px; line-height: 1.45; margin: 14px 0 0; max-width: 60em; overflow-wrap: anywhere; }
@media (max-width: 640px) { body { padding: 16px 12px; } .answer { font-size: 16px; } }
"""

_TEMPLATE = """\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{{ policy }}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{{ title }}</title>
<style>{{ style }}</style>
</head>
<body>
<header>
<h1>{{ title }}</h1>
{% if about %}
<p class="about">{{ about }}</p>
{% endif %}
</header>
<main>
{% for each in findings[:1] %}
<p class="answer">{{ each }}</p>
{% endfor %}
{{ first }}
{% if findings | length > 1 %}
<div class="exhibits"><h2>What the numbers say</h2></div>
<ul>
{% for each in findings[1:] %}
<li>{{ each }}</li>
{% endfor %}
</ul>
{% endif %}
{{ tables }}
{{ rest }}
</main>
</body>
</html>
"""


def page(
    title: str, findings: Sequence[str], tables: Sequence[Table], figures: Sequence[Figure], *,
    passages: Sequence[Passages] = (), about: str = "",
) -> str:  # fmt: skip
    """Write exhibits as one HTML document: what was found, the figure that shows it, the tables, the other figures.

    Args:
        title: Its heading; nothing that is given is trusted.
        findings: What the numbers say, in sentences; the page opens with the first.
        tables: The tables.
        figures: The figures; the first one stands above the tables.
        passages: The texts behind them, at the end: a dot or a bar that leads to one unfolds it.
        about: What the numbers are of: a line under the heading.

    Returns:
        The document. Its policy forbids every request, every script, every style but its own, and
        every image that is not within the page.
    """
    leads = {each.id: each.title for each in passages}
    images = "img-src data:; " if any(each.pictures for each in passages) else ""
    style = _STYLE + exhibits_style()
    digest = base64.b64encode(hashlib.sha256(style.encode("utf-8")).digest()).decode("ascii")
    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    return document(
        environment.from_string(_TEMPLATE).render(
            title=title,
            findings=[each.replace(" %", "\u00a0%") for each in findings],  # a line does not end between
            style=Markup(style),  # noqa: S704  # written in this package
            policy=f"default-src 'none'; style-src 'sha256-{digest}'; {images}base-uri 'none'; form-action 'none'",
            about=about,
            first=exhibits_html([], figures[:1], leads=leads),
            tables=exhibits_html(tables, []),
            rest=exhibits_html([], figures[1:], passages=passages, leads=leads, beside=True),
        )
    )
