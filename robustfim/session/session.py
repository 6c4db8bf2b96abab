"""A session: one suite from its checks to its reports and exit code."""

from __future__ import annotations

import datetime
import os
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path

from robustfim.blame import told
from robustfim.collect.check import Check
from robustfim.collect.clusters import clusters_of
from robustfim.collect.collect import collect, load_examples
from robustfim.collect.collection import Collection
from robustfim.collect.resources import fallbacks, left_alone, refuse_fallbacks, resources
from robustfim.collect.spool import Examples
from robustfim.collect.threshold import settle_threshold
from robustfim.engine.crew import Crew
from robustfim.engine.remote import explained_by, predicting, remote_geometry, stepping
from robustfim.engine.worker import WorkSpec
from robustfim.errors import ModelError, NothingCollected, PluginError, RobustfimError
from robustfim.example import Example
from robustfim.judge.baseline import load_baselines, require_common_checks
from robustfim.judge.verdicts import summarise
from robustfim.outcome import ExitCode, Outcome
from robustfim.parts import ModelPart
from robustfim.plugin.manager import PluginManager
from robustfim.plugin.sources import PluginOptions
from robustfim.predict.asked_again import AskedAgain
from robustfim.predict.attributions import Attributions
from robustfim.predict.context import RunContext
from robustfim.predict.decided import decision_rule
from robustfim.predict.queue import CallLimitReached, ModelChanged, PredictionQueue
from robustfim.predict.store import Store
from robustfim.record import PilotRecord, Record
from robustfim.record.privacy import shareable
from robustfim.select.columns import Predictions
from robustfim.select.draw import TestedExample
from robustfim.select.lock import LockFile
from robustfim.select.selection import score_examples, select_examples, select_locked
from robustfim.session.budget import budget_of, comparisons
from robustfim.session.cannot_pass import cannot_pass
from robustfim.session.check_run import run_check
from robustfim.session.findings import Findings
from robustfim.session.last_failed import LastFailed
from robustfim.session.locked_texts import locked_texts
from robustfim.session.one_label import refuse_one_label
from robustfim.session.partial import PartialRecord
from robustfim.session.pilot import drawn_for_pilot, run_pilot
from robustfim.session.probe import longest, probe
from robustfim.session.report_files import prepare_folder, write_reports
from robustfim.session.reproduction import named_examples, reproducer
from robustfim.session.run_record import decided, example_table, run_record
from robustfim.session.sections import gather_sections, told_sections
from robustfim.session.time_limit import StandstillWatch
from robustfim.suite.format import BEST, SelectSpec
from robustfim.suite.slices import slice_members
from robustfim.version import __version__

__all__ = ["Session"]

_DEFECT = "a defect of robustfim stopped the run"
_WINDOW = 8192
"""Examples that are asked for together: what is held as objects at a time."""
_FEW = 10
"""Examples without a prediction that are borne whatever the model says in ``unusable``."""
_INTERRUPTED = "interrupted; everything predicted so far is kept, and the same command resumes from it."


