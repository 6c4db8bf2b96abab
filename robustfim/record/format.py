"""The run record: all results of a run. Every report is a view of it.

It is written as ``reports/<suite>/results.json``. A number that is not defined is ``null``; NaN and infinity
never reach the file.
"""

from __future__ import annotations

import math
import re
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
from robustfim.record.example_table import ExampleRows, ExampleTable, nested
from robustfim.record.files import UNTIL, Completed, write_files, write_text
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
"""The reason for which an example is left out if the model answered with NaN or infinity."""


def _written(rate: Rate) -> dict[str, Any]:
    return {"count": rate.count, "tested": rate.tested, "rate": rate.rate, "interval": rate.interval}


LABEL_KEPT = ("invariant", "correct")
"""The expectations that keep a text's gold label."""

RateField = Annotated[Rate, PlainSerializer(_written)]
"""A rate; the file also holds the interval that its counts give."""


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
"""Fractions of changed answers for which the record says how likely a sample detects the change."""


class AskedAgainRecord(_Part):
    """Stored answers that were asked again, for a model whose answers can change although its fingerprint stays."""

    stored: int
    """Stored answers that the run would use."""
    asked: int
    """Stored answers in a random sample that the model was asked again before the run used the store."""
    differing: int = 0
    """Answers in the sample that are different now."""
    noisy: int = 0
    """If some answers differed, the sample is asked a third time: answers that differ from the second time."""
    flipped: int = 0
    """Answers in the sample whose likeliest label, or first answer, is different now."""
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
        """The result in words, with the size of a change that a sample of this size detects."""
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
        """The model's own noise in words."""
        asked = f"{self.again.tested:,} further answers to {self.texts:,} unchanged texts"
        return f"{self.again.count:,} of {asked} differ from the first, {percent(self.again.rate, self.again.interval)}"


class ThresholdRecord(_Part):
    """A threshold that was set on data of its own."""

    label: str
    """The label: the model decides for it if its probability reaches the threshold."""
    at: float
    """The threshold, in (0, 1)."""
    fpr: float
    """The target: the largest expected fraction of texts without the label that reach the threshold."""
    alarms: int
    """The number of the ``texts`` that reach the threshold."""
    texts: int
    """The number of texts without the label on which the threshold was set."""
    interval: Interval
    """95 % interval of the fraction of all texts without the label that reach the threshold."""

    @property
    def sentence(self) -> str:
        """The threshold and its false positive rate in words."""
        low, high = (f"{100 * end:.2g}" for end in self.interval)
        return (
            f"{self.label} from {self.at:.4g} on, where {self.alarms:,} of {self.texts:,} texts without it are: "
            f"{low} to {high} % of all such texts"
        )


_UNCLAIMED = 4
"""Labels that a tagger never finds and that the record names; it counts further ones."""


