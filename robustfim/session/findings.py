"""Findings: what a run has found so far. They survive whatever interrupts it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from robustfim.blame import blame
from robustfim.collect.check import Check
from robustfim.collect.collection import Collection
from robustfim.collect.spool import BLOCK, Examples
from robustfim.errors import ModelError, RobustfimError
from robustfim.exhibit import Section
from robustfim.outcome import Outcome
from robustfim.parts import ModelPart
from robustfim.plugin.traceback import plugin_traceback
from robustfim.predict.context import RunContext
from robustfim.predict.labels import known_labels
from robustfim.record import (
    WITHOUT_NUMBERS,
    CheckCounts,
    DataRecord,
    Failure,
    ModelRecord,
    SelectionRecord,
    WindowRecord,
)
from robustfim.roles import Model
from robustfim.select.columns import Predictions
from robustfim.select.selection import Scores, Selection
from robustfim.session.weak_model import associated
from robustfim.suite.config import RunConfig
from robustfim.suite.file import as_plain
from robustfim.suite.slices import Members
from robustfim.window import windows

__all__ = ["Findings", "Progress"]

Progress = Callable[[str, int, int], None]


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
        members: The examples of each slice, by their rows.
        sections: What plugins add.
        warnings: What went wrong and stopped nothing.
        verified: Answers that the model gave again.
    """

    config: RunConfig
    context: RunContext | None = None
    examples: Examples = field(default_factory=lambda: Examples.of(()))
    model: ModelRecord = field(init=False)
    data: DataRecord = field(init=False)
    predictions: Predictions = field(default_factory=lambda: Predictions(Examples.of(()), 0))
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
    members: Mapping[str, Members] = field(default_factory=dict)
    sections: list[Section] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    verified: int = 0
    _own: int = 0
    """How many of the examples are of the data: the first ones."""

    def __post_init__(self) -> None:
        model, data = self.config.suite.model, self.config.suite.data
        self.model = ModelRecord(use=model.use, options=as_plain(model.options))
        data = data or self.config.suite.source  # checks that bring their own examples are the data
        self.data = DataRecord(use=data.use, options=as_plain(data.options)) if data else DataRecord(use="")

    def loaded(self, collection: Collection, everything: Examples, wanted: Examples, progress: Progress) -> None:
        """Note the model and the examples.

        Args:
            collection: The collection, with its examples.
            everything: The usable examples, and those that checks bring.
            wanted: The examples that take part.
            progress: Called with ("measure", done, total) while the model tells what it reads of the texts.

        Raises:
            ModelError: The model cannot tell its device, or what it reads of the texts.
        """
        self.examples, self._own = everything, len(collection.examples)
        self.brought = frozenset(everything[self._own :].ids())
        window, self.device = _asked(collection.model, wanted, collection.who, progress)
        self.model = self.model.model_copy(
            update={"fingerprint": collection.model.fingerprint, "labels": list(known_labels(collection.model))}
        )
        self.data = self.data.model_copy(
            update={
                "examples": self._of_data(wanted),
                "skipped": dict(collection.skipped),
                "window": window,
            }
        )

    def predicted(self, found: Predictions, lost: int) -> None:
        """Note what the model says of the unperturbed examples, and its accuracy.

        Args:
            found: Its predictions.
            lost: Examples for which the model gave no finite numbers.
        """
        self.predictions = found
        right = found.accuracy(self.clusters)
        self.model = self.model.model_copy(
            update={
                "accuracy": right.rate,
                "accuracy_interval": right.interval,
                "majority": found.majority,
                "association": associated(found, self.config, self.clusters),
            }
        )
        skipped = self.data.skipped | ({WITHOUT_NUMBERS: lost} if lost else {})
        number = len(found.of_data if self.config.suite.data else found)
        self.data = self.data.model_copy(update={"examples": number, "labelled": right.tested, "skipped": skipped})

    @property
    def window_told(self) -> bool:
        """Whether the model says what it reads of a text, or answers in its own words."""
        return not self.model.labels or (self.data.window is not None and self.data.window.told)

    def probed(self, moved: Sequence[bool]) -> None:
        """Note whether the second half of long texts is read, of a model that does not tell what it reads.

        Args:
            moved: For each of the texts asked about without it, whether a probability moved.
        """
        if moved:
            window = WindowRecord(told=False, probed=len(moved), unread=len(moved) - sum(moved))
            self.data = self.data.model_copy(update={"window": window})
            if window.sentence:
                self.warnings.append(f"{window.sentence}.")

    @property
    def clusters(self) -> Mapping[str, str]:
        """Example id to cluster, of those that are not independent."""
        return {} if self.context is None else self.context.clusters

    def _of_data(self, examples: Examples) -> int:
        """Count the examples of the data; without any, the checks' own are the data."""
        return sum(row < self._own for row in examples.rows) if self.config.suite.data else len(examples)

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


def _asked(model: Model, examples: Examples, who: str, progress: Progress) -> tuple[WindowRecord, str | None]:
    """Ask a model what it may tell: of how many examples it reads a part only, and its device."""
    with blame(who, ModelError):
        told, device = ModelPart(model).window is not None, ModelPart(model).device
    partly = 0
    for start, block in examples.windows(BLOCK) if told else ():
        progress("measure", start, len(examples))
        with blame(who, ModelError):
            partly += sum(window is not None for window in windows(model, block) or ())
    return WindowRecord(told=told, partly=partly), None if device is None else str(device)
