"""Small real parts of a run: a model that counts words, perturbations that swap them, and what holds them together."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from robustfim.builtin.composed import Composed
from robustfim.builtin.expectations import Invariant
from robustfim.builtin.reducers import AnyFails
from robustfim.candidate import Candidate, Edit, Step
from robustfim.collect.check import Check
from robustfim.contract import ConstraintContract, ModelContract
from robustfim.example import Example
from robustfim.judge.check_counts import CheckCounts
from robustfim.judgement import Judgement
from robustfim.parts import ConstraintPart, ExpectationPart, OrderPart, PerturbationPart, ReducerPart, SearchPart
from robustfim.predict.context import RunContext
from robustfim.predict.queue import PredictionQueue
from robustfim.predict.store import Store
from robustfim.prediction import Prediction
from robustfim.record import Failure
from robustfim.select.draw import Budget, TestedExample
from robustfim.session.check_run import Blocks, check_by_blocks, run_check
from robustfim.suite.format import CheckSpec
from robustfim_evasion.search import Beam, Greedy

LABELS = ("negative", "positive")
WORDS = {"good": 2.0, "fine": 1.0, "dull": -1.0, "bad": -2.0}
"""What each word adds to the logit of ``positive``; every other word adds nothing."""


class CountingModel:
    """Sums the worth of its words, and remembers every batch it was given."""

    labels = LABELS

    def __init__(self, *, batch_size: int = 64, fingerprint: str = "counting") -> None:
        self.contract, self.fingerprint = ModelContract(batch_size=batch_size), fingerprint
        self.batches: list[list[str]] = []

    def predict(self, examples: Sequence[Example]) -> list[list[float]]:
        self.batches.append([example.text for example in examples])
        return [probabilities(example.text) for example in examples]


class WritingModel:
    """Answers with the last word of its text, in capitals, and less surely with the one before; it has no labels."""

    def __init__(self, *, attached: Mapping[str, str] | None = None) -> None:
        self.seen: list[str] = []
        if attached is not None:
            self.attached = lambda example: attached[example.text]

    @property
    def fingerprint(self) -> str:
        return "writing"

    def answer(self, examples: Sequence[Example]) -> list[list[tuple[str, float]]]:
        self.seen += [each.text for each in examples]
        return [
            [(word.upper(), share) for word, share in zip(each.text.split()[::-1], (0.6, 0.3), strict=False)]
            for each in examples
        ]


def probabilities(text: str) -> list[float]:
    positive = 1 / (1 + math.exp(-sum(WORDS.get(word, 0.0) for word in text.split()) - 0.1))
    return [1 - positive, positive]


def prediction(text: str) -> Prediction:
    return Prediction.of(probabilities(text), LABELS)


def example(text: str, label: str | None = None) -> Example:
    return Example({"text": text}, label)


class Swap:
    """A substitution: each word of a table may become each of its alternatives."""

    def __init__(self, table: Mapping[str, Sequence[str]]) -> None:
        self.table = table

    def edits(self, example: Example, random: Random) -> Iterator[Edit]:
        for name, text in example.fields.items():
            start = 0
            for word in text.split(" "):
                for after in self.table.get(word, ()):
                    yield Edit(name, start, start + len(word), word, after, origin=f"{word}>{after}")
                start += len(word) + 1


class Rewrite:
    """A perturbation that makes whole candidates by functions of the text."""

    def __init__(self, *functions: Callable[[str], str]) -> None:
        self.functions = functions

    def propose(self, example: Example, random: Random) -> Iterator[Candidate]:
        for function in self.functions:
            yield Candidate.replacing(example, {name: function(text) for name, text in example.fields.items()})


class Push:
    """Steps in embedding space: each adds its norm to the logit of ``positive``."""

    def __init__(self, norms: Sequence[float]) -> None:
        self.norms = norms

    def propose(self, example: Example, random: Random) -> Iterator[Candidate]:
        for norm in self.norms:
            yield Candidate(example, step=Step("push", norm))

    def predict(self, candidates: Sequence[Candidate]) -> list[list[float]]:
        rows = []
        for candidate in candidates:
            assert candidate.step is not None
            positive = probabilities(candidate.source.text)[1]
            moved = 1 / (1 + math.exp(-math.log(positive / (1 - positive)) - candidate.step.norm))
            rows.append([1 - moved, moved])
        return rows


class Refuse:
    """A constraint that refuses a candidate in which a word stands."""

    def __init__(self, word: str, per_edit: bool = False) -> None:
        self.word, self.contract = word, ConstraintContract(per_edit=per_edit)
        self.seen: list[Candidate] = []

    def reject(self, candidate: Candidate) -> str | None:
        self.seen.append(candidate)
        return f"has {self.word}" if self.word in candidate.example.text.split() else None


@dataclass
class Judge:
    """An expectation made of a function."""

    function: Callable[[Prediction, Prediction, Candidate], Judgement]

    def judge(self, before: Prediction, after: Prediction, candidate: Candidate) -> Judgement:
        return self.function(before, after, candidate)


SEARCHES = {"greedy": Greedy, "beam": Beam}


def check(
    perturbation: Any,
    *,
    name: str = "swap",
    perturb: Mapping[str, Any] | None = None,
    constraints: Mapping[str, Any] | None = None,
    expectation: Any = None,
    reducer: Any = None,
    order: Any = None,
    **spec: Any,
) -> Check:
    """A check as collection would make it, of changes; ``perturb`` and ``spec`` are keys of the suite."""
    constraints = constraints or {}
    written = {"perturb": {"use": name, **(perturb or {})}, "constrain": list(constraints), **spec}
    read = CheckSpec.model_validate(written)
    asked = read.perturb.search
    return Check(
        id=f"toy.yaml::{name}",
        name=name,
        spec=read,
        perturbation=PerturbationPart(perturbation, name, "toys", (name,)),
        constraints=tuple(ConstraintPart(value, key) for key, value in constraints.items()),
        expectation=ExpectationPart(expectation or Invariant(counts="changes"), "invariant"),
        order=None if order is None else OrderPart(order, "named", identity=("order",)),
        reducer=ReducerPart(reducer or AnyFails(), "any"),
        line=7,
        search=None if asked is None else SearchPart(SEARCHES[asked.use](**asked.options), asked.use),
    )


def composed(*perturbations: Any) -> Composed:
    """The perturbation that the factory would make of others."""
    return Composed([PerturbationPart(perturbation) for perturbation in perturbations])


@dataclass
class Bench:
    """A model, a store and a context over some examples, on which checks can be run."""

    examples: Sequence[Example]
    model: Any = field(default_factory=CountingModel)
    seed: int = 0
    store: Store = field(default_factory=lambda: Store(None))

    def __post_init__(self) -> None:
        self.queue = PredictionQueue(self.model, self.store)
        self.context = RunContext(self.model, self.queue, None, seed=self.seed, store=self.store)
        self.context.examples = self.examples

    def tested(self, arms: Mapping[str, str] | None = None) -> list[TestedExample]:
        """The examples with the toy model's predictions, each in its arm (``all`` by default)."""
        return [TestedExample(each, prediction(each.text), (arms or {}).get(each.id, "all")) for each in self.examples]

    def run(
        self,
        check: Check,
        arms: Mapping[str, str] | None = None,
        budget: Budget | None = None,
        testable: int | None = None,
    ) -> tuple[CheckCounts, list[Failure]]:
        return run_check(self.blocks(check, arms, budget, testable))

    def blocks(
        self,
        check: Check,
        arms: Mapping[str, str] | None = None,
        budget: Budget | None = None,
        testable: int | None = None,
    ) -> Blocks:
        """The same check, not yet run."""
        return check_by_blocks(
            check, self.tested(arms), self.context,
            reproduce=lambda check, example: f"again {check.name} {example.id}",
            progress=lambda stage, done, total: None, budget=budget, testable=testable,
        )  # fmt: skip


def texts(candidates: Iterable[Candidate]) -> list[str]:
    return [candidate.example.text for candidate in candidates]
