"""Alternatives to λmax: difficulty scores from gold labels and gradients."""

from __future__ import annotations

from robustfim.hookspecs import Offers, hookimpl

__all__ = ["robustfim_offers"]


@hookimpl
def robustfim_offers() -> Offers:
    """Offer three difficulty scores."""
    return {
        "scorers": {
            "el2n": "robustfim_difficulty.gold:ErrorNorm",
            "grand": "robustfim_difficulty.grand:GradientNorm",
            "pvi": "robustfim_difficulty.gold:PointwiseInformation",
        },
    }
