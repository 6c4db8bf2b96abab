"""The counts and rates of a check and of its parts, in the run record."""

from __future__ import annotations

import math
from typing import Any, Literal

from pydantic import model_validator

from robustfim.outcome import Outcome
from robustfim.record.part import Part, RateField
from robustfim.statistics import Interval, percent

__all__ = [
    "ArmRecord",
    "BudgetRecord",
    "CandidateCounts",
    "ErrorRecord",
    "EstimateRecord",
    "GapRecord",
    "RecallRecord",
    "TailRecord",
    "ValidityRecord",
]


class CandidateCounts(Part):
    """The numbers of candidates of a check that were rejected, undefined, tested and so on.

    ``proposed`` = ``unchanged`` + ``duplicate`` + all of ``rejected`` + ``undefined`` + ``not_applicable``
    + ``tested``.
    """

    edits: int = 0
    """Single edits that the perturbation listed, before they were combined into candidates."""
    edits_rejected: dict[str, int] = {}
    """Single edits that a constraint rejected, by constraint and reason."""
    proposed: int = 0
    unchanged: int = 0
    duplicate: int = 0
    """Candidates whose text had already been proposed for the same example."""
    rejected: dict[str, int] = {}
    """Candidates that a constraint rejected, by constraint and reason."""
    undefined: int = 0
    """Candidates for which the model gave no finite numbers."""
    not_applicable: int = 0
    """Candidates to which the expectation does not apply, or that change nothing the model reads."""
    outside: int = 0
    """The part of ``not_applicable`` that changes nothing the model reads."""
    not_applicable_moved: int = 0
    """Candidates to which the expectation does not apply although their probabilities differ from the source example's.
    """
    tested: int = 0
    """Candidates judged passed or failed."""
    failed: int = 0
    unmoved: int = 0
    """Tested candidates with a changed text and exactly the probabilities of the source example."""
    queries: int = 0
    """Texts that a search asked about; 0 without a search."""


class TailRecord(Part):
    """The evidence that a rate lies above or below its limit, before any correction for several checks."""

    side: Outcome
    p_value: float
    towards: Outcome = Outcome.INCONCLUSIVE
    """The side of the limit with the most evidence, even if the evidence is weak."""
    evidence: float = 0.0
    """The logarithm of the evidence, as a fraction of the logarithm that makes the verdict certain, in [0, 1]."""


class BudgetRecord(Part):
    """A check with a budget: it draws examples until its verdict is certain or the budget is used up."""

    most: int
    """The most examples that the check could draw."""
    drawn: int
    """The examples that the check drew, in a random order."""
    saved: int
    """About how many candidates the check saved by stopping early."""
    tails: dict[str, TailRecord] = {}
    """The strongest evidence so far, for each arm with its own limit; the key "" stands for a limit on all examples."""
    interval: Interval | None = None
    """95 % confidence sequence of the weighted rate, if there are strata, several arms or ``of: file``; else None."""


class EstimateRecord(Part):
    """The failure rate among all testable examples, with each arm weighted by the part of the data it represents."""

    rate: float
    interval: Interval
    """95 % stratified interval; it includes the uncertainty about the number of testable examples."""
    examples: int
    """Usable examples of the data."""
    of: Literal["population", "file"] = "population"
    """``population`` if the rate is that of the population from which the data were drawn, ``file`` if it is that of
    the data."""


class ValidityRecord(Part):
    """The rate of valid failures, from people's answers about a random sample of a check's failing examples."""

    failing: int
    """Examples with at least one failing text; people cannot look at steps in embedding space."""
    valid: int = 0
    """Reviewed examples with a valid failing text: it reads naturally and means what the check assumes."""
    invalid: int = 0
    """Reviewed examples without a valid failing text."""
    unsure: int = 0
    """Reviewed examples about which people could not decide."""
    rate: float
    """Estimated fraction of the tested examples with a valid failure, in [0, 1]."""
    interval: Interval
    """95 % interval; it includes the sampling of examples and of reviewed texts."""

    def told(self, rate: float) -> str:
        """Write the rate of all failures beside the rate of valid failures.

        Args:
            rate: The fraction of tested examples that fail, in [0, 1].
        """
        looked = self.valid + self.invalid + self.unsure
        unsure = f", {self.unsure} unsure" if self.unsure else ""
        return (
            f"{percent(rate)} fail, {percent(self.rate, self.interval)} validly: "
            f"{self.valid} of {looked} failing examples looked at are valid{unsure}, of {self.failing}"
        )


