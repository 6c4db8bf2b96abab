"""A session: one suite from its checks to its reports and exit code."""

from __future__ import annotations

import datetime
import shlex
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from robustfim.collect import Check, Collection, load_examples
from robustfim.config import RunConfig
from robustfim.context import RunContext
from robustfim.environment import describe_environment
from robustfim.errors import ModelError, NothingCollected, PluginError, UsageError
from robustfim.example import Example
from robustfim.last_failed import LastFailed
from robustfim.manager import PluginManager
from robustfim.outcome import ExitCode, Outcome
from robustfim.prediction import Prediction
from robustfim.prediction_queue import PredictionQueue
from robustfim.record import (
    CheckRecord,
    DataRecord,
    ExampleRecord,
    Failure,
    ModelRecord,
    Record,
    SelectionRecord,
)
from robustfim.runner import TestedExample, run_check
from robustfim.selection import Scores, Selection, score_examples, select_examples
from robustfim.statistics import wilson
from robustfim.store import Store
from robustfim.suite_file import as_plain
from robustfim.verdicts import decide, exit_code, summarise

__all__ = ["Session"]


@dataclass
class _Findings:
    """What a run has found so far; it survives an interruption."""

    model: ModelRecord
    data: DataRecord
    predictions: dict[str, Prediction] = field(default_factory=dict)
    scores: Scores = field(default_factory=lambda: Scores({}, []))
    selection: Selection = field(default_factory=lambda: Selection({}, SelectionRecord()))
    checks: list[CheckRecord] = field(default_factory=list)
    failures: list[Failure] = field(default_factory=list)
    message: str = ""
    interrupted: bool = False


