"""The choice of the tested examples, in the run record."""

from __future__ import annotations

from typing import Literal

from robustfim.record.part import Part
from robustfim.record.score_record import AreaRecord

__all__ = ["Arm", "PilotRecord", "SelectionRecord"]

Arm = Literal["difficult", "control", "easiest", "all"]
"""The names of the groups of tested examples, the difficult group first."""


class PilotRecord(Part):
    """The pilot: random examples on which the run measured which score predicts failures best. They are not judged."""

    examples: list[str] = []
    """Ids of the random examples."""
    tested: int = 0
    """The examples of the pilot that at least one check tested."""
    failing: int = 0
    """The examples of the pilot that fail at least one check."""
    calls: int = 0
    """Texts sent to the model for the pilot."""
    scores: dict[str, AreaRecord] = {}
    """AUROC by score, the best first. The best is a maximum over scores, so expect a lower AUROC on other examples."""
    message: str = ""
    """The reason why the pilot could not rank the scores; the suite's first score then selects."""


class SelectionRecord(Part):
    """How the tested examples were chosen.

    An arm is a group of tested examples: the ``difficult`` ones with the most extreme score, the ``easiest`` ones at
    the score's other end, or the random ``control``.
    A stratum is a part of the data with similar scores, from which examples are drawn at random.
    """

    by: str | None = None
    """The score that selected the difficult arm or ranked the strata; None if no score was used."""
    difficult: int = 0
    easiest: int = 0
    control: int = 0
    strata: dict[str, int] = {}
    """The number of examples of the data in each stratum, the hardest stratum first; empty without strata."""
    drawn: dict[str, list[str]] = {}
    """Ids of the examples drawn from each stratum; empty without strata."""
    right: dict[str, int] = {}
    """Drawn examples of each arm or stratum that the model predicts right before any edit; only these can an edit
    break. Empty without gold labels."""
    of_baseline: bool = False
    """Whether the examples are those of a baseline, which ``--baseline`` tests again."""
    testable: int | None = None
    """The number of testable examples at which each check stopped drawing; None if checks used all of the arm."""
    threshold: float | None = None
    """The score of the last example in the difficult arm."""
    pilot: PilotRecord | None = None
    """The pilot that chose ``by``; None if the suite names the score."""

    def sizes(self, whole: int) -> dict[str, int]:
        """Return the number of examples in the data that each arm or stratum represents, the hardest first.

        Args:
            whole: The number of usable examples, not counting a pilot.
        """
        rest = max(0, whole - self.difficult - self.easiest)
        easiest = {"easiest": self.easiest} if self.easiest else {}
        return self.strata or {"difficult": self.difficult, "control": rest, **easiest}
