"""Difficulty scores, in the run record."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from typing import Literal

from robustfim.record.part import Part
from robustfim.statistics import Interval

__all__ = ["AreaRecord", "CostRecord", "ResidualRecord", "ScoreRecord"]


class AreaRecord(Part):
    """How well a score ranks failing examples before passing ones (AUROC); failures by embedding steps do not count."""

    examples: int
    """Tested examples for which the score is defined."""
    failing: int
    """The failing examples among ``examples``."""
    auroc: float | None = None
    """The probability that a failing example is ranked harder than a passing one; None if either kind is missing."""
    interval: Interval | None = None
    """95 % interval by Newcombe's score method; clusters count as the equivalent number of independent examples. In a
    pilot, the level holds for all its scores together."""


class CostRecord(Part):
    """The cost of computing one score alone, for the examples whose score was not in the store."""

    examples: int
    """Examples whose score was computed."""
    calls: int = 0
    """Texts sent to the model in addition to the predictions that every run needs."""
    gradients: int = 0
    """Examples whose gradient the score needed, even if another score had already computed the gradient."""
    steps: int = 0
    """Forward passes from a moved embedding."""

    @property
    def each(self) -> float | None:
        """Forward passes per example; a gradient counts as three, since its backward pass costs two. None for 0."""
        return (self.calls + self.steps + 3 * self.gradients) / self.examples if self.examples else None


class ScoreRecord(Part):
    """One difficulty score."""

    name: str
    hardest: Literal["highest", "lowest"]
    symbol: str = ""
    """The symbol of the score in reports, such as ``λmax``; empty if reports do not show the score."""
    undefined: int = 0
    """Examples for which the score is not a finite number."""
    infinite: int = 0
    """Examples with an infinite score, since no step within the bound changes their label; part of ``undefined``."""
    message: str = ""
    """The reason why the score could not be computed; empty if it was computed."""
    broken: bool = False
    """Whether the plugin is at fault; otherwise the model lacks something that the score needs."""
    cost: CostRecord | None = None
    """The cost of the score; None if the score was not computed."""
    area: AreaRecord | None = None
    """How well the score ranks failures, on the control arm or, without arms, on all tested examples; None if the score
    was not computed."""


class ResidualRecord(Part):
    """Relative error bound of the λmax that Lanczos iterations computed: a true eigenvalue lies within it."""

    examples: int
    worst: float
    """The largest ‖G e − λ e‖ / λ, with G the Fisher information, λ the computed eigenvalue and e its eigenvector."""
    median: float

    @classmethod
    def of(cls, residuals: Sequence[float]) -> ResidualRecord | None:
        """Summarise the residuals of a run; None if there are none."""
        if not residuals:
            return None
        return cls(examples=len(residuals), worst=max(residuals), median=statistics.median(residuals))