class Session:
    """One run of one suite.

    Args:
        collection: The checks and their plugins.
        manager: The loaded plugins.
    """

    def __init__(self, collection: Collection, manager: PluginManager) -> None:
        self.collection, self.manager = collection, manager
        self.config = collection.config
        self.hook = manager.hook

    def configure(self) -> None:
        """Let the plugins prepare for the run and change its checks.

        Raises:
            NothingCollected: A plugin left no check.
        """
        checks = list(self.collection.checks)
        self.hook.robustfim_configure(config=self.config)
        self.hook.robustfim_collection_modifyitems(config=self.config, checks=checks)
        if not checks:
            raise NothingCollected(f"a plugin left no check of {self.config.shown_path} to run.")
        self.collection = replace(self.collection, checks=tuple(checks))

    def run(self) -> tuple[Record, ExitCode]:
        """Run the checks and write the reports.

        Returns:
            The run record and the exit code. Whatever goes wrong in a plugin or the model is in the record.

        Raises:
            UsageError: The data is wrong, the selection cannot be made, or a report cannot be written.
            NothingCollected: No example is usable.
        """
        started, clock = datetime.datetime.now(datetime.UTC), time.perf_counter()
        collection = self.collection = load_examples(self.collection)
        config = self.config
        wanted = self._wanted(collection.examples)
        self.hook.robustfim_run_start(collection=collection)
        store = Store(config.options.store)
        try:
            queue = PredictionQueue(collection.model, store, max_calls=config.options.max_calls)
            context = RunContext(
                collection.model,
                queue,
                self.manager.geometry(),
                seed=config.seed,
                offline=config.options.offline,
            )
            context.examples = collection.examples
            findings = _Findings(self._model_record(), self._data_record(wanted))
            try:
                self._work(findings, wanted, context, store)
            except KeyboardInterrupt:
                findings.interrupted = True
                findings.message = (
                    "interrupted; everything predicted so far is kept, and the same command resumes from it."
                )
        finally:
            store.close()
        record, code = self._finish(findings, queue, context, started, time.perf_counter() - clock)
        written: list[Path] = []
        if not config.options.examples:
            written = self._write(record)
            LastFailed(config).update(record)
        self.hook.robustfim_session_finish(record=record, written=written)
        return record, code

    # ---- the stages -----------------------------------------------------------------------------------

    def _work(self, findings: _Findings, wanted: Sequence[Example], context: RunContext, store: Store) -> None:
        """Predict, score, select, and run the checks."""
        config, checks = self.config, self.collection.checks
        try:
            usable = self._predict(findings, wanted, context)
            findings.scores = score_examples(self.collection.scorers, usable, context, store, self._progress)
            spec = None if config.options.examples else config.suite.select
            findings.selection = select_examples(spec, usable, findings.scores, config.seed)
        except (ModelError, PluginError) as error:
            findings.message = str(error)
            findings.checks = [_not_run(check, str(error)) for check in checks]
            return
        self.hook.robustfim_selection_finish(
            model=findings.model, scores=findings.scores.records, selection=findings.selection.record
        )
        arms = findings.selection.arms
        tested = [
            TestedExample(each, findings.predictions[each.id], arms[each.id]) for each in usable if each.id in arms
        ]
        reproduce = _reproducer(config)
        stopping = 0
        for check in checks:
            self.hook.robustfim_check_start(check=check)
            record, failures = run_check(check, tested, context, store, reproduce=reproduce, progress=self._progress)
            findings.checks.append(record)
            findings.failures += failures
            preliminary = self._decide([record])[0]
            self.hook.robustfim_check_finish(check=check, result=preliminary)
            stopping += preliminary.outcome in (Outcome.FAILED, Outcome.ERROR, Outcome.XPASSED)
            if config.options.max_failures is not None and stopping >= config.options.max_failures:
                findings.message = f"stopped after {stopping} failure{'s' * (stopping != 1)}."
                break

    def _predict(self, findings: _Findings, wanted: Sequence[Example], context: RunContext) -> list[Example]:
        """Predict the unperturbed examples, and leave out those without finite numbers."""
        predictions = context.queue.predict(wanted, lambda done, total: self._progress("predict", done, total))
        pairs = [(each, got) for each, got in zip(wanted, predictions, strict=True) if got is not None]
        lost = len(wanted) - len(pairs)
        if not pairs:
            raise ModelError(f"the model gave no finite probabilities for any of {lost} examples.")
        findings.predictions = {example.id: prediction for example, prediction in pairs}
        gold = [(example.label, prediction.label) for example, prediction in pairs if example.label is not None]
        right = sum(label == predicted for label, predicted in gold)
        findings.model = findings.model.model_copy(
            update={
                "accuracy": right / len(gold) if gold else None,
                "accuracy_interval": wilson(right, len(gold)),
            }
        )
        skipped = findings.data.skipped | ({"the model gave no finite numbers": lost} if lost else {})
        findings.data = findings.data.model_copy(
            update={"examples": len(pairs), "labelled": len(gold), "skipped": skipped}
        )
        return [example for example, _ in pairs]

    def _decide(self, checks: Sequence[CheckRecord]) -> list[CheckRecord]:
        if self.config.options.examples:
            return [_reproduced(check) for check in checks]
        specs = self.config.suite.checks
        xfail = {check.id: specs[check.name].xfail or "" for check in checks if specs[check.name].xfail is not None}
        return decide(checks, xfail)

    def _progress(self, stage: str, done: int, total: int) -> None:
        self.hook.robustfim_progress(stage=stage, done=done, total=total)

    # ---- the record -----------------------------------------------------------------------------------

    def _finish(
        self,
        findings: _Findings,
        queue: PredictionQueue,
        context: RunContext,
        started: datetime.datetime,
        seconds: float,
    ) -> tuple[Record, ExitCode]:
        checks = self._decide(findings.checks)
        code = exit_code(checks, strict=self.config.options.strict)
        if any(score.broken for score in findings.scores.records):
            code = ExitCode.FAILED
        code = ExitCode.INTERRUPTED if findings.interrupted else code
        record = Record(
            suite=self.config.suite.suite,
            path=self.config.shown_path,
            model=findings.model,
            data=findings.data,
            environment=describe_environment(self.manager.records(), getattr(self.collection.model, "device", None)),
            seed=self.config.seed,
            started=started.isoformat(timespec="seconds"),
            duration_s=round(seconds, 3),
            model_calls=queue.sent,
            cached_calls=queue.cached,
            gradient_calls=context.gradient_calls,
            step_calls=queue.steps,
            exit_code=int(code),
            interrupted=findings.interrupted,
            message=findings.message,
            summary=summarise(checks),
            scores=list(findings.scores.records),
            selection=findings.selection.record,
            examples=[
                self._example_record(each, findings)
                for each in self.collection.examples
                if each.id in findings.predictions
            ],
            checks=checks,
            failures=findings.failures,
        )
        self.hook.robustfim_run_finish(record=record)
        return record, code

    def _example_record(self, example: Example, findings: _Findings) -> ExampleRecord:
        prediction = findings.predictions[example.id]
        return ExampleRecord.model_validate(
            {
                "id": example.id,
                "fields": dict(example.fields),
                "label": example.label,
                "prediction": prediction.label,
                "probabilities": list(prediction.probabilities),
                "arm": findings.selection.arms.get(example.id),
                "scores": {name: numbers.get(example.id) for name, numbers in findings.scores.values.items()},
            }
        )

    def _model_record(self) -> ModelRecord:
        use, model = self.config.suite.model, self.collection.model
        return ModelRecord(
            use=use.use,
            options=as_plain(use.options),
            fingerprint=model.fingerprint,
            labels=list(model.labels),
        )

    def _data_record(self, wanted: Sequence[Example]) -> DataRecord:
        use, collection = self.config.suite.data, self.collection
        overlong = getattr(collection.model, "overlong", None)
        return DataRecord(
            use=use.use,
            options=as_plain(use.options),
            examples=len(wanted),
            skipped=dict(collection.skipped),
            overlong=sum(map(bool, overlong(wanted))) if overlong is not None else 0,
        )

    def _write(self, record: Record) -> list[Path]:
        """Write every report; one that fails does not keep the others from being written."""
        folder = self.config.folder
        written, problems = [], []
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise UsageError(
                f"reports cannot be written to {folder}: {error.strerror}. Name another folder with --reports."
            ) from None
        for name, report in self.collection.reports.items():
            try:
                written.append(report.write(record, folder))
            except OSError as error:
                problems.append(f"report {name!r} cannot be written: {error}.")
            except Exception as error:  # a report plugin may raise anything
                problems.append(f"report {name!r} raised {type(error).__name__}: {error}.")
        if problems:
            self.hook.robustfim_session_finish(record=record, written=written)
            raise PluginError(" ".join(problems))
        return written

    def _wanted(self, examples: Sequence[Example]) -> Sequence[Example]:
        """The examples that ``--example`` names by the beginning of their ids; all of them without it."""
        found = []
        for prefix in self.config.options.examples:
            matches = [each for each in examples if each.id.startswith(prefix)]
            if len(matches) != 1:
                what = (
                    "no example has an id that begins"
                    if not matches
                    else f"{len(matches)} examples have ids that begin"
                )
                raise UsageError(f"--example {prefix}: {what} so. Ids stand in results.json and beside each failure.")
            found += matches
        return found or examples


def _not_run(check: Check, message: str) -> CheckRecord:
    return CheckRecord(
        id=check.id,
        name=check.name,
        outcome=Outcome.ERROR,
        marks=check.spec.marks,
        line=check.line,
        message=message,
    )


def _reproduced(check: CheckRecord) -> CheckRecord:
    """A run of named examples has no rate to judge: any failing candidate fails it."""
    if check.outcome is not Outcome.INCONCLUSIVE:
        return check
    outcome = Outcome.FAILED if check.failing else Outcome.PASSED
    counts = check.candidates
    return check.model_copy(
        update={
            "outcome": outcome,
            "limit": 0.0,
            "message": f"{counts.failed} of {counts.tested} candidates fail.",
        }
    )


def _reproducer(config: RunConfig) -> Callable[[Check, Example], str]:
    """Make the command line that shows one failure alone."""
    extra = "".join(f" {shlex.quote(word)}" for word in config.options.overrides)

    def reproduce(check: Check, example: Example) -> str:
        return f"robustfim run {shlex.quote(config.shown_path)}::{check.name} --example {example.id}{extra}"

    return reproduce