class ModelRecord(_Part):
    """The model under test."""

    use: str
    options: dict[str, Any] = {}
    fingerprint: str | None = None
    """None if the model could not be loaded."""
    labels: list[str] = []
    """Empty for a model that answers in its own words."""
    asked_again: AskedAgainRecord | None = None
    """None if the fingerprint decides every answer, since weights and vocabulary are hashed into it."""
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
    """How data set the decision threshold; None if the suite names the threshold, or no rule has one."""

    @property
    def labelled_text(self) -> str:
        """A note on the labels to print after the accuracy; empty if every label is there and at least two occur.

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
"""From this many insensitive texts on a warning is given; one or two texts may have an irrelevant second half."""


class WindowRecord(_Part):
    """How much of the texts the model reads."""

    told: bool = True
    """Whether the model reports how much of a text it reads."""
    partly: int = 0
    """Examples that the model reports as truncated."""
    probed: int = 0
    """If the model reports nothing: long texts that were asked again without their second half."""
    unread: int = 0
    """Texts of ``probed`` with unchanged probabilities: the model seems to read only their beginning."""

    @property
    def sentence(self) -> str:
        """A warning in words; empty if there is none."""
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
    """None if the model could not be asked."""


class AreaRecord(_Part):
    """How well a score ranks examples that fail at least one check before the others; embedding steps do not count."""

    examples: int
    """Tested examples for which the score is defined."""
    failing: int
    """Examples of ``examples`` that fail."""
    auroc: float | None = None
    """The probability that a failing example is ranked harder than a passing one; None if either kind is missing."""
    interval: Interval | None = None
    """95 % interval by Newcombe's score method; clusters count as the equivalent number of independent examples. In a
    pilot, the level holds for all its scores together."""


class PilotRecord(_Part):
    """The random examples from which the run learned which score should select. They are not judged."""

    examples: list[str] = []
    """Ids of the random examples."""
    tested: int = 0
    """Examples of ``examples`` that at least one check tested."""
    failing: int = 0
    """Examples of ``examples`` that fail at least one check."""
    calls: int = 0
    """Texts sent to the model for the pilot."""
    scores: dict[str, AreaRecord] = {}
    """AUROC by score, the best first. The first is a maximum, so it is probably lower on other examples."""
    message: str = ""
    """The reason if nothing could be learned; then the suite's first score selects."""


class CostRecord(_Part):
    """The cost of computing one score alone, for the examples whose score was not in the store."""

    examples: int
    """Examples whose score was computed."""
    calls: int = 0
    """Texts sent to the model in addition to the predictions that every run needs."""
    gradients: int = 0
    """Examples differentiated, even if another score had already needed their gradient."""
    steps: int = 0
    """Forward passes from a moved embedding."""

    @property
    def each(self) -> float | None:
        """Forward passes per example, a gradient counting as three, since its backward pass costs two; None if 0."""
        return (self.calls + self.steps + 3 * self.gradients) / self.examples if self.examples else None


class ScoreRecord(_Part):
    """One difficulty score."""

    name: str
    hardest: Literal["highest", "lowest"]
    symbol: str = ""
    """The name of the number beside an example; empty if it is not shown."""
    undefined: int = 0
    """Examples for which the score is not a finite number."""
    infinite: int = 0
    """Examples with an infinite score, such as those that no step within the bound changes; part of ``undefined``."""
    message: str = ""
    """Why the score could not be computed; empty if it was."""
    broken: bool = False
    """Whether a defect of the plugin is the reason; otherwise the model lacks something that the score needs."""
    cost: CostRecord | None = None
    """None if the score was not computed."""
    area: AreaRecord | None = None
    """On the control arm, or on all tested examples if there are no arms; None if the score was not computed."""


Arm = Literal["difficult", "control", "easiest", "all"]
"""A group of tested examples, the difficult ones first."""