class Session:
    """One run of one suite.

    Args:
        collection: The checks and their plugins.
        manager: The loaded plugins.
        plugins: ``-p``, by which workers load them, too.
    """

    def __init__(
        self,
        collection: Collection,
        manager: PluginManager,
        plugins: PluginOptions = PluginOptions(),  # noqa: B008  # frozen
    ) -> None:
        self.collection, self.manager, self.plugins = collection, manager, plugins
        self.config = collection.config
        self.hook = manager.hook
        self._workers: Crew | None = None
        self.lock: LockFile | None = None
        self.baselines: Mapping[str, Record] = {}
        self._started, self._clock = datetime.datetime.now(datetime.UTC), time.perf_counter()
        self._watch = StandstillWatch()
        self._again = AskedAgain(0) if self.config.options.offline else AskedAgain()
        self._partial = PartialRecord(self._folder)

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
        found = fallbacks(checks) if self.lock is None and self.config.lock is None else {}
        if not self.config.suite.fallbacks:
            refuse_fallbacks(found)
        told = tuple(f"{', '.join(names)}: {reason}" for reason, names in found.items())
        self.collection = replace(self.collection, checks=tuple(checks), fallbacks=told)

    def run(self) -> tuple[Record, ExitCode]:
        """Run the checks and write the reports.

        Returns:
            The run record as the reports have it, and the exit code. Whatever goes wrong in a plugin or the
            model is in the record.

        Raises:
            UsageError: The data is wrong, the selection cannot be made, or a report cannot be written.
            NothingCollected: No example is usable.
            PluginError: A report raised, or a hook after the last check.
        """
        self._started, self._clock = datetime.datetime.now(datetime.UTC), time.perf_counter()
        reported = not self.config.options.examples
        baselines = (self.baselines or self._baselines()) if reported else {}
        for baseline in baselines.values():
            require_common_checks([check.name for check in self.collection.checks], baseline)
        if self.lock is None and reported:
            self.lock = self._lock()
        if self._folder is not None:
            prepare_folder(self._folder)
        findings = Findings(self.config)
        findings.warnings += self.collection.fallbacks
        self._keep(findings)
        store = Store(self.config.options.store)
        defect: Exception | None = None
        anew = False
        try:
            with self._watch:
                self._work(findings, store)
        except KeyboardInterrupt:
            findings.interrupted, findings.message = True, _INTERRUPTED
        except ModelChanged:
            anew = True
        except (ModelError, PluginError, CallLimitReached) as error:
            findings.stopped(error, self.collection.checks)
        except RobustfimError:
            raise
        except Exception as error:  # a defect of robustfim; what was found until then is not lost
            defect = error
            findings.broken, findings.message = True, f"{_DEFECT}: {told(error)}"
        except BaseException as error:  # such as the SystemExit of a library that no plugin's name stands before
            findings.stopped(PluginError(f"something in the run raised {told(error)}"), self.collection.checks)
        finally:
            self._dismiss()
            store.close()
            with suppress(OSError):  # a model may have gone to another folder
                os.chdir(self.config.file.here)
        if anew:
            return self._anew().run()
        findings.warnings += left_alone(self.collection.checks) + store.warnings
        if store.unreadable:
            findings.warnings.append(
                f"the prediction store held {store.unreadable:,} values that cannot be what was asked for; they were "
                "computed again."
            )
        if findings.context is not None and reported:
            try:
                findings.sections += told_sections(findings.context)
            except PluginError as error:
                findings.warnings.append(str(error))
        record = self._record(findings, baselines).with_table(example_table(findings, self._progress))
        if self.lock is not None:
            record = record.model_copy(update={"lock": self.lock.fingerprint})
        if defect is not None:
            record = record.model_copy(update={"exit_code": int(ExitCode.INTERNAL_ERROR)})
        problem: RobustfimError | None = None
        try:
            self.hook.robustfim_run_finish(record=shareable(record))
        except PluginError as error:
            problem = error
            record = record.model_copy(update={"message": str(error), "exit_code": int(ExitCode.FAILED)})
        shared, unwritten = self._publish(record)
        if (broken := defect or unwritten or problem) is not None:
            raise broken
        return shared, ExitCode(record.exit_code)

    def _publish(self, record: Record) -> tuple[Record, RobustfimError | None]:
        """Write the reports of a run and show it: the record as the reports have it, and what went wrong with one."""
        shared, folder = shareable(record), self._folder
        written: list[Path] = []
        problem: RobustfimError | None = None
        if folder is not None:
            written, problem = write_reports(self.collection.reports, shared, folder)
        if not self.config.options.examples and self.config.options.remember:
            LastFailed(self.config).update(record)
        self._partial.remove()
        self.hook.robustfim_session_finish(record=record, written=written)
        return shared, problem

    def _anew(self) -> Session:
        """The same run from its beginning, once the answers that it believed were put aside."""
        config, known = self.config, self._again.sent
        if config.options.max_calls is not None:
            config = replace(
                config, options=replace(config.options, max_calls=max(0, config.options.max_calls - known))
            )
        kept = {check.id for check in self.collection.checks}
        collection = collect(config, self.manager)
        checks = tuple(check for check in collection.checks if check.id in kept)
        session = Session(replace(collection, checks=checks), self.manager, self.plugins)
        session.lock, session.baselines, session._again = self.lock, self.baselines, self._again
        session.configure()
        return session

    @property
    def _folder(self) -> Path | None:
        """Where reports are written: of a run of some checks beside those of the whole; None for named examples."""
        folder = None if self.config.options.examples else self.config.folder
        if folder is None or not self.collection.left_out:
            return folder
        return folder.with_name(f"{folder.name}.partial")

    def _crew(self, findings: Findings) -> Crew | None:
        """Gather the workers that the suite's engine starts; None where this process computes itself."""
        collection, config = self.collection, self.config
        if not collection.engine.workers:
            return None
        if ModelPart(collection.model).allow is not None:
            findings.warnings.append(
                f"the model {config.suite.model.use!r} counts its own requests, and sends several at once: it is asked "
                "by this process alone."
            )
            return None
        versions = {each.name: each.version or each.sha256 or "" for each in self.manager.records()}
        self._workers = Crew(
            collection.engine, WorkSpec(config.file, config.options, self.plugins),
            fingerprint=collection.model.fingerprint, versions=versions, robustfim=__version__,
            warn=findings.warnings.append,
        )  # fmt: skip
        return self._workers

    def _dismiss(self) -> None:
        """Stop the workers, if there are any."""
        if self._workers is not None:
            self._workers.close()
            self._workers = None

    def forget_partial(self) -> None:
        """Take away what an earlier run left that was killed."""
        self._partial.remove()

    def report_death(self, message: str) -> None:
        """Report a run whose process died, with what it had found; the checks that had not run become errors.

        Args:
            message: What killed it.

        Raises:
            UsageError: A report cannot be written.
            PluginError: A report raised.
        """
        findings = Findings(self.config)
        findings.stopped(PluginError(message), self.collection.checks)
        record = self._record(findings)
        found = self._partial.read()
        if found is not None:
            ran = {check.id for check in found.checks}
            checks = [*found.checks, *(check for check in record.checks if check.id not in ran)]
            news = {"checks": checks, "summary": summarise(checks), "message": message, "interrupted": False}
            record = found.model_copy(update={**news, "exit_code": int(ExitCode.FAILED)})
        _, problem = self._publish(record)
        if problem is not None:
            raise problem

    def _record(self, findings: Findings, baselines: Mapping[str, Record] | None = None) -> Record:
        """Make the record of what was found."""
        seconds = time.perf_counter() - self._clock
        record = run_record(
            findings, self.manager.records(), self._started.isoformat(timespec="seconds"), seconds, baselines or {}
        )  # fmt: skip
        return record.model_copy(update={"deselected": self.collection.left_out})

    def _keep(self, findings: Findings) -> None:
        """Write down what was found so far."""
        if self._partial.due:
            left = len(self.collection.checks) - len(findings.checks)
            self._partial.write(lambda: shareable(self._record(findings)), left)

    def _lock(self) -> LockFile | None:
        """Read the lock file that the suite or the command line names."""
        path = self.config.lock
        return None if path is None else LockFile.load(path, self.config.suite.suite)

    def _baselines(self) -> Mapping[str, Record]:
        """Read the baselines, before anything is computed."""
        return load_baselines(self.config.options.baselines, self.config.suite.suite)

    def write_lock(self) -> LockFile:
        """Select the examples and propose the texts, as a run would, and write both down.

        Returns:
            The lock; ``self.lock = …`` makes a session of the same suite use it.

        Raises:
            UsageError: The data or the selection is wrong, or the model has no gradients for a guided order.
            ModelError: The model cannot be used.
            PluginError: A plugin is broken.
        """
        findings, store = Findings(self.config), Store(self.config.options.store)
        try:
            context, tested = self._select(findings, store)
            checks = locked_texts(self.collection.checks, tested, context, store, self._progress)
        finally:
            self._dismiss()
            store.close()
        arms = {each.example.id: each.arm for each in tested}
        return LockFile.model_validate(
            {
                "suite": self.config.suite.suite,
                "seed": self.config.seed,
                "arms": arms,
                "by": findings.selection.record.by,
                "checks": checks,
            }
        )

    # ---- the stages -----------------------------------------------------------------------------------

    def _select(self, findings: Findings, store: Store) -> tuple[RunContext, list[TestedExample]]:
        """Load, predict, score and select."""
        config, progress = self.config, self._progress
        collection = self.collection = load_examples(self.collection, progress)
        everything = collection.everything
        wanted = named_examples(everything, config.options.examples)
        if not config.options.examples:
            compared = bool(self.baselines or config.options.baselines)
            few = tuple(cannot_pass(collection, len(collection.examples), self.lock, compared=compared))
            collection = self.collection = replace(collection, cannot_pass=few)
        self.hook.robustfim_run_start(collection=collection)
        queue_of = partial(
            PredictionQueue, collection.model, store, max_calls=config.options.max_calls,
            verify=config.options.verify or 0, who=collection.who, again=self._again,
        )  # fmt: skip
        alone = queue_of()
        threshold = settle_threshold(collection, partial(alone.predict, progress=partial(progress, "predict")))
        if threshold is not None:  # workers read the number
            findings.model = findings.model.model_copy(update={"threshold": threshold})
            config.file.override(("model", "decide", "at"), threshold.at, "")
        crew = self._crew(findings)
        queue = queue_of(stream=predicting(crew)) if crew else alone
        queue.sent, queue.cached = alone.sent, alone.cached
        context = RunContext(
            collection.model, queue, remote_geometry(crew) or self.manager.shared("geometry"), seed=config.seed,
            store=store,
            offline=config.options.offline, tagger=self.manager.shared("tagger"), who=self.manager.sharer,
            attributions=Attributions(
                explained_by(crew, collection.attribution), collection.model, queue.key, store, progress
            ),
            shifts=any(each.scorer.gradients for each in collection.scorers),
            stepping=partial(stepping, crew) if crew else None,
        )  # fmt: skip
        context.examples, findings.context = everything, context
        context.clusters = clusters_of(everything, config.suite.cluster, progress)
        findings.steps = frozenset(each.id for each in collection.checks if each.perturbation.takes_steps)
        findings.loaded(collection, everything, wanted, progress)
        self._prepare_source(context)
        usable = self._predict(findings, wanted, context).of_data
        if collection.scorers:
            findings.scores = score_examples(collection.scorers, usable, context, store, progress)
        spec = None if config.options.examples else config.suite.select
        if self.lock is None or config.options.examples:
            pilot = None
            if spec is not None and spec.by == BEST and spec.difficult:
                pilot = self._pilot(spec, usable, findings, context, store)
            findings.selection = select_examples(spec, usable, findings.scores, config.seed, pilot, progress)
        else:
            findings.selection = select_locked(self.lock, everything, findings.predictions, spec, findings.scores)
        context.slices = findings.members = slice_members(
            config.suite.slices, everything, findings.predictions, findings.scores.values, progress
        )
        self.hook.robustfim_selection_finish(
            model=findings.model, scores=findings.scores.records, selection=findings.selection.record
        )
        arms = findings.selection.arms
        known = {each.id: each for each in usable.among(arms)}
        order = known if findings.selection.record.testable is None else arms  # the arms are in the order of the draw
        tested = [TestedExample(known[each], findings.predictions[each], arms[each]) for each in order]
        return context, tested

    def _pilot(
        self, spec: SelectSpec, usable: Examples, findings: Findings, context: RunContext, store: Store
    ) -> PilotRecord:
        """Learn which score predicts failures, on examples that are then judged no more."""
        drawn = drawn_for_pilot(usable, context.clusters, spec.pilot, self.config.seed)
        pilot = run_pilot(
            self.collection.checks, drawn, findings.predictions, findings.scores, context, store, self._progress
        )
        if pilot.message:
            first = findings.scores.records[0].name
            findings.warnings.append(f"select: {{by: {BEST}}}: {pilot.message}; {first!r} selects, the suite's first.")
        return pilot

    def _work(self, findings: Findings, store: Store) -> None:
        """Select examples, and run the checks on them."""
        config, progress = self.config, self._progress
        context, tested = self._select(findings, store)
        for check in self.collection.checks:
            if self.lock is not None and check.made_beforehand:
                self.lock.verify(check.name, check.settings)
        self._keep(findings)
        reproduce = reproducer(config)
        stopping = 0
        for check in self.collection.checks:
            self.hook.robustfim_check_start(check=check)
            own_tested = self._own(check, findings)
            counts, failures = run_check(
                check,
                tested if own_tested is None else own_tested,
                context,
                store,
                reproduce=reproduce,
                progress=progress,
                budget=budget_of(check, self.collection),
                lock=self.lock,
                testable=findings.selection.record.testable,
            )
            if counts.ended is None and self.lock is not None:
                findings.warnings += self.lock.differences(check.name, resources(check))
            findings.checks.append(counts)
            findings.failures += failures
            context.show_importance({each.example for each in failures})
            findings.warnings += context.show_pictures(findings.examples.among({each.example for each in failures}))
            others = [each for each in self.collection.checks if each is not check]
            self._keep(findings)
            preliminary = decided(findings, [counts], comparisons(others))[0]
            self.hook.robustfim_check_finish(check=check, result=preliminary)
            stopping += preliminary.outcome in (Outcome.FAILED, Outcome.ERROR, Outcome.XPASSED)
            if config.options.max_failures is not None and stopping >= config.options.max_failures:
                findings.message = f"stopped after {stopping} failure{'s' * (stopping != 1)}."
                break
        findings.verified = context.queue.verify()
        context.queue.ask_rest()
        if not config.options.examples:
            findings.sections = gather_sections(self.hook, self.collection, context)

    def _prepare_source(self, context: RunContext) -> None:
        """Let the source of the checks compare its labels with the model's."""
        if self.collection.source is not None:
            self.collection.source.prepare(context)

    @staticmethod
    def _own(check: Check, findings: Findings) -> list[TestedExample] | None:
        """The examples that a check brings, as far as the model gave numbers for them; None without any."""
        if check.examples is None:
            return None
        predictions = findings.predictions
        return [TestedExample(each, predictions[each.id], "all") for each in check.examples if each.id in predictions]

    def _predict(self, findings: Findings, wanted: Examples, context: RunContext) -> Predictions:
        """Predict the unperturbed examples window by window, and leave out those without finite numbers."""
        found = Predictions(wanted, len(self.collection.examples))
        long: list[Example] = []
        for start, window in wanted.windows(_WINDOW):
            share = partial(self._predicted, start, len(window), len(wanted))
            found.put(start, window, context.queue.predict(window, share))
            long = long if findings.window_told else longest(long, window)
            self._progress("predict", start + len(window), len(wanted))
        if not found:
            raise ModelError(f"the model gave no finite probabilities for any of {len(wanted)} examples.")
        lost, most = len(wanted) - len(found), ModelPart(self.collection.model).unusable
        findings.predicted(found, lost)
        known = [each for each in long if each.id in found]
        findings.probed(probe(known, [found[each.id] for each in known], context))
        if lost >= _FEW and lost > most * len(wanted):
            raise ModelError(
                f"the model has no usable answer to {lost} of {len(wanted)} examples: 'unusable: {most:g}'."
            )
        rule = decision_rule(self.collection.model)
        if rule is not None and all(probability in (0, 1) for each in found.values() for probability in each.tilted):
            raise ModelError(
                "the model gives labels alone, with probabilities of 0 and 1, which no threshold can tell apart: leave "
                "'decide' out, or test the model's own probabilities."
            )
        if self.config.suite.data is not None and not self.config.suite.one_label:
            refuse_one_label(found)
        return found

    def _predicted(self, start: int, size: int, everything: int, done: int, total: int) -> None:
        """Tell how many examples are predicted; of a window, the end is told by itself, whatever the store knew."""
        if done < total:
            self._progress("predict", start + size * done // total, everything)

    def _progress(self, stage: str, done: int, total: int) -> None:
        self._watch.moved()
        self.hook.robustfim_progress(stage=stage, done=done, total=total)
