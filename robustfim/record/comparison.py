"""A run against a baseline, in the run record: what broke, what was fixed, and what that proves."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel

from robustfim.outcome import Outcome
from robustfim.record.part import PART
from robustfim.statistics import Interval

WITHOUT_LABELS = "no gold labels"
"""Why accuracy is not compared where neither run has any."""

EXCLUDED = 0.1
"""The loss, over the texts that a check reaches, that a comparison excludes or else names the check: 10 points."""

__all__ = ["EXCLUDED", "WITHOUT_LABELS", "AccuracyComparison", "CheckComparison", "Comparison", "PairedRecord",
           "PairedTest", "Verdict"]  # fmt: skip

Verdict = Literal["no worse", "worse", "inconclusive", "no loss found", "not gated"]


class _Part(BaseModel):
    model_config = PART


class PairedTest(_Part):
    """The same examples in a baseline and in this run, and what that proves."""

    matched: int = 0
    """Examples that are compared."""
    lost: int = 0
    """Examples of the baseline that should be compared and cannot: this run drew them and did not test them, or its
    data lack them, their label or an answer, though the suite asks for no fewer. *no worse* bears each as a loss."""
    old: float | None = None
    """Share of the matched examples that the baseline has right (for a check and all checks: right and not broken),
    in [0, 1]; None where there are none. Of examples from arms or strata it is that of the data."""
    new: float | None = None
    """The same for this run."""
    difference: float | None = None
    """``old`` minus ``new``, so that a loss is positive; None where nothing matched."""
    interval: Interval | None = None
    """95 % paired score interval of ``difference`` (Tango 1998)."""
    p_value: float = 1.0
    """Exact two-sided McNemar test after Holm's correction over accuracy, all checks together and each check."""
    margin: float | None = None
    """The loss that is tolerated; None where the suite names none, and of a single check."""
    verdict: Verdict = "inconclusive"
    """*no worse*: the upper end of ``interval`` lies below the margin. *worse*: the lower end lies above 0, and
    ``p_value`` ≤ 0.05. *inconclusive*: there is a margin, and neither is proved. *no loss found*: there is none, and no
    loss is proved. *not gated*: a kind of error without a limit."""
    needed: int | None = None
    """About how many more matched examples decide an inconclusive one in 80 % of cases; None: none would, or there is
    no margin."""
    detectable: float | None = None
    """The smallest true loss that would have been shown 8 times in 10; None where not even the largest."""
    effective: float | None = None
    """As many independent examples the matched ones are worth, which lie in clusters, arms or strata; None where all
    are."""
    fails: bool = False
    """Whether it fails the run, with ``fail_on``."""


class AccuracyComparison(PairedTest):
    """How often the model is right in a baseline and in this run, on the labelled examples that both hold."""

    unlabelled: int = 0
    """Examples that both hold, without a gold label in one of them."""
    one_label: bool = False
    """Whether all the matched ones have the same gold label, which the suite does not allow: then *no worse* is not
    proved."""
    newly_wrong: int = 0
    newly_right: int = 0
    labels: dict[str, PairedTest] = {}
    """The same of the examples with each gold label, *not gated*; empty where there are more than 20 labels."""
    missing: str = WITHOUT_LABELS
    """Why accuracy is not compared; empty where it is."""


class PairedRecord(PairedTest):
    """Robust accuracy in a baseline and in this run: the examples that are right, and that no candidate breaks.

    Without gold labels in either run, and of a check that does not keep the label, those that do not fail.
    """

    newly_broken: list[str] = []
    """Ids of matched examples that are right in both, and that a candidate breaks only in this run."""
    newly_fixed: list[str] = []
    """Ids of matched examples that are right in both, and that a candidate breaks only in the baseline."""
    still_broken: list[str] = []
    """Ids of matched examples that are right, and broken, in both."""
    newly_wrong: list[str] = []
    """Ids of matched examples that were right and not broken, and are wrong now without any change."""
    newly_right: list[str] = []
    """Ids of matched examples that were wrong, and are right and not broken now."""


class CheckComparison(PairedRecord):
    """One check in a baseline and in this run, over the texts that either of them reached: that it could test."""

    id: str
    before: Outcome
    """Its outcome in the baseline."""
    after: Outcome
    other_tests: bool = False
    """Whether its settings, or what its texts are made with, are other than in the baseline: then it proves nothing,
    and ``whole`` leaves it out."""
    label_kept: bool = True
    """Whether its texts keep the gold label, so that it counts in ``whole``."""
    small: bool = False
    """Whether it reached too few texts to exclude that it lost 10 points over them."""
    only_before: int = 0
    """Examples tested only in the baseline."""
    only_after: int = 0
    """Examples tested only in this run."""
    errors: dict[str, PairedRecord] = {}
    """What is missed, what raises a false alarm and what fails in a slice, by the names of the check's ``errors``;
    *broken* is wrong, before any change or after one, *fixed* right. One without a limit is *not gated*."""
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
    """Whether the run may replace the baseline: accuracy and robust accuracy are *no worse*, and nothing is worse or
    left out."""
    headline: str = ""
    """The beginning of ``answer``: *may replace the baseline*, *does not replace the baseline*, …"""
    answer: str = ""
    """One sentence: whether the run may replace the baseline, and why. Every report begins with it."""
    compared: int = 0
    """Examples that both runs drew."""
    of: int = 0
    """Examples that the baseline drew."""
    no_sample: str = ""
    """Why the examples that both drew are no sample of the data, so that nothing is proved *no worse*; empty where they
    are one."""
    reasons: list[str] = []
    """Why it failed."""
    accuracy: AccuracyComparison = AccuracyComparison()
    """How often the model is right, before and now, on all labelled examples that both hold."""
    whole: PairedRecord = PairedRecord()
    """Robust accuracy over all checks that keep the label and test as they did, on all labelled examples that both
    drew."""
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
        return self.whole.margin is not None and not self.failed and not self.proven

    @property
    def worst_first(self) -> list[CheckComparison]:
        """The checks: those that fail the run, then those that are worse, then by how much they lost."""
        return sorted(
            self.checks,
            key=lambda each: (not each.fails, not each.regressed, each.verdict != "worse", -(each.difference or 0.0)),
        )
