"""A session: one run of a suite, from its checks to its reports and exit code."""

from __future__ import annotations

import datetime
import os
import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import ExitStack, suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import TypeVar

from robustfim.blame import told
from robustfim.collect.collect import collect
from robustfim.collect.collection import Collection
from robustfim.collect.needs import unmet_need
from robustfim.collect.resources import fallbacks, left_alone, refuse_fallbacks
from robustfim.engine.pool import WorkerPool
from robustfim.engine.worker import WorkSpec
from robustfim.errors import ModelError, NothingCollected, PluginError, RobustfimError, UsageError, shown_path
from robustfim.judge.baseline import load_baseline, require_common_checks
from robustfim.outcome import ExitCode
from robustfim.parts import ModelPart, closing_all
from robustfim.plugin.manager import PluginManager
from robustfim.plugin.sources import PluginOptions
from robustfim.predict.asked_again import SAMPLE, AskedAgain
from robustfim.predict.queue import CallLimitReached, ModelChanged
from robustfim.predict.store import Store
from robustfim.record import Record
from robustfim.record.privacy import shareable
from robustfim.record.textless import without_texts
from robustfim.select.lock import LockFile
from robustfim.session.flow import Means, selected, stages
from robustfim.session.last_failed import LastFailed
from robustfim.session.partial import PartialRecord
from robustfim.session.report_files import prepare_folder, write_reports
from robustfim.session.run_record import example_table, run_record
from robustfim.session.sections import told_sections
from robustfim.session.stages import Begun, Selected, begun, stopped
from robustfim.session.time_limit import StandstillWatch
from robustfim.version import __version__

__all__ = ["Session"]

_Made = TypeVar("_Made")
_DEFECT = "a defect of robustfim stopped the run"
_INTERRUPTED = "interrupted; everything predicted so far is kept, and the same command resumes from it."


