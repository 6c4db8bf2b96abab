"""Word importance: how much each word speaks for the predicted label, by captum's Integrated Gradients."""

from __future__ import annotations

from robustfim.hookspecs import hookimpl

__all__ = ["robustfim_attribution"]


@hookimpl
def robustfim_attribution() -> str:
    """Offer what tells how much each word matters."""
    return "robustfim_attribution.attribution:IntegratedGradients"
