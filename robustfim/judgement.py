"""A judgement: the result of an expectation for one candidate."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum
from numbers import Real

from robustfim.errors import did_you_mean

__all__ = ["Judgement", "Verdict"]


class Verdict(StrEnum):
    """The possible results of an expectation for a pair of predictions."""

    PASSED = "passed"
    FAILED = "failed"
    NOT_APPLICABLE = "not applicable"


@dataclass(frozen=True, slots=True)
class Judgement:
    """The result of judging one perturbed text: passed or failed, with a margin and a reason.

    Attributes:
        verdict: Passed, failed, or does not apply; a string is converted to a :class:`Verdict`.
        margin: How clearly the text failed, as a difference of probabilities; negative if it passed; 0 if unknown.
        reason: A short reason to print: ``"positive -> negative"``.

    Raises:
        ValueError: ``verdict`` is not a verdict, or ``margin`` is not a number.
    """

    verdict: Verdict
    margin: float = 0.0
    reason: str = ""

    def __post_init__(self) -> None:
        if type(self.verdict) is Verdict and type(self.margin) is float and not math.isnan(self.margin):
            return
        known = [verdict.value for verdict in Verdict]
        if not isinstance(self.verdict, str) or self.verdict not in known:
            near = did_you_mean(self.verdict, known) if isinstance(self.verdict, str) else ""
            raise ValueError(f"the verdict {self.verdict!r} is none of {', '.join(map(repr, known))}.{near}")
        if not isinstance(self.margin, Real) or isinstance(self.margin, bool) or math.isnan(self.margin):
            raise ValueError(f"the margin of a judgement must be a number, not {self.margin!r}")
        object.__setattr__(self, "verdict", Verdict(self.verdict))
        object.__setattr__(self, "margin", float(self.margin))

    @property
    def failed(self) -> bool:
        """Whether the expectation was not met."""
        return self.verdict is Verdict.FAILED
