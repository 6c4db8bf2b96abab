"""The run record: all results of a run. Every report is a view of it.

The record is written as ``reports/<suite>/results.json``. A number that is not defined is ``null``; NaN and
infinity never reach the file.
"""

from __future__ import annotations

import math
import re
import statistics
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field, PlainSerializer, PrivateAttr, computed_field, model_validator

from robustfim.errors import UsageError
from robustfim.exhibit import Section
from robustfim.outcome import Inconclusive, Outcome
from robustfim.prediction import Prediction
from robustfim.record.association import AssociationRecord
from robustfim.record.card import Card
from robustfim.record.comparison import Comparison
from robustfim.record.database import Database
from robustfim.record.example_table import ExampleRows, ExampleTable, nested
from robustfim.record.files import UNTIL, Completed, write_text
from robustfim.record.part import PART
from robustfim.record.versioned_file import read_versioned
from robustfim.statistics import Interval, Rate, percent
from robustfim.statistics.estimand import DIFFERENCE, MEAN, SHARE, Estimand

__all__ = [
    "LABEL_KEPT",
    "SCHEMA",
    "WITHOUT_NUMBERS",
    "AreaRecord",
    "Arm",
    "ArmRecord",
    "AskedAgainRecord",
    "AttributionRecord",
    "BudgetRecord",
    "CandidateCounts",
    "CauseRecord",
    "CheckRecord",
    "CostRecord",
    "Counted",
    "DataRecord",
    "DatabaseRecord",
    "EditCounts",
    "EditRecord",
    "Environment",
    "ErrorRecord",
    "EstimateRecord",
    "ExampleRecord",
    "Failure",
    "GapRecord",
    "ImportanceRecord",
    "ModelRecord",
    "NoiseRecord",
    "PilotRecord",
    "PluginRecord",
    "PredictionRecord",
    "ReachRecord",
    "RecallRecord",
    "Record",
    "ResidualRecord",
    "ScoreRecord",
    "SelectionRecord",
    "ShiftRecord",
    "ShrunkRecord",
    "SliceRecord",
    "StepRecord",
    "TailRecord",
    "ThresholdRecord",
    "TriedRecord",
    "ValidityRecord",
    "WindowRecord",
    "WordRecord",
]

SCHEMA = 2
"""The version of the format; a reader refuses a newer one."""

WITHOUT_NUMBERS = "the model gave no finite numbers"
"""The reason recorded for an example that is left out because the model answered with NaN or infinity."""


def _written(rate: Rate) -> dict[str, Any]:
    return {"count": rate.count, "tested": rate.tested, "rate": rate.rate, "interval": rate.interval}


LABEL_KEPT = ("invariant", "correct")
"""The expectations that keep a text's gold label."""

RateField = Annotated[Rate, PlainSerializer(_written)]
"""A rate; the file also holds its confidence interval."""


class _Part(BaseModel):
    model_config = PART


class PluginRecord(_Part):
    """A plugin that the run loaded."""

    name: str
    version: str | None = None
    """The version of the plugin's distribution; None for a local file."""
    sha256: str | None = None
    """The hash of a local plugin file; None for an installed one."""


class Environment(_Part):
    """The software and hardware of the run."""

    robustfim: str
    python: str
    packages: dict[str, str] = {}
    """Versions of the libraries that affect numbers: torch, transformers, numpy…"""
    plugins: list[PluginRecord] = []
    device: str | None = None


_SHARES = (0.15, 0.05, 0.02)
"""Fractions of changed answers for which the record states the probability that a sample detects the change."""


class AskedAgainRecord(_Part):
    """The comparison of stored answers with new ones, for a model whose answers can change behind one fingerprint."""

    stored: int
    """Stored answers that the run would use."""
    asked: int
    """Stored answers in a random sample that the model was asked again before the run used the store."""
    differing: int = 0
    """Answers in the sample that are different now."""
    noisy: int = 0
    """Answers of a third time that differ from the second time; the third time is asked if the second differed."""
    flipped: int = 0
    """Answers in the sample whose likeliest label or first answer is different now."""
    changed: bool = False
    """Whether the model, or its decision rule, changed. The run then discards stored answers and asks everything."""
    generation: int = 0
    """How often stored answers of this fingerprint have been discarded, in this run and before."""
    seed: int
    """The seed that drew the sample; it differs between runs."""

    @property
    def unasked(self) -> bool:
        """Whether stored answers were used without asking any of them again, as with ``--offline``."""
        return self.stored > 0 and self.asked == 0

    @property
    def sentence(self) -> str:
        """The result as a sentence, with the size of a change that a sample of this size detects."""
        stored = f"{self.stored:,} stored answer{'s' * (self.stored != 1)}"
        if self.unasked:
            return f"{stored}: not asked again, so that nothing says that the model is still the same"
        asked = f"{self.asked:,} of {stored} asked again"
        if self.changed:
            why = "the model has changed" + ", or does not give one answer to one text" * (self.noisy > 0)
            return (
                f"{asked}, {self.differing:,} differ: {why}; its answers were put aside as those of "
                f"generation {self.generation - 1}, and it was asked anew"
            )
        told = f"{self.differing:,} differ, as a noisy model's do" if self.differing else "all alike"
        chances = [(share, round(1 - (1 - share) ** self.asked, 2)) for share in _SHARES]
        seen = ", ".join(f"of {percent(share)} with {percent(chance)}" for share, chance in chances)
        return f"{asked}, {told}; so many see a change {seen}"


