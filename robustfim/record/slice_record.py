"""Slices and arms over all checks, in the run record."""

from __future__ import annotations

from typing import Any

from robustfim.record.part import Part, RateField
from robustfim.record.selection_record import Arm

__all__ = ["ReachRecord", "SliceRecord"]


class ReachRecord(Part):
    """Examples of an arm on which the model breaks, over all checks."""

    arm: Arm
    rate: RateField
    """Examples that a changed text breaks, among the tested ones."""
    by_step: int
    """Examples that only a step in embedding space breaks."""
    by_yardstick: int = 0
    """Examples that only noise controls break."""
    wrong: int
    """Failing examples that the model predicts wrong unperturbed."""

    @property
    def failing(self) -> int:
        """Examples with any failure."""
        return self.rate.count + self.by_step + self.by_yardstick + self.wrong


class SliceRecord(Part):
    """A part of the data, defined by properties of its examples."""

    name: str
    definition: dict[str, Any] = {}
    """In the suite."""
    examples: int = 0
    """Usable examples."""
    members: list[str] = []
    """Ids of the tested examples."""
    accuracy: RateField
    """Unperturbed."""
    failures: RateField
    """Examples that fail at least one check, among the tested ones, weighted by arm; with a mean, the largest degree.
    """
    checks: dict[str, RateField] = {}
    """The failure rate of each check, without checks that are compared with the model's own noise."""
