"""The choice of the tested examples, in the run record."""

from __future__ import annotations

from typing import Literal

from robustfim.record.part import Part
from robustfim.record.score_record import AreaRecord

__all__ = ["Arm", "PilotRecord", "SelectionRecord"]

Arm = Literal["difficult", "control", "easiest", "all"]
"""The names of the groups of tested examples, the difficult group first."""


class PilotRecord(Part):
    """The results on a random pilot sample, which shows which difficulty score predicts failures best."""

    examples: list[str] = []
    """Ids."""
    tested: int = 0
    """Examples that at least one check tested."""
    failing: int = 0
    """Examples that fail at least one check."""
    calls: int = 0
    """Texts sent to the model."""
    scores: dict[str, AreaRecord] = {}
    """The scores, the best first. The best is a maximum, so expect less on other examples."""
    message: str = ""
    """The reason why the pilot could not rank the scores; the suite's first score then selects."""


class SelectionRecord(Part):
    """The examples that a run chose to test, and how it chose them.

    An arm is a group of examples: the ``difficult`` ones by a score, the ``easiest``, or the random ``control``. A
    stratum is a part of the data with similar scores, from which examples are drawn at random.
    """

    by: str | None = None
    """The score that selects; None if no score was used."""
    difficult: int = 0
    easiest: int = 0
    control: int = 0
    strata: dict[str, int] = {}
    """Examples of the data in each stratum, the hardest first."""
    drawn: dict[str, list[str]] = {}
    """Ids of the examples drawn from each stratum."""
    right: dict[str, int] = {}
    """Drawn examples of each arm or stratum that the model predicts right; only these can an edit break."""
    of_baseline: bool = False
    """Whether ``--baseline`` tests the examples of the baseline again."""
    testable: int | None = None
    """The number of testable examples at which each check stopped; None if checks used the whole arm."""
    threshold: float | None = None
    """The score of the last example in the difficult arm."""
    pilot: PilotRecord | None = None
    """The pilot that chose ``by``."""

    def sizes(self, whole: int) -> dict[str, int]:
        """Return how many examples of the data each sampled group (arm or stratum) represents, the hardest first.

        Args:
            whole: The number of usable examples, not counting a pilot.
        """
        rest = max(0, whole - self.difficult - self.easiest)
        easiest = {"easiest": self.easiest} if self.easiest else {}
        return self.strata or {"difficult": self.difficult, "control": rest, **easiest}
