"""One self-contained HTML file of a run, to open from disk, send by mail or keep with a release."""

from __future__ import annotations

from robustfim.hookspecs import hookimpl

__all__ = ["robustfim_first_suite", "robustfim_reports"]


@hookimpl
def robustfim_reports() -> dict[str, str]:
    """Offer the report ``html``."""
    return {"html": "robustfim_html.report:HtmlReport"}


@hookimpl
def robustfim_first_suite() -> dict[str, object]:
    """Add the page."""
    return {"reports": ["html"]}
