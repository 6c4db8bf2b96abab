"""The counts and rates of a check and of its parts, in the run record."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, model_validator

from robustfim.outcome import Outcome
from robustfim.record.part import Part, RateField
from robustfim.statistics import Interval, Rate, percent

__all__ = [
    "ArmRecord",
    "BudgetRecord",
    "CandidateCounts",
    "ClaimRecord",
    "ErrorRecord",
    "FailureCounts",
    "GapRecord",
    "RecallRecord",
    "TailRecord",
    "ValidityRecord",
    "Verdict",
]


class CandidateCounts(Part):
    """The numbers of a check's perturbed texts (candidates) by what became of them.

    ``proposed`` = ``unchanged`` + ``duplicate`` + all of ``rejected`` + ``undefined`` + ``not_applicable`` +
    ``tested``.
    """

    edits: int = 0
    """Single edits that the perturbation listed."""
    edits_rejected: dict[str, int] = {}
    """Single edits that a constraint rejected, by constraint and reason."""
    proposed: int = 0
    unchanged: int = 0
    duplicate: int = 0
    """Candidates with a text already proposed for the example."""
    rejected: dict[str, int] = {}
    """Candidates that a constraint rejected, by constraint and reason."""
    undefined: int = 0
    """Candidates without finite probabilities."""
    not_applicable: int = 0
    """Candidates to which the expectation does not apply, or that change nothing the model reads."""
    outside: int = 0
    """The part of ``not_applicable`` that changes nothing the model reads."""
    not_applicable_moved: int = 0
    """The part of ``not_applicable`` with other probabilities than the example."""
    tested: int = 0
    """Candidates judged passed or failed."""
    failed: int = 0
    unmoved: int = 0
    """Tested candidates with a changed text and exactly the example's probabilities."""
    queries: int = 0
    """Texts that a search asked about."""


class TailRecord(Part):
    """The evidence that a rate lies above or below its limit, uncorrected."""

    side: Outcome
    p_value: float
    towards: Outcome = Outcome.INCONCLUSIVE
    """The side with the most evidence, even if it is weak."""
    evidence: float = 0.0
    """The logarithm of the evidence, as a fraction of what makes the verdict certain."""


Verdict = Literal["no worse", "worse", "inconclusive", "no loss found", "not gated"]
"""The verdict of a comparison with a baseline."""


class ClaimRecord(Part):
    """The comparison of a rate with a limit, or of the loss against a baseline with the tolerated loss."""

    where: str = ""
    """The arm, kind of error or slice; empty for all examples."""
    against: str = ""
    """The baseline, by its name or else by its model and date; empty for a limit of the suite."""
    limit: float = 0.0
    """The tolerated rate or loss; a check may not lose anything against a baseline."""
    side: Outcome = Outcome.FAILED
    """The outcome that raises an alarm: *passed* for a check that is expected to fail, else *failed*."""
    estimate: RateField = Rate(0, 0)
    """The rate that is compared: weighted over arms, of valid failures, a mean or a difference, as the limit asks. Of a
    baseline: its rate of right and unbroken examples minus that of this run, with the paired score interval (Tango
    1998) or, with clusters, the interval of their test; ``count`` has the regressions."""
    verdict: Annotated[Outcome | Verdict, Field(union_mode="left_to_right")] = Outcome.INCONCLUSIVE
    """*passed*, *failed* or *inconclusive*, corrected for the other claims of the run. Against a baseline: *no worse*:
    the interval lies below the margin. *worse*: it lies above 0, and the p-value is at most 0.05. *inconclusive*:
    neither is proved. *no loss found*: without a margin. *not gated*: a kind of error without a limit."""


class BudgetRecord(Part):
    """The budget of a check that draws examples until its verdict is certain or the budget is used up."""

    most: int
    """The budget."""
    drawn: int
    """Examples drawn, in a random order."""
    saved: int
    """About how many candidates stopping early saved."""
    tails: dict[str, TailRecord] = {}
    """The strongest evidence so far by arm with a limit; "" stands for the limit on all examples."""
    interval: Interval | None = None
    """Confidence sequence of the weighted rate, with strata, several arms or ``of: file``."""


