"""The HTML report: one self-contained file of a run, to open from disk, send by mail or keep with a release."""

from __future__ import annotations

from robustfim.hookspecs import Commands, Described, Offers, hookimpl

__all__ = ["robustfim_commands", "robustfim_first_suite", "robustfim_offers", "robustfim_options"]


@hookimpl
def robustfim_offers() -> Offers:
    """Offer the report ``html``."""
    return {"reports": {"html": "robustfim_html.report:HtmlReport"}}


@hookimpl
def robustfim_commands() -> Commands:
    """Offer ``robustfim index``."""
    return {"index": ("robustfim_html.index:command", "Write a page with a row for each suite that ran.", "look")}


@hookimpl
def robustfim_first_suite() -> dict[str, object]:
    """Add the report ``html`` to a new suite."""
    return {"reports": ["html"]}


@hookimpl
def robustfim_options(command: str) -> Described:
    """Add the option ``--html``."""
    if command == "compare":
        return {"--html": ("html", "Write both runs to this file: regressions, what is still broken, and fixes.")}
    return {"--html": ("html", "Write the HTML report to this file.")}
