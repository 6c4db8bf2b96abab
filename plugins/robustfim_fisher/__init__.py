"""Fisher information of the output with respect to the input, and what its gradients give for free."""

from __future__ import annotations

from robustfim.hookspecs import hookimpl

__all__ = ["robustfim_geometry", "robustfim_orders", "robustfim_perturbations", "robustfim_scorers"]


@hookimpl
def robustfim_geometry() -> str:
    """Offer the place where gradients are computed, once for every scorer, order and step."""
    return "robustfim_fisher.geometry:FisherGeometry"


@hookimpl
def robustfim_scorers() -> dict[str, str]:
    """Offer difficulty scores: two from gradients, two from probabilities."""
    return {
        "fisher": "robustfim_fisher.scorers:Fisher",
        "boundary": "robustfim_fisher.scorers:Boundary",
        "margin": "robustfim_fisher.scorers:Margin",
        "entropy": "robustfim_fisher.scorers:Entropy",
    }


@hookimpl
def robustfim_perturbations() -> dict[str, str]:
    """Offer steps along the top eigenvector."""
    return {"eigenvector": "robustfim_fisher.eigenvector:Eigenvector"}


@hookimpl
def robustfim_orders() -> dict[str, str]:
    """Offer the order in which candidates should flip the label."""
    return {"guided": "robustfim_fisher.guided:Guided"}