class NoiseRecord(_Part):
    """How often a model decides differently when it is asked again about the same text."""

    texts: int
    """Unchanged texts that the model was asked again."""
    again: RateField
    """Fraction of the repeated answers that decide differently from the first answer."""

    @property
    def sentence(self) -> str:
        """A sentence that reports the model's own noise."""
        asked = f"{self.again.tested:,} further answers to {self.texts:,} unchanged texts"
        return f"{self.again.count:,} of {asked} differ from the first, {percent(self.again.rate, self.again.interval)}"


class ThresholdRecord(_Part):
    """A decision threshold that was set on a separate data set."""

    label: str
    """The label for which the model decides if its probability reaches the threshold."""
    at: float
    """The threshold, in (0, 1)."""
    fpr: float
    """The target false positive rate: the largest expected fraction of texts without the label that reach the
    threshold."""
    alarms: int
    """The number of the ``texts`` that reach the threshold."""
    texts: int
    """The number of texts without the label on which the threshold was set."""
    interval: Interval
    """95 % interval of the fraction of all texts without the label that reach the threshold."""

    @property
    def sentence(self) -> str:
        """A sentence that reports the threshold and its false positive rate."""
        low, high = (f"{100 * end:.2g}" for end in self.interval)
        return (
            f"{self.label} from {self.at:.4g} on, where {self.alarms:,} of {self.texts:,} texts without it are: "
            f"{low} to {high} % of all such texts"
        )


_UNCLAIMED = 4
"""The most labels that the record names of those that a tagger never finds; it only counts further labels."""


class ModelRecord(_Part):
    """The model under test."""

    use: str
    options: dict[str, Any] = {}
    fingerprint: str | None = None
    """The hash of everything that decides a prediction; None if the model could not be loaded."""
    labels: list[str] = []
    """The model's labels; empty for a model that answers in its own words."""
    asked_again: AskedAgainRecord | None = None
    """The check of stored answers; None if the fingerprint, a hash of weights and vocabulary, decides every answer."""
    noise: NoiseRecord | None = None
    """How often the model decides differently about an unchanged text; None without ``repeat``."""
    accuracy: float | None = None
    """Fraction of the labelled examples that the model predicts right, on all usable data."""
    accuracy_interval: Interval | None = None
    """95 % Wilson interval of ``accuracy``."""
    labelled: int = 0
    """The number of labelled examples behind ``accuracy``."""
    unlabelled: int = 0
    """Usable examples of the data without a gold label; ``accuracy`` ignores them."""
    unclaimed: dict[str, int] = {}
    """Gold spans that were ignored, by label: the tagger found no span of the label in any text."""
    gold: list[str] = []
    """The gold labels of the labelled examples; empty if the model answers in its own words."""
    majority: float | None = None
    """Fraction of the labelled examples with the commonest gold label: the accuracy of a constant answer."""
    association: AssociationRecord = AssociationRecord()
    threshold: ThresholdRecord | None = None
    """The threshold that data set; None if the suite names the threshold, or if there is no decision rule."""

    @property
    def labelled_text(self) -> str:
        """A note on the gold labels, printed after the accuracy; empty if the labels need no remark.

        ``(450 labelled, all 'pos', 450 unlabelled)``, ``(not claimed by the model: 41 spans of GPE)``.
        """
        if self.unclaimed:
            named = [f"{number:,} span{'s' * (number != 1)} of {label}" for label, number in self.unclaimed.items()]
            more = len(named) - _UNCLAIMED
            rest = [f"{more:,} more label{'s' * (more > 1)}"] * (more > 0)
            return f" (not claimed by the model: {', '.join(named[:_UNCLAIMED] + rest)})"
        if not self.labelled or not (self.unlabelled or len(self.gold) == 1):
            return ""
        labels = [f"all {self.gold[0]!r}"] if len(self.gold) == 1 else [f"{len(self.gold)} labels"] * bool(self.gold)
        rest = [f"{self.unlabelled:,} unlabelled"] * bool(self.unlabelled)
        return f" ({', '.join([f'{self.labelled:,} labelled', *labels, *rest])})"


_FEW_PROBES = 3
"""The fewest insensitive texts for a warning; one or two texts may have an irrelevant second half."""


class WindowRecord(_Part):
    """How much of the texts the model reads."""

    told: bool = True
    """Whether the model reports how much of a text it reads."""
    partly: int = 0
    """Examples that the model reports as truncated."""
    probed: int = 0
    """Long texts that the model was asked again without their second half, if it does not report how much it reads."""
    unread: int = 0
    """Texts of ``probed`` with unchanged probabilities: the model seems to read only their beginning."""

    @property
    def sentence(self) -> str:
        """A warning that the model does not read whole texts; empty if there is no reason for one."""
        if self.partly:
            return f"of {self.partly:,} example{'s' * (self.partly != 1)} the model reads a part only"
        if self.unread < _FEW_PROBES:
            return ""
        return (
            f"the model seems to read long texts in part: without their second half {self.unread:,} of the "
            f"{self.probed:,} longest move no probability"
        )


