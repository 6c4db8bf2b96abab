"""The objects of a run: the model, the data, the scorers, the checks and the reports."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from robustfim.blame import part_name
from robustfim.builtin.engines import Inline
from robustfim.collect.check import Check
from robustfim.collect.spool import Examples
from robustfim.example import Example
from robustfim.parts import CheckSourcePart, DataPart, Part, ReportPart, ScorerPart
from robustfim.predict.attributions import NamedAttribution
from robustfim.roles import Engine, Model
from robustfim.suite.config import RunConfig

__all__ = ["Collection"]


@dataclass(frozen=True)
class Collection:
    """The objects of a run: model, data, checks, scores and reports.

    Attributes:
        config: The suite and options.
        model: The model.
        data: The data source; None if the checks bring their own examples.
        source: The source of the checks; None if the suite lists them.
        scorers: The scorers; those that select examples come first.
        checks: The checks that will run.
        engine: The engine that starts worker processes for predictions and gradients.
        attribution: Computes the importance of words; None if the suite does not ask for it.
        collected: All checks of the suite, including those that the command line or a plugin leaves out.
        reports: The reports, by name.
        examples: The usable examples, read in blocks when they are accessed; empty until they are loaded.
        skipped: The number of rows left out, by reason.
        owners: The plugins that offer the names in the suite, by kind and name.
        made: Objects to close at the end of the run.
        fallbacks: Sentences about replacements for missing resources and the checks that use them.
        cannot_pass: Sentences about checks that no result could make pass; empty until examples are loaded.
    """

    config: RunConfig
    model: Model
    data: DataPart | None
    source: CheckSourcePart | None
    scorers: tuple[ScorerPart, ...]
    checks: tuple[Check, ...]
    reports: Mapping[str, ReportPart]
    examples: Sequence[Example] = ()
    skipped: Mapping[str, int] = field(default_factory=dict)
    collected: tuple[Check, ...] = ()
    attribution: NamedAttribution | None = None
    engine: Engine = field(default_factory=Inline)
    owners: Mapping[tuple[str, str], str] = field(default_factory=dict)
    made: Sequence[Part] = ()
    fallbacks: tuple[str, ...] = ()
    cannot_pass: tuple[str, ...] = ()

    @property
    def who(self) -> str:
        """The model's name in errors."""
        name = self.config.suite.model.use
        return part_name(self.owners.get(("models", name), ""), "model", name, self.model)

    @property
    def left_out(self) -> list[Check]:
        """The suite's checks that do not run, because of the command line or a plugin."""
        running = {check.name for check in self.checks}
        return [check for check in self.collected if check.name not in running]

    @property
    def everything(self) -> Examples:
        """The usable examples of the data, followed by examples that only checks bring."""
        return Examples.of(self.examples).joined(self.own_examples.values())

    @property
    def own_examples(self) -> dict[str, Example]:
        """The examples that checks bring themselves, by id."""
        return {example.id: example for check in self.checks for example in check.examples or ()}
