"""Findings: what a run has found so far. They survive whatever interrupts it, and become its record."""

from __future__ import annotations

import datetime
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

from robustfim.blame import blame
from robustfim.collect.check import Check
from robustfim.collect.collection import Collection
from robustfim.errors import ModelError, RobustfimError
from robustfim.example import Example
from robustfim.exhibit import Section
from robustfim.judge.area import areas
from robustfim.judge.comparison import compare
from robustfim.judge.reach import reaches
from robustfim.judge.slice_rates import slice_records
from robustfim.judge.validity import reviewed
from robustfim.judge.verdicts import decide, exit_code, summarise
from robustfim.members import member
from robustfim.outcome import ExitCode, Outcome
from robustfim.plugin.traceback import plugin_traceback
from robustfim.predict.context import RunContext
from robustfim.predict.labels import known_labels
from robustfim.prediction import Prediction
from robustfim.record import (
    WITHOUT_NUMBERS,
    CheckCounts,
    CheckRecord,
    DataRecord,
    EstimateRecord,
    ExampleRecord,
    ExampleRows,
    ExampleTable,
    Failure,
    ModelRecord,
    PluginRecord,
    PredictionRecord,
    Record,
    SelectionRecord,
)
from robustfim.record.environment import describe_environment
from robustfim.record.privacy import shareable
from robustfim.record.review import ReviewFile
from robustfim.roles import Model
from robustfim.select.selection import Scores, Selection
from robustfim.session.reproduction import judge_alone
from robustfim.statistics.accuracy import accuracy, is_right, majority
from robustfim.statistics.stratified import Stratum, stratified_rate
from robustfim.suite.config import RunConfig
from robustfim.suite.file import as_plain
from robustfim.suite.format import Xfail

__all__ = ["Findings"]


