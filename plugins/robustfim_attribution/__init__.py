"""Word importance: how much each word speaks for the predicted label, by captum's Integrated Gradients."""

from __future__ import annotations

from robustfim.hookspecs import hookimpl

__all__ = ["robustfim_offers"]


@hookimpl
def robustfim_offers() -> dict[str, dict[str, str]]:
    """Offer what tells how much each word matters."""
    return {"services": {"attribution": "robustfim_attribution.attribution:IntegratedGradients"}}