class SelectionRecord(_Part):
    """How the tested examples were chosen.

    An arm is a group of tested examples: the ``difficult`` ones with the most extreme score, the ``easiest`` ones at
    the score's other end, or the random ``control``.
    A stratum is a part of the data with similar scores, from which examples are drawn at random.
    """

    by: str | None = None
    """The score that chose the difficult arm, or ranked the strata; None if no score did."""
    difficult: int = 0
    easiest: int = 0
    control: int = 0
    strata: dict[str, int] = {}
    """The number of examples of the data in each stratum, the hardest stratum first; empty without strata."""
    drawn: dict[str, list[str]] = {}
    """Ids of the examples drawn from each stratum; empty without strata."""
    right: dict[str, int] = {}
    """Drawn examples of each arm or stratum that the model predicts right before any edit, so that an edit can break
    them. Empty without gold labels."""
    of_baseline: bool = False
    """Whether the examples are the baseline's, which ``--baseline`` tests again."""
    testable: int | None = None
    """The number of testable examples at which each check stopped drawing; None if checks used all of the arm."""
    threshold: float | None = None
    """The score of the last example in the difficult arm."""
    pilot: PilotRecord | None = None
    """How ``by`` was learned; None if the suite names the score."""

    def sizes(self, whole: int) -> dict[str, int]:
        """Return how many examples of the data each arm or stratum represents, the hardest first.

        Args:
            whole: Usable examples, without those of a pilot.
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
    """Its contribution to the margin of the predicted label, in logits; negative if it counts against the label."""


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
    """Points at which the model was differentiated; an example needs several."""
    message: str = ""
    """Why the failing examples have no importance; empty if they have it."""


class ExampleRecord(_Part):
    """One usable example."""

    id: str
    fields: dict[str, str]
    label: str | None = None
    prediction: str | None = None
    """The label, or the answer in the model's own words."""
    probabilities: list[float] | None = None
    """In the order of the model's labels; for an answer in the model's own words, its probability alone."""
    correct: bool | None = None
    """Whether the prediction is the gold label or an accepted one; None without a gold label."""
    again: tuple[int, int] | None = None
    """With ``repeat``: right answers, and all answers, when the unchanged text was asked again; None without."""
    cluster: str | None = None
    """The cluster of dependent examples to which the example belongs; None if it is independent of all others."""
    arm: Arm | None = None
    """The group of tested examples to which the example belongs; None if it was not tested."""
    scores: dict[str, float | None] = {}
    infinite: list[str] = []
    """Scores that are infinite, since no step within the bound changes the label; ``scores`` has ``null`` for them."""
    importance: ImportanceRecord | None = None
    """None if it was not computed."""

    @property
    def steady(self) -> bool | None:
        """Whether the majority of all answers is right; the first answer breaks a tie. None if asked only once."""
        if self.again is None or self.correct is None:
            return None
        right, asked = self.again[0] + self.correct, self.again[1] + 1
        return self.correct if 2 * right == asked else 2 * right > asked


class DatabaseRecord(_Part):
    """The database beside ``results.json``: an SQLite file with the rows of the run.

    Its tables are ``examples`` (all usable ones, with predictions and scores), ``trials`` (a row for each example that
    a check tested), ``failures``, ``edits`` (how often each was tried and broke the model), ``estimates`` (each rate
    with its interval), ``errors``, ``drawn`` and ``members`` (ids of examples by kind of error, stratum and slice).
    """

    file: str = Field(pattern=r"^[^/\\]+\.sqlite$")
    run: str
    """The mark of the run, which the database has in its table ``run``."""
    examples: int
    """Usable examples in the database."""
    failures: int
    """Failing texts in the database; ``results.json`` has the first hundred of each check."""


class CandidateCounts(_Part):
    """The candidates of a check, by what happened to them.

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
    """Candidates of ``not_applicable`` that change nothing the model reads."""
    not_applicable_moved: int = 0
    """Candidates to which the expectation does not apply, and whose probabilities differ from their example's."""
    tested: int = 0
    """Candidates judged passed or failed."""
    failed: int = 0
    unmoved: int = 0
    """Tested candidates whose text differs from their example's, and whose probabilities are exactly the same."""
    queries: int = 0
    """Texts that a search asked about; 0 without a search."""


class TailRecord(_Part):
    """On which side of its limit a rate lies, before any correction for several checks."""

    side: Outcome
    p_value: float
    towards: Outcome = Outcome.INCONCLUSIVE
    """The side with the most evidence, even if it is weak."""
    evidence: float = 0.0
    """The logarithm of the evidence as a fraction of the logarithm needed to be certain, in [0, 1]."""


class BudgetRecord(_Part):
    """A check that stopped as soon as its verdict was certain."""

    most: int
    """The most examples that the check could draw."""
    drawn: int
    """The examples that the check drew, in a random order."""
    saved: int
    """About how many candidates the check saved by stopping early."""
    tails: dict[str, TailRecord] = {}
    """The strongest evidence up to now, for each arm with a limit of its own; under "" for a limit on all examples."""
    interval: Interval | None = None
    """95 % confidence sequence of the weighted rate, with strata, several arms or ``of: file``; else None."""


