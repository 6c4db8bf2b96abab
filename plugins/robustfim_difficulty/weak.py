"""Scores that hardly tell which examples fail, with a median AUROC below .65 in the arena. Nobody loads them unasked.

``-p robustfim_difficulty.weak``, or ``plugins: [robustfim_difficulty.weak]`` in a suite, loads it.
"""

from __future__ import annotations

from robustfim.hookspecs import hookimpl

__all__ = ["robustfim_offers"]


@hookimpl
def robustfim_offers() -> dict[str, dict[str, str]]:
    """Offer seven difficulty scores."""
    return {
        "scorers": {
            "conflicting_neighbours": "robustfim_difficulty.distances:ConflictingNeighbours",
            "ensemble": "robustfim_difficulty.ensemble:Ensemble",
            "gradient_norm": "robustfim_difficulty.slope:MarginGradient",
            "knn_distance": "robustfim_difficulty.distances:NeighbourDistance",
            "mahalanobis": "robustfim_difficulty.distances:Mahalanobis",
            "perplexity": "robustfim_difficulty.perplexity:Perplexity",
            "prediction_depth": "robustfim_difficulty.depth:PredictionDepth",
        },
    }