class DataRecord(_Part):
    """The data the examples came from."""

    use: str
    options: dict[str, Any] = {}
    examples: int = 0
    """Usable examples."""
    labelled: int = 0
    """Usable examples with a gold label."""
    skipped: dict[str, int] = {}
    """Rows left out, by reason."""
    window: WindowRecord | None = None
    """How much of the texts the model reads; None if the model could not be asked."""


class AreaRecord(_Part):
    """How well a score ranks failing examples before passing ones (AUROC); failures by embedding steps do not count."""

    examples: int
    """Tested examples for which the score is defined."""
    failing: int
    """The failing examples among ``examples``."""
    auroc: float | None = None
    """The probability that a failing example is ranked harder than a passing one; None if either kind is missing."""
    interval: Interval | None = None
    """95 % interval by Newcombe's score method; clusters count as the equivalent number of independent examples. In a
    pilot, the level holds for all its scores together."""


class PilotRecord(_Part):
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


class CostRecord(_Part):
    """The cost of computing one score alone, for the examples whose score was not in the store."""

    examples: int
    """Examples whose score was computed."""
    calls: int = 0
    """Texts sent to the model in addition to the predictions that every run needs."""
    gradients: int = 0
    """Examples whose gradient the score needed, even if another score had already computed the gradient."""
    steps: int = 0
    """Forward passes from a moved embedding."""

    @property
    def each(self) -> float | None:
        """Forward passes per example; a gradient counts as three, since its backward pass costs two. None for 0."""
        return (self.calls + self.steps + 3 * self.gradients) / self.examples if self.examples else None


class ScoreRecord(_Part):
    """One difficulty score."""

    name: str
    hardest: Literal["highest", "lowest"]
    symbol: str = ""
    """The symbol of the score in reports, such as ``λmax``; empty if reports do not show the score."""
    undefined: int = 0
    """Examples for which the score is not a finite number."""
    infinite: int = 0
    """Examples with an infinite score, since no step within the bound changes their label; part of ``undefined``."""
    message: str = ""
    """The reason why the score could not be computed; empty if it was computed."""
    broken: bool = False
    """Whether the plugin is at fault; otherwise the model lacks something that the score needs."""
    cost: CostRecord | None = None
    """The cost of the score; None if the score was not computed."""
    area: AreaRecord | None = None
    """How well the score ranks failures, on the control arm or, without arms, on all tested examples; None if the score
    was not computed."""


Arm = Literal["difficult", "control", "easiest", "all"]
"""The names of the groups of tested examples, the difficult group first."""


class SelectionRecord(_Part):
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


class WordRecord(_Part):
    """How much a word or another token contributes to the predicted label."""

    field: str
    start: int
    end: int
    value: float
    """The word's contribution to the margin of the predicted label, in logits; negative if it speaks for another label.
    """


class ImportanceRecord(_Part):
    """How much each word of an example contributes to the predicted label. The values sum to ``change + delta``."""

    words: list[WordRecord] = []
    change: float | None = None
    """The margin of the example minus the margin at the baseline input, in logits; None if not finite."""
    delta: float | None = None
    """The convergence delta: the sum of the values minus ``change``."""


class AttributionRecord(_Part):
    """How the importance of words was computed."""

    options: dict[str, Any] = {}
    """The options in the suite."""
    calls: int = 0
    """Points at which the model was differentiated, several per example."""
    message: str = ""
    """The reason why the failing examples have no importance of words; empty if they have one."""


class ExampleRecord(_Part):
    """One usable example."""

    id: str
    fields: dict[str, str]
    label: str | None = None
    prediction: str | None = None
    """The label, or the answer in the model's own words."""
    probabilities: list[float] | None = None
    """Probabilities in the order of the model's labels; for an answer in the model's own words, only its probability.
    """
    correct: bool | None = None
    """Whether the prediction is the gold label or an accepted one; None without a gold label."""
    again: tuple[int, int] | None = None
    """With ``repeat``: the numbers of right answers and of all answers when the unchanged text was asked again. None
    without ``repeat``."""
    cluster: str | None = None
    """The cluster of dependent examples to which the example belongs; None if it is independent of all others."""
    arm: Arm | None = None
    """The group of tested examples to which the example belongs; None if it was not tested."""
    scores: dict[str, float | None] = {}
    infinite: list[str] = []
    """Names of infinite scores, since no step within the bound changes the label; ``scores`` has ``null`` for them."""
    importance: ImportanceRecord | None = None
    """The importance of each word; None if it was not computed."""

    @property
    def steady(self) -> bool | None:
        """Whether most answers to the unchanged text are right; the first breaks a tie. None if asked only once."""
        if self.again is None or self.correct is None:
            return None
        right, asked = self.again[0] + self.correct, self.again[1] + 1
        return self.correct if 2 * right == asked else 2 * right > asked


class DatabaseRecord(_Part):
    """The database beside ``results.json``: an SQLite file with the rows of the run.

    Its tables are ``examples`` (all usable examples, with predictions and scores), ``trials`` (a row for each example
    that a check tested), ``failures``, ``edits`` (how often each edit was tried and broke the model), ``errors``,
    ``drawn`` and ``members`` (ids of examples by kind of error, stratum and slice).
    """

    file: str = Field(pattern=r"^[^/\\]+\.sqlite$")
    run: str
    """The mark of the run; the table ``run`` of the database holds the same mark."""
    examples: int
    """Usable examples in the database."""
    failures: int
    """Failing texts in the database; ``results.json`` has the first hundred of each check."""