@dataclass
class Findings:
    """What a run has found so far.

    Attributes:
        config: The run.
        context: The run's context, once the model answers.
        examples: The usable examples.
        model: The model's part of the record.
        data: The data's part of the record.
        predictions: What the model says of the unperturbed examples, by example id.
        scores: Their difficulty.
        selection: The arms.
        checks: What the checks counted that have run.
        failures: What they found.
        message: Why the run stopped early, if it did.
        broken: Whether it stopped because of a plugin or the model.
        interrupted: Whether the user stopped it.
        device: Where the model computes, if it says so.
        brought: Ids of the examples that are not of the data: checks brought them.
        steps: Ids of the checks whose candidates are steps in embedding space.
        members: Ids of the examples of each slice.
        sections: What plugins add.
        warnings: What went wrong and stopped nothing.
        verified: Answers that the model gave again.
    """

    config: RunConfig
    context: RunContext | None = None
    examples: Sequence[Example] = ()
    model: ModelRecord = field(init=False)
    data: DataRecord = field(init=False)
    predictions: dict[str, Prediction] = field(default_factory=dict)
    scores: Scores = field(default_factory=lambda: Scores({}, []))
    selection: Selection = field(default_factory=lambda: Selection({}, SelectionRecord()))
    checks: list[CheckCounts] = field(default_factory=list)
    failures: list[Failure] = field(default_factory=list)
    message: str = ""
    broken: bool = False
    interrupted: bool = False
    device: str | None = None
    brought: frozenset[str] = frozenset()
    steps: frozenset[str] = frozenset()
    members: Mapping[str, frozenset[str]] = field(default_factory=dict)
    sections: list[Section] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    verified: int = 0

    def __post_init__(self) -> None:
        model, data = self.config.suite.model, self.config.suite.data
        self.model = ModelRecord(use=model.use, options=as_plain(model.options))
        data = data or self.config.suite.source  # checks that bring their own examples are the data
        self.data = DataRecord(use=data.use, options=as_plain(data.options)) if data else DataRecord(use="")

    def loaded(self, collection: Collection, wanted: Sequence[Example]) -> None:
        """Note the model and the examples.

        Args:
            collection: The collection, with its examples.
            wanted: The examples that take part.

        Raises:
            ModelError: The model cannot tell its device, or which texts are too long for it.
        """
        known = {each.id for each in collection.examples}
        own = collection.own_examples
        self.brought = frozenset(own) - known
        self.examples = [*collection.examples, *(own[each] for each in own if each in self.brought)]
        overlong, self.device = _asked(collection.model, wanted, collection.who("models"))
        self.model = self.model.model_copy(
            update={"fingerprint": collection.model.fingerprint, "labels": list(known_labels(collection.model))}
        )
        self.data = self.data.model_copy(
            update={
                "examples": self._of_data(wanted),
                "skipped": dict(collection.skipped),
                "overlong": overlong,
            }
        )

    def predicted(self, pairs: Sequence[tuple[Example, Prediction]], lost: int) -> None:
        """Note what the model says of the unperturbed examples, and its accuracy.

        Args:
            pairs: Usable examples with their predictions.
            lost: Examples for which the model gave no finite numbers.
        """
        self.predictions = {example.id: prediction for example, prediction in pairs}
        own = [pair for pair in pairs if pair[0].id not in self.brought]
        right = accuracy(own, self.clusters)
        self.model = self.model.model_copy(
            update={"accuracy": right.rate, "accuracy_interval": right.interval, "majority": majority(own)}
        )
        skipped = self.data.skipped | ({WITHOUT_NUMBERS: lost} if lost else {})
        number = self._of_data([example for example, _ in pairs])
        self.data = self.data.model_copy(update={"examples": number, "labelled": right.tested, "skipped": skipped})

    @property
    def clusters(self) -> Mapping[str, str]:
        """Example id to cluster, of those that are not independent."""
        return {} if self.context is None else self.context.clusters

    def _of_data(self, examples: Sequence[Example]) -> int:
        """Count the examples of the data; without any, the checks' own are the data."""
        return sum(each.id not in self.brought for each in examples) if self.config.suite.data else len(examples)

    def stopped(self, error: RobustfimError, checks: Sequence[Check]) -> None:
        """Note that the run cannot go on; the checks that have not run become errors.

        Args:
            error: Why.
            checks: All checks of the run.
        """
        self.message, self.broken = str(error), True
        ran = {check.id for check in self.checks}
        trace = plugin_traceback(error)
        self.checks += [
            CheckCounts(
                id=check.id,
                name=check.name,
                ended=Outcome.ERROR,
                marks=check.spec.marks,
                capability=check.spec.capability,
                type=check.spec.type,
                line=check.line,
                message=self.message,
                traceback=trace,
            )
            for check in checks
            if check.id not in ran
        ]

    def decide(self, checks: Sequence[CheckCounts], others: int = 0) -> list[CheckRecord]:
        """Compare checks with their limits.

        Args:
            checks: What some or all of the checks counted that have run.
            others: Comparisons of the run's other checks.

        Returns:
            Their records, with outcomes.
        """
        if self.config.options.examples:
            return [judge_alone(check) for check in checks]
        specs = self.config.suite.checks
        known = {check.id: spec for check in checks if check.name in specs and (spec := specs[check.name].xfail)}
        today = datetime.date.today()
        valid = {key: spec.reason for key, spec in known.items() if spec.until is None or spec.until >= today}
        decided = decide(checks, valid, others, self.config.suite.correct)
        return [
            _expired(check, known[check.id]) if check.id in known and check.id not in valid else check
            for check in decided
        ]

    def record(
        self,
        plugins: Sequence[PluginRecord],
        started: str,
        seconds: float,
        baselines: Mapping[str, Record] = MappingProxyType({}),
    ) -> Record:
        """Make the run record.

        Args:
            plugins: The loaded plugins.
            started: When the run started, ISO 8601, UTC.
            seconds: How long it took.
            baselines: What the run is compared with, by name; they then decide the exit code with ``--fail-on``.
        """
        checks = [self._within_reach(self._estimated(check)) for check in self.decide(self.checks)]
        context = self.context
        record = Record(
            suite=self.config.suite.suite,
            path=self.config.shown_path,
            model=self.model,
            data=self.data,
            environment=describe_environment(plugins, self.device),
            seed=self.config.seed,
            started=started,
            duration_s=round(seconds, 3),
            **({} if context is None else context.effort),
            strict=self.config.options.strict,
            margin=self.config.margin,
            correct=self.config.suite.correct,
            interrupted=self.interrupted,
            message=self.message,
            warnings=self.warnings,
            verified=self.verified,
            summary=summarise(checks),
            scores=list(self.scores.records),
            selection=self.selection.record,
            examples=[self._example(each) for each in self.examples if self._selected(each)],
            checks=checks,
            failures=self.failures,
            attribution=None if context is None else context.attribution_record(),
            sections=self.sections,
        )
        record = record.model_copy(update={"reach": reaches(record), "scores": areas(record, self.steps)})
        if self.members:
            everything = self.config.suite.data is None  # the checks' own examples are the data
            of_data = [each for each in self.told() if everything or each[0] not in self.brought]
            slices = slice_records(self.config.suite.slices, self.members, of_data, checks, self.failures)
            record = record.model_copy(update={"slices": slices})
        if self.config.suite.review is not None:
            path = self.config.file.base(("review",)) / self.config.suite.review
            record = reviewed(record, ReviewFile.load(path).by_pair)
        if baselines and checks:
            on, shared = self.config.options.fail_on, shareable(record)
            found = [compare(each, shared, fail_on=on, name=name) for name, each in baselines.items()]
            record = record.model_copy(update={"comparisons": found})
        return record.model_copy(update={"exit_code": int(self._exit_code(record))})

    def table(self) -> ExampleTable:
        """What is known of all usable examples."""
        return ExampleRows([self._example(each).model_dump() for each in self.examples if each.id in self.predictions])

    def told(self) -> Iterator[tuple[str, bool | None, str | None]]:
        """Tell of each usable example its id, whether its prediction is right, and its cluster."""
        for each in self.examples:
            if each.id in self.predictions:
                yield each.id, is_right(self.predictions[each.id], each), self.clusters.get(each.id)

    def _selected(self, example: Example) -> bool:
        """Whether an example is one that checks may test, or brought."""
        return example.id in self.predictions and (example.id in self.selection.arms or example.id in self.brought)

    @property
    def _judgeable(self) -> int:
        """Usable examples without those of a pilot, which stand for all others as well."""
        pilot = self.selection.record.pilot
        return len(self.predictions) - (0 if pilot is None else len(pilot.examples))

    def _estimated(self, check: CheckRecord) -> CheckRecord:
        """Add the rate on all the data, where the tested examples are a part of it."""
        whole, selection = self._judgeable, self.selection
        sizes = {"all": whole, "difficult": selection.record.difficult}
        sizes["control"] = whole - sizes["difficult"]
        if not check.examples or check.gap is not None or not selection.arms.keys() >= set(check.examples):
            return check
        strata = [
            Stratum(
                sizes[name], arm.drawn, arm.tested, arm.failing, arm.tested / arm.effective if arm.effective else 1.0
            )
            for name, arm in check.arms.items()
        ]
        found = stratified_rate(strata)
        if found is None or sum(each.size for each in strata) < whole or sum(each.drawn for each in strata) == whole:
            return check
        estimate = EstimateRecord(rate=found[0], interval=found[1], examples=whole)
        return check.model_copy(update={"estimate": estimate})

    def _within_reach(self, check: CheckRecord) -> CheckRecord:
        """Say of a check where the data do not hold what it asked for, or what would decide it."""
        wished, found = self.selection.record.testable, check.arms.get("control")
        if wished is not None and found is not None and found.tested < wished and check.outcome is not Outcome.ERROR:
            held = f"the data hold {found.tested:,} testable examples, and 'select' asks for {wished:,}"
            return check.model_copy(update={"message": f"{check.message.removesuffix('.')}; {held}."})
        wanted = check.needed_rows or check.needed
        left = self._judgeable - sum(arm.drawn for arm in check.arms.values())
        if wanted is None or check.gap is not None or wanted <= left or not self.config.suite.data:
            return check
        held = f"holds {left:,} more" if left else "holds no more"
        return check.model_copy(update={"message": f"{check.message.removesuffix('.')}; the data {held}."})

    def _exit_code(self, record: Record) -> ExitCode:
        if self.interrupted:
            return ExitCode.INTERRUPTED
        if self.broken or any(score.broken for score in record.scores):
            return ExitCode.FAILED
        alone = exit_code(record.checks, strict=self.config.options.strict)
        if not record.comparisons:
            return alone
        return ExitCode.FAILED if any(each.failed for each in record.comparisons) else ExitCode.OK

    def _example(self, example: Example) -> ExampleRecord:
        prediction = self.predictions[example.id]
        told = PredictionRecord.of(prediction)
        return ExampleRecord.model_validate(
            {
                "id": example.id,
                "fields": dict(example.fields),
                "label": example.label,
                "prediction": told.label,
                "probabilities": told.probabilities,
                "correct": is_right(prediction, example),
                "cluster": self.clusters.get(example.id),
                "arm": self.selection.arms.get(example.id, "all" if example.id in self.brought else None),
                "scores": {name: numbers.get(example.id) for name, numbers in self.scores.values.items()},
                "infinite": [name for name, each in self.scores.values.items() if math.isinf(each.get(example.id, 0))],
                "importance": self.context and self.context.importance_record(example.id),
            }
        )


def _asked(model: Model, examples: Sequence[Example], who: str) -> tuple[int, str | None]:
    """Ask a model what it may tell: how many examples it reads the beginning of only, and its device."""
    with blame(who, ModelError):
        overlong, device = member("models", model, "overlong"), member("models", model, "device")
        told = [] if overlong is None else list(map(bool, overlong(examples)))
    if overlong is not None and len(told) != len(examples):
        raise ModelError(f"the model's 'overlong' gave {len(told)} answers for {len(examples)} examples.")
    return sum(told), None if device is None else str(device)


def _expired(check: CheckRecord, xfail: Xfail) -> CheckRecord:
    """Say that a failure was excused once, and no longer is."""
    if check.outcome not in (Outcome.FAILED, Outcome.INCONCLUSIVE):
        return check
    note = f"It was expected to fail until {xfail.until}: {xfail.reason}."
    return check.model_copy(update={"message": f"{check.message} {note}"})
