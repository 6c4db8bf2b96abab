"""Rivals of λmax: difficulty scores from training dynamics, predictions, several models and training texts."""

from __future__ import annotations

from robustfim.hookspecs import hookimpl

__all__ = ["robustfim_offers"]


@hookimpl
def robustfim_offers() -> dict[str, dict[str, str]]:
    """Offer fifteen difficulty scores."""
    return {
        "scorers": {
            "aum": "robustfim_difficulty.dynamics:AreaUnderMargin",
            "conflicting_neighbours": "robustfim_difficulty.distances:ConflictingNeighbours",
            "dynamics_confidence": "robustfim_difficulty.dynamics:Confidence",
            "dynamics_correctness": "robustfim_difficulty.dynamics:Correctness",
            "dynamics_variability": "robustfim_difficulty.dynamics:Variability",
            "el2n": "robustfim_difficulty.gold:ErrorNorm",
            "embedding_dropout": "robustfim_difficulty.dropout:EmbeddingDropout",
            "ensemble": "robustfim_difficulty.ensemble:Ensemble",
            "forgetting": "robustfim_difficulty.dynamics:Forgetting",
            "grand": "robustfim_difficulty.grand:GradientNorm",
            "knn_distance": "robustfim_difficulty.distances:NeighbourDistance",
            "mahalanobis": "robustfim_difficulty.distances:Mahalanobis",
            "perplexity": "robustfim_difficulty.perplexity:Perplexity",
            "prediction_depth": "robustfim_difficulty.depth:PredictionDepth",
            "pvi": "robustfim_difficulty.gold:PointwiseInformation",
        },
    }
