"""Word importance: the contribution of each word to the predicted label, by captum's Integrated Gradients."""

from __future__ import annotations

from robustfim.hookspecs import hookimpl

__all__ = ["robustfim_offers"]


@hookimpl
def robustfim_offers() -> dict[str, dict[str, str]]:
    """Offer the word importance by Integrated Gradients."""
    return {"services": {"attribution": "robustfim_attribution.attribution:IntegratedGradients"}}