class ArmRecord(Part):
    """A check's result on one arm: the difficult or the control examples."""

    drawn: int = 0
    """Examples that were drawn."""
    wrong_before: int = 0
    """Drawn examples that the model predicts wrong before any edit. They are not perturbed by a check that counts
    broken examples."""
    unlabelled: int = 0
    """Drawn examples without a gold label, if other examples have gold labels; they are not perturbed either."""
    tested: int
    """Examples with at least one judged candidate."""
    failing: int
    """Failing examples: at least one candidate fails, unless the check's ``fails`` defines it otherwise."""
    rate: float | None = None
    """``failing / tested``. If the check takes a mean, the mean over the arm's examples. If arms represent unequal
    parts of the data, the weighted rate."""
    interval: Interval | None = None
    """95 % interval: Wilson's; with clusters, Gaffke's bounds; with a budget, a confidence sequence."""
    limit: float | None = None
    """The arm's own limit; None if the check's limit is for all arms together."""
    effective: float | None = None
    """The number of independent examples that carry as much information as the tested ones; None if these are
    independent."""

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
    """One kind of error of a decision for a label: false negatives (missed) or false positives (false alarms).

    A text with a wrong decision before any edit also counts as wrong after it. With several labels there are two more
    kinds for each label: right texts that an edit breaks, or texts whose decision an edit changes. For a slice with a
    limit, the kind of error is a failure of one of its tested examples.
    """

    label: str | None = None
    """The label, if the model decides for several."""

    before: int = 0
    """The part of ``failing`` with a wrong decision before any edit."""
    rate_before: float | None = None
    """The rate of wrong decisions before any edit, computed like ``rate``."""
    unchanged: int | None = None
    """With ``repeat``: examples with a wrong decision in equally many answers to the unchanged text; ``rate`` is then
    the difference of both rates. None without ``repeat``."""
    at: float | None = None
    """A threshold other than the rule's: 1 % of all usable texts without the label reach it. None for the rule's own.
    """
    examples: list[str] = []
    """Ids of the tested examples for which this kind of error is possible."""
    wrong: list[str] = []
    """Ids of the examples with this kind of error, before or after an edit."""

    @property
    def weighted(self) -> bool:
        """Whether the rate is a weighted mean over arms instead of ``failing / tested``."""
        if self.rate is None or self.unchanged is not None:
            return False
        return not math.isclose(self.rate, self.failing / self.tested)


class RecallRecord(Part):
    """Recall of a tagger for one label, over all candidates of a check: gold spans found with right label and ends.

    Spans of one example, or of one cluster, are not independent; the intervals take clusters into account.
    """

    label: str
    before: RateField
    """Recall in the source texts."""
    after: RateField
    """Recall of the same spans if they must be found in the source text and in the perturbed texts."""
    left: int = 0
    """Spans whose words an edit replaced; neither recall counts them."""

    @property
    def told(self) -> str:
        """A line with both recalls."""
        left = f" ({self.left:,} replaced, not counted)" if self.left else ""
        return f"{self.label} found {percent(self.before.rate)} before, {self.after} after{left}"


class GapRecord(Part):
    """The comparison of two groups of examples; with ``repeat``, of the same examples perturbed and asked again."""

    groups: dict[str, RateField]
    """Failing and tested examples of each group: first the group that may fail more, then the reference group."""
    effective: list[float | None] = []
    """For each group, the equivalent number of independent examples; empty if all examples are independent."""
    alone: list[int] = []
    """With ``repeat``: examples that fail only when perturbed, and examples that fail only when asked again."""
    answers: int = 0
    """With ``repeat``: the largest number of answers per example on which both sides are judged."""
