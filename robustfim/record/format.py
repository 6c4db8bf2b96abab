"""The run record: everything a run found. Every report is a view of it.

Written as ``reports/<suite>/results.json``. A number that is not defined is ``null``; NaN and infinity
never reach the file.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field, PlainSerializer, PrivateAttr, computed_field, model_validator

from robustfim.exhibit import Section
from robustfim.outcome import Inconclusive, Outcome
from robustfim.prediction import Prediction
from robustfim.record.association import AssociationRecord
from robustfim.record.card import Card
from robustfim.record.comparison import Comparison
from robustfim.record.example_file import ExampleFile, write_example_file
from robustfim.record.example_table import ExampleRows, ExampleTable, nested
from robustfim.record.part import PART
from robustfim.record.versioned_file import read_versioned
from robustfim.statistics import Interval, Rate, percent
from robustfim.statistics.estimand import DIFFERENCE, MEAN, SHARE, Estimand
from robustfim.whole_file import write_json

__all__ = [
    "LABEL_KEPT",
    "SCHEMA",
    "WITHOUT_NUMBERS",
    "AreaRecord",
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
    "EditCounts",
    "EditRecord",
    "Environment",
    "ErrorRecord",
    "EstimateRecord",
    "ExampleRecord",
    "ExamplesRecord",
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

SCHEMA = 1
"""The version of the format; a reader refuses a newer one."""

WITHOUT_NUMBERS = "the model gave no finite numbers"
"""Why an example was left out that the model answered with NaN or infinity."""


def _written(rate: Rate) -> dict[str, Any]:
    return {"count": rate.count, "tested": rate.tested, "rate": rate.rate, "interval": rate.interval}


LABEL_KEPT = ("invariant", "correct")
"""The expectations of a text whose gold label stays."""

RateField = Annotated[Rate, PlainSerializer(_written)]
"""A rate, in the file with what its counts say."""


class _Part(BaseModel):
    model_config = PART


class PluginRecord(_Part):
    """One plugin that took part."""

    name: str
    version: str | None = None
    """The version of its distribution; None for a local file."""
    sha256: str | None = None
    """The hash of a local plugin file; None for an installed one."""


class Environment(_Part):
    """What the run ran on."""

    robustfim: str
    python: str
    packages: dict[str, str] = {}
    """Versions of the libraries that decide numbers: torch, transformers, numpy…"""
    plugins: list[PluginRecord] = []
    device: str | None = None


_SHARES = (0.15, 0.05, 0.02)
"""Shares of changed answers of which is told how likely a sample shows one."""


class AskedAgainRecord(_Part):
    """Stored answers that were asked again: of a model that may say something else under the same fingerprint."""

    stored: int
    """Stored answers that the run used, or would have used."""
    asked: int
    """Those of them, drawn at random, that the model was asked again, before they were believed."""
    differing: int = 0
    """Those of them to which it now says something else."""
    noisy: int = 0
    """Those of them to which it said something else again when all were asked once more, since some differ."""
    flipped: int = 0
    """Those of them whose likeliest label, or first answer, was then another one."""
    changed: bool = False
    """Whether the model changed, or decided otherwise: stored answers were put aside, and everything was asked anew."""
    generation: int = 0
    """How often answers under this fingerprint were put aside, in this run and before."""
    seed: int
    """What drew them; another one in each run."""

    @property
    def unasked(self) -> bool:
        """Whether stored answers were believed without a single question, as with ``--offline``."""
        return self.stored > 0 and self.asked == 0

    @property
    def sentence(self) -> str:
        """What came of it, and what so many answers can see."""
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
    """How often a model decides otherwise when it is asked again about the same text."""

    texts: int
    """Unchanged texts that were asked again."""
    again: RateField
    """Of the further answers to them those that decide otherwise than the first."""

    @property
    def sentence(self) -> str:
        """How much of what changes is its own."""
        asked = f"{self.again.tested:,} further answers to {self.texts:,} unchanged texts"
        return f"{self.again.count:,} of {asked} differ from the first, {percent(self.again.rate, self.again.interval)}"


class ThresholdRecord(_Part):
    """A threshold that was set on data of its own."""

    label: str
    """The label that is decided for where its probability reaches the threshold."""
    at: float
    """The threshold, in (0, 1)."""
    fpr: float
    """The share of texts without the label that was to reach it at most, in expectation."""
    alarms: int
    """Texts that reach it, of ``texts``."""
    texts: int
    """Texts without the label."""
    interval: Interval
    """95 % interval of the share of all such texts that reaches it."""

    @property
    def sentence(self) -> str:
        """What was set, and what it reaches."""
        low, high = (f"{100 * end:.2g}" for end in self.interval)
        return (
            f"{self.label} from {self.at:.4g} on, where {self.alarms:,} of {self.texts:,} texts without it are: "
            f"{low} to {high} % of all such texts"
        )


_UNCLAIMED = 4
"""Labels that a tagger never finds which are named; how many more there are is said."""


class ModelRecord(_Part):
    """The model under test."""

    use: str
    options: dict[str, Any] = {}
    fingerprint: str | None = None
    """None when the model could not be loaded."""
    labels: list[str] = []
    """Empty for a model that answers in its own words."""
    asked_again: AskedAgainRecord | None = None
    """None for a model whose fingerprint decides all that it says: weights and vocabulary are hashed into it."""
    noise: NoiseRecord | None = None
    """How often it answers an unchanged text otherwise; None without ``repeat``."""
    accuracy: float | None = None
    """Share of the labelled examples predicted right, on all usable data."""
    accuracy_interval: Interval | None = None
    """95 % Wilson interval of ``accuracy``."""
    labelled: int = 0
    """Those labelled examples."""
    unlabelled: int = 0
    """Usable examples of the data without a gold label, which ``accuracy`` says nothing of."""
    unclaimed: dict[str, int] = {}
    """How many gold spans of each label were left out, since a tagger found no span of the label in any text."""
    gold: list[str] = []
    """The gold labels that the labelled ones have; empty where the model answers in its own words."""
    majority: float | None = None
    """Share of them that have the commonest gold label: what always giving that one answer would get right."""
    association: AssociationRecord = AssociationRecord()
    threshold: ThresholdRecord | None = None
    """How data set the threshold of the model's decisions; None where the suite says it, or there is none."""

    @property
    def labelled_text(self) -> str:
        """What stands beside the accuracy where labels are missing, all are one, or not claimed, else empty.

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
"""Texts whose second half moved nothing before it is said: one or two may have nothing to say there."""


class WindowRecord(_Part):
    """How much of its texts the model reads."""

    told: bool = True
    """Whether the model says what it reads of a text."""
    partly: int = 0
    """Examples that it reads in part, as far as it says so."""
    probed: int = 0
    """Where it says nothing: the longest texts, asked about without their second half."""
    unread: int = 0
    """Those of them whose probabilities did not move: it seems to read no more than their beginning."""

    @property
    def sentence(self) -> str:
        """What a reader has to know of it; empty where nothing is."""
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
    """None where the model could not be asked."""


class AreaRecord(_Part):
    """How well a score ranks the examples that fail at least one check before the others; steps do not count."""

    examples: int
    """Tested examples for which the score is defined."""
    failing: int
    """Those of them that fail."""
    auroc: float | None = None
    """The probability that one that fails is ranked as harder than one that does not; None without both kinds."""
    interval: Interval | None = None
    """By Newcombe's score method, at 95 %, with clusters as the independent examples they are worth; of a pilot for all
    of its scores together."""


class PilotRecord(_Part):
    """The random examples on which the run learned which score selects. They are not judged."""

    examples: list[str] = []
    """Their ids."""
    tested: int = 0
    """Those of them that at least one check tested."""
    failing: int = 0
    """Those that fail at least one check."""
    calls: int = 0
    """Texts sent to the model for it."""
    scores: dict[str, AreaRecord] = {}
    """By name, the best first. The first is the highest of several, so on other examples it may be lower."""
    message: str = ""
    """Why nothing could be learned; then the suite's first score selects."""


