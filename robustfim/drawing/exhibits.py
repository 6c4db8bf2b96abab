"""Exhibits as HTML, for every page that shows some."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from importlib import resources

from jinja2 import Environment, StrictUndefined, Template
from markupsafe import Markup

from robustfim.drawing.figure import NARROW, NOTHING, WIDE, direct, draw, scale, swatch
from robustfim.exhibit import Figure, Passages, Table

__all__ = ["document", "exhibits_html", "exhibits_style", "page_style", "part"]

_TEMPLATE = """\
{% macro text(table, column) %}{% if column in table.texts %} class="sentence"{% endif %}{% endmacro %}
<div class="exhibits">
{% for table in tables %}
<section>
<{{ heading }}>{{ table.title }}</{{ heading }}>
<div class="scroll" tabindex="0"><table>
<thead><tr>
{% for cell in table.header %}<th scope="col"{{ text(table, loop.index0) }}>{{ cell }}</th>{% endfor %}
</tr></thead>
<tbody>
{% for row in table.rows %}
<tr>{% for cell in row %}<td{{ text(table, loop.index0) }}>{{ cell }}</td>{% endfor %}</tr>
{% endfor %}
</tbody>
</table></div>
{% for note in table.notes %}
<p class="note">{{ note }}</p>
{% endfor %}
</section>
{% endfor %}
{% if figures %}
<div class="{{ "beside" if beside and figures | length > 1 else "alone" }}">
{% for figure in figures %}
<section>
<{{ heading }}>{{ figure.title }}</{{ heading }}>
<figure>
{{ draw(figure, WIDE, leads) }}
{{ draw(figure, NARROW, leads) }}
{% if figure.series | length > 1 or figure.scale %}
<ul class="legend{{ " direct" if direct(figure) }}">
{% for each in figure.series %}
{% if each.points and figure.series | length > 1 %}
<li>{{ swatch(figure, loop.index0) }}{{ each.name }}</li>
{% endif %}
{% endfor %}
{% if figure.scale %}
<li>{{ figure.scale[0] }} {{ scale() }} {{ figure.scale[1] }}</li>
{% endif %}
</ul>
{% endif %}
{% set counted = figure.series | selectattr("counts") | list %}
{% for note in figure.notes + ["Above each bar: of how many it is."] * (counted | length > 0) %}
<p class="note">{{ note }}</p>
{% endfor %}
</figure>
</section>
{% endfor %}
</div>
{% endif %}
{% if passages %}
<section>
<{{ heading }}>The texts</{{ heading }}>
{% for group in passages %}
<details{{ " open" if passages | length == 1 }}>
<summary>{{ group.title }}</summary>
<ul id="{{ group.id }}" tabindex="-1">
{% for picture in group.pictures %}
<li class="picture"><img src="{{ picture }}" alt="The image that the text below is about"></li>
{% endfor %}
{% for each in group.passages %}
<li>{% if each.note %}<p class="note">{{ each.note }}</p>{% endif %}<p class="passage" dir="auto">
{%- for mark, text in each.pieces if text -%}
{%- if mark %}<{{ mark }}>{{ text }}</{{ mark }}>{% else %}{{ text }}{% endif -%}
{%- endfor -%}
</p></li>
{% endfor %}
</ul>
</details>
{% endfor %}
</section>
{% endif %}
</div>
"""


@cache
def _template() -> Template:
    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    return environment.from_string(_TEMPLATE)


def exhibits_html(
    tables: Sequence[Table], figures: Sequence[Figure], *, passages: Sequence[Passages] = (),
    leads: Mapping[str, str] = NOTHING, level: int = 2, beside: bool = False,
) -> Markup:  # fmt: skip
    """Write tables and figures as HTML without scripts and styles; nothing leads out of the page.

    Args:
        tables: The tables; no text in them is trusted.
        figures: The figures, likewise.
        passages: Texts, likewise, each group of which unfolds; one alone is open.
        leads: The titles of texts on the page, by the ids to which dots and bars may lead.
        level: The level of their headings, from 1 to 6.
        beside: Whether figures stand beside one another, small, where the page is wide.
    """
    written = _template().render(
        tables=tables, figures=figures, passages=passages, leads=leads, heading=Markup("h{}").format(level),
        beside=beside, direct=direct, draw=draw, swatch=swatch, scale=scale, WIDE=WIDE, NARROW=NARROW,
    )  # fmt: skip
    return Markup(written)  # noqa: S704  # the template escapes every text


def exhibits_style() -> str:
    """Return the style sheet of exhibits, with the colours ``--ink --muted --line --strong --surface`` of the page."""
    return part("exhibits.css")


def page_style() -> str:
    """Return the style sheet that every page begins with: its colours, its letters, its head, and exhibits."""
    return part("page.css") + exhibits_style()


@cache
def part(name: str) -> str:
    """Read a file of a page, with line ends as browsers see them, since they hash what they see.

    Args:
        name: ``page.css``, ``exhibits.css``, or ``scatter.js``, which draws on a canvas.
    """
    return (resources.files("robustfim.drawing") / name).read_text(encoding="utf-8").replace("\r\n", "\n")


def document(page: str) -> str:
    """Make a page one that can be written: half of a surrogate pair or a NUL has no place in an HTML file.

    Args:
        page: HTML.

    Returns:
        The page, with a question mark and U+FFFD in their places.
    """
    return page.encode("utf-8", "replace").decode("utf-8").replace("\x00", "\ufffd")
