"""What a run works with: the model, the data, the scorers, the checks and the reports."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from robustfim.blame import part_name
from robustfim.builtin.engines import Inline
from robustfim.collect.check import Check
from robustfim.collect.spool import Examples
from robustfim.example import Example
from robustfim.plugin.offer import KINDS
from robustfim.predict.attributions import NamedAttribution
from robustfim.roles import CheckSource, DataSource, Engine, Model, Report, Scorer
from robustfim.suite.config import RunConfig

__all__ = ["Collection", "NamedScorer"]


@dataclass(frozen=True)
class NamedScorer:
    """A scorer under the name it has in the suite, and what stands for it in the store."""

    name: str
    scorer: Scorer
    owner: str
    identity: tuple[Any, ...]


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
        fallbacks: What stands in for something that is missing, and in which checks, a sentence each.
        cannot_pass: Which checks could not pass whatever comes, a sentence each; told once the examples are loaded.
    """

    config: RunConfig
    model: Model
    data: DataSource | None
    source: CheckSource | None
    scorers: tuple[NamedScorer, ...]
    checks: tuple[Check, ...]
    reports: Mapping[str, Report]
    examples: Sequence[Example] = ()
    skipped: Mapping[str, int] = field(default_factory=dict)
    collected: tuple[str, ...] = ()
    attribution: NamedAttribution | None = None
    engine: Engine = field(default_factory=Inline)
    owners: Mapping[tuple[str, str], str] = field(default_factory=dict)
    fallbacks: tuple[str, ...] = ()
    cannot_pass: tuple[str, ...] = ()

    def who(self, kind: Literal["models", "data", "checks"]) -> str:
        """How an error names the model, the data or the source of checks.

        Args:
            kind: Which of them.
        """
        suite = self.config.suite
        use, part = {
            "models": (suite.model, self.model), "data": (suite.data, self.data), "checks": (suite.source, self.source)
        }[kind]  # fmt: skip
        name = use.use if use else ""
        return part_name(self.owners_of(kind).get(name, ""), KINDS[kind], name, part)

    @property
    def left_out(self) -> list[str]:
        """Names of the suite's checks that do not run, as the command line or a plugin says."""
        running = {check.name for check in self.checks}
        return [name for name in self.collected if name not in running]

    def owners_of(self, kind: str) -> dict[str, str]:
        """The plugins behind the names that a suite uses of one kind.

        Args:
            kind: A key of :data:`robustfim.plugin.offer.KINDS`.
        """
        return {name: owner for (each, name), owner in self.owners.items() if each == kind}

    @property
    def everything(self) -> Examples:
        """The usable examples, and after them those that checks bring themselves and the data do not have."""
        data = self.examples if isinstance(self.examples, Examples) else Examples.of(self.examples)
        return data.joined(self.own_examples.values())

    @property
    def own_examples(self) -> dict[str, Example]:
        """The examples that checks bring themselves, by id."""
        return {example.id: example for check in self.checks for example in check.examples or ()}