class CostRecord(_Part):
    """What one score asked of the model, on its own, for the examples that were not in the store."""

    examples: int
    """Examples that were scored anew."""
    calls: int = 0
    """Texts sent to the model, beside the predictions that every run makes."""
    gradients: int = 0
    """Examples differentiated; those that another score asked for before it, too."""
    steps: int = 0
    """Forward passes from a moved embedding."""

    @property
    def each(self) -> float | None:
        """Forward passes an example, a gradient counting as three: its backward pass costs two; None without any."""
        return (self.calls + self.steps + 3 * self.gradients) / self.examples if self.examples else None


class ScoreRecord(_Part):
    """One difficulty score."""

    name: str
    hardest: Literal["highest", "lowest"]
    symbol: str = ""
    """How its numbers are named where they are shown beside an example; empty where they are not."""
    undefined: int = 0
    """Examples for which the score is not a finite number."""
    infinite: int = 0
    """Those of them for which it is infinite, such as those that no step within its bound changes."""
    message: str = ""
    """Why the score could not be computed; empty when it was."""
    broken: bool = False
    """Whether that is a defect of its plugin rather than something the model cannot offer."""
    cost: CostRecord | None = None
    """None where it was not computed."""
    area: AreaRecord | None = None
    """On the control arm, or on all tested examples where there are no arms; None where it was not computed."""


class SelectionRecord(_Part):
    """How the tested examples were chosen."""

    by: str | None = None
    """The score that chose the difficult arm, or ranked the strata; None when none did."""
    difficult: int = 0
    control: int = 0
    strata: dict[str, int] = {}
    """Examples of the data in each stratum, the hardest first; empty where the draw is not stratified."""
    drawn: dict[str, list[str]] = {}
    """The ids of those that were drawn from each, likewise."""
    right: dict[str, int] = {}
    """Drawn examples of each arm or stratum that the model is right about before any edit: those that can break. Empty
    without gold labels."""
    of_baseline: bool = False
    """Whether the examples are those that the baseline drew, which ``--baseline`` tests again."""
    testable: int | None = None
    """Each check drew from the control arm until so many could be tested; None where all of the arm was drawn."""
    threshold: float | None = None
    """The score of the last example in the difficult arm."""
    pilot: PilotRecord | None = None
    """How ``by`` was learned; None where the suite names it."""


class WordRecord(_Part):
    """How much one word, or another token, speaks for the predicted label."""

    field: str
    start: int
    end: int
    value: float
    """What it adds to the margin of the predicted label, in logits; negative where it speaks against it."""


