"""Write correlations as text."""

from __future__ import annotations

__all__ = ["correlation_text"]


def correlation_text(correlation: tuple[float, float] | None) -> str:
    """Return a phrase on the rank correlation of a model's sensitivity to cues and the cues' productivity.

    Args:
        correlation: Spearman's ρ and its p-value; None if ρ is undefined.
    """
    if correlation is None:
        return "too few cues, or no difference between them, to correlate sensitivity with productivity"
    return "rank correlation of sensitivity with productivity {:.2f}, p = {:.2g}".format(*correlation)
