"""What a check counted, before it is compared with its limit."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from robustfim.outcome import Outcome
from robustfim.record.format import CheckRecord, Counted
from robustfim.statistics.calibration import Claim
from robustfim.statistics.excess import Excess
from robustfim.statistics.gap import Gap
from robustfim.statistics.mean import Mean
from robustfim.statistics.stratified import Stratum

__all__ = ["CheckCounts"]


class CheckCounts(Counted):
    """One check that was run and not yet compared with its limit. It is in no file."""

    ended: Literal[Outcome.ERROR, Outcome.SKIPPED] | None = None
    """What it ended with where its counts decide nothing; None where they do."""
    strata: tuple[Stratum, ...] = ()
    """The arms with what they stand for in the data; empty where the tested examples are all there are."""
    error_strata: dict[str, tuple[Stratum, ...]] = Field(default_factory=dict)
    """Likewise of the examples with a label and of those without, by the kind of error that they can be."""
    measures: dict[str, Gap | Excess | Mean] = Field(default_factory=dict)
    """What is compared with its limit where that is no count of examples, by arm; of all under ``""``."""

    missed: list[tuple[str, str, bool, bool]] = Field(default_factory=list)
    """Of each example with gold spans of a label its id, the label, and whether a tagger misses one of them before any
    change, and before or after one."""
    claims: list[Claim] = Field(default_factory=list)
    """What the model claims of the texts whose gold label stays, by example."""

    noise: dict[str, tuple[int, int]] = Field(default_factory=dict)
    """Of each example that was asked again, unchanged, the answers that decide otherwise than the first, and all."""

    def record(self, outcome: Outcome, **decided: Any) -> CheckRecord:
        """Make the check's record.

        Args:
            outcome: What was decided.
            decided: The record's other fields that are not as here.
        """
        counted = {name: getattr(self, name) for name in Counted.model_fields}
        return CheckRecord(**(counted | decided), outcome=outcome)