class ImportanceRecord(_Part):
    """How much each word of an example speaks for the predicted label. The values sum to ``change + delta``."""

    words: list[WordRecord] = []
    change: float | None = None
    """The margin of the example minus the margin at the baseline, in logits; None where it is not finite."""
    delta: float | None = None
    """The convergence delta: by how much the values miss ``change``."""


class AttributionRecord(_Part):
    """How the importance of words was computed."""

    options: dict[str, Any] = {}
    """Those of the suite."""
    calls: int = 0
    """Points at which the model was differentiated: several an example."""
    message: str = ""
    """Why the examples that fail have none; empty when they have."""


class ExampleRecord(_Part):
    """One usable example."""

    id: str
    fields: dict[str, str]
    label: str | None = None
    prediction: str | None = None
    """The label, or the answer in the model's own words."""
    probabilities: list[float] | None = None
    """In the order of the model's labels; of an answer in its own words that of the answer alone."""
    correct: bool | None = None
    """Whether the prediction is right: the gold label, or an answer that is accepted; None without a gold label."""
    again: tuple[int, int] | None = None
    """With ``repeat``, how many of the further answers to the unchanged text are right, and all; None without."""
    cluster: str | None = None
    """What it shares with examples that are not independent of it; None for one that stands alone."""
    arm: Literal["difficult", "control", "all"] | None = None
    """None for an example that was scored and not tested."""
    scores: dict[str, float | None] = {}
    infinite: list[str] = []
    """The scores that are infinite, where ``scores`` has ``null``: no step within the bound changes the label."""
    importance: ImportanceRecord | None = None
    """None where it was not computed."""

    @property
    def steady(self) -> bool | None:
        """Whether most of all answers are right, of as many right as wrong ones the first; None where asked once."""
        if self.again is None or self.correct is None:
            return None
        right, asked = self.again[0] + self.correct, self.again[1] + 1
        return self.correct if 2 * right == asked else 2 * right > asked


class ExamplesRecord(_Part):
    """The file of all usable examples, beside the record: SQLite, with a table ``examples``."""

    file: str = Field(pattern=r"^[^/\\]+\.sqlite$")
    rows: int


class CandidateCounts(_Part):
    """What became of the candidates of a check.

    ``proposed`` = ``unchanged`` + ``duplicate`` + all of ``rejected`` + ``undefined`` + ``not_applicable``
    + ``tested``.
    """

    edits: int = 0
    """Single edits that the perturbation listed, before they were combined into candidates."""
    edits_rejected: dict[str, int] = {}
    """Single edits that a constraint refused, by constraint and reason."""
    proposed: int = 0
    unchanged: int = 0
    duplicate: int = 0
    """The same text was proposed before for the same example."""
    rejected: dict[str, int] = {}
    """By constraint and reason."""
    undefined: int = 0
    """The model gave no finite numbers for it."""
    not_applicable: int = 0
    """The expectation does not apply to it, or it changes nothing that the model reads."""
    outside: int = 0
    """Those of them that change nothing that the model reads."""
    not_applicable_moved: int = 0
    """Texts to which the expectation does not apply, and whose probabilities differ from their example's."""
    tested: int = 0
    """Judged passed or failed."""
    failed: int = 0
    unmoved: int = 0
    """Tested texts that differ from their example's, and whose probabilities are exactly the same."""
    queries: int = 0
    """Texts that a search asked about; 0 where nothing searched."""


class TailRecord(_Part):
    """Which side of its limit a rate lies on, before any correction for many checks."""

    side: Outcome
    p_value: float
    towards: Outcome = Outcome.INCONCLUSIVE
    """The side with the most evidence, however little."""
    evidence: float = 0.0
    """How much of the evidence it has that makes it certain, in [0, 1]: its logarithm, as a share."""


class BudgetRecord(_Part):
    """A check that stopped as soon as its verdict was certain."""

    most: int
    """Examples it would have drawn at most."""
    drawn: int
    """Examples it drew, in a random order."""
    saved: int
    """About how many candidates it did not have to test."""
    tails: dict[str, TailRecord] = {}
    """The strongest evidence of all looks, for each arm with a limit of its own; under "" for a limit on all."""
    interval: Interval | None = None
    """Of strata, of several arms, and of the file alone: the confidence sequence, 95 %, of what they stand for."""


class EstimateRecord(_Part):
    """The failure rate among all testable examples, each arm weighted by what it stands for."""

    rate: float
    interval: Interval
    """95 %, stratified; it counts how few were tested, and how few may be testable."""
    examples: int
    """Usable examples of the data."""
    of: Literal["population", "file"] = "population"
    """Whether it is the rate of what the data were drawn from, or of the data themselves."""


class ValidityRecord(_Part):
    """What people, who looked at a random sample of a check's failing examples, leave of its failure rate."""

    failing: int
    """Examples with at least one failing text; steps cannot be looked at."""
    valid: int = 0
    """Looked at: a failing text of theirs reads as something people write, and means what the check says."""
    invalid: int = 0
    """Looked at: none of their failing texts does."""
    unsure: int = 0
    """Looked at: people could not tell."""
    rate: float
    """Tested examples that fail validly, in [0, 1]."""
    interval: Interval
    """95 %; it counts the sampling of the examples and of the answers."""

    def told(self, rate: float) -> str:
        """Write a raw rate beside the corrected one.

        Args:
            rate: Tested examples that fail, in [0, 1].
        """
        looked = self.valid + self.invalid + self.unsure
        unsure = f", {self.unsure} unsure" if self.unsure else ""
        return (
            f"{percent(rate)} fail, {percent(self.rate, self.interval)} validly: "
            f"{self.valid} of {looked} failing examples looked at are valid{unsure}, of {self.failing}"
        )


