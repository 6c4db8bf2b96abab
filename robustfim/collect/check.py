"""A check that is ready to run: a check of the suite with its plugins' objects."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from robustfim.builtin.composed import Composed
from robustfim.builtin.reducers import AnyFails
from robustfim.candidate import Candidate
from robustfim.errors import PluginError, PluginLoadError
from robustfim.example import Example
from robustfim.judgement import Judgement
from robustfim.parts import ConstraintPart, ExpectationPart, OrderPart, Part, PerturbationPart, ReducerPart, SearchPart
from robustfim.plugin.options import incidental
from robustfim.prediction import Prediction
from robustfim.record import Card
from robustfim.statistics.estimand import DIFFERENCE, MEAN, SHARE, Estimand
from robustfim.suite.file import as_plain
from robustfim.suite.format import CheckSpec, PerturbSpec, tells_errors

__all__ = ["Check"]


@dataclass(frozen=True)
class Check:
    """A check of a suite with all objects of plugins that it needs, ready to run.

    Attributes:
        id: The full name, such as ``sentiment.yaml::synonyms``.
        name: The short name, such as ``synonyms``.
        spec: The settings of the check in the suite.
        perturbation: The perturbation.
        constraints: The constraints, in the order of the suite.
        expectation: The rule that judges the prediction for a perturbed text.
        order: The order that ranks the candidates; None for a random order.
        line: The line of the check in the suite file, or None.
        examples: The examples that the check brings; None for the examples that the suite selects.
        files: The files that the options of its perturbation and constraints name.
        reducer: The rule (reducer) that decides from an example's texts whether it fails.
        card: Readers' ratings of its perturbation's texts; None if there are none.
        repeat: How often each unchanged example is asked again, to compare the check with the model's noise; 0 for
            never.
        search: The search that combines edits, guided by the model; None if texts are made before the model is asked.
    """

    id: str
    name: str
    spec: CheckSpec
    perturbation: PerturbationPart
    constraints: tuple[ConstraintPart, ...]
    expectation: ExpectationPart
    order: OrderPart | None
    line: int | None = None
    examples: tuple[Example, ...] | None = None
    files: Mapping[str, Path] = field(default_factory=dict)
    reducer: ReducerPart = field(default_factory=lambda: ReducerPart(AnyFails(), "any"))
    card: Card | None = None
    repeat: int = 0
    search: SearchPart | None = None

    @property
    def made_beforehand(self) -> bool:
        """Whether the texts of the check are known before the model is asked, so that a lock file can hold them."""
        return not self.perturbation.takes_steps and self.examples is None and self.search is None

    @cached_property
    def estimand(self) -> Estimand:
        """The quantity that the check's limit applies to, such as a fraction of failing examples.

        With ``repeat``, it is the difference to unchanged texts; otherwise the reducer decides.

        Raises:
            PluginError: The reducer compares means.
        """
        try:
            counts = isinstance(self.reducer.fails(1, 1), bool)
        except PluginError:  # raised again where its first example is judged, as the error of this check alone
            counts = True
        if self.reducer.compares and not counts:
            raise PluginError(f"{self.reducer.who} compares two groups by how many fail, so 'fails' must count them")
        return DIFFERENCE if self.repeat or self.reducer.compares else SHARE if counts else MEAN

    @cached_property
    def most(self) -> int:
        """The most candidates per example that the check tests."""
        return self.spec.perturb.candidates if self.search is None else self.search.queries

    @cached_property
    def needed(self) -> int:
        """The fewest failing perturbed texts that make an example fail; ``most`` + 1 if no number does.

        Raises:
            PluginError: The reducer raised an error.
        """
        return next((number for number in range(1, self.most + 1) if self.reducer.fails(number, number)), self.most + 1)

    @cached_property
    def purpose(self) -> str:
        """The key that, with the run's seed and the example, seeds the check's random choices.

        The key holds everything that decides the texts of the check: the perturbation with options, fields and words,
        and the constraints. The name, suite, limit, expectation and the folders of files do not change the random
        choices. More candidates, or another order, choose from the same random edits.
        """
        settings, spec = self.settings, self.spec.perturb
        chosen = {name: value for name, value in settings["perturb"].items() if name not in PerturbSpec.model_fields}
        shared = spec.model_dump(include={"use", "fields", "words"})
        told = [{**chosen, **shared}, settings["constrain"]]
        return json.dumps(_named(told, {path.name for path in self.files.values()}), sort_keys=True, default=str)

    @property
    def counts_errors(self) -> bool:
        """Whether the check counts errors by kind: labels or gold spans that the model gets wrong after an edit."""
        return tells_errors(self.spec.expect.use, self.spec.fails.use)

    @property
    def unordered(self) -> Check:
        """A copy of the check that combines edits at random, without asking the model."""
        return replace(self, order=None, search=None)

    @property
    def parts(self) -> tuple[Part, ...]:
        """The objects of plugins in this check."""
        chosen = [part for part in (self.order, self.search) if part is not None]
        return (self.perturbation, *self.constraints, *chosen, self.expectation, self.reducer)

    def judge(self, before: Prediction, after: Prediction, candidate: Candidate) -> Judgement:
        """Judge a candidate, as :meth:`carrying` returns it, by the expectation."""
        return self.expectation.judge(before, after, self.carrying(candidate, after))

    def carrying(self, candidate: Candidate, after: Prediction) -> Candidate:
        """Return the candidate, with ``carries`` set if the perturbation's contract says so for spans."""
        carries = after.spans is not None and self.perturbation.contract.carries
        return replace(candidate, carries=True) if carries and not candidate.carries else candidate

    @property
    def settings(self) -> dict[str, Any]:
        """The settings in the suite that decide the check's perturbed texts: ``perturb`` and ``constrain``.

        Options that a class marks as incidental, such as a time-out, are left out, since they change no text.
        """
        spec = self.spec.perturb
        written: dict[str, Any] = {
            name: value.model_dump(exclude_unset=True) if isinstance(value := getattr(spec, name), BaseModel) else value
            for name in sorted(spec.model_fields_set - {"use", "order"})
        }
        if "order" in spec.model_fields_set:
            written["order"] = {"use": spec.order.use, **spec.order.options} if spec.order.options else spec.order.use
        paths = {path for constraint in (self.perturbation, *self.constraints) for path in _incidental(constraint)}
        return {
            "perturb": {"use": spec.use, **_without(as_plain(written), paths)},
            "constrain": [{"use": use.use, **_without(as_plain(use.options), paths)} for use in self.spec.constrain],
        }


def _incidental(part: Part) -> Iterator[str]:
    """The incidental options of a part and of those that it is composed of, as paths of keys."""
    with suppress(PluginLoadError):  # an object of a script, whose class no suite calls
        yield from incidental(type(part.made), part.owner)
    for perturbation_part in part.made.of if isinstance(part.made, Composed) else ():
        yield from _incidental(perturbation_part)


def _named(value: Any, files: Collection[str]) -> Any:
    """Let the name of a file stand for its path, of some files."""
    if isinstance(value, list):
        return [_named(each, files) for each in value]
    if isinstance(value, dict):
        return {key: _named(each, files) for key, each in value.items()}
    return name if isinstance(value, str) and (name := Path(value).name) in files else value


def _without(value: Any, paths: Collection[str], at: str = "") -> Any:
    """Leave keys out of plain values, wherever their paths end."""
    if isinstance(value, list):
        return [_without(each, paths, at) for each in value]
    if not isinstance(value, dict):
        return value
    return {
        key: _without(each, paths, f"{at}.{key}")
        for key, each in value.items()
        if not any(f"{at}.{key}".endswith(f".{path}") for path in paths)
    }
