"""Fisher information of the output with respect to the input, and what its gradients give for free."""

from __future__ import annotations

from robustfim.hookspecs import hookimpl

__all__ = [
    "robustfim_first_suite",
    "robustfim_geometry",
    "robustfim_orders",
    "robustfim_perturbations",
    "robustfim_scorers",
]


@hookimpl
def robustfim_geometry() -> str:
    """Offer the place where gradients are computed, once for every scorer, order and step."""
    return "robustfim_fisher.geometry:FisherGeometry"


@hookimpl
def robustfim_scorers() -> dict[str, str]:
    """Offer difficulty scores: from gradients, from steps in embedding space, from probabilities and from the text."""
    return {
        "fisher": "robustfim_fisher.scorers:Fisher",
        "boundary": "robustfim_fisher.scorers:Boundary",
        "margin": "robustfim_fisher.scorers:Margin",
        "entropy": "robustfim_fisher.scorers:Entropy",
        "gradient_norm": "robustfim_fisher.scorers:GradientNorm",
        "smallest_step": "robustfim_fisher.step_scorers:SmallestStep",
        "boundary_step": "robustfim_fisher.step_scorers:BoundaryStep",
        "length": "robustfim_fisher.scorers:Length",
    }


@hookimpl
def robustfim_perturbations() -> dict[str, str]:
    """Offer steps in embedding space, of given norms and the smallest that changes the label; and words along them."""
    return {
        "decode": "robustfim_fisher.decode:Decode",
        "eigenvector": "robustfim_fisher.eigenvector:Eigenvector",
        "smallest_step": "robustfim_fisher.smallest_step:SmallestStep",
    }


@hookimpl
def robustfim_orders() -> dict[str, str]:
    """Offer the order in which candidates should flip the label."""
    return {"guided": "robustfim_fisher.guided:Guided"}


@hookimpl
def robustfim_first_suite() -> dict[str, object]:
    """Add the scores that find hard examples, and steps along the eigenvector."""
    return {
        "scores": ["fisher", "boundary", "margin", "entropy"],
        "checks": {"eigenvector": {"perturb": {"use": "eigenvector", "norms": [0.5, 1.0]}, "marks": ["geometry"]}},
    }