class ArmRecord(_Part):
    """A check's result on one arm."""

    drawn: int = 0
    """Examples that were drawn."""
    wrong_before: int = 0
    """Those of them that the model is wrong about before any edit, where the check counts broken examples: they are
    not perturbed."""
    unlabelled: int = 0
    """Likewise those without a gold label, among others that have one."""
    tested: int
    """Examples with at least one judged candidate."""
    failing: int
    """Examples that fail: with at least one failing candidate, where the check's ``fails`` says nothing else."""
    rate: float | None = None
    """``failing / tested``; of a check that takes a mean that of the arm, of arms that represent the data unequally the
    rate of what they stand for."""
    interval: Interval | None = None
    """95 %: Wilson's, of clusters Gaffke's bounds, with a budget a confidence sequence."""
    limit: float | None = None
    """The arm's own limit; None when the check's limit is for all arms together."""
    effective: float | None = None
    """As many independent examples the tested ones are worth, which lie in clusters; None where all are independent."""

    @model_validator(mode="before")
    @classmethod
    def _counted(cls, given: Any) -> Any:
        """Add the rates that are those of the counts."""
        tested = given.get("tested") if isinstance(given, dict) else None
        rates = {"rate": "failing", "rate_before": "before"} if tested else {}
        return given if not rates else {name: given.get(of, 0) / tested for name, of in rates.items()} | given

    @property
    def at_risk(self) -> int:
        """Those of the drawn that a candidate can fail."""
        return self.drawn - self.wrong_before - self.unlabelled


class ErrorRecord(ArmRecord):
    """One of two kinds of error of a decision for a label: texts with it that are missed, others that raise an alarm.

    A text that is decided wrongly before any change counts as wrong after it. Of one of several labels also on how many
    texts that were right an edit breaks it, or on how many it changes it. Of a slice with a limit, the tested ones in
    it that fail.
    """

    label: str | None = None
    """The label, where several are decided for."""

    before: int = 0
    """Tested examples that are wrong before any change, of ``failing``."""
    rate_before: float | None = None
    """What is wrong before them, as ``rate`` after the edits."""
    unchanged: int | None = None
    """With ``repeat``, how many of them are wrong in as many further answers to the unchanged text; ``rate`` is the
    difference then. None without it."""
    at: float | None = None
    """The threshold, where it is not the rule's: that which 1 % of all usable texts without the label reach."""
    examples: list[str] = []
    """Ids of the tested examples that can be wrong in this way."""
    wrong: list[str] = []
    """Ids of those that are, before any change or after one."""

    @property
    def weighted(self) -> bool:
        """Whether its rate is that of what arms stand for, and not of the counts."""
        if self.rate is None or self.unchanged is not None:
            return False
        return not math.isclose(self.rate, self.failing / self.tested)


class RecallRecord(_Part):
    """How many gold spans of a label a tagger finds with label and both ends, over all candidates of a check.

    Spans of one example, or of one cluster, are not independent; the intervals are those of clusters.
    """

    label: str
    before: RateField
    """In the source texts."""
    after: RateField
    """In the source texts and in the perturbed ones, of the same spans."""
    left: int = 0
    """Spans that an edit replaced by something else, which are in neither count."""

    @property
    def told(self) -> str:
        """Both in one line."""
        left = f" ({self.left:,} replaced, not counted)" if self.left else ""
        return f"{self.label} found {percent(self.before.rate)} before, {self.after} after{left}"


class ReachRecord(_Part):
    """On how many examples of an arm the model breaks, over all checks.

    A failing example counts once: as broken by a text where any text breaks it, as wrong where the model was wrong
    about it before any change.
    """

    arm: Literal["difficult", "control", "all"]
    rate: RateField
    """Those that a changed text breaks, of those that at least one check tested."""
    by_step: int
    """Those that only a step in embedding space breaks."""
    by_yardstick: int = 0
    """Those that a changed text breaks only where it was not meant to keep the meaning."""
    wrong: int
    """Those with a failure that were predicted wrong before any change."""

    @property
    def failing(self) -> int:
        """Examples with any failure."""
        return self.rate.count + self.by_step + self.by_yardstick + self.wrong


class GapRecord(_Part):
    """The two groups of examples that a check compares; with ``repeat`` one group, perturbed and asked again."""

    groups: dict[str, RateField]
    """Failing among tested examples: of the group that may fail more, then of the one it is compared with."""
    effective: list[float | None] = []
    """For each group, as of an arm; empty where all examples are independent."""
    alone: list[int] = []
    """Of one group of examples that is counted twice those that fail on the first side alone, and on the second."""
    answers: int = 0
    """Then how many answers to each example either side is judged by, at most."""


