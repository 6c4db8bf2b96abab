"""Rivals of λmax: difficulty scores from gold labels, gradients and dropout."""

from __future__ import annotations

from robustfim.hookspecs import hookimpl

__all__ = ["robustfim_offers"]


@hookimpl
def robustfim_offers() -> dict[str, dict[str, str]]:
    """Offer four difficulty scores."""
    return {
        "scorers": {
            "el2n": "robustfim_difficulty.gold:ErrorNorm",
            "embedding_dropout": "robustfim_difficulty.dropout:EmbeddingDropout",
            "grand": "robustfim_difficulty.grand:GradientNorm",
            "pvi": "robustfim_difficulty.gold:PointwiseInformation",
        },
    }
