"""Exhibits as a page of their own, which needs no network, no script and no other file."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Sequence

from jinja2 import Environment, StrictUndefined
from markupsafe import Markup

from robustfim.exhibit import Figure, Table
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
h1 { font-size: 26px; margin: 0 0 4px; }
li { overflow-wrap: anywhere; }
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
<header><h1>{{ title }}</h1></header>
<main>
<ul>
{% for each in findings %}
<li>{{ each }}</li>
{% endfor %}
</ul>
{{ exhibits }}
</main>
</body>
</html>
"""


def page(title: str, findings: Sequence[str], tables: Sequence[Table], figures: Sequence[Figure]) -> str:
    """Write exhibits as one HTML document.

    Args:
        title: Its heading; nothing that is given is trusted.
        findings: What the numbers say, in sentences.
        tables: The tables.
        figures: The figures.

    Returns:
        The document. Its policy forbids every request, every script, and every style but its own.
    """
    style = _STYLE + exhibits_style()
    digest = base64.b64encode(hashlib.sha256(style.encode("utf-8")).digest()).decode("ascii")
    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    return document(
        environment.from_string(_TEMPLATE).render(
            title=title,
            findings=findings,
            style=Markup(style),  # noqa: S704  # written in this package
            policy=f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'",
            exhibits=exhibits_html(tables, figures),
        )
    )