class Counted(_Part):
    """One check: what the suite says of it, and what was counted."""

    id: str
    """``sentiment.yaml::synonyms``."""
    name: str
    perturbation: dict[str, Any] = {}
    """The ``perturb`` part of the suite, with ``use``."""
    yardstick: bool = False
    """Whether its perturbation is a measure for others, whose texts are not meant to keep the meaning."""
    card: Card | None = None
    """What readers found of the perturbation's texts, on other texts than these; None where nobody has read any.
    Whether the expectation holds is left out where the check expects something else than they were asked about."""
    constraints: list[Any] = []
    resources: dict[str, str] = {}
    """What its texts depend on beside these settings: taggers, lexicons, files, each with a version or a hash."""
    expectation: dict[str, Any] = {}
    counts: Literal["broken", "changes"] | None = None
    """How failing examples are counted: ``broken``, of those that were right those that an edit makes wrong;
    ``changes``, those whose answer changes, right or wrong; None where being wrong, or anything else, counts."""
    wrong_before: int = 0
    """Drawn examples that the model is wrong about before any edit: no candidate can break them."""
    unlabelled: int = 0
    """Likewise those without a gold label, among others that have one."""
    fails: dict[str, Any] = {"use": "any"}
    """Which example fails, by its candidates: the reducer, with its options."""
    limit: float | dict[str, float] | None = None
    """The tolerated rate, or one for each arm."""
    limit_of_valid: bool = False
    """Whether the limit is for the rate of failures that people call valid: ``limit: {valid: 0.1}``."""
    limit_of_file: bool = False
    """Whether the limits ask of the data alone, not of the population that they were drawn from: ``of: file``."""
    marks: list[str] = []
    capability: str | None = None
    """What the model must be able to do: a row of the matrix."""
    type: Literal["MFT", "INV", "DIR"] | None = None
    """Minimum functionality, invariance or directional: a column of the matrix."""
    path: str | None = None
    line: int | None = None
    """Where the suite says it."""
    tested: int = 0
    """Examples with at least one judged candidate."""
    failing: int = 0
    """Examples that fail: with at least one failing candidate, where the check's ``fails`` says nothing else."""
    rate: float | None = None
    """``failing / tested``; of a check that compares two groups the difference of their rates, in [−1, 1]; with
    ``numbers`` their mean."""
    numbers: dict[str, float] | None = None
    """Where ``fails`` takes a mean, by how much each example fails that does, by id: in (0, 1], 0 for the others."""
    interval: Interval | None = None
    """95 % interval of ``rate``: Wilson's; of clusters and of a mean Gaffke's bounds, whatever the distribution; with a
    budget a confidence sequence; of a difference Newcombe's, with ``repeat`` Tango's."""
    gap: GapRecord | None = None
    """What a check that compares two groups compared; None for any other."""
    clusters: int | None = None
    """Clusters that the tested examples lie in; None where all are independent."""
    effective: float | None = None
    """As many independent examples the tested ones are worth, as an estimate that plans use; None where all are."""
    budget: BudgetRecord | None = None
    arms: dict[str, ArmRecord] = {}
    errors: dict[str, ErrorRecord] = {}
    """``missed`` and ``false_alarm``, where a rule decides for or against a label and the examples have gold labels;
    with 100 texts without the label also ``missed_at_1_percent``, at the threshold of 1 % false alarms (0 tested where
    scores tie, so that no threshold reaches 1 %). Of several labels each by its name, ``missed toxic``, and
    ``broken toxic`` or ``changed toxic`` as ``counts`` says. And each slice that has a limit, ``slice short``."""
    examples: list[str] = []
    """Ids of the tested examples, in the data's order; those that fail are in the record's failures."""
    partners: dict[str, str] = {}
    """Where each tested text is another example of the data, such as a mirror: the tested example's id to the other's.
    A failure is one of both."""
    recall: list[RecallRecord] = []
    """Of a tagger, how many gold spans it finds before and after, by label."""
    partly: int = 0
    """Tested examples that the model reads in part; 0 where it does not tell."""
    candidates: CandidateCounts = CandidateCounts()
    duration_s: float = 0.0
    message: str = ""
    """One sentence: why it failed, is inconclusive, was skipped, or is an error."""
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
        """What its failing examples do: fail, or change where changes are counted and not all of them are wrong."""
        return "change" if self.counts == "changes" else "fail"

    @property
    def estimand(self) -> Estimand:
        """What its rate estimates: a share of examples, a mean, or a difference."""
        return DIFFERENCE if self.gap is not None else SHARE if self.numbers is None else MEAN

    @property
    def groups(self) -> dict[str, Rate]:
        """The failing among the tested examples of what it compares, by name; empty for any other."""
        return {} if self.gap is None else dict(self.gap.groups)

    @property
    def net_of_noise(self) -> bool:
        """Whether its rate is what is left of its failures beyond what the model does to unchanged texts."""
        return self.gap is not None and bool(self.gap.alone)

    @property
    def parts(self) -> dict[str, ArmRecord]:
        """What can have a limit of its own: arms, and kinds of errors."""
        return {**self.arms, **self.errors}

    def errors_of(self, kind: str) -> dict[str, ErrorRecord]:
        """Give the errors of a kind by their names, one for each label where several are decided for.

        Args:
            kind: ``missed``, ``false_alarm`` or ``changed``.
        """
        return {
            name: each for name, each in self.errors.items() if name == (f"{kind} {each.label}" if each.label else kind)
        }

    @property
    def limited(self) -> dict[str, ArmRecord]:
        """What has one."""
        return {name: part for name, part in self.parts.items() if part.limit is not None}

    @property
    def gated(self) -> bool:
        """Whether anything of it has a limit."""
        return self.limit is not None or bool(self.limited)

    @computed_field  # type: ignore[prop-decorator]  # mypy has no word for a decorated property
    @property
    def unseen(self) -> bool:
        """Whether the model does not see the change: not one text that it was asked about moves its probabilities."""
        counts = self.candidates
        return 0 < counts.tested == counts.unmoved and not counts.not_applicable_moved

    @property
    def mostly_unmoved(self) -> bool:
        """Whether more than half of the candidates, and not all, move no probability."""
        return self.candidates.tested < 2 * self.candidates.unmoved < 2 * self.candidates.tested

    @property
    def by_card(self) -> str:
        """How many of the failing examples keep their label, and are natural, by the card; empty without both."""
        holding = "keep the label" if self.expectation.get("use") in LABEL_KEPT else "keep what is expected"
        return "" if self.card is None or not self.failing else self.card.of_failures(self.failing, holding)

    @property
    def recalled(self) -> list[str]:
        """The recall of each label that a tagger ever finds, in words."""
        return [each.told for each in self.recall if each.before.count or each.after.count]

    @property
    def caveats(self) -> list[str]:
        """What stands beside the rate: texts that are read in part, and candidates that moved nothing, if most."""
        said, counts = [], self.candidates
        if self.partly:
            said.append(f"{self.partly:,} of {self.tested:,} texts are read in part")
        if self.mostly_unmoved:
            said.append(f"{counts.unmoved:,} of {counts.tested:,} candidates move no probability")
        return said


