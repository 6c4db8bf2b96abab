"""The page: a study as one HTML document that needs no network and no other file."""

from __future__ import annotations

import base64
import hashlib
from functools import cache
from importlib import resources

from jinja2 import Environment, FunctionLoader, StrictUndefined
from markupsafe import Markup

from robustfim.record import Study
from robustfim.record.exhibits_html import document, exhibits_html, exhibits_style

__all__ = ["render"]


@cache
def _part(name: str) -> str:
    """Read a file of the page; line ends as browsers see them, since they hash what they see."""
    text = (resources.files("robustfim_study") / "template" / name).read_text(encoding="utf-8")
    return text.replace("\r\n", "\n")


def render(study: Study) -> str:
    """Write a study as one HTML document.

    Args:
        study: The study; nothing in it is trusted.

    Returns:
        The document. Its policy forbids every request, every script, and every style but its own.
    """
    style = _part("style.css") + exhibits_style()
    digest = base64.b64encode(hashlib.sha256(style.encode("utf-8")).digest()).decode("ascii")
    environment = Environment(
        loader=FunctionLoader(_part),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    page = environment.get_template("page.html").render(
        study=study,
        style=Markup(style),  # noqa: S704  # a file of this plugin
        policy=f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'",
        exhibits=exhibits_html(study.tables, study.figures),
    )
    return document(page)
