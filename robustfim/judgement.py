"""A judgement: what an expectation says of one candidate."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

__all__ = ["Judgement", "Verdict"]


class Verdict(StrEnum):
    """What an expectation can say of a pair of predictions."""

    PASSED = "passed"
    FAILED = "failed"
    NOT_APPLICABLE = "not applicable"


@dataclass(frozen=True, slots=True)
class Judgement:
    """A verdict, by how much, and why.

    Attributes:
        verdict: Passed, failed, or does not apply.
        margin: By how much it failed (or passed, negative), in probability; 0 where there is no measure.
        reason: One clause for the reader: ``"positive -> negative"``.
    """

    verdict: Verdict
    margin: float = 0.0
    reason: str = ""

    @property
    def failed(self) -> bool:
        """Whether the expectation was not met."""
        return self.verdict is Verdict.FAILED
