"""What is known at the end of each stage of a run: frozen values, which survive whatever interrupts it.

``Begun → Collected → Predicted → Selected → Checked``: each holds what the ones before it found, and what is not known
yet is empty, so that any of them can be judged and recorded (:mod:`robustfim.session.run_record`): the record of a run
that was stopped is that of its last stage.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
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
from robustfim.statistics.threshold import FewAlarms
from robustfim.suite.config import RunConfig
from robustfim.suite.file import as_plain
from robustfim.suite.slices import Members

__all__ = ["Begun", "Checked", "Collected", "Predicted", "Selected", "begun", "stopped"]

_Stage = TypeVar("_Stage", bound="Begun")


@dataclass(frozen=True, kw_only=True)
class Begun:
    """The suite was read, and nothing was computed.

    Attributes:
        collection: The checks and their plugins.
        model: The model's part of the record.
        data: The data's part of the record.
        lock: What fixes the tested examples and their texts, if anything does.
        message: Why the run stopped early, if it did.
        broken: Whether it stopped because of a plugin or the model.
        interrupted: Whether the user stopped it.
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
    alike: float = 1.0
    verified: int = 0
    sections: tuple[Section, ...] = ()

    @property
    def config(self) -> RunConfig:
        """The suite and options."""
        return self.collection.config

    @property
    def clusters(self) -> Mapping[str, str]:
        """Example id to cluster, of those that are not independent."""
        return {} if self.context is None else self.context.clusters

    def reached(self, stage: type[_Stage], **news: Any) -> _Stage:
        """Go on to another stage."""
        return stage(**{**vars(self), **news})


@dataclass(frozen=True, kw_only=True)
class Collected(Begun):
    """The data were read, and the model can be asked.

    Attributes:
        context: What plugins are given.
        examples: The usable examples, and those that checks bring.
        wanted: Those that take part.
        brought: Ids of the examples that are not of the data: checks brought them.
        steps: Ids of the checks whose candidates are steps in embedding space.
        device: Where the model computes, if it says so.
    """

    context: RunContext
    wanted: Examples


@dataclass(frozen=True, kw_only=True)
class Predicted(Collected):
    """The unperturbed examples were predicted.

    Attributes:
        predictions: What the model says of them, by example id.
        longest: The longest of them, of a model that does not tell what it reads.
        scores: Their difficulty, once they are scored.
        strict: The threshold of 1 % false alarms of each label that is decided for or against, with enough texts; None
            where no threshold reaches 1 %.
    """

    longest: tuple[Example, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Selected(Predicted):
    """The tested examples were selected.

    Attributes:
        selection: The arms.
        members: The examples of each slice, by their rows.
        tested: The examples that checks test, in the order of their draw.
        alike: Of how many examples of the data the cluster of one is, in the mean; where some of them cannot be judged,
            at most.
    """

    tested: tuple[TestedExample, ...]


@dataclass(frozen=True, kw_only=True)
class Checked(Selected):
    """Some checks, at last all of them, have run.

    Attributes:
        checks: What they counted.
        failures: What they found.
        verified: Answers that the model gave again.
        sections: What plugins add.
    """


def begun(collection: Collection, lock: LockFile | None = None) -> Begun:
    """Note what the suite says of its model and its data."""
    suite = collection.config.suite
    data = suite.data or suite.source  # checks that bring their own examples are the data
    return Begun(
        collection=collection,
        lock=lock,
        model=ModelRecord(use=suite.model.use, options=as_plain(suite.model.options)),
        data=DataRecord(use=data.use, options=as_plain(data.options)) if data else DataRecord(use=""),
    )


def stopped(stage: Begun, error: RobustfimError) -> Begun:
    """Note that a run cannot go on; its checks that have not run become errors."""
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