class CandidateCounts(_Part):
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


class TailRecord(_Part):
    """The evidence that a rate lies above or below its limit, before any correction for several checks."""

    side: Outcome
    p_value: float
    towards: Outcome = Outcome.INCONCLUSIVE
    """The side of the limit with the most evidence, even if the evidence is weak."""
    evidence: float = 0.0
    """The logarithm of the evidence, as a fraction of the logarithm that makes the verdict certain, in [0, 1]."""


class BudgetRecord(_Part):
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


class EstimateRecord(_Part):
    """The failure rate among all testable examples, with each arm weighted by the part of the data it represents."""

    rate: float
    interval: Interval
    """95 % stratified interval; it includes the uncertainty about the number of testable examples."""
    examples: int
    """Usable examples of the data."""
    of: Literal["population", "file"] = "population"
    """``population`` if the rate is that of the population from which the data were drawn, ``file`` if it is that of
    the data."""


class ValidityRecord(_Part):
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


class ArmRecord(_Part):
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


class RecallRecord(_Part):
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


class ReachRecord(_Part):
    """The number of examples of an arm on which the model breaks, over all checks.

    A failing example counts once: in ``rate`` if any changed text breaks it, and in ``wrong`` if the model was wrong
    about the example before any edit.
    """

    arm: Arm
    rate: RateField
    """Examples that a changed text breaks, among those that at least one check tested."""
    by_step: int
    """Examples that only a step in embedding space breaks."""
    by_yardstick: int = 0
    """Examples that break only under noise controls, whose changed texts need not keep the meaning."""
    wrong: int
    """Failing examples that the model predicts wrong before any edit."""

    @property
    def failing(self) -> int:
        """Examples with any failure."""
        return self.rate.count + self.by_step + self.by_yardstick + self.wrong


class GapRecord(_Part):
    """The comparison of two groups of examples; with ``repeat``, of the same examples perturbed and asked again."""

    groups: dict[str, RateField]
    """Failing and tested examples of each group: first the group that may fail more, then the reference group."""
    effective: list[float | None] = []
    """For each group, the equivalent number of independent examples; empty if all examples are independent."""
    alone: list[int] = []
    """With ``repeat``: examples that fail only when perturbed, and examples that fail only when asked again."""
    answers: int = 0
    """With ``repeat``: the largest number of answers per example on which both sides are judged."""


