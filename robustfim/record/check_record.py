"""A check and its outcome, in the run record."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import computed_field, model_validator

from robustfim.outcome import Outcome
from robustfim.record.card import Card
from robustfim.record.check_parts import (
    ArmRecord,
    BudgetRecord,
    CandidateCounts,
    ClaimRecord,
    ErrorRecord,
    FailureCounts,
    GapRecord,
    RecallRecord,
    ValidityRecord,
)
from robustfim.statistics import Rate
from robustfim.statistics.estimand import DIFFERENCE, MEAN, SHARE, Estimand

__all__ = ["LABEL_KEPT", "CheckRecord", "Counted"]

LABEL_KEPT = ("invariant", "correct")
"""The expectations that keep a text's gold label."""


class Counted(FailureCounts):
    """A check before its verdict: its settings in the suite, and its counts."""

    id: str
    """``sentiment.yaml::synonyms``."""
    name: str
    perturbation: dict[str, Any] = {}
    """The suite's ``perturb``, with ``use``."""
    yardstick: bool = False
    """Whether the perturbation is a noise control, whose texts need not keep the meaning."""
    card: Card | None = None
    """Readers' ratings of the perturbation's texts on other data; without kept labels if the expectation differs."""
    constraints: list[Any] = []
    resources: dict[str, str] = {}
    """Versions or hashes of other resources that affect the texts: taggers, lexicons, files."""
    expectation: dict[str, Any] = {}
    counts: Literal["broken", "changes"] | None = None
    """``broken`` counts right examples that an edit makes wrong, ``changes`` every changed answer; None anything else.
    """
    fails: dict[str, Any] = {"use": "any"}
    """The reducer, which decides from the candidates whether an example fails."""
    limit: float | dict[str, float] | None = None
    """The tolerated rate, or one for each arm."""
    limit_of_valid: bool = False
    """Whether the limit is for valid failures."""
    limit_of_file: bool = False
    """Whether the limits are for the rate in the data (``of: file``), not in the population."""
    marks: list[str] = []
    capability: str | None = None
    """A row of the matrix."""
    type: Literal["MFT", "INV", "DIR"] | None = None
    """A column of the matrix: minimum functionality, invariance or directional."""
    path: str | None = None
    line: int | None = None
    """In the suite file."""
    numbers: dict[str, float] | None = None
    """Failing example to the degree to which it fails, in (0, 1], if ``fails`` takes a mean."""
    gap: GapRecord | None = None
    """The compared groups."""
    clusters: int | None = None
    """The number of clusters of the tested examples; None if all are independent."""
    budget: BudgetRecord | None = None
    arms: dict[str, ArmRecord] = {}
    errors: dict[str, ErrorRecord] = {}
    """``missed`` and ``false_alarm`` if a rule decides for a label; ``missed_at_1_percent`` at the threshold with 1 %
    false positives; with several labels ``missed toxic``, ``broken toxic`` or ``changed toxic``; ``slice short`` for a
    slice with a limit."""
    examples: list[str] = []
    """Ids of the tested examples, in the data's order."""
    partners: dict[str, str] = {}
    """Tested example to its partner, if each tested text is another example, such as a mirrored one."""
    recall: list[RecallRecord] = []
    """A tagger's recall of gold spans, by label."""
    partly: int = 0
    """Tested examples that the model truncates."""
    candidates: CandidateCounts = CandidateCounts()
    duration_s: float = 0.0
    message: str = ""
    """Why the check ended as it did."""
    traceback: str = ""
    """Of a plugin or model that raised."""

    @model_validator(mode="before")
    @classmethod
    def _counted_before(cls, values: Any) -> Any:
        """A record that does not say how its invariant checks counted is one of a time when they counted changes."""
        invariant = isinstance(values, dict) and dict(values.get("expectation") or {}).get("use") == "invariant"
        return {"counts": "changes", **values} if invariant else values

    @property
    def verb(self) -> str:
        """The verb for failing examples in reports: "fail", or "change" if all changed answers count."""
        return "change" if self.counts == "changes" else "fail"

    @property
    def estimand(self) -> Estimand:
        """The quantity that the rate estimates: a fraction of examples, a mean, or a difference."""
        return DIFFERENCE if self.gap is not None else SHARE if self.numbers is None else MEAN

    @property
    def weighted(self) -> bool:
        """Whether the rate is a weighted mean over arms instead of ``failing / tested``."""
        return self.estimand is SHARE and super().weighted

    @property
    def of(self) -> Literal["population", "file"]:
        """Whether the check's limit is about the population or about the examples of the data file."""
        return "file" if self.limit_of_file else "population"

    @property
    def groups(self) -> dict[str, Rate]:
        """The failing and tested examples of each group that the check compares, by name; empty if it compares none."""
        return {} if self.gap is None else dict(self.gap.groups)

    @property
    def net_of_noise(self) -> bool:
        """Whether the check's rate is the failure rate minus the rate at which unchanged texts fail."""
        return self.gap is not None and bool(self.gap.alone)

    @property
    def parts(self) -> dict[str, ArmRecord]:
        """The parts of the check that can have a separate limit: groups of the sample (arms), and kinds of errors."""
        return {**self.arms, **self.errors}

    def errors_of(self, kind: str) -> dict[str, ErrorRecord]:
        """Return the counts of one kind of error by name, one entry per label if the model decides for several.

        Args:
            kind: ``missed``, ``false_alarm`` or ``changed``.
        """
        return {
            name: error
            for name, error in self.errors.items()
            if name == (f"{kind} {error.label}" if error.label else kind)
        }

    @property
    def limited(self) -> dict[str, ArmRecord]:
        """The parts of the check that have a limit of their own."""
        return {name: part for name, part in self.parts.items() if part.limit is not None}

    @property
    def gated(self) -> bool:
        """Whether the check, or any part of it, has a limit."""
        return self.limit is not None or bool(self.limited)

    @computed_field  # type: ignore[prop-decorator]  # mypy has no word for a decorated property
    @property
    def unseen(self) -> bool:
        """Whether the model does not react to the perturbation: no tested text changes its probabilities."""
        counts = self.candidates
        return 0 < counts.tested == counts.unmoved and not counts.not_applicable_moved

    @property
    def mostly_unmoved(self) -> bool:
        """Whether more than half of the candidates, but not all, leave the probabilities unchanged."""
        return self.candidates.tested < 2 * self.candidates.unmoved < 2 * self.candidates.tested

    @property
    def by_card(self) -> str:
        """A sentence that predicts how many failing texts keep their label and are natural; empty if unrated."""
        holding = "keep the label" if self.expectation.get("use") in LABEL_KEPT else "keep what is expected"
        return "" if self.card is None or not self.failing else self.card.of_failures(self.failing, holding)

    @property
    def recalled(self) -> list[str]:
        """A line with the recall of each label that the tagger finds at least once."""
        return [recall.told for recall in self.recall if recall.before.count or recall.after.count]

    @property
    def caveats(self) -> list[str]:
        """Caveats to the rate: truncated texts, and unchanged probabilities if most candidates have them."""
        said, counts = [], self.candidates
        if self.partly:
            said.append(f"{self.partly:,} of {self.tested:,} texts are read in part")
        if self.mostly_unmoved:
            said.append(f"{counts.unmoved:,} of {counts.tested:,} candidates move no probability")
        return said


class CheckRecord(Counted):
    """A check and its outcome."""

    outcome: Outcome
    p_value: float | None = None
    """One-sided p-value of the verdict: exact binomial; with clusters or a mean, Gaffke's bound; over strata, of their
    rate; with a budget, anytime-valid; for a difference, exact; for valid failures, valid whenever reviewing
    stops. A failure is corrected over the suite, a pass is not."""
    needed: int | None = None
    """About how many more testable examples would decide in 80 % of cases at the observed rate."""
    needed_rows: int | None = None
    """About how many rows of data contain ``needed`` testable examples; None if all rows were testable."""
    claims: list[ClaimRecord] = []
    """The comparison with each limit of the check, the worst first, then with each baseline."""
    validity: ValidityRecord | None = None
    """None if nobody reviewed a failure."""

    @property
    def limit_claims(self) -> list[ClaimRecord]:
        """The claims that the check's rates lie within its limits, the worst first; none against a baseline."""
        return [claim for claim in self.claims if not claim.against]

    @property
    def by_review(self) -> str:
        """A sentence with the rate of failures that people call valid; empty without a review."""
        if self.validity is None or not self.tested:
            return ""
        return self.validity.told(self.failing / self.tested, " of the tested examples" * self.weighted)
