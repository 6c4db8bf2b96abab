"""Exhibits as a page of their own, which needs no network, no script and no other file."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Sequence

from jinja2 import Environment, StrictUndefined
from markupsafe import Markup

from robustfim.exhibit import Figure, Passages, Table
from robustfim.record.exhibits_html import document, exhibits_html, page_style

__all__ = ["page"]

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
<header class="page-head"><div class="wrap">
<p class="eyebrow"><span class="asked">{{ title }}</span>{% if about %} · {{ about }}{% endif %}</p>
<h1{% if findings %} class="answer"{% endif %}>{{ findings[0] if findings else title }}</h1>
</div></header>
<main class="wrap">
{{ first }}
{% if findings | length > 1 %}
<div class="exhibits"><h2>What the numbers say</h2></div>
<ul class="findings">
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
        title: What was asked; nothing that is given is trusted.
        findings: What the numbers say, in sentences; the first is the heading, the others stand below the first figure.
        tables: The tables.
        figures: The figures; the first one stands above the tables.
        passages: The texts behind them, at the end: a dot or a bar that leads to one unfolds it.
        about: What the numbers are of: model, data, seed, date; beside the title.

    Returns:
        The document. Its policy forbids every request, every script, every style but its own, and
        every image that is not within the page.
    """
    leads = {each.id: each.title for each in passages}
    images = "img-src data:; " if any(each.pictures for each in passages) else ""
    style = page_style()
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
