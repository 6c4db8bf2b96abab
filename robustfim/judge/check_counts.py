"""What a check counted, before it is compared with its limit."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, TypeAlias

from pydantic import Field, InstanceOf, SkipValidation

from robustfim.judge.causes import EditTrial
from robustfim.judge.trials import Trials
from robustfim.outcome import Outcome
from robustfim.record.format import CheckRecord, Counted, GapRecord
from robustfim.statistics.excess import Excess
from robustfim.statistics.gap import Gap
from robustfim.statistics.mean import Mean
from robustfim.statistics.rate import Rate
from robustfim.statistics.stratified import Stratum

__all__ = ["CheckCounts", "Measure"]

Measure: TypeAlias = Gap | Excess | Mean
"""What is compared with a limit where that is no count of examples."""


class CheckCounts(Counted):
    """One check that was run and not yet compared with its limit. It is in no file."""

    trials: InstanceOf[Trials] = Field(default_factory=Trials.none)
    """Its rows of the table of trials, in the order of its examples."""
    ended: Literal[Outcome.ERROR, Outcome.SKIPPED] | None = None
    """What it ended with where its counts decide nothing; None where they do."""
    strata: tuple[Stratum, ...] = ()
    """The arms with what they stand for in the data; empty where the tested examples are all there are."""
    left: int | None = None
    """Usable examples of the data that were not drawn; None where that is not known."""
    error_strata: dict[str, tuple[Stratum, ...]] = Field(default_factory=dict)
    """Likewise of the examples with a label and of those without, by the kind of error that they can be."""
    measures: dict[str, Measure] = Field(default_factory=dict)
    """What is compared with its limit where that is no count of examples, by arm; of all under ``""``."""

    clustered: dict[str, Mean] = Field(default_factory=dict)
    """Examples by their clusters, of arms and kinds of error and of all under ``""``, where they are not independent:
    what a limit is tested by."""

    wrong_testable: list[str] = Field(default_factory=list)
    """Ids of the examples that are wrong before any edit and have an accepted candidate, where errors are counted."""
    missed: list[tuple[str, str, bool, bool]] = Field(default_factory=list)
    """Of each example with gold spans of a label its id, the label, and whether a tagger misses one of them before any
    change, and before or after one."""
    lowest: dict[tuple[str, str], float] = Field(default_factory=dict)
    """The lowest probability of each label in the texts of an example whose gold label stays, by id and label."""

    edit_trials: SkipValidation[list[EditTrial]] = Field(default_factory=list)
    """Its texts with their edits."""

    said: dict[str, tuple[list[str], list[str]]] = Field(default_factory=dict)
    """Of each example that was asked again, what was decided of some of its candidates, and in as many further answers
    to the unchanged text."""
    noise: dict[str, tuple[int, int]] = Field(default_factory=dict)
    """Of each example that was asked again, unchanged, the answers that decide otherwise than the first, and all."""

    def against(
        self, sides: Mapping[str, tuple[Rate, float | None]], difference: Gap | Excess | None, **more: Any
    ) -> CheckCounts:
        """Put the difference of two rates in the place of the rate.

        Args:
            sides: The two, by name, each with what its examples are worth in independent ones.
            difference: What they say; None where nothing was compared.
            more: The other fields of a :class:`GapRecord`.
        """
        rates, effective = {name: rate for name, (rate, _) in sides.items()}, [number for _, number in sides.values()]
        gap = GapRecord(groups=rates, effective=effective if any(effective) else [], **more)
        rate, ends = (None, None) if difference is None else (difference.rate, difference.interval)
        measures = {} if difference is None else {"": difference}
        return self.model_copy(update={"gap": gap, "arms": {}, "rate": rate, "interval": ends, "measures": measures})

    def record(self, outcome: Outcome, **decided: Any) -> CheckRecord:
        """Make the check's record."""
        counted = {name: getattr(self, name) for name in Counted.model_fields}
        return CheckRecord(**(counted | decided), outcome=outcome)
