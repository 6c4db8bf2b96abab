"""Difficulty scores, in the run record."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from typing import Literal

from robustfim.record.part import Part
from robustfim.statistics import Interval

__all__ = ["AreaRecord", "CostRecord", "ResidualRecord", "ScoreRecord"]


class AreaRecord(Part):
    """How well a difficulty score ranks failing examples before passing ones: an AUROC with its interval."""

    examples: int
    """Tested examples with a score."""
    failing: int
    """The failing ones among them."""
    auroc: float | None = None
    """The probability that a failing example is ranked harder than a passing one; None without both kinds."""
    interval: Interval | None = None
    """By Newcombe's score method; in a pilot it holds for all scores together."""


class CostRecord(Part):
    """The cost of one score alone, for the examples whose score was not stored."""

    examples: int
    """Examples whose score was computed."""
    calls: int = 0
    """Texts sent to the model beyond the predictions that every run needs."""
    gradients: int = 0
    """Examples whose gradient the score needs."""
    steps: int = 0
    """Forward passes from a moved embedding."""

    @property
    def each(self) -> float | None:
        """The cost per example in forward passes of the model, a gradient counting as three; None for no cost."""
        return (self.calls + self.steps + 3 * self.gradients) / self.examples if self.examples else None


class ScoreRecord(Part):
    """One difficulty score."""

    name: str
    hardest: Literal["highest", "lowest"]
    symbol: str = ""
    """The symbol in reports, such as ``λmax``; empty if reports do not show the score."""
    undefined: int = 0
    """Examples without a finite score."""
    infinite: int = 0
    """The part of ``undefined`` for which no step within the bound changes the label."""
    message: str = ""
    """The reason why the score could not be computed."""
    broken: bool = False
    """Whether the plugin is at fault, not a model that lacks what the score needs."""
    cost: CostRecord | None = None
    """None if the score was not computed."""
    area: AreaRecord | None = None
    """On the control arm or, without arms, on all tested examples; None if the score was not computed."""


class ResidualRecord(Part):
    """The accuracy of λmax (largest eigenvalue of the Fisher information): relative error bounds of the iteration."""

    examples: int
    worst: float
    """The largest ‖G e − λ e‖ / λ, with G the Fisher information, λ the eigenvalue and e its eigenvector."""
    median: float

    @classmethod
    def of(cls, residuals: Sequence[float]) -> ResidualRecord | None:
        """Summarise the residuals of a run; None if there are none."""
        if not residuals:
            return None
        return cls(examples=len(residuals), worst=max(residuals), median=statistics.median(residuals))
