"""A section as one HTML document, without any script."""

from __future__ import annotations

from importlib.resources import files

from markupsafe import Markup

from robustfim.exhibit import Section
from robustfim.record.exhibits_html import document, exhibits_html, exhibits_style

__all__ = ["page"]


def page(section: Section) -> str:
    """Write a section as one HTML document that needs no network and no other file.

    Args:
        section: The section; nothing in it is trusted.
    """
    from jinja2 import Environment, StrictUndefined

    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    template = (files("robustfim_cues") / "template" / "page.html").read_text(encoding="utf-8")
    written = environment.from_string(template).render(
        section=section,
        style=Markup(exhibits_style()),  # noqa: S704  # a file of robustfim
        figures=exhibits_html([], section.figures),
        tables=exhibits_html(section.tables, []),
    )
    return document(written)
