"""Rivals of λmax: difficulty scores from training dynamics, gold labels and gradients."""

from __future__ import annotations

from robustfim.hookspecs import hookimpl

__all__ = ["robustfim_offers"]


@hookimpl
def robustfim_offers() -> dict[str, dict[str, str]]:
    """Offer nine difficulty scores."""
    return {
        "scorers": {
            "aum": "robustfim_difficulty.dynamics:AreaUnderMargin",
            "dynamics_confidence": "robustfim_difficulty.dynamics:Confidence",
            "dynamics_correctness": "robustfim_difficulty.dynamics:Correctness",
            "dynamics_variability": "robustfim_difficulty.dynamics:Variability",
            "el2n": "robustfim_difficulty.gold:ErrorNorm",
            "embedding_dropout": "robustfim_difficulty.dropout:EmbeddingDropout",
            "forgetting": "robustfim_difficulty.dynamics:Forgetting",
            "grand": "robustfim_difficulty.grand:GradientNorm",
            "pvi": "robustfim_difficulty.gold:PointwiseInformation",
        },
    }