class CheckRecord(Counted):
    """One check and how it ended."""

    outcome: Outcome
    p_value: float | None = None
    """One-sided p-value of the verdict's side, corrected over the suite where it fails the run, else as it is (a check
    passes at 2.5 % each, since all of them have to): exact binomial, of clusters and of a mean by Gaffke's bound, from
    arms and strata that of the estimate, with a budget anytime-valid, of a difference that of the score test; of a
    limit for valid failures the posterior probability of the other side."""
    needed: int | None = None
    """About how many more testable examples decide an inconclusive verdict in 80 % of cases, were this the true rate;
    None: none would."""
    needed_rows: int | None = None
    """About how many more rows hold so many; None where all that were drawn could be tested."""
    estimate: EstimateRecord | None = None
    """The rate of all that the arms stand for; None where one is missing, or the tested examples are a plain sample."""
    validity: ValidityRecord | None = None
    """The rate of valid failures; None where nobody has looked at any."""

    @property
    def by_review(self) -> str:
        """What people who looked at failures leave of the rate; empty where nobody has."""
        return "" if self.validity is None or self.rate is None else self.validity.told(self.rate)

    @property
    def compared(self) -> float | None:
        """The rate that the limit is for: of valid failures, of all that the arms stand for, or of what was tested."""
        if self.limit_of_valid and self.validity is not None:
            return self.validity.rate
        return self.rate if self.held is None else self.held.rate

    @property
    def held(self) -> EstimateRecord | None:
        """The estimate that the limit is held against; None where it is held against what was tested."""
        plain = isinstance(self.limit, float) and self.limit > 0 and not self.limit_of_valid
        return self.estimate if plain else None


class SliceRecord(_Part):
    """A part of the data, told apart by what its examples are."""

    name: str
    definition: dict[str, Any] = {}
    """The suite's words for it."""
    examples: int = 0
    """Usable examples in it."""
    members: list[str] = []
    """Ids of those that at least one check tested."""
    accuracy: RateField
    """Right predictions among its labelled examples, unperturbed."""
    failures: RateField
    """Examples that fail at least one check, among those that at least one check tested. Arms and strata count for what
    they stand for; with a check that takes a mean, the mean of the largest number of each example."""
    checks: dict[str, RateField] = {}
    """The same for each check but those held against the model's own noise, which ``failures`` leaves out, too."""


class EditRecord(_Part):
    """One replacement, in the source example's text."""

    field: str
    start: int
    end: int
    before: str
    after: str
    origin: str = ""


class EditCounts(_Part):
    """How often one edit was tried in a check, and how often it broke; a text with several edits counts for each."""

    check: str
    before: str
    after: str
    tried: int
    broken: int


class CauseRecord(_Part):
    """A kind of edit that breaks the model far more often than what else its check tries.

    One half of the examples chose it, the other half proved it; the rates are those of both. Of each example one text
    counts, drawn at random from those inside, and one from those elsewhere.
    """

    check: str
    edit: str
    """What the edit does: ``"film" -> "movie"``."""
    where: str = ""
    """What stands beside it, or holds of its text: ``in "n't"``; empty for everywhere."""
    inside: RateField
    """Examples that break, of those with such an edit."""
    elsewhere: RateField
    """Examples that break under the check's other edits."""
    others: bool = False
    """Whether ``elsewhere`` is the other checks, since nearly all edits of this one are such."""
    p_value: float
    """Of the half that proves it, with Holm's correction over the rules that it tests."""
    failures: list[str] = []
    """Ids of at most twenty failing texts with such an edit, those to read first at the top."""

    @property
    def sentence(self) -> str:
        """The cause in a line."""
        inside, rest = self.inside, self.elsewhere
        other = " in the other checks" * self.others
        rates = f"breaks {inside.count:,} of {inside.tested:,}, elsewhere{other} {rest.count:,} of {rest.tested:,}"
        return f"{self.edit}{' ' * bool(self.where)}{self.where}: {rates}"


