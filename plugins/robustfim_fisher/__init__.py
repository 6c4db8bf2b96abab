"""Fisher information of the output with respect to the input, and other quantities from the same gradients."""

from __future__ import annotations

from robustfim.hookspecs import Commands, Offers, hookimpl

__all__ = ["robustfim_commands", "robustfim_first_suite", "robustfim_offers"]


@hookimpl
def robustfim_offers() -> Offers:
    """Name this plugin's geometry (gradients and Fisher information), and the scores and perturbations that use it."""
    return {
        "scorers": {
            "fisher": "robustfim_fisher.scorers:Fisher",
            "boundary": "robustfim_fisher.scorers:Boundary",
            "margin": "robustfim_fisher.scorers:Margin",
            "entropy": "robustfim_fisher.scorers:Entropy",
            "smallest_step": "robustfim_fisher.step_scorers:SmallestStep",
            "boundary_step": "robustfim_fisher.step_scorers:BoundaryStep",
        },
        "perturbations": {
            "decode": "robustfim_fisher.decode:Decode",
            "eigenvector": "robustfim_fisher.eigenvector:Eigenvector",
            "smallest_step": "robustfim_fisher.smallest_step:SmallestStep",
        },
        "orders": {"guided": "robustfim_fisher.guided:Guided"},
        "services": {"geometry": "robustfim_fisher.geometry:FisherGeometry"},
    }


@hookimpl
def robustfim_commands() -> Commands:
    """Offer ``robustfim score``."""
    said = "Score how difficult texts are for a model, or look at one text from standard input."
    return {"score": ("robustfim_fisher.score:score", said, "look")}


@hookimpl
def robustfim_first_suite() -> dict[str, object]:
    """Add difficulty scores, and steps along the eigenvector."""
    return {
        "scores": ["fisher", "boundary", "margin", "entropy"],
        "checks": {"eigenvector": {"perturb": {"use": "eigenvector", "norms": [0.5, 1.0]}, "marks": ["geometry"]}},
    }
