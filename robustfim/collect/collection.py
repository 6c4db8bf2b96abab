"""What a run works with: the model, the data, the scorers, the checks and the reports."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from robustfim.blame import part_name
from robustfim.builtin.engines import Inline
from robustfim.collect.check import Check
from robustfim.collect.spool import Examples
from robustfim.example import Example
from robustfim.parts import CheckSourcePart, DataPart, Part, ReportPart, ScorerPart
from robustfim.predict.attributions import NamedAttribution
from robustfim.roles import Engine, Model
from robustfim.suite.config import RunConfig

__all__ = ["Collection", "NamedScorer"]


@dataclass(frozen=True)
class NamedScorer:
    """A scorer under the name it has in the suite, and what stands for it in the store."""

    scorer: ScorerPart
    identity: tuple[Any, ...]

    @property
    def name(self) -> str:
        """Its name in the suite."""
        return self.scorer.use


@dataclass(frozen=True)
class Collection:
    """What a run works with.

    Attributes:
        config: The suite and options.
        model: The model.
        data: The data source; None where the checks bring their own examples.
        source: What brought the checks; None where the suite lists them.
        scorers: The scorers, those that select first.
        checks: The checks that will run.
        engine: Where predictions and gradients are computed.
        attribution: What tells how much each word matters; None where the suite does not ask.
        collected: Names of the checks that the suite has, whatever the command line or a plugin leaves out.
        reports: The reports, by name.
        examples: The usable examples, of which blocks are read as they are looked at; empty until they are loaded.
        skipped: Rows left out, by reason.
        owners: The plugins behind the names of the suite, by kind and name.
        made: What is closed when the run has ended.
        fallbacks: What stands in for something that is missing, and in which checks, a sentence each.
        cannot_pass: Which checks could not pass whatever comes, a sentence each; told once the examples are loaded.
    """

    config: RunConfig
    model: Model
    data: DataPart | None
    source: CheckSourcePart | None
    scorers: tuple[NamedScorer, ...]
    checks: tuple[Check, ...]
    reports: Mapping[str, ReportPart]
    examples: Sequence[Example] = ()
    skipped: Mapping[str, int] = field(default_factory=dict)
    collected: tuple[str, ...] = ()
    attribution: NamedAttribution | None = None
    engine: Engine = field(default_factory=Inline)
    owners: Mapping[tuple[str, str], str] = field(default_factory=dict)
    made: Sequence[Part] = ()
    fallbacks: tuple[str, ...] = ()
    cannot_pass: tuple[str, ...] = ()

    @property
    def who(self) -> str:
        """How an error names the model."""
        name = self.config.suite.model.use
        return part_name(self.owners.get(("models", name), ""), "model", name, self.model)

    @property
    def left_out(self) -> list[str]:
        """Names of the suite's checks that do not run, as the command line or a plugin says."""
        running = {check.name for check in self.checks}
        return [name for name in self.collected if name not in running]

    @property
    def everything(self) -> Examples:
        """The usable examples, and after them those that checks bring themselves and the data do not have."""
        data = self.examples if isinstance(self.examples, Examples) else Examples.of(self.examples)
        return data.joined(self.own_examples.values())

    @property
    def own_examples(self) -> dict[str, Example]:
        """The examples that checks bring themselves, by id."""
        return {example.id: example for check in self.checks for example in check.examples or ()}