class EstimateRecord(_Part):
    """The failure rate among all testable examples, with each arm weighted by the part of the data it represents."""

    rate: float
    interval: Interval
    """95 %, stratified; it covers the uncertainty about how many examples are testable, too."""
    examples: int
    """Usable examples of the data."""
    of: Literal["population", "file"] = "population"
    """Whether the rate is the rate of the ``population`` from which the data were drawn, or of the data (``file``)."""


class ValidityRecord(_Part):
    """The rate of valid failures, from people's answers about a random sample of a check's failing examples."""

    failing: int
    """Examples with at least one failing text; people cannot look at steps in embedding space."""
    valid: int = 0
    """Reviewed examples with a failing text that reads naturally and means what the check says."""
    invalid: int = 0
    """Reviewed examples without such a valid failing text."""
    unsure: int = 0
    """Reviewed examples about which people could not decide."""
    rate: float
    """Estimated fraction of the tested examples with a valid failure, in [0, 1]."""
    interval: Interval
    """95 %; it covers the sampling of examples and of reviewed texts."""

    def told(self, rate: float) -> str:
        """Write a raw rate beside the rate of valid failures.

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
    """Drawn examples that the model predicts wrong before any edit. A check that counts broken examples does not
    perturb them."""
    unlabelled: int = 0
    """Drawn examples without a gold label, if other examples have one; they are not perturbed either."""
    tested: int
    """Examples with at least one judged candidate."""
    failing: int
    """Failing examples: at least one candidate fails, unless the check's ``fails`` defines it otherwise."""
    rate: float | None = None
    """``failing / tested``. If the check takes a mean, the mean of the arm. If arms represent unequal parts of the
    data, the weighted rate."""
    interval: Interval | None = None
    """95 %: Wilson's; with clusters Gaffke's bounds; with a budget a confidence sequence."""
    limit: float | None = None
    """The arm's own limit; None if the check's limit is for all arms together."""
    effective: float | None = None
    """The number of independent examples that carry the same information; None if all examples are independent."""

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

    A text with a wrong decision before any change also counts as wrong after it. With several labels, each label also
    has the number of right texts that an edit breaks, or of texts that an edit changes. A slice with a limit has the
    number of its tested examples that fail.
    """

    label: str | None = None
    """The label, if the model decides for several."""

    before: int = 0
    """Examples of ``failing`` with a wrong decision before any change."""
    rate_before: float | None = None
    """The rate of wrong decisions before any edit, computed like ``rate``."""
    unchanged: int | None = None
    """With ``repeat``: examples with a wrong decision among equally many answers to the unchanged text; ``rate`` is
    then the difference. None without ``repeat``."""
    at: float | None = None
    """The threshold, if it is not the rule's: 1 % of all usable texts without the label reach it."""
    examples: list[str] = []
    """Ids of the tested examples for which this kind of error is possible."""
    wrong: list[str] = []
    """Ids of the examples with this kind of error, before any change or after one."""

    @property
    def weighted(self) -> bool:
        """Whether the rate weights the arms, instead of dividing the counts."""
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
    """Spans that an edit replaced by something else; neither recall counts them."""

    @property
    def told(self) -> str:
        """Both recalls in one line."""
        left = f" ({self.left:,} replaced, not counted)" if self.left else ""
        return f"{self.label} found {percent(self.before.rate)} before, {self.after} after{left}"


class ReachRecord(_Part):
    """The number of examples of an arm on which the model breaks, over all checks.

    A failing example counts once: as broken by a text if any text breaks it, and as wrong if the model was wrong about
    it before any change.
    """

    arm: Arm
    rate: RateField
    """Examples that a changed text breaks, among those that at least one check tested."""
    by_step: int
    """Examples that only a step in embedding space breaks."""
    by_yardstick: int = 0
    """Examples that only changed texts of noise controls break, which need not keep the meaning."""
    wrong: int
    """Failing examples that the model predicts wrong before any change."""

    @property
    def failing(self) -> int:
        """Examples with any failure."""
        return self.rate.count + self.by_step + self.by_yardstick + self.wrong