class ValidityRecord(Part):
    """The rate of failures that people call valid, from their reviews of a random sample of failing examples."""

    failing: int
    """Examples with a failing text; people cannot look at steps in embedding space."""
    valid: int = 0
    """Reviewed examples with a valid failing text: it reads naturally and means what the check assumes."""
    invalid: int = 0
    """Reviewed examples without one."""
    unsure: int = 0
    """Reviewed examples about which people could not decide."""
    rate: float
    """The estimated fraction of tested examples with a valid failure."""
    interval: Interval
    """It includes the sampling of examples and of reviewed texts."""

    def told(self, rate: float, of: str = "") -> str:
        """Return a sentence with the rate of all failures and the rate of valid failures.

        Args:
            rate: The fraction of tested examples that fail, in [0, 1].
            of: The examples that the rate is of, if the check's own rate is weighted.
        """
        looked = self.valid + self.invalid + self.unsure
        unsure = f", {self.unsure} unsure" if self.unsure else ""
        return (
            f"{percent(rate)}{of} fail, {percent(self.rate, self.interval)} validly: "
            f"{self.valid} of {looked} failing examples looked at are valid{unsure}, of {self.failing}"
        )


class FailureCounts(Part):
    """The failing examples of a check or of one of its arms, and their rate."""

    wrong_before: int = 0
    """Drawn examples that the model predicts wrong unperturbed; they cannot be broken."""
    unlabelled: int = 0
    """Drawn examples without a gold label, if others have one; they are not perturbed."""
    tested: int = 0
    """Examples with a judged candidate."""
    failing: int = 0
    """Examples with a failing candidate, or as the check's ``fails`` defines it."""
    rate: float | None = None
    """``failing / tested``; weighted if arms represent unequal parts of the data; a mean if the check takes one; the
    difference of two groups' rates in [−1, 1] if it compares groups."""
    interval: Interval | None = None
    """Wilson's; weighted, from the strata; with clusters or a mean, Gaffke's bounds; with a budget, a confidence
    sequence; for a difference, Newcombe's; with ``repeat``, Tango's."""
    effective: float | None = None
    """The equivalent number of independent examples; None if all are independent."""

    @property
    def estimate(self) -> Rate:
        """The counts and the rate, as in a claim."""
        return Rate(self.failing, self.tested, self.interval, self.rate)

    @property
    def weighted(self) -> bool:
        """Whether the rate is a weighted mean over arms instead of ``failing / tested``."""
        return self.estimate.weighted


class ArmRecord(FailureCounts):
    """A check's result on a group of its examples, such as an arm."""

    drawn: int = 0
    """Examples drawn."""
    limit: float | None = None
    """The arm's own limit."""

    @model_validator(mode="before")
    @classmethod
    def _counted(cls, given: Any) -> Any:
        """Add the rates that are those of the counts."""
        tested = given.get("tested") if isinstance(given, dict) else None
        rates = {"rate": "failing", "rate_before": "before"} if tested else {}
        return given if not rates else {name: given.get(of, 0) / tested for name, of in rates.items()} | given

    @property
    def at_risk(self) -> int:
        """The number of drawn examples that a candidate can make fail."""
        return self.drawn - self.wrong_before - self.unlabelled


class ErrorRecord(ArmRecord):
    """Counts of one kind of error: false negatives (missed) or false positives (false alarms) of a label.

    A decision that is wrong before any edit counts as wrong after it. With several labels, broken right decisions and
    changed decisions are counted as kinds, too. For a slice, the error is a failure in the slice.
    """

    label: str | None = None
    """The label, if the model decides for several."""

    before: int = 0
    """The part of ``failing`` that is wrong before any edit."""
    rate_before: float | None = None
    """The rate of ``before``."""
    unchanged: int | None = None
    """With ``repeat``: examples wrong in equally many answers to the unchanged text; ``rate`` is the difference."""
    at: float | None = None
    """The threshold that 1 % of the texts without the label reach; None for the rule's own."""
    examples: list[str] = []
    """Ids of the tested examples for which the error is possible."""
    wrong: list[str] = []
    """Ids of the examples with the error, before or after an edit."""

    @property
    def weighted(self) -> bool:
        """Whether the rate is a weighted mean over arms instead of ``failing / tested``."""
        return self.unchanged is None and super().weighted


class RecallRecord(Part):
    """A tagger's recall for one label: the fraction of gold spans found with the right label and ends."""

    label: str
    before: RateField
    """In the source texts."""
    after: RateField
    """Of the same spans, found in the source text and in the perturbed texts."""
    left: int = 0
    """Spans whose words an edit replaced; they do not count."""

    @property
    def told(self) -> str:
        """A line with both recalls."""
        left = f" ({self.left:,} replaced, not counted)" if self.left else ""
        return f"{self.label} found {percent(self.before.rate)} before, {self.after} after{left}"


class GapRecord(Part):
    """Two compared groups of examples; with ``repeat``, the same examples perturbed and asked again."""

    groups: dict[str, RateField]
    """First the group that may fail more, then the reference group."""
    alone: list[int] = []
    """With ``repeat``: examples that fail only perturbed, and only asked again."""
    answers: int = 0
    """With ``repeat``: the most answers per example on which both sides are judged."""
