"""Wording: how a share is written with its interval and its count."""

from __future__ import annotations

from robustfim.statistics import wilson

__all__ = ["percent"]


def percent(hits: int, tested: int) -> str:
    """Write a share: ``52.5 % [47.6, 57.4] of 400``.

    Args:
        hits: How many.
        tested: Of how many, ≥ 1.
    """
    low, high = (100 * end for end in wilson(hits, tested) or (0.0, 1.0))
    return f"{100 * hits / tested:.1f} % [{low:.1f}, {high:.1f}] of {tested}"