class GapRecord(_Part):
    """Two compared groups of examples. With ``repeat``, one group of examples, perturbed and asked again."""

    groups: dict[str, RateField]
    """Failing among tested examples: first the group that may fail more, then the group it is compared with."""
    effective: list[float | None] = []
    """For each group, the equivalent number of independent examples; empty if all examples are independent."""
    alone: list[int] = []
    """With ``repeat``: examples that fail only when perturbed, and examples that fail only when asked again."""
    answers: int = 0
    """With ``repeat``: the most answers per example by which either side is judged."""


class Counted(_Part):
    """A check: its settings in the suite, and its counts."""

    id: str
    """``sentiment.yaml::synonyms``."""
    name: str
    perturbation: dict[str, Any] = {}
    """The ``perturb`` part of the suite, with ``use``."""
    yardstick: bool = False
    """Whether the perturbation is a noise control for other perturbations; its texts need not keep the meaning."""
    card: Card | None = None
    """Readers' ratings of the perturbation's texts, on other data than these; None if there are none. The ratings of
    kept labels are left out if the check expects something else than the readers were asked."""
    constraints: list[Any] = []
    resources: dict[str, str] = {}
    """Other resources that affect the texts: taggers, lexicons, files, with a version or a hash each."""
    expectation: dict[str, Any] = {}
    counts: Literal["broken", "changes"] | None = None
    """How failing examples are counted. ``broken``: right examples that an edit makes wrong. ``changes``: examples
    whose answer changes, right or wrong. None: anything else, such as being wrong."""
    wrong_before: int = 0
    """Drawn examples that the model predicts wrong before any edit: no candidate can break them."""
    unlabelled: int = 0
    """Drawn examples without a gold label, if other examples have one."""
    fails: dict[str, Any] = {"use": "any"}
    """The reducer, with its options: it decides from the candidates which example fails."""
    limit: float | dict[str, float] | None = None
    """The tolerated rate, or a rate for each arm."""
    limit_of_valid: bool = False
    """Whether the limit is for the rate of failures that people call valid: ``limit: {valid: 0.1}``."""
    limit_of_file: bool = False
    """Whether the limits are for the rate in the data (``of: file``), not in the population they were drawn from."""
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
    ``numbers``, their mean."""
    numbers: dict[str, float] | None = None
    """If ``fails`` takes a mean: for each failing example, by id, a number in (0, 1]; other examples count 0."""
    interval: Interval | None = None
    """95 % interval of ``rate``: Wilson's. With clusters or a mean, Gaffke's bounds, valid for any distribution. With a
    budget, a confidence sequence. For a difference, Newcombe's; with ``repeat``, Tango's."""
    gap: GapRecord | None = None
    """The two groups, if the check compares two; else None."""
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
    """If each tested text is another example of the data, such as a mirror: tested example's id to the other's id. A
    failure belongs to both."""
    recall: list[RecallRecord] = []
    """For a tagger, the recall of gold spans before and after the edits, by label."""
    partly: int = 0
    """Tested examples that the model truncates; 0 if the model does not report it."""
    candidates: CandidateCounts = CandidateCounts()
    duration_s: float = 0.0
    message: str = ""
    """One sentence: why the check failed, is inconclusive, was skipped, or is an error."""
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
        """The verb for failing examples: fail; or change, if changes are counted and not all of them are wrong."""
        return "change" if self.counts == "changes" else "fail"

    @property
    def estimand(self) -> Estimand:
        """What the rate estimates: a fraction of examples, a mean, or a difference."""
        return DIFFERENCE if self.gap is not None else SHARE if self.numbers is None else MEAN

    @property
    def groups(self) -> dict[str, Rate]:
        """The failing among the tested examples of each compared group, by name; empty if none are compared."""
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
        """The parts that have a limit of their own."""
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
        """How many failing examples probably keep their label, and are natural, by the card; empty if unknown."""
        holding = "keep the label" if self.expectation.get("use") in LABEL_KEPT else "keep what is expected"
        return "" if self.card is None or not self.failing else self.card.of_failures(self.failing, holding)

    @property
    def recalled(self) -> list[str]:
        """The recall of each label that the tagger finds at least once, in words."""
        return [each.told for each in self.recall if each.before.count or each.after.count]

    @property
    def caveats(self) -> list[str]:
        """Caveats to the rate: truncated texts, and candidates that left the probabilities unchanged, if most did."""
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
    """One-sided p-value for the verdict's side. A p-value that fails the run is corrected over the suite; a check
    passes at 2.5 % without correction, since all checks have to pass. The test is exact binomial; with clusters or a
    mean, Gaffke's bound; with arms and strata, the estimate's test; with a budget, anytime-valid; for a difference, the
    score test. For a limit on valid failures, it is the posterior probability of the other side."""
    needed: int | None = None
    """About how many more testable examples decide an inconclusive verdict in 80 % of cases, if the observed rate is
    the true one; None: no number would."""
    needed_rows: int | None = None
    """About how many more rows contain ``needed`` testable examples; None if all drawn rows were testable."""
    estimate: EstimateRecord | None = None
    """The weighted rate over all arms; None if an arm is missing, or the tested examples are a plain sample."""
    validity: ValidityRecord | None = None
    """The rate of valid failures; None if nobody has reviewed a failure."""

    @property
    def by_review(self) -> str:
        """The rate after people's review of failures, in words; empty without a review."""
        return "" if self.validity is None or self.rate is None else self.validity.told(self.rate)

    @property
    def compared(self) -> float | None:
        """The rate that the limit is for: of valid failures, weighted over the arms, or of the tested examples."""
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
    """Examples that fail at least one check, among those that at least one check tested, weighted by arm or stratum. If
    a check takes a mean, the mean of each example's largest number."""
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

    A text with several edits counts for each of them.
    """

    check: str
    before: str
    after: str
    tried: int
    broken: int


class CauseRecord(_Part):
    """A kind of edit that breaks the model far more often than the other edits of its check.

    Each example counts with one text with such an edit, and one text without, both drawn at random. At most 5 % of runs
    whose outcomes are permuted have any kind with so small a p-value.
    """

    check: str
    edit: str
    """What the edit does: ``"film" -> "movie"``."""
    where: str = ""
    """The context of the edit, or a property of its text: ``in "n't"``; empty for any context."""
    inside: RateField
    """Examples that break, of those with such an edit."""
    elsewhere: RateField
    """Examples that break under the check's other edits."""
    others: bool = False
    """Whether ``elsewhere`` is taken from other checks, since nearly all edits of this check are of this kind."""
    p_value: float
    """Exact, of the kind alone: that its odds of a break are at most twice those elsewhere."""
    failures: list[str] = []
    """Ids of at most twenty failing texts with such an edit, the most useful to read first."""

    @property
    def pair(self) -> tuple[str, str] | None:
        """The words that are replaced, and the words in their place; None for another kind of edit."""
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
    cosine: float | None = Field(None, ge=-1.01, le=1.01)
    """Cosine with the top eigenvector of the Fisher information at the source; None if either vector is 0."""
    lambda_max: tuple[float, float] | None = None
    """λmax of the source and of the perturbed text; None if the geometry does not report them."""


