"""A session: one suite from its checks to its reports and exit code."""

from __future__ import annotations

import datetime
import shlex
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from robustfim.collect import Check, Collection, load_examples
from robustfim.config import RunConfig
from robustfim.context import RunContext
from robustfim.errors import ModelError, NothingCollected, PluginError, RobustfimError, UsageError
from robustfim.example import Example
from robustfim.findings import Findings
from robustfim.last_failed import LastFailed
from robustfim.manager import PluginManager
from robustfim.outcome import ExitCode, Outcome
from robustfim.prediction_queue import CallLimitReached, PredictionQueue
from robustfim.record import Record
from robustfim.reporting import prepare_folder, write_reports
from robustfim.runner import TestedExample, run_check
from robustfim.selection import score_examples, select_examples
from robustfim.store import Store

__all__ = ["Session"]

_INTERRUPTED = "interrupted; everything predicted so far is kept, and the same command resumes from it."


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
            PluginError: A plugin raised.
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
            PluginError: A report raised, or a hook after the last check.
        """
        started, clock = datetime.datetime.now(datetime.UTC), time.perf_counter()
        reported = not self.config.options.examples
        if reported:
            prepare_folder(self.config.folder)
        findings = Findings(self.config)
        store = Store(self.config.options.store)
        try:
            self._work(findings, store)
        except KeyboardInterrupt:
            findings.interrupted, findings.message = True, _INTERRUPTED
        except (ModelError, PluginError, CallLimitReached) as error:
            findings.stopped(error, self.collection.checks)
        finally:
            store.close()
        record = findings.record(
            self.manager.records(),
            started.isoformat(timespec="seconds"),
            time.perf_counter() - clock,
        )
        problem: RobustfimError | None = None
        try:
            self.hook.robustfim_run_finish(record=record)
        except PluginError as error:
            problem = error
            record = record.model_copy(update={"message": str(error), "exit_code": int(ExitCode.FAILED)})
        written: list[Path] = []
        if reported:
            written, unwritten = write_reports(self.collection.reports, record, self.config.folder)
            LastFailed(self.config).update(record)
            problem = unwritten or problem
        self.hook.robustfim_session_finish(record=record, written=written)
        if problem is not None:
            raise problem
        return record, ExitCode(record.exit_code)

    # ---- the stages -----------------------------------------------------------------------------------

    def _work(self, findings: Findings, store: Store) -> None:
        """Load, predict, score, select, and run the checks."""
        config, progress = self.config, self._progress
        collection = self.collection = load_examples(self.collection)
        wanted = self._wanted(collection.examples)
        self.hook.robustfim_run_start(collection=collection)
        queue = PredictionQueue(collection.model, store, max_calls=config.options.max_calls)
        context = RunContext(
            collection.model, queue, self.manager.geometry(), seed=config.seed, offline=config.options.offline
        )
        context.examples, findings.context = collection.examples, context
        findings.loaded(collection, wanted)
        usable = self._predict(findings, wanted, context)
        if collection.scorers:
            findings.scores = score_examples(collection.scorers, usable, context, store, progress)
        spec = None if config.options.examples else config.suite.select
        findings.selection = select_examples(spec, usable, findings.scores, config.seed)
        self.hook.robustfim_selection_finish(
            model=findings.model, scores=findings.scores.records, selection=findings.selection.record
        )
        arms = findings.selection.arms
        tested = [
            TestedExample(each, findings.predictions[each.id], arms[each.id]) for each in usable if each.id in arms
        ]
        reproduce = _reproducer(config)
        stopping = 0
        for check in collection.checks:
            self.hook.robustfim_check_start(check=check)
            record, failures = run_check(check, tested, context, store, reproduce=reproduce, progress=progress)
            findings.checks.append(record)
            findings.failures += failures
            preliminary = findings.decide([record])[0]
            self.hook.robustfim_check_finish(check=check, result=preliminary)
            stopping += preliminary.outcome in (Outcome.FAILED, Outcome.ERROR, Outcome.XPASSED)
            if config.options.max_failures is not None and stopping >= config.options.max_failures:
                findings.message = f"stopped after {stopping} failure{'s' * (stopping != 1)}."
                break

    def _predict(self, findings: Findings, wanted: Sequence[Example], context: RunContext) -> list[Example]:
        """Predict the unperturbed examples, and leave out those without finite numbers."""
        predictions = context.queue.predict(wanted, lambda done, total: self._progress("predict", done, total))
        pairs = [(each, got) for each, got in zip(wanted, predictions, strict=True) if got is not None]
        if not pairs:
            raise ModelError(f"the model gave no finite probabilities for any of {len(wanted)} examples.")
        findings.predicted(pairs, len(wanted) - len(pairs))
        return [example for example, _ in pairs]

    def _progress(self, stage: str, done: int, total: int) -> None:
        self.hook.robustfim_progress(stage=stage, done=done, total=total)

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


def _reproducer(config: RunConfig) -> Callable[[Check, Example], str]:
    """Make the command line that shows one failure alone."""
    extra = "".join(f" {shlex.quote(word)}" for word in config.options.overrides)

    def reproduce(check: Check, example: Example) -> str:
        return f"robustfim run {shlex.quote(config.shown_path)}::{check.name} --example {example.id}{extra}"

    return reproduce