class StepRecord(_Part):
    """One step in embedding space."""

    direction: str
    norm: float


class ShiftRecord(_Part):
    """How a perturbed text moves the embedding of its source."""

    norm: float
    """Euclidean, over all tokens together, in units of the embedding."""
    cosine: float | None = None
    """With the top eigenvector of the Fisher information at the source; None where one of the two is 0."""


class PredictionRecord(_Part):
    """A label and the probabilities behind it, in the order of the model's labels.

    Of an answer in the model's own words, and of what a rule decides: the answer or decision, and its probability
    alone; of an abstention, that of the likeliest label; of a number, none.
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
        """The largest probability that is told, in [0, 1]; None of a number, and where a tool told none."""
        return max(self.probabilities, default=None)

    def told(self, form: str = ".2f") -> str:
        """The label with its probability, where one is told."""
        return self.label if self.confidence is None else f"{self.label} {self.confidence:{form}}"


class TriedRecord(_Part):
    """Another text that was tried on the same example, and what the model says of it."""

    edits: list[EditRecord]
    label: str
    probability: float | None
    """Of ``label``; None of a number."""


class ShrunkRecord(_Part):
    """The fewest edits of a failing text that still break the model at the same target, and the text that they make."""

    fields: dict[str, str]
    edits: list[EditRecord]
    label: str | None = None
    """As of :class:`Failure`."""
    shift: ShiftRecord | None = None
    after: PredictionRecord
    margin: float = 0.0
    reason: str = ""
    tested: int
    """Edits of the text that the check tested, at least as many."""
    queries: int
    """Texts that were asked about to find it."""


class Failure(_Part):
    """One candidate that did not meet its expectation."""

    id: str
    """A content hash of check, example and change: the same failure has the same id in every run."""
    check: str
    example: str
    arm: str | None = None
    fields: dict[str, str]
    """The perturbed texts (the source's own for a step)."""
    edits: list[EditRecord] = []
    step: StepRecord | None = None
    label: str | None = None
    """The gold label of the perturbed text, where its perturbation names one; else it is the example's. Gold spans are
    where the edits have put them, and None where one of them left the count."""
    shift: ShiftRecord | None = None
    """Of a text, where a score of the suite takes gradients; None elsewhere."""
    before: PredictionRecord
    after: PredictionRecord
    margin: float = 0.0
    reason: str = ""
    queries: int | None = None
    """Texts of the example that a search had asked about when it found this one; None where nothing searched."""
    reproduce: str = ""
    """A command line that shows this failure alone."""
    review: Literal["valid", "invalid", "unsure"] | None = None
    """What people say of the text: whether it reads as something people write, and means what the check says. None
    where nobody has looked at it."""
    tried: list[TriedRecord] = []
    """At most eleven other texts of the example, what breaks the model most first; only of the three failing examples
    of a check that a reader should see first, so that a page can show them without the model."""
    shrunk: ShrunkRecord | None = None
    """Of a pair that reports show first, where its edits do not depend on one another. The check counts the text that
    it tested, never this one."""

    @property
    def shown(self) -> Failure:
        """The failure as reports show it: with the fewest edits, where they are known."""
        if self.shrunk is None:
            return self
        changed = ShrunkRecord.model_fields.keys() & Failure.model_fields.keys() - {"queries"}
        return self.model_copy(update={name: getattr(self.shrunk, name) for name in changed})

    @property
    def needed(self) -> str:
        """How many of the tested edits are shown, as in "1 of 12 edits"; empty where all are."""
        if self.shrunk is None or len(self.shrunk.edits) == self.shrunk.tested:
            return ""
        return f"{len(self.shrunk.edits)} of {self.shrunk.tested} edits"


class ResidualRecord(_Part):
    """How exact the λmax are that Lanczos iterations computed: an eigenvalue lies within this share of each."""

    examples: int
    worst: float
    """The largest ‖G e − λ e‖ / λ."""
    median: float

    @classmethod
    def of(cls, residuals: Sequence[float]) -> ResidualRecord | None:
        """Summarise the residuals of a run; None without any."""
        if not residuals:
            return None
        return cls(examples=len(residuals), worst=max(residuals), median=statistics.median(residuals))


class Record(_Part):
    """A run."""

    schema_version: int = Field(default=SCHEMA, alias="schema")
    suite: str
    path: str = ""
    """The suite file, relative where it can be."""
    command: str = ""
    """What runs it again; empty where a script did."""
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
    """Texts that the store answered from earlier runs; each counts once."""
    gradient_calls: int = 0
    """Examples differentiated."""
    step_calls: int = 0
    """Forward passes from a moved embedding."""
    residual: ResidualRecord | None = None
    """None where this run computed every λmax exactly, or none, or found them all in the store."""
    exit_code: int = 0
    inconclusive: Inconclusive | None = None
    """What ``--inconclusive`` made of an inconclusive run: ``fail`` exit code 1, ``pass`` 0; None: 6."""
    interrupted: bool = False
    deselected: list[str] = []
    """Names of the suite's checks that the run left out, by ``-k``, ``-m``, ``--lf`` or ``suite.yaml::check``."""
    message: str = ""
    """Why the run as a whole could not go on; empty when it could."""
    warnings: list[str] = []
    """What went wrong and stopped nothing: a store that could no longer be written."""
    verified: int = 0
    """Answers that ``--verify`` asked for again, and found to be the same."""
    summary: dict[str, int] = {}
    """Checks by outcome."""
    scores: list[ScoreRecord] = []
    selection: SelectionRecord = SelectionRecord()
    examples: list[ExampleRecord] = []
    """Those that were selected for the checks, or that checks brought; where there are no others, all of them."""
    all_examples: ExamplesRecord | None = None
    """Where all usable examples are with their predictions and scores; None where ``examples`` holds them."""
    checks: list[CheckRecord] = []
    failures: list[Failure] = []
    causes: list[CauseRecord] = []
    """The few kinds of edits that explain most of what breaks, the surest first."""
    edits: list[EditCounts] = []
    """Of each check the hundred edits that broke most."""
    slices: list[SliceRecord] = []
    """In the suite's order."""
    reach: list[ReachRecord] = []
    """On how many of the tested examples the model breaks, by arm; without checks held against its own noise."""
    lock: str | None = None
    """The fingerprint of the lock file whose texts were tested; None without one."""
    margin: float | None = None
    """The loss against a baseline that the suite or the command line tolerates; None where they name none."""
    one_label: bool = False
    """Whether the suite says that its data have one gold label, so that a baseline may be replaced all the same."""
    comparisons: list[Comparison] = []
    """Against each baseline, in the order of the command line."""
    attribution: AttributionRecord | None = None
    """None when the suite asks for none."""
    sections: list[Section] = []
    """What plugins add: sentences, tables and figures, by name."""
    _table: ExampleTable | None = PrivateAttr(None)
    _file: Path | None = PrivateAttr(None)

    def __eq__(self, other: object) -> bool:
        """Compare what two records say, wherever they lie."""
        return isinstance(other, Record) and super(Record, self.kept_in(None)).__eq__(other.kept_in(None))

    @property
    def file(self) -> Path | None:
        """The file that holds this record; None of one that only memory holds."""
        return self._file

    def kept_in(self, file: Path | None) -> Record:
        """Return the record with the file that holds it, or will; None for memory alone."""
        copy = self.model_copy()
        copy._file = file
        return copy

    @property
    def table(self) -> ExampleTable:
        """All usable examples in the data's order, row by row: more of them than memory holds.

        Its columns are those of an example but for ``importance``, with ``fields.NAME`` and ``scores.NAME``.
        """
        if self._table is None:
            return ExampleRows([each.model_dump() for each in self.examples])
        return self._table

    def every_example(self) -> Iterator[ExampleRecord]:
        """Read all usable examples, in the data's order; those that were tested have no importance of words here.

        Raises:
            UsageError: The file that holds them is missing or something else.
        """
        if self._table is None:
            yield from self.examples
        else:
            yield from map(ExampleRecord.model_validate, nested(self._table))

    def look_up(self, ids: Collection[str]) -> dict[str, ExampleRecord]:
        """Find usable examples, tested or not.

        Raises:
            UsageError: One is not among the tested, and the file that holds the others is missing or something else.
        """
        found = {each.id: each for each in self.examples if each.id in ids}
        if self._table is not None and len(found) < len(set(ids)):
            others = (each for each in self.every_example() if each.id in ids)
            found |= {each.id: each for each in others if each.id not in found}
        return found

    def with_table(self, table: ExampleTable) -> Record:
        """Return the record with the table of all examples, where it holds others than ``examples``."""
        found = self.model_copy()
        found._table = table if len(table) > len(self.examples) else None
        return found

    @property
    def left_out(self) -> tuple[int, int]:
        """The most examples that a check left out as wrong before any edit, and as without a gold label."""
        return max((each.wrong_before for each in self.checks), default=0), max(
            (each.unlabelled for each in self.checks), default=0
        )

    @property
    def symbols(self) -> dict[str, str]:
        """The scores that are shown beside an example: name to symbol."""
        return {score.name: score.symbol for score in self.scores if score.symbol}

    def dump(self, path: Path) -> Path:
        """Write the record as JSON, and beside it the file of all examples where it has others than the tested.

        Args:
            path: The file; a file of that name is replaced. To what is no file, a pipe, the record alone is written.

        Raises:
            OSError: The file cannot be written; an older one is left as it was.
        """
        beside = None
        file = write_example_file(path, self._table) if path.is_file() or not path.exists() else None
        if file is not None and self._table is not None:
            beside = ExamplesRecord(file=file.name, rows=len(self._table))
        record = self.model_copy(update={"all_examples": beside})
        return write_json(path, record.model_dump(mode="json", by_alias=True))

    @classmethod
    def load(cls, path: Path) -> Record:
        """Read a record.

        Args:
            path: A ``results.json``, or the folder that holds it.

        Raises:
            UsageError: There is no such file, it is not a record, or it was written by a newer robustfim.
        """
        path = path / "results.json" if path.is_dir() else path
        hint = "'robustfim run SUITE' writes one."
        record = read_versioned(path, cls, key="schema", version=SCHEMA, what="run record", hint=hint)
        if record.all_examples is not None:
            record._table = ExampleFile(path.with_name(record.all_examples.file), record.all_examples.rows)
        return record.kept_in(path)