class PredictionRecord(_Part):
    """A predicted label and its probabilities, in the order of the model's labels.

    For an answer in the model's own words, and for a decision by a rule, only its own probability is recorded. For an
    abstention it is the probability of the likeliest label. A number has none.
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
        """The largest recorded probability, in [0, 1]; None if there is none, as for a number."""
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
    """As in :class:`Failure`."""
    shift: ShiftRecord | None = None
    after: PredictionRecord
    margin: float = 0.0
    reason: str = ""
    tested: int
    """Edits of the text that the check tested; at least as many as here."""
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
    """The gold label of the perturbed text, if its perturbation names one; else the example's. Gold spans are moved to
    their places after the edits; None if a gold span is no longer counted."""
    shift: ShiftRecord | None = None
    """For a text, if a score of the suite takes gradients; otherwise None."""
    before: PredictionRecord
    after: PredictionRecord
    right_before: bool | None = None
    """Whether the model is right about the unchanged text; None without a gold label."""
    right_after: bool | None = None
    """Whether it is right about the perturbed text; None without a gold label."""
    margin: float = 0.0
    reason: str = ""
    queries: int | None = None
    """Texts of the example that a search had asked about when it found this failure; None without a search."""
    reproduce: str = ""
    """A command line that shows this failure alone."""
    review: Literal["valid", "invalid", "unsure"] | None = None
    """People's answer about the text that reports show: whether it reads naturally and means what the check says. None
    if nobody has reviewed it."""
    tried: list[TriedRecord] = []
    """At most eleven other texts of the example, the strongest break first, so that a page can show them without the
    model. Only the three failing examples of a check to read first have them."""
    shrunk: ShrunkRecord | None = None
    """For a pair that reports show first, if its edits are independent of each other. The check counts the text that it
    tested, never this one. People review this one."""

    @property
    def shown(self) -> Failure:
        """The failure as reports show it: with the fewest edits, if they are known."""
        if self.shrunk is None:
            return self
        changed = ShrunkRecord.model_fields.keys() & Failure.model_fields.keys() - {"queries"}
        return self.model_copy(update={name: getattr(self.shrunk, name) for name in changed})

    @property
    def needed(self) -> str:
        """How many of the tested edits are shown, as in "1 of 12 edits"; empty if all are."""
        if self.shrunk is None or len(self.shrunk.edits) == self.shrunk.tested:
            return ""
        return f"{len(self.shrunk.edits)} of {self.shrunk.tested} edits"


class ResidualRecord(_Part):
    """Relative error bound of the λmax that Lanczos iterations computed: a true eigenvalue lies within it."""

    examples: int
    worst: float
    """The largest ‖G e − λ e‖ / λ."""
    median: float

    @classmethod
    def of(cls, residuals: Sequence[float]) -> ResidualRecord | None:
        """Summarise the residuals of a run; None if there are none."""
        if not residuals:
            return None
        return cls(examples=len(residuals), worst=max(residuals), median=statistics.median(residuals))


class Record(_Part):
    """A run."""

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
    """None if no λmax of this run needed iterations: all were exact, in the store, or not computed."""
    exit_code: int = 0
    inconclusive: Inconclusive | None = None
    """What ``--inconclusive`` makes of an inconclusive run: ``fail`` exit code 1, ``pass`` 0; None: 6."""
    interrupted: bool = False
    deselected: list[str] = []
    """Names of the suite's checks that were not run, because of ``-k``, ``-m``, ``--lf`` or ``suite.yaml::check``."""
    message: str = ""
    """Why the whole run had to stop; empty if it did not."""
    warnings: list[str] = []
    """Problems that did not stop the run, such as a store that could no longer be written."""
    verified: int = 0
    """Stored answers that ``--verify`` asked again and found unchanged."""
    summary: dict[str, int] = {}
    """Checks by outcome."""
    scores: list[ScoreRecord] = []
    selection: SelectionRecord = SelectionRecord()
    examples: list[ExampleRecord] = []
    """The examples that were selected, or that checks brought; all usable examples if there are no others. In the
    database, as all lists of their ids are."""
    database: DatabaseRecord | None = None
    """The file with the rows of the run; None if this file holds them, as a baseline does."""
    checks: list[CheckRecord] = []
    failures: list[Failure] = []
    """In ``results.json`` the first hundred of each check; the database has all of them."""
    causes: list[CauseRecord] = []
    """The few kinds of edits that explain most failures, the most certain first."""
    edits: list[EditCounts] = []
    """For each check, the hundred edits that broke the model most often. In the database."""
    slices: list[SliceRecord] = []
    """In the suite's order."""
    reach: list[ReachRecord] = []
    """How many tested examples the model breaks on, by arm; checks compared with the model's own noise do not count."""
    lock: str | None = None
    """The fingerprint of the lock file whose texts were tested; None without one."""
    margin: float | None = None
    """The tolerated loss against a baseline, from the suite or the command line; None if neither names one."""
    one_label: bool = False
    """Whether the suite allows data with only one gold label, so that a baseline may be replaced on them."""
    comparisons: list[Comparison] = []
    """The comparison with each baseline, in the order of the command line."""
    attribution: AttributionRecord | None = None
    """None if the suite asks for none."""
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
        """Return the record with the name of the file that holds it, or will hold it; None for memory alone."""
        copy = self.model_copy()
        copy._file = file
        return copy

    @property
    def table(self) -> ExampleTable:
        """All usable examples in the data's order, read row by row since they may not fit into memory.

        The columns are those of an example without ``importance``, with ``fields.NAME`` and ``scores.NAME``.
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
        """Find usable examples by id, tested or not.

        Raises:
            UsageError: An example was not tested, and the file of all examples is missing or malformed.
        """
        found = {each.id: each for each in self.examples if each.id in ids}
        if self._table is not None and len(found) < len(set(ids)):
            others = (each for each in self.every_example() if each.id in ids)
            found |= {each.id: each for each in others if each.id not in found}
        return found

    def with_table(self, table: ExampleTable) -> Record:
        """Return the record with the table of all examples, if the table holds more than ``examples``."""
        found = self.model_copy()
        found._table = table if len(table) > len(self.examples) else None
        return found

    @property
    def left_out(self) -> tuple[int, int]:
        """The largest numbers of examples that a check left out as wrong before any edit, and as unlabelled."""
        return max((each.wrong_before for each in self.checks), default=0), max(
            (each.unlabelled for each in self.checks), default=0
        )

    @property
    def symbols(self) -> dict[str, str]:
        """The scores that are shown beside an example: name to symbol."""
        return {score.name: score.symbol for score in self.scores if score.symbol}

    def dump(self, path: Path) -> Path:
        """Write the record: a small JSON file, and beside it the database with the rows, named after it.

        Args:
            path: The file; an existing file is replaced. A pipe gets the whole record without the untested examples.

        Raises:
            OSError: A file cannot be written; an existing file is left unchanged.
        """
        if path.exists() and not path.is_file():
            return write_text(path, self, None)
        return write_files(path, self, self.table)

    def dump_text(self, path: Path) -> Path:
        """Write the record as one JSON file with all its rows, which Git can compare.

        Args:
            path: The file; an existing file is replaced.

        Raises:
            OSError: The file cannot be written; an existing file is left unchanged.
        """
        return write_text(path, self, self._table)

    @classmethod
    def load(cls, path: Path) -> Record:
        """Read a record.

        Args:
            path: A ``results.json``, or the folder that holds it.

        Raises:
            UsageError: The file or its database does not exist, is not a record, or was written by a newer robustfim.
        """
        path = path / "results.json" if path.is_dir() else path
        hint = "'robustfim run SUITE' writes one."
        rows = Completed(path)
        record = read_versioned(
            path, cls, key="schema", version=SCHEMA, what="run record", hint=hint, until=UNTIL, complete=rows.content
        ).kept_in(path)
        return record if rows.table is None else record.with_table(rows.table)
