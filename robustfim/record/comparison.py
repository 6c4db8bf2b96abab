"""A run against a baseline, in the run record: what broke, what was fixed, and what that proves."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel

from robustfim.outcome import Outcome
from robustfim.record.part import PART
from robustfim.statistics import Interval

WITHOUT_LABELS = "no gold labels"
"""Why accuracy is not compared where neither run has any."""

__all__ = ["WITHOUT_LABELS", "AccuracyComparison", "CheckComparison", "Comparison", "PairedRecord", "PairedTest"]


class _Part(BaseModel):
    model_config = PART


class PairedTest(_Part):
    """The same examples in a baseline and in this run, and what that proves."""

    matched: int = 0
    """Examples that both hold."""
    lost: int = 0
    """Examples of the baseline that this run drew and did not test, or that its data lack (for the accuracy: lack, or
    lack a label or an answer of), though the suite asks for no fewer. *no worse* bears each as a loss."""
    difference: float | None = None
    """Share that fails (for the accuracy: that is wrong) now minus before, on the matched examples, so that a loss is
    positive; None where there are none. Of examples that both runs drew from the same strata it is that of the data."""
    interval: Interval | None = None
    """95 % paired score interval of ``difference`` (Tango 1998)."""
    p_value: float = 1.0
    """Exact two-sided McNemar test after Holm's correction over accuracy, suite and checks."""
    margin: float | None = None
    """The loss that is tolerated; None where the suite names none."""
    verdict: Literal["no worse", "worse", "inconclusive", "measured"] = "inconclusive"
    """*no worse*: the upper end of ``interval`` lies below the margin. *worse*: the lower end lies above 0, and
    ``p_value`` ≤ 0.05. *measured*: there is no margin, and no loss is proved."""
    needed: int | None = None
    """About how many more matched examples decide an inconclusive one in 80 % of cases; None: none would, or there is
    no margin."""
    detectable: float | None = None
    """The smallest true loss that would have been shown 8 times in 10; None where not even the largest."""
    effective: float | None = None
    """As many independent examples the matched ones are worth, which lie in clusters or strata; None where all are."""
    fails: bool = False
    """Whether it fails the run, with ``fail_on``."""

    @property
    def inconclusive(self) -> bool:
        """Whether there is a margin, and neither that nothing above it was lost is proved nor a loss."""
        return self.margin is not None and self.verdict == "inconclusive"


class AccuracyComparison(PairedTest):
    """How often the model is right in a baseline and in this run, on the labelled examples that both hold."""

    before: float | None = None
    """Share of them that the baseline has right, in [0, 1]; None where there are none."""
    after: float | None = None
    """Share of them that this run has right."""
    unlabelled: int = 0
    """Examples that both hold, without a gold label in one of them."""
    one_label: bool = False
    """Whether all the matched ones have the same gold label: then *no worse* is not proved."""
    newly_wrong: int = 0
    newly_right: int = 0
    missing: str = WITHOUT_LABELS
    """Why accuracy is not compared; empty where it is."""


class PairedRecord(PairedTest):
    """What of the same examples fails in a baseline and in this run: what broke, what was fixed."""

    newly_broken: list[str] = []
    """Ids of matched examples that fail only in this run."""
    newly_fixed: list[str] = []
    """Ids of matched examples that fail only in the baseline."""
    still_broken: list[str] = []
    """Ids of matched examples that fail in both."""


class CheckComparison(PairedRecord):
    """One check in a baseline and in this run, on the examples that both tested."""

    id: str
    before: Outcome
    """Its outcome in the baseline."""
    after: Outcome
    other_tests: bool = False
    """Whether its settings, or what its texts are made with, are other than in the baseline: then it proves the run
    neither worse nor no worse, and ``whole`` leaves it out."""
    only_before: int = 0
    """Examples tested only in the baseline."""
    only_after: int = 0
    """Examples tested only in this run."""
    errors: dict[str, PairedRecord] = {}
    """What is missed and what raises a false alarm, by the names of the check's ``errors``; *broken* is wrong, before
    any change or after one, *fixed* right. One without a limit is *measured*."""
    regressed: bool = False
    """``verdict`` is *worse*, or that of a kind of error; or it passed before, and fails or is an error now."""


class Comparison(_Part):
    """A run against a baseline."""

    name: str = ""
    """What the command line calls the baseline: ``last`` in ``--baseline last=baselines``."""
    baseline: str = ""
    """The baseline's model, and when it ran."""
    fail_on: Literal["regression", "new", "any"] = "regression"
    """What fails the run; see :func:`robustfim.judge.comparison.compare`."""
    failed: bool = False
    proven: bool = False
    """Whether the run may replace the baseline: *no worse* in its accuracy and in each check, and nothing left out."""
    headline: str = ""
    """The beginning of ``answer``: *may replace the baseline*, *does not replace the baseline*, …"""
    answer: str = ""
    """One sentence: whether the run may replace the baseline, and why. Every report begins with it."""
    compared: int = 0
    """Examples that both runs tested in any of the checks that both hold."""
    of: int = 0
    """Examples that the baseline tested in those checks."""
    no_sample: str = ""
    """Why the examples that both drew are no sample of the data, so that nothing is proved *no worse*; empty where they
    are one."""
    reasons: list[str] = []
    """Why it failed."""
    accuracy: AccuracyComparison = AccuracyComparison()
    """How often the model is right, before and now, on all labelled examples that both hold."""
    whole: PairedRecord = PairedRecord()
    """The examples that fail any check that tests as it did, before and now: a test that finds a loss which many checks
    would hide."""
    checks: list[CheckComparison] = []
    """The checks that both records hold, in this run's order."""
    only_before: list[str] = []
    """Ids of checks that only the baseline holds."""
    only_after: list[str] = []
    """Ids of checks that only this run holds."""
    notes: list[str] = []
    """What differs between the runs and limits the comparison: seeds, data, settings of a check."""

    @property
    def inconclusive(self) -> bool:
        """Whether nothing refuses the run, and what the margin asks for is not proved; never without a margin."""
        asked = any(each.margin is not None for each in (self.accuracy, self.whole, *self.checks))
        return asked and not self.failed and not self.proven

    @property
    def worst_first(self) -> list[CheckComparison]:
        """The checks: those that fail the run, then by their verdict, then by how much they lost."""
        order = ("worse", "inconclusive", "measured", "no worse")
        return sorted(
            self.checks,
            key=lambda each: (not each.fails, not each.regressed, order.index(each.verdict), -(each.difference or 0.0)),
        )