class Counted(_Part):
    """A check before its verdict: its settings in the suite, and its counts."""

    id: str
    """``sentiment.yaml::synonyms``."""
    name: str
    perturbation: dict[str, Any] = {}
    """The ``perturb`` part of the suite, with ``use``."""
    yardstick: bool = False
    """Whether the perturbation is a noise control for other perturbations; its texts need not keep the meaning."""
    card: Card | None = None
    """Readers' ratings of the perturbation's texts, on other data; None if there are no ratings. The ratings of kept
    labels are left out if the check's expectation differs from the one that the readers were asked about."""
    constraints: list[Any] = []
    resources: dict[str, str] = {}
    """Other resources that affect the texts (taggers, lexicons, files), each with its version or hash."""
    expectation: dict[str, Any] = {}
    counts: Literal["broken", "changes"] | None = None
    """How failing examples are counted. ``broken``: right examples that an edit makes wrong. ``changes``: examples
    whose answer changes, right or wrong. None: anything else, such as being wrong."""
    wrong_before: int = 0
    """Drawn examples that the model predicts wrong before any edit, so that no candidate can break them."""
    unlabelled: int = 0
    """Drawn examples without a gold label, if other examples have gold labels."""
    fails: dict[str, Any] = {"use": "any"}
    """The reducer, which decides from the candidates whether an example fails, with its options."""
    limit: float | dict[str, float] | None = None
    """The tolerated rate, or a rate for each arm."""
    limit_of_valid: bool = False
    """Whether the limit applies to the rate of valid failures: ``limit: {valid: 0.1}``."""
    limit_of_file: bool = False
    """Whether the limits apply to the rate in the data (``of: file``), not in the population behind the data."""
    marks: list[str] = []
    capability: str | None = None
    """The tested capability of the model: a row of the matrix."""
    type: Literal["MFT", "INV", "DIR"] | None = None
    """Minimum functionality, invariance or directional: a column of the matrix."""
    path: str | None = None
    line: int | None = None
    """The line of the check in the suite file."""
    tested: int = 0
    """Examples with at least one judged candidate."""
    failing: int = 0
    """Failing examples: at least one candidate fails, unless the check's ``fails`` defines it otherwise."""
    rate: float | None = None
    """``failing / tested``. If the check compares two groups, the difference of their rates, in [−1, 1]. If there are
    ``numbers``, the mean of these over tested examples."""
    numbers: dict[str, float] | None = None
    """Id of each failing example to the degree to which it fails, in (0, 1], if ``fails`` takes a mean; other examples
    count 0."""
    interval: Interval | None = None
    """95 % interval of ``rate``: Wilson's. With clusters or a mean, Gaffke's bounds, valid for any distribution. With a
    budget, a confidence sequence. For a difference, Newcombe's; with ``repeat``, Tango's."""
    gap: GapRecord | None = None
    """The two compared groups; None if the check compares no groups."""
    clusters: int | None = None
    """The number of clusters of the tested examples; None if all examples are independent."""
    effective: float | None = None
    """Estimated equivalent number of independent examples, for plans; None if all examples are independent."""
    budget: BudgetRecord | None = None
    arms: dict[str, ArmRecord] = {}
    errors: dict[str, ErrorRecord] = {}
    """``missed`` and ``false_alarm``, if a rule decides for a label and the examples have gold labels. With 100 texts
    without the label also ``missed_at_1_percent``: false negatives at the threshold with 1 % false positives (0 tested
    if ties leave no such threshold). With several labels, each by its name, ``missed toxic``, and ``broken toxic`` or
    ``changed toxic``, depending on ``counts``. Each slice with a limit is ``slice short``."""
    examples: list[str] = []
    """Ids of the tested examples, in the data's order; the record's ``failures`` hold the failing ones."""
    partners: dict[str, str] = {}
    """Id of a tested example to id of its partner, if each tested text is another example of the data, such as a
    mirrored one. A failure belongs to both examples."""
    recall: list[RecallRecord] = []
    """A tagger's recall of gold spans before and after the edits, by label."""
    partly: int = 0
    """Tested examples that the model truncates; 0 if the model does not report it."""
    candidates: CandidateCounts = CandidateCounts()
    duration_s: float = 0.0
    message: str = ""
    """A sentence with the reason why the check failed, is inconclusive, was skipped, or is an error."""
    traceback: str = ""
    """The traceback of a plugin or model that raised."""

    @model_validator(mode="before")
    @classmethod
    def _counted_before(cls, values: Any) -> Any:
        """A record that does not say how its invariant checks counted is one of a time when they counted changes."""
        invariant = isinstance(values, dict) and dict(values.get("expectation") or {}).get("use") == "invariant"
        return {"counts": "changes", **values} if invariant else values

    @property
    def verb(self) -> str:
        """The verb for failing examples: "fail", or "change" if all changes are counted, right or wrong."""
        return "change" if self.counts == "changes" else "fail"

    @property
    def estimand(self) -> Estimand:
        """The quantity that the rate estimates: a fraction of examples, a mean, or a difference."""
        return DIFFERENCE if self.gap is not None else SHARE if self.numbers is None else MEAN

    @property
    def groups(self) -> dict[str, Rate]:
        """The failing and tested examples of each compared group, by name; empty if no groups are compared."""
        return {} if self.gap is None else dict(self.gap.groups)

    @property
    def net_of_noise(self) -> bool:
        """Whether the rate is the failure rate minus the rate at which unchanged texts fail."""
        return self.gap is not None and bool(self.gap.alone)

    @property
    def parts(self) -> dict[str, ArmRecord]:
        """The parts of the check that can have a limit of their own: arms, and kinds of errors."""
        return {**self.arms, **self.errors}

    def errors_of(self, kind: str) -> dict[str, ErrorRecord]:
        """Return the errors of a kind by name, one for each label if the model decides for several.

        Args:
            kind: ``missed``, ``false_alarm`` or ``changed``.
        """
        return {
            name: each for name, each in self.errors.items() if name == (f"{kind} {each.label}" if each.label else kind)
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
        """A prediction by the card: how many failing examples keep their label and are natural; empty if unknown."""
        holding = "keep the label" if self.expectation.get("use") in LABEL_KEPT else "keep what is expected"
        return "" if self.card is None or not self.failing else self.card.of_failures(self.failing, holding)

    @property
    def recalled(self) -> list[str]:
        """A line with the recall of each label that the tagger finds at least once."""
        return [each.told for each in self.recall if each.before.count or each.after.count]

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
    """One-sided p-value of the verdict. A p-value that fails the run is corrected over the suite; a check passes at 2.5
    % without correction, since all checks have to pass. The test is exact binomial; with clusters or a mean, Gaffke's
    bound; with arms and strata, the test of ``estimate``; with a budget, an anytime-valid test; for a difference, the
    score test. For a limit on valid failures, it is the posterior probability that the verdict is wrong."""
    needed: int | None = None
    """About how many further testable examples would decide an inconclusive verdict in 80 % of cases if the observed
    rate is the true rate; None if no number would."""
    needed_rows: int | None = None
    """About how many further rows of data contain ``needed`` testable examples; None if all drawn rows were testable.
    """
    estimate: EstimateRecord | None = None
    """The weighted rate over all arms; None if an arm is missing, or the tested examples are a plain sample."""
    validity: ValidityRecord | None = None
    """The rate of valid failures; None if nobody has reviewed a failure."""

    @property
    def by_review(self) -> str:
        """A text with the rate of valid failures after people's review; empty without a review."""
        return "" if self.validity is None or self.rate is None else self.validity.told(self.rate)

    @property
    def compared(self) -> float | None:
        """The rate to which the limit applies: of valid failures, weighted over arms, or of the tested examples."""
        if self.limit_of_valid and self.validity is not None:
            return self.validity.rate
        return self.rate if self.held is None else self.held.rate

    @property
    def held(self) -> EstimateRecord | None:
        """The estimate that is compared with the limit; None if the tested examples' own rate is compared."""
        plain = isinstance(self.limit, float) and self.limit > 0 and not self.limit_of_valid
        return self.estimate if plain else None


class SliceRecord(_Part):
    """A slice: a part of the data, defined by properties of its examples."""

    name: str
    definition: dict[str, Any] = {}
    """The definition in the suite."""
    examples: int = 0
    """Usable examples in the slice."""
    members: list[str] = []
    """Ids of the slice's examples that at least one check tested."""
    accuracy: RateField
    """Accuracy on the slice's labelled examples, unperturbed."""
    failures: RateField
    """Rate of examples that fail at least one check, among examples that at least one check tested, weighted by arm or
    stratum. If a check takes a mean, the mean over examples of the largest degree of failure."""
    checks: dict[str, RateField] = {}
    """The failure rate of each check. Checks compared with the model's own noise are left out, also in ``failures``."""


class EditRecord(_Part):
    """One replacement, in the source example's text."""

    field: str
    start: int
    end: int
    before: str
    after: str
    origin: str = ""


class EditCounts(_Part):
    """How often one edit was tried in a check, and how often a text with it broke the model.

    A text with several edits counts once for each edit.
    """

    check: str
    before: str
    after: str
    tried: int
    broken: int


class CauseRecord(_Part):
    """A kind of edit that breaks the model far more often than the other edits of its check.

    From each example, one text with an edit of this kind and one text without are drawn at random and compared. The
    p-value is so small that at most 5 % of runs with permuted outcomes contain any kind of edit with a smaller one.
    """

    check: str
    edit: str
    """The edit: ``"film" -> "movie"``."""
    where: str = ""
    """The context of the edit, or a property of its text: ``in "n't"``; empty for any context."""
    inside: RateField
    """Breaking examples among the examples with an edit of this kind."""
    elsewhere: RateField
    """Breaking examples under the other edits of the check."""
    others: bool = False
    """Whether ``elsewhere`` is taken from other checks, since nearly all edits of this check are of this kind."""
    p_value: float
    """Exact p-value of this kind alone, against the hypothesis that its odds of a break are at most twice the odds
    under other edits."""
    failures: list[str] = []
    """Ids of at most twenty failing texts with an edit of this kind, the most useful first."""

    @property
    def pair(self) -> tuple[str, str] | None:
        """The replaced words and the new words; None if the edit is not a replacement."""
        found = re.fullmatch(r'"(.+)" -> "(.+)"', self.edit)
        return None if found is None else (found[1], found[2])

    @property
    def sentence(self) -> str:
        """The cause in one line."""
        inside, rest = self.inside, self.elsewhere
        other = " in the other checks" * self.others
        rates = f"breaks {inside.count:,} of {inside.tested:,}, elsewhere{other} {rest.count:,} of {rest.tested:,}"
        return f"{self.edit}{' ' * bool(self.where)}{self.where}: {rates}"


class StepRecord(_Part):
    """A step in embedding space: a move of the embedding, with the text unchanged."""

    direction: str
    norm: float


class ShiftRecord(_Part):
    """How a perturbed text moves the embedding of its source."""

    norm: float = Field(ge=0, allow_inf_nan=False)
    """Euclidean length of the move over all tokens together, in units of the embedding."""
    cosine: float | None = Field(default=None, ge=-1.01, le=1.01)
    """Cosine with the top eigenvector of the Fisher information at the source; None if either vector is 0."""
    lambda_max: tuple[float, float] | None = None
    """λmax of the source and of the perturbed text; None if the geometry does not report them."""


class PredictionRecord(_Part):
    """A predicted label and its probabilities, in the order of the model's labels.

    An answer in the model's own words is recorded with the probability of this answer alone. So is the decision of a
    rule such as ``{label: block, at: 0.7}``; for an abstention the probability of the likeliest label is recorded. A
    predicted number has no probability.
    """

    label: str
    probabilities: list[float]

    @classmethod
    def of(cls, prediction: Prediction) -> PredictionRecord:
        """Make the record of a prediction."""
        alone = prediction.answer is not None or prediction.rule is not None
        numbers = (prediction.confidence,) if alone else prediction.probabilities
        return cls(label=prediction.shown, probabilities=list(numbers if prediction.number is None else ()))

    @property
    def confidence(self) -> float | None:
        """The largest recorded probability, in [0, 1]; None if no probability is recorded, as for a number."""
        return max(self.probabilities, default=None)

    def told(self, form: str = ".2f") -> str:
        """The label with its probability, if one is recorded."""
        return self.label if self.confidence is None else f"{self.label} {self.confidence:{form}}"


class TriedRecord(_Part):
    """Another text that was tried on the same example, with the model's answer."""

    edits: list[EditRecord]
    label: str
    probability: float | None
    """The probability of ``label``; None for a number."""


class ShrunkRecord(_Part):
    """The fewest edits of a failing text that still break the model in the same way, and the resulting text."""

    fields: dict[str, str]
    edits: list[EditRecord]
    label: str | None = None
    """The texts by field name, as in :class:`Failure`."""
    shift: ShiftRecord | None = None
    after: PredictionRecord
    margin: float = 0.0
    reason: str = ""
    tested: int
    """The number of edits of the text that the check tested, at least the number of ``edits``."""
    queries: int
    """Texts that the model was asked about to find the fewest edits."""


class Failure(_Part):
    """A candidate that does not meet its expectation."""

    id: str
    """A content hash of check, example and change: the same failure has the same id in every run."""
    check: str
    example: str
    arm: str | None = None
    fields: dict[str, str]
    """The perturbed texts; for a step in embedding space, the source's texts."""
    edits: list[EditRecord] = []
    step: StepRecord | None = None
    label: str | None = None
    """The gold label of the perturbed text if its perturbation names one, else the gold label of the example. Gold
    spans are moved to their places after the edits; None if a gold span is no longer counted."""
    shift: ShiftRecord | None = None
    """The shift of the embedding, for a text if a score of the suite takes gradients; otherwise None."""
    before: PredictionRecord
    after: PredictionRecord
    right_before: bool | None = None
    """Whether the model is right about the unchanged text; None without a gold label."""
    right_after: bool | None = None
    """Whether the model is right about the perturbed text; None without a gold label."""
    margin: float = 0.0
    reason: str = ""
    queries: int | None = None
    """The number of texts of the example about which a search had asked the model when it found this failure; None
    without a search."""
    reproduce: str = ""
    """A command line that shows this failure alone."""
    review: Literal["valid", "invalid", "unsure"] | None = None
    """People's answer about the text that reports show: whether it reads naturally and means what the check assumes.
    None without a review."""
    tried: list[TriedRecord] = []
    """At most eleven other texts tried on the example, the strongest break first, so that a page can show them without
    the model. They are recorded for three failing examples of each check."""
    shrunk: ShrunkRecord | None = None
    """The failing text with the fewest edits, for failures that reports show first and whose edits are independent of
    each other. People review this text; the check counts only the text that it tested."""

    @property
    def shown(self) -> Failure:
        """The failure as reports show it: with the fewest edits if ``shrunk`` is known."""
        if self.shrunk is None:
            return self
        changed = ShrunkRecord.model_fields.keys() & Failure.model_fields.keys() - {"queries"}
        return self.model_copy(update={name: getattr(self.shrunk, name) for name in changed})

    @property
    def needed(self) -> str:
        """The number of tested edits that are shown, as in "1 of 12 edits"; empty if all edits are shown."""
        if self.shrunk is None or len(self.shrunk.edits) == self.shrunk.tested:
            return ""
        return f"{len(self.shrunk.edits)} of {self.shrunk.tested} edits"


class ResidualRecord(_Part):
    """Relative error bound of the λmax that Lanczos iterations computed: a true eigenvalue lies within it."""

    examples: int
    worst: float
    """The largest ‖G e − λ e‖ / λ, with G the Fisher information, λ the computed eigenvalue and e its eigenvector."""
    median: float

    @classmethod
    def of(cls, residuals: Sequence[float]) -> ResidualRecord | None:
        """Summarise the residuals of a run; None if there are none."""
        if not residuals:
            return None
        return cls(examples=len(residuals), worst=max(residuals), median=statistics.median(residuals))


class Record(_Part):
    """The record of a run: the model, the data, the checks and their failures."""

    schema_version: int = Field(default=SCHEMA, alias="schema")
    suite: str
    path: str = ""
    """The suite file, relative if possible."""
    command: str = ""
    """The command line that repeats the run; empty for a run of a script."""
    model: ModelRecord
    data: DataRecord
    environment: Environment
    seed: int
    started: str
    """ISO 8601, UTC."""
    duration_s: float = 0.0
    model_calls: int = 0
    """Texts sent to the model."""
    cached_calls: int = 0
    """Texts that the store answered from earlier runs; each text counts once."""
    gradient_calls: int = 0
    """Examples differentiated."""
    step_calls: int = 0
    """Forward passes from a moved embedding."""
    residual: ResidualRecord | None = None
    """The error bound of λmax; None if no λmax of this run was computed by iterations."""
    exit_code: int = 0
    inconclusive: Inconclusive | None = None
    """The option ``--inconclusive``: an inconclusive run exits with 1 for ``fail``, with 0 for ``pass``, with 6 for
    None."""
    interrupted: bool = False
    deselected: list[str] = []
    """Names of the suite's checks that were not run, because of ``-k``, ``-m``, ``--lf`` or ``suite.yaml::check``."""
    message: str = ""
    """The reason why the whole run had to stop; empty if it did not stop."""
    warnings: list[str] = []
    """Problems that did not stop the run, such as a store that could no longer be written."""
    verified: int = 0
    """Stored answers that ``--verify`` asked again and found unchanged."""
    summary: dict[str, int] = {}
    """Checks by outcome."""
    scores: list[ScoreRecord] = []
    selection: SelectionRecord = SelectionRecord()
    examples: list[ExampleRecord] = []
    """The selected examples and the examples of checks; all usable examples if nothing was selected. ``results.json``
    has the examples of its failures; the database has all, and every list of example ids."""
    database: DatabaseRecord | None = None
    """The file with the rows of the run; None if this file holds them, as a baseline does."""
    checks: list[CheckRecord] = []
    failures: list[Failure] = []
    """The failing candidates: the first hundred of each check in ``results.json``, all of them in the database."""
    causes: list[CauseRecord] = []
    """The few kinds of edits that explain most failures, the most certain first."""
    edits: list[EditCounts] = []
    """For each check, the hundred edits that broke the model most often; they are stored in the database."""
    slices: list[SliceRecord] = []
    """The slices, in the suite's order."""
    reach: list[ReachRecord] = []
    """How many tested examples the model breaks on, by arm; checks compared with the model's own noise do not count."""
    lock: str | None = None
    """The fingerprint of the lock file whose texts were tested; None without one."""
    margin: float | None = None
    """The tolerated loss against a baseline, from the suite or the command line; None if neither names one."""
    one_label: bool = False
    """Whether the suite allows data with only one gold label; a baseline may then be replaced on such data."""
    comparisons: list[Comparison] = []
    """The comparison with each baseline, in the order of the command line."""
    attribution: AttributionRecord | None = None
    """How the importance of words was computed; None if the suite does not ask for it."""
    sections: list[Section] = []
    """Sections of plugins: sentences, tables and figures, by name."""
    _table: ExampleTable | None = PrivateAttr(None)
    _file: Path | None = PrivateAttr(None)

    def __eq__(self, other: object) -> bool:
        """Compare what two records say, wherever they lie."""
        return isinstance(other, Record) and super(Record, self.kept_in(None)).__eq__(other.kept_in(None))

    @property
    def file(self) -> Path | None:
        """The file that holds this record; None for a record in memory."""
        return self._file

    def kept_in(self, file: Path | None) -> Record:
        """Return a copy of the record with the path of its file; None for a record that is only in memory."""
        copy = self.model_copy()
        copy._file = file
        return copy

    @property
    def table(self) -> ExampleTable:
        """All usable examples in the data's order, read row by row since they may not fit into memory.

        The columns are the fields of :class:`ExampleRecord` except ``importance``, with ``fields.NAME`` and
        ``scores.NAME`` in place of the mappings.
        """
        if self._table is None:
            return ExampleRows([each.model_dump() for each in self.examples])
        return self._table

    def every_example(self) -> Iterator[ExampleRecord]:
        """Read all usable examples, in the data's order, without the importance of words.

        Raises:
            UsageError: The file of all examples is missing or malformed.
        """
        if self._table is None:
            yield from self.examples
        else:
            yield from map(ExampleRecord.model_validate, nested(self._table))

    def look_up(self, ids: Collection[str]) -> dict[str, ExampleRecord]:
        """Find usable examples by id, whether a check tested them or not.

        Raises:
            UsageError: An example was not tested, and the file of all examples is missing or malformed.
        """
        found = {each.id: each for each in self.examples if each.id in ids}
        if self._table is not None and len(found) < len(set(ids)):
            others = (each for each in self.every_example() if each.id in ids)
            found |= {each.id: each for each in others if each.id not in found}
        return found

    def with_table(self, table: ExampleTable) -> Record:
        """Return a copy with a table of all usable examples, if the table holds more than ``examples``."""
        found = self.model_copy()
        found._table = table if len(table) > len(self.examples) else None
        return found

    @property
    def left_out(self) -> tuple[int, int]:
        """The largest numbers of examples that any check left out: wrong before any edit, and without a gold label."""
        return max((each.wrong_before for each in self.checks), default=0), max(
            (each.unlabelled for each in self.checks), default=0
        )

    @property
    def symbols(self) -> dict[str, str]:
        """Name to symbol, for the scores that reports show beside an example."""
        return {score.name: score.symbol for score in self.scores if score.symbol}

    @property
    def rows(self) -> Database:
        """The database beside the file of a record that was loaded without its rows.

        Raises:
            UsageError: The record names no database, since its file holds all rows.
        """
        if self._file is None or self.database is None:
            raise UsageError(
                f"{self._file or 'the record'} has no database: the file itself holds all rows, as a baseline does. "
                "Name the results.json that 'robustfim run' wrote."
            )
        return Database(self._file.with_name(self.database.file), self.database.run)

    def dump_text(self, path: Path) -> Path:
        """Write the record as one JSON file with all its rows, which Git can compare.

        Args:
            path: The file; an existing file is replaced.

        Raises:
            OSError: The file cannot be written; an existing file is left unchanged.
        """
        return write_text(path, self, self._table)

    @classmethod
    def load(cls, path: Path, *, rows: bool = True) -> Record:
        """Read a record.

        Args:
            path: A ``results.json``, or the folder that holds it.
            rows: Whether to read all rows, which needs the database. If not, the record has the first hundred failures
                of each check, their examples, and no other list of examples.

        Raises:
            UsageError: The file or its database does not exist, is not a record, or was written by a newer robustfim.
        """
        path = path / "results.json" if path.is_dir() else path
        hint = "'robustfim run SUITE' writes one."
        file = Completed(path, rows=rows)
        record = read_versioned(
            path, cls, key="schema", version=SCHEMA, what="run record", hint=hint, until=UNTIL, complete=file.content
        ).kept_in(path)
        return record if file.table is None else record.with_table(file.table)
