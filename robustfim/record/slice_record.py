"""Slices and arms over all checks, in the run record."""

from __future__ import annotations

from typing import Any

from robustfim.record.part import Part, RateField
from robustfim.record.selection_record import Arm

__all__ = ["ReachRecord", "SliceRecord"]


class ReachRecord(Part):
    """The number of examples of an arm on which the model breaks, over all checks.

    A failing example counts once: in ``rate`` if any changed text breaks it, and in ``wrong`` if the model was wrong
    about the example before any edit.
    """

    arm: Arm
    rate: RateField
    """Examples that a changed text breaks, among those that at least one check tested."""
    by_step: int
    """Examples that only a step in embedding space breaks."""
    by_yardstick: int = 0
    """Examples that break only under noise controls, whose changed texts need not keep the meaning."""
    wrong: int
    """Failing examples that the model predicts wrong before any edit."""

    @property
    def failing(self) -> int:
        """Examples with any failure."""
        return self.rate.count + self.by_step + self.by_yardstick + self.wrong


class SliceRecord(Part):
    """A slice: a part of the data, defined by properties of its examples."""

    name: str
    definition: dict[str, Any] = {}
    """The definition in the suite."""
    examples: int = 0
    """Usable examples in the slice."""
    members: list[str] = []
    """Ids of the slice's examples that at least one check tested."""
    accuracy: RateField
    """Accuracy on the slice's labelled examples, unperturbed."""
    failures: RateField
    """Rate of examples that fail at least one check, among examples that at least one check tested, weighted by arm or
    stratum. If a check takes a mean, the mean over examples of the largest degree of failure."""
    checks: dict[str, RateField] = {}
    """The failure rate of each check. Checks compared with the model's own noise are left out, also in ``failures``."""
