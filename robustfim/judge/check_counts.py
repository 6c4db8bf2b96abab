"""The counts of a check, before they are compared with its limit."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from pydantic import Field, InstanceOf, SkipValidation

from robustfim.judge.causes import EditTrial
from robustfim.judge.estimate import Compared
from robustfim.judge.trials import Trials
from robustfim.outcome import Outcome
from robustfim.record.check_parts import GapRecord
from robustfim.record.check_record import CheckRecord, Counted
from robustfim.statistics.excess import Excess
from robustfim.statistics.gap import Gap
from robustfim.statistics.mean import Mean
from robustfim.statistics.rate import Rate
from robustfim.statistics.stratified import Stratum

__all__ = ["CheckCounts"]


class CheckCounts(Counted):
    """The counts of a check that has run, before its failure rate is compared with a limit; never stored."""

    trials: InstanceOf[Trials] = Field(default_factory=Trials.none)
    """The check's rows of the table of trials, in the order of its examples."""
    ended: Literal[Outcome.ERROR, Outcome.SKIPPED] | None = None
    """The outcome, if the counts do not decide it; else None."""
    strata: tuple[Stratum, ...] = ()
    """The arms with the number of examples that each represents; empty if they stand only for themselves."""
    unanswered: float = 0.0
    """The expected number of examples among the drawn ones that the model gave no answer to."""
    left: int | None = None
    """Usable examples of the data that were not drawn; None if unknown."""
    estimates: dict[str, Compared] = Field(default_factory=dict)
    """The quantities that are compared with limits, by kind of error and slice; ``""`` for a difference."""

    clustered: dict[str, Mean] = Field(default_factory=dict)
    """The means that limits are tested with, by arm, and ``""`` for all: of examples in clusters, or if the check takes
    a mean."""

    wrong_testable: list[str] = Field(default_factory=list)
    """If errors are counted: ids of examples that are wrong before any edit and have an accepted candidate."""
    missed: list[tuple[str, str, bool, bool]] = Field(default_factory=list)
    """For each example with gold spans of a label: its id, the label, whether a tagger misses such a span before any
    change, and whether it misses one before or after a change."""
    lowest: dict[tuple[str, str], float] = Field(default_factory=dict)
    """The lowest probability of each label among an example's texts with unchanged gold label, by id and label."""

    edit_trials: SkipValidation[list[EditTrial]] = Field(default_factory=list)
    """The check's texts with their edits."""

    said: dict[str, tuple[list[str], list[str]]] = Field(default_factory=dict)
    """For each example that was asked again: the decisions about some of its candidates, and equally many further
    decisions about the unchanged text."""
    noise: dict[str, list[bool]] = Field(default_factory=dict)
    """For each unchanged example that was asked again: whether each answer decides differently from the first."""

    def against(self, sides: Mapping[str, Rate], difference: Gap | Excess | None, **more: Any) -> CheckCounts:
        """Return a copy of the counts in which the difference of two rates replaces the failure rate.

        Args:
            sides: The two rates by name.
            difference: The difference; None if nothing was compared.
            more: The other fields of a :class:`GapRecord`.
        """
        gap = GapRecord(groups=dict(sides), **more)
        rate, ends = (None, None) if difference is None else (difference.rate, difference.interval)
        estimates: dict[str, Compared] = {} if difference is None else {"": difference}
        return self.model_copy(update={"gap": gap, "arms": {}, "rate": rate, "interval": ends, "estimates": estimates})

    def record(self, outcome: Outcome, **decided: Any) -> CheckRecord:
        """Return the record of the check with its outcome."""
        counted = {name: getattr(self, name) for name in Counted.model_fields}
        return CheckRecord(**(counted | decided), outcome=outcome)
