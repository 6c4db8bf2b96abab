"""Word importance: the contribution of each word to the predicted label, by captum's Integrated Gradients."""

from __future__ import annotations

from robustfim.hookspecs import Offers, hookimpl

__all__ = ["robustfim_offers"]


@hookimpl
def robustfim_offers() -> Offers:
    """Offer the word importance by Integrated Gradients."""
    return {"services": {"attribution": "robustfim_attribution.attribution:IntegratedGradients"}}
