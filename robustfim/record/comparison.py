"""The comparison of a run with a baseline, in the run record: regressions, fixes, and the tests of their number."""

from __future__ import annotations

from typing import Literal

from robustfim.outcome import Outcome
from robustfim.record.part import Part
from robustfim.statistics import Interval

WITHOUT_LABELS = "no gold labels"
"""Why accuracy is not compared if neither run has gold labels."""

EXCLUDED = 0.1
"""The loss over a check's texts, 10 points, that a comparison should exclude; otherwise it names the check."""

__all__ = ["EXCLUDED", "WITHOUT_LABELS", "AccuracyComparison", "CheckComparison", "Comparison", "PairedRecord",
           "PairedTest", "Verdict"]  # fmt: skip

Verdict = Literal["no worse", "worse", "inconclusive", "no loss found", "not gated"]


class PairedTest(Part):
    """A paired test of two runs on the same examples: the baseline and this run."""

    matched: int = 0
    """The number of compared examples."""
    lost: int = 0
    """Examples of the baseline that should be compared but cannot: this run drew them but did not test them, or its
    data lack the example, its label or an answer although the suite asks for no fewer. *No worse* counts each of these
    examples as a loss."""
    old: float | None = None
    """Fraction of the compared examples that the baseline's model has right, in [0, 1]; for one check or all checks,
    right and not broken. None if no example is compared. With arms or strata it is weighted to represent the data."""
    new: float | None = None
    """The same fraction for this run."""
    difference: float | None = None
    """``old`` minus ``new``, so that a loss is positive; None if no example is compared."""
    interval: Interval | None = None
    """95 % paired score interval of ``difference`` (Tango 1998)."""
    p_value: float = 1.0
    """Exact two-sided McNemar test after Holm's correction over accuracy, all checks together and each check."""
    margin: float | None = None
    """The tolerated loss; None if the suite names no margin, and for a single check."""
    verdict: Verdict = "inconclusive"
    """*no worse*: the upper end of ``interval`` lies below the margin. *worse*: the lower end lies above 0, and
    ``p_value`` ≤ 0.05. *inconclusive*: there is a margin, and neither verdict is proved. *no loss found*: there is no
    margin, and no loss is proved. *not gated*: a kind of error without a limit."""
    needed: int | None = None
    """About how many further compared examples would decide an inconclusive test in 80 % of cases; None if no number
    would, or if there is no margin."""
    detectable: float | None = None
    """The smallest true loss that the test detects with 80 % probability; None if it would miss even the largest."""
    effective: float | None = None
    """The equivalent number of independent examples, if the compared examples form clusters, arms or strata; None if
    all are independent."""
    fails: bool = False
    """Whether this test fails the run, by ``fail_on``."""


class AccuracyComparison(PairedTest):
    """Accuracy in a baseline and in this run, on the labelled examples in the data of both runs."""

    unlabelled: int = 0
    """Examples in both runs without a gold label in one of them."""
    one_label: bool = False
    """Whether all compared examples have the same gold label although the suite does not set ``one_label``; *no worse*
    is then never proved."""
    newly_wrong: int = 0
    newly_right: int = 0
    labels: dict[str, PairedTest] = {}
    """By gold label, the test on the examples with this label, *not gated*; empty if there are more than 20 labels."""
    missing: str = WITHOUT_LABELS
    """The reason why accuracy is not compared; empty if it is compared."""


class PairedRecord(PairedTest):
    """Robust accuracy in a baseline and in this run: the fraction of right examples that no candidate breaks.

    Without gold labels in either run, and for a check that does not keep the label, the test compares the fractions of
    examples that do not fail.
    """

    newly_broken: list[str] = []
    """Ids of compared examples that are right in both runs, and that a candidate breaks only in this run."""
    newly_fixed: list[str] = []
    """Ids of compared examples that are right in both runs, and that a candidate breaks only in the baseline."""
    still_broken: list[str] = []
    """Ids of compared examples that are right and broken in both runs."""
    newly_wrong: list[str] = []
    """Ids of compared examples that were right and not broken, and are now wrong without any edit."""
    newly_right: list[str] = []
    """Ids of compared examples that were wrong, and are now right and not broken."""


class CheckComparison(PairedRecord):
    """One check in a baseline and in this run, over the texts that either run could test."""

    id: str
    before: Outcome
    """The check's outcome in the baseline."""
    after: Outcome
    other_tests: bool = False
    """Whether the check's settings, or the resources of its texts, differ from the baseline. Such a check proves
    nothing, and ``whole`` leaves it out."""
    label_kept: bool = True
    """Whether the check's texts keep the gold label, so that the check counts in ``whole``."""
    small: bool = False
    """Whether the check tested too few texts to exclude a loss of 10 points."""
    only_before: int = 0
    """Examples tested only in the baseline."""
    only_after: int = 0
    """Examples tested only in this run."""
    errors: dict[str, PairedRecord] = {}
    """False negatives, false positives and failures in slices, by the names of the check's ``errors``. *broken* means
    wrong, before or after an edit; *fixed* means right. An error without a limit is *not gated*."""
    regressed: bool = False
    """Whether the check or a kind of error is *worse*, or whether the check passed before and now fails or is an error.
    """


class Comparison(Part):
    """A run compared with a baseline."""

    name: str = ""
    """The name of the baseline on the command line: ``last`` in ``--baseline last=baselines``."""
    baseline: str = ""
    """The baseline's model, and the date of its run."""
    fail_on: Literal["regression", "new", "any"] = "regression"
    """When the comparison fails; see :func:`robustfim.judge.comparison.compare`."""
    failed: bool = False
    proven: bool = False
    """Whether the run may replace the baseline: accuracy and robust accuracy are *no worse*, and no check is worse or
    left out."""
    headline: str = ""
    """The beginning of ``answer``: *may replace the baseline*, *does not replace the baseline*, …"""
    answer: str = ""
    """One sentence, at the top of every report: whether the run may replace the baseline, and why."""
    compared: int = 0
    """Examples that both runs drew."""
    of: int = 0
    """Examples that the baseline drew."""
    no_sample: str = ""
    """The reason why the examples that both runs drew are not a random sample of the data, so that *no worse* cannot be
    proved; empty if they are a random sample."""
    reasons: list[str] = []
    """The reasons why the comparison failed; empty if it did not."""
    accuracy: AccuracyComparison = AccuracyComparison()
    """Accuracy before and now, on all labelled examples in the data of both runs."""
    whole: PairedRecord = PairedRecord()
    """Robust accuracy over all checks that keep the label and are unchanged, on all labelled examples that both runs
    drew."""
    checks: list[CheckComparison] = []
    """The checks in both records, in this run's order."""
    only_before: list[str] = []
    """Ids of checks that only the baseline holds."""
    only_after: list[str] = []
    """Ids of checks that only this run holds."""
    notes: list[str] = []
    """Sentences about differences between the runs that limit the comparison, such as another seed or other data."""

    @property
    def inconclusive(self) -> bool:
        """Whether the margin is not proved although the comparison did not fail; False without a margin."""
        return self.whole.margin is not None and not self.failed and not self.proven

    @property
    def worst_first(self) -> list[CheckComparison]:
        """The checks that fail the run, then those that are *worse*, then the others by the size of the loss."""
        return sorted(
            self.checks,
            key=lambda each: (not each.fails, not each.regressed, each.verdict != "worse", -(each.difference or 0.0)),
        )
