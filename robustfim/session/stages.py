"""The results at the end of each stage of a run, as frozen values that survive an interruption.

``Begun → Collected → Predicted → Selected → Checked``: each stage holds the results of the stages before it, and fields
of later stages are empty. So any stage can be judged and recorded (:mod:`robustfim.session.run_record`): the record of
an interrupted run is made from its last stage.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import Any, TypeVar

from robustfim.collect.collection import Collection
from robustfim.collect.spool import Examples
from robustfim.errors import RobustfimError
from robustfim.example import Example
from robustfim.exhibit import Section
from robustfim.judge.check_counts import CheckCounts
from robustfim.outcome import Outcome
from robustfim.plugin.traceback import plugin_traceback
from robustfim.predict.context import RunContext
from robustfim.record import DataRecord, Failure, ModelRecord, SelectionRecord
from robustfim.select.columns import Predictions
from robustfim.select.draw import TestedExample
from robustfim.select.lock import LockFile
from robustfim.select.selection import Scores, Selection
from robustfim.select.slices import Members
from robustfim.statistics.clusters import ClusterOf, mean_cluster
from robustfim.statistics.threshold import FewAlarms
from robustfim.suite.config import RunConfig
from robustfim.suite.file import as_plain

__all__ = ["Begun", "Checked", "Collected", "Predicted", "Selected", "begun", "stopped"]

_Stage = TypeVar("_Stage", bound="Begun")


@dataclass(frozen=True, kw_only=True)
class Begun:
    """The results of a run at its first stage: the suite was read, and nothing was computed.

    Attributes:
        collection: The checks and their plugins.
        model: The stored facts about the model.
        data: The stored facts about the data.
        lock: The lock file with the tested examples and their texts, if there is one.
        message: Why the run stopped early, if it did.
        broken: Whether the run stopped because of a plugin or the model.
        interrupted: Whether the user stopped the run.
    """

    collection: Collection
    model: ModelRecord
    data: DataRecord
    lock: LockFile | None = None
    message: str = ""
    broken: bool = False
    interrupted: bool = False

    context: RunContext | None = None
    examples: Examples = field(default_factory=lambda: Examples.of(()))
    brought: frozenset[str] = frozenset()
    steps: frozenset[str] = frozenset()
    device: str | None = None
    predictions: Predictions = field(default_factory=lambda: Predictions(Examples.of(()), 0))
    scores: Scores = field(default_factory=lambda: Scores({}, []))
    strict: Mapping[str, FewAlarms | None] = field(default_factory=dict)
    selection: Selection = field(default_factory=lambda: Selection({}, SelectionRecord()))
    members: Mapping[str, Members] = field(default_factory=dict)
    again: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    checks: tuple[CheckCounts, ...] = ()
    failures: tuple[Failure, ...] = ()
    sections: tuple[Section, ...] = ()

    @property
    def config(self) -> RunConfig:
        """The suite and options of the run."""
        return self.collection.config

    @property
    def clusters(self) -> ClusterOf:
        """Example id to cluster, for examples that are not independent."""
        return {} if self.context is None else self.context.clusters

    @cached_property
    def alike(self) -> float:
        """The mean size of the cluster (group of dependent examples) to which an example belongs."""
        return mean_cluster(self.clusters, max(1, len(self.predictions.of_data)))

    def reached(self, stage: type[_Stage], **news: Any) -> _Stage:
        """Return a later stage with the results of this stage and new results."""
        return stage(**{each.name: getattr(self, each.name) for each in fields(self)} | news)


@dataclass(frozen=True, kw_only=True)
class Collected(Begun):
    """The results of a run at its second stage: the data were read, and the model can be asked.

    Attributes:
        context: The context: the services for plugins.
        examples: The usable examples, of the data and of checks with examples of their own.
        wanted: The examples that take part in the run.
        brought: Ids of the examples that come from checks and are not in the data.
        steps: Ids of the checks that move embeddings instead of editing texts.
        device: The device of the model, if it reports one.
    """

    context: RunContext
    wanted: Examples


@dataclass(frozen=True, kw_only=True)
class Predicted(Collected):
    """The results of a run at its third stage: the unperturbed examples were predicted.

    Attributes:
        predictions: The model's predictions, by example id.
        longest: The longest examples, for a model that does not report what it reads.
        scores: The examples' difficulty, once they are scored.
        strict: Label to the threshold with 1 % false positives, for each label that the decision rule names and that
            enough texts lack; None if no threshold gives 1 %.
    """

    longest: tuple[Example, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Selected(Predicted):
    """The results of a run at its fourth stage: the examples to test were selected.

    Attributes:
        selection: The selected groups (arms) of difficult and of control examples, or the strata.
        members: The examples of each slice, by row number.
        tested: The examples that checks test, in the order of their draw.
    """

    tested: tuple[TestedExample, ...]


@dataclass(frozen=True, kw_only=True)
class Checked(Selected):
    """The results of a run at its last stage: some or all checks have run.

    Attributes:
        checks: The counts of the checks.
        failures: The failures of the checks.
        sections: The report sections that plugins add.
    """


def begun(collection: Collection, lock: LockFile | None = None) -> Begun:
    """Return the first stage of a run, with the suite's model and data but no results."""
    suite = collection.config.suite
    data = suite.data or suite.source  # checks that bring their own examples are the data
    return Begun(
        collection=collection,
        lock=lock,
        model=ModelRecord(use=suite.model.use, options=as_plain(suite.model.options)),
        data=DataRecord(use=data.use, options=as_plain(data.options)) if data else DataRecord(use=""),
    )


def stopped(stage: Begun, error: RobustfimError) -> Begun:
    """Return the results with the reason why the run stopped; checks that have not run become errors."""
    ran = {check.id for check in stage.checks}
    trace = plugin_traceback(error)
    errors = [
        CheckCounts(
            id=check.id,
            name=check.name,
            ended=Outcome.ERROR,
            marks=check.spec.marks,
            capability=check.spec.capability,
            type=check.spec.type,
            line=check.line,
            message=str(error),
            traceback=trace,
        )
        for check in stage.collection.checks
        if check.id not in ran
    ]
    return stage.reached(type(stage), message=str(error), broken=True, checks=(*stage.checks, *errors))
