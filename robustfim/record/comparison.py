"""The comparison of a run with a baseline, in the run record: regressions, fixes, and the tests of their number."""

from __future__ import annotations

from typing import Literal

from robustfim.outcome import Outcome
from robustfim.record.check_parts import ClaimRecord, Verdict
from robustfim.record.part import Part

WITHOUT_LABELS = "no gold labels"
"""Why accuracy is not compared if neither run has gold labels."""

EXCLUDED = 0.1
"""The loss over a check's texts, 10 points, that a comparison should exclude; otherwise it names the check."""

__all__ = ["EXCLUDED", "WITHOUT_LABELS", "AccuracyComparison", "CheckComparison", "Comparison", "PairedRecord",
           "PairedTest"]  # fmt: skip


class PairedTest(ClaimRecord):
    """A paired test of the baseline and this run on the same examples.

    In a record, the values of a :class:`ClaimRecord` stand only in the list of claims of the check.
    """

    verdict: Verdict = "inconclusive"
    lost: int = 0
    """Examples of the baseline that should be compared but cannot; *no worse* counts each as a loss."""
    old: float | None = None
    """The fraction that the baseline's model has right; for checks, right and not broken. Weighted to represent the
    data."""
    p_value: float = 1.0
    """Exact two-sided McNemar test, by Holm over accuracy, all checks together and each check."""
    needed: int | None = None
    """About how many more compared examples would decide in 80 % of cases."""
    fails: bool = False
    """Whether this test fails the run."""

    @property
    def claim(self) -> ClaimRecord:
        """The claim alone, for the list of the check's claims."""
        return ClaimRecord(**{name: getattr(self, name) for name in ClaimRecord.model_fields})

    @property
    def new(self) -> float | None:
        """The fraction ``old`` for this run."""
        return None if self.old is None else self.old - (self.estimate.rate or 0.0)


class AccuracyComparison(PairedTest):
    """Accuracy in a baseline and in this run, on the labelled examples of both."""

    unlabelled: int = 0
    """Examples of both runs without a gold label in one."""
    one_label: bool = False
    """Whether all compared examples have one gold label and the suite does not allow it; nothing is then proved."""
    newly_wrong: int = 0
    newly_right: int = 0
    labels: dict[str, PairedTest] = {}
    """The test by gold label, if there are at most 20."""
    missing: str = WITHOUT_LABELS
    """Why accuracy is not compared."""


class PairedRecord(PairedTest):
    """A comparison of two runs by robust accuracy: the fraction of examples right before and after all edits.

    Without gold labels, and for checks that change the label, it is the fraction of examples that do not fail.
    """

    newly_broken: list[str] = []
    """Ids of examples right in both runs and broken only in this one."""
    newly_fixed: list[str] = []
    """Ids of examples right in both runs and broken only in the baseline."""
    still_broken: list[str] = []
    """Ids of examples right and broken in both runs."""
    newly_wrong: list[str] = []
    """Ids of examples that were right and not broken, and are now wrong unperturbed."""
    newly_right: list[str] = []
    """Ids of examples that were wrong, and are now right and not broken."""


class CheckComparison(PairedRecord):
    """The comparison of one check in two runs, on the examples that at least one of the runs tested."""

    id: str
    before: Outcome
    """The outcome in the baseline."""
    after: Outcome
    other_tests: bool = False
    """Whether settings or resources of the check differ; it then proves nothing."""
    label_kept: bool = True
    """Whether the check keeps the gold label and so counts in ``whole``."""
    small: bool = False
    """Whether too few examples were tested to exclude a loss of 10 points."""
    only_before: int = 0
    """Examples tested only in the baseline."""
    only_after: int = 0
    """Examples tested only in this run."""
    errors: dict[str, PairedRecord] = {}
    """False negatives, false positives and failures in slices, as in the check's ``errors``. *Broken* means wrong."""
    regressed: bool = False
    """Whether anything is *worse*, or the check passed before and now fails or is an error."""


class Comparison(Part):
    """A run compared with a baseline."""

    name: str = ""
    """The baseline's name on the command line: ``last`` in ``--baseline last=baselines``."""
    baseline: str = ""
    """The baseline's model and date."""
    fail_on: Literal["regression", "new", "any"] = "regression"
    """When the comparison fails."""
    failed: bool = False
    proven: bool = False
    """Whether the run may replace the baseline: *no worse*, and no check is worse or left out."""
    headline: str = ""
    """The beginning of ``answer``."""
    answer: str = ""
    """One sentence: may the run replace the baseline, and why?"""
    compared: int = 0
    """Examples that both runs drew."""
    of: int = 0
    """Examples that the baseline drew."""
    no_sample: str = ""
    """Why the examples of both runs are no random sample, so that *no worse* cannot be proved."""
    reasons: list[str] = []
    """Why the comparison failed."""
    accuracy: AccuracyComparison = AccuracyComparison()
    """On all labelled examples of both runs."""
    whole: PairedRecord = PairedRecord()
    """Over all checks that keep the label and are unchanged."""
    checks: list[CheckComparison] = []
    """The checks of both records."""
    only_before: list[str] = []
    """Ids of checks of the baseline alone."""
    only_after: list[str] = []
    """Ids of checks of this run alone."""
    margin: float | None = None
    """The tolerated loss of accuracy and of robust accuracy; None if *no worse* is not tested."""
    notes: list[str] = []
    """Differences between the runs that limit the comparison."""

    @property
    def inconclusive(self) -> bool:
        """Whether the comparison did not fail although a loss below the margin is not proved; False if no margin."""
        return self.margin is not None and not self.failed and not self.proven

    @property
    def worst_first(self) -> list[CheckComparison]:
        """The compared checks: those that fail the run, those proved *worse*, then the rest by the size of the loss."""
        return sorted(
            self.checks,
            key=lambda check: (
                not check.fails,
                not check.regressed,
                check.verdict != "worse",
                -(check.estimate.rate or 0.0),
            ),
        )