class Session:
    """One run of one suite with one model: configure it, run it, write its reports.

    Args:
        collection: The checks and their plugins.
        manager: The loaded plugins.
        plugins: The plugins that ``-p`` loads and blocks, for the worker processes.
    """

    def __init__(
        self,
        collection: Collection,
        manager: PluginManager,
        plugins: PluginOptions = PluginOptions(),  # noqa: B008  # frozen
    ) -> None:
        self.collection, self.manager, self.plugins = collection, manager, plugins
        self.lock: LockFile | None = None
        self.baselines: Mapping[str, Record] = {}
        self.config = collection.config
        self.hook = manager.hook
        self._warnings: list[str] = []
        self._started, self._clock = datetime.datetime.now(datetime.UTC), time.perf_counter()
        self._watch = StandstillWatch()
        self._again = AskedAgain(0 if self.config.options.offline else SAMPLE, noisy=self.config.suite.repeat > 0)

    def configure(self) -> None:
        """Let the plugins prepare for the run and change its checks.

        Raises:
            NothingCollected: A plugin left no check.
            PluginError: A plugin raised an error.
        """
        checks = list(self.collection.checks)
        self.hook.robustfim_configure(config=self.config)
        self.hook.robustfim_collection_modifyitems(config=self.config, checks=checks)
        if not checks:
            raise NothingCollected(f"a plugin left no check of {self.config.shown_path} to run.")
        reasons = fallbacks(checks) if self.lock is None and self.config.lock is None else {}
        if not self.config.suite.fallbacks:
            refuse_fallbacks(reasons)
        told = tuple(f"{', '.join(names)}: {reason}" for reason, names in reasons.items())
        self.collection = replace(self.collection, checks=tuple(checks), fallbacks=told)

    def require_scores(self, names: Iterable[str], who: str) -> None:
        """Raise an error if the run does not compute the difficulty scores that the caller needs.

        Args:
            names: The scores.
            who: The name of the caller, for the error.

        Raises:
            UsageError: The suite does not name a score.
            ModelError: A score cannot be computed for the model.
        """
        scorers = {scorer.use: scorer for scorer in self.collection.scorers}
        for name in names:
            if name not in scorers:
                raise UsageError(f"{who} needs the score {name!r}, which no loaded plugin offers.")
            if reason := unmet_need(scorers[name], self.collection.model, self.manager):
                raise ModelError(f"{who} needs the score {name!r}: {reason}")

    def run(self, *, share: bool = False) -> tuple[Record, ExitCode]:
        """Run the suite's checks and write the reports.

        Args:
            share: Whether perturbed texts are written to a lock file first, for sessions of other models.

        Returns:
            The results (run record) and the exit code. Errors of a plugin or of the model are in the record.

        Raises:
            UsageError: The data are wrong, the selection cannot be made, or a report cannot be written.
            NothingCollected: No example is usable.
            PluginError: A report, a hook after the last check, or closing an object raised an error.
        """
        with closing_all(self.collection.made):
            return self._run(share=share)

    def _run(self, *, share: bool) -> tuple[Record, ExitCode]:
        self._started, self._clock = datetime.datetime.now(datetime.UTC), time.perf_counter()
        reported = not self.config.options.examples
        baselines: Mapping[str, Record] = {}
        if reported:
            baselines = self.baselines or {
                name: load_baseline(path, self.config.suite.suite)
                for name, path in self.config.options.baselines.items()
            }
        for baseline in baselines.values():
            require_common_checks([check.name for check in self.collection.checks], baseline)
        if self.lock is None and reported and self.config.lock is not None:
            self.lock = LockFile.load(self.config.lock, self.config.suite.suite)
        first_baseline = next(iter(baselines.values()), None)
        if self._folder is not None:
            prepare_folder(self._folder)
        stage = first = begun(self.collection, self.lock)
        self._warnings = [*self.collection.fallbacks]
        unfinished = PartialRecord(self._folder)
        self._keep(stage, unfinished)
        store = Store(self.config.options.store)
        defect: Exception | None = None
        anew = False
        try:
            with ExitStack() as opened, self._watch:
                opened.callback(store.close)
                for stage in stages(first, self._means(store, opened, baseline=first_baseline, share=share)):
                    self._keep(stage, unfinished)
        except KeyboardInterrupt:
            stage = replace(stage, interrupted=True, message=_INTERRUPTED)
        except ModelChanged:
            anew = True
        except (ModelError, PluginError, CallLimitReached) as error:
            stage = stopped(stage, error)
        except RobustfimError:
            raise
        except Exception as error:  # a defect of robustfim; what was found until then is not lost
            defect = error
            stage = replace(stage, broken=True, message=f"{_DEFECT}: {told(error)}")
        except BaseException as error:  # such as the SystemExit of a library that no plugin's name stands before
            stage = stopped(stage, PluginError(f"something in the run raised {told(error)}"))
        finally:
            with suppress(OSError):  # a model may have gone to another folder
                os.chdir(self.config.file.here)
        if anew:
            session = self._anew()
            result = session.run(share=share)
            self.lock = session.lock
            return result
        self.lock = stage.lock
        self._warnings += left_alone(self.collection.checks) + store.warnings
        if store.unreadable:
            self._warnings.append(
                f"the prediction store held {store.unreadable:,} values that cannot be what was asked for; they were "
                "computed again."
            )
        if stage.context is not None and reported:
            try:
                stage = replace(stage, sections=(*stage.sections, *told_sections(stage.context)))
            except PluginError as error:
                self._warnings.append(str(error))
        record = self._record(stage, baselines).with_table(example_table(stage, self._progress))
        if defect is not None:
            record = record.model_copy(update={"exit_code": int(ExitCode.INTERNAL_ERROR)})
        problem: RobustfimError | None = None
        try:
            self.hook.robustfim_run_finish(record=self._shown(shareable(record)))
        except PluginError as error:
            problem = error
            record = record.model_copy(update={"message": str(error), "exit_code": int(ExitCode.FAILED)})
        shared, unwritten = self._publish(record, unfinished, first_baseline)
        if (broken := defect or unwritten or problem) is not None:
            raise broken
        return shared, ExitCode(record.exit_code)

    def _publish(
        self, record: Record, unfinished: PartialRecord, before: Record | None
    ) -> tuple[Record, RobustfimError | None]:
        """Write the reports of a run and show it: the record as the reports have it, and what went wrong with one."""
        shared, folder = self._shown(shareable(record)), self._folder
        written: list[Path] = []
        problem: RobustfimError | None = None
        if folder is not None:
            if "json" in self.collection.reports:
                shared = shared.kept_in(Path(shown_path(folder / "results.json")))
            written, problem = write_reports(self.collection.reports, shared, folder, before)
        if not self.config.options.examples and self.config.options.remember:
            LastFailed(self.config).update(record)
        unfinished.remove()
        self.hook.robustfim_session_finish(record=self._shown(record).kept_in(shared.file), written=written)
        return shared, problem

    def _shown(self, record: Record) -> Record:
        """The record as it may leave the run."""
        return without_texts(record) if self.config.options.without_texts else record

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

    def _means(self, store: Store, opened: ExitStack, *, baseline: Record | None = None, share: bool = False) -> Means:
        """What the stages of the run work with."""
        warn = self._warnings.append
        pool = partial(self._pool, opened)
        return Means(self.manager, store, self._again, baseline, share, pool, warn, self._progress)

    def _pool(self, opened: ExitStack) -> WorkerPool | None:
        """Gather the workers that the suite's engine starts; None where this process computes itself."""
        collection, config = self.collection, self.config
        if not collection.engine.contract.workers:
            return None
        if ModelPart(collection.model).stream is not None:
            self._warnings.append(
                f"the model {config.suite.model.use!r} sends several requests at once: it is asked by this process "
                "alone."
            )
            return None
        versions = {record.name: record.version or record.sha256 or "" for record in self.manager.records()}
        workers = WorkerPool(
            collection.engine, WorkSpec(config.file, config.options, self.plugins),
            fingerprint=collection.model.fingerprint, versions=versions, robustfim=__version__,
            warn=self._warnings.append,
        )  # fmt: skip
        opened.callback(workers.close)
        return workers

    def _record(self, stage: Begun, baselines: Mapping[str, Record] = MappingProxyType({})) -> Record:
        """Make the record of what was found."""
        seconds = time.perf_counter() - self._clock
        started = self._started.isoformat(timespec="seconds")
        return run_record(stage, self.manager.records(), started, seconds, self._warnings, baselines)

    def _keep(self, stage: Begun, unfinished: PartialRecord) -> None:
        """Write down what was found so far; what was answered before the first check is in the store."""
        if stage.checks and unfinished.due:
            left = len(self.collection.checks) - len(stage.checks)
            unfinished.write(lambda: self._shown(shareable(self._record(stage))), left)

    def select(self, then: Callable[[Selected], _Made]) -> _Made:
        """Run until the examples are selected, and return the result of ``then``, called with the run so far.

        Raises the errors of :meth:`run`.
        """
        with closing_all(self.collection.made), ExitStack() as opened:
            store = Store(self.config.options.store)
            opened.callback(store.close)
            return then(selected(begun(self.collection), self._means(store, opened)))

    def _progress(self, stage: str, done: int, total: int) -> None:
        self._watch.moved()
        self.hook.robustfim_progress(stage=stage, done=done, total=total)
