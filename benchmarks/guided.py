"""How soon the guided order finds what changes a label: against random choice, and against TextAttack's greedy search.

All look for candidates in one space: the edits of ``neighbours``, a tenth of the words together. (The greedy search may
stop with fewer.) Only texts that have such an edit are tested. A failure is a text of which some candidate has another
label than the text has itself.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

from benchmarks.greedy import Remaining, greedy_search
from benchmarks.minilm import fit_head
from benchmarks.textattack_attacker import missing
from benchmarks.timing import interleave, ratios
from benchmarks.transformer import Transformer
from robustfim.builtin.queries_order import QueriesOrder
from robustfim.candidate import Candidate, Edit
from robustfim.errors import RobustfimError
from robustfim.example import Example
from robustfim.parts import ModelPart
from robustfim.predict import PredictionQueue, RunContext, Store
from robustfim.propose import compose_guided, compose_random, words_to_change
from robustfim_fisher.geometry import FisherGeometry
from robustfim_fisher.guided import Guided
from robustfim_reference import model as reference
from robustfim_words.swaps.neighbours import Neighbours
from robustfim_words.tagging.tagger import tagger

__all__ = ["FEW", "HOLDS", "MANY", "SHARE", "Found", "Order", "Search", "compare", "gradient_cost", "guided"]

SHARE = 0.1
"""Of the words of a text, which a candidate changes."""

MANY, FEW = 100, 8
"""Random candidates a text, and guided ones: as many as a check has where the suite names no number."""

HOLDS = 0.95
"""The share of what random candidates find that is to be found: by the first, and at the least cost."""


_BATCH = 32

_GUIDED = {1: "guided", 2: "guided, two gradients", 3: "guided, three gradients"}
"""The guided orders by their number of gradients."""


@dataclass(frozen=True)
class Search:
    """What a search finds, and what it asks for.

    Attributes:
        name: The search, in words.
        failing: Texts for which it finds a candidate of another label.
        calls: Texts sent to the model, the tested ones among them, and as many as its gradients cost.
    """

    name: str
    failing: int
    calls: float


@dataclass(frozen=True)
class Order:
    """What a guided order finds of the texts that random candidates flip.

    Attributes:
        gradients: Gradients a text.
        found: Texts that one of its first k candidates flips, for each k up to ``FEW``, ``[FEW]``.
        calls: What a search that ends with them asks for, as of ``Search``, ``[FEW]``.
        default: Whether the model asks for so many gradients by itself.
    """

    gradients: int
    found: tuple[int, ...]
    calls: tuple[float, ...]
    default: bool


@dataclass(frozen=True)
class Found:
    """The searches on one model.

    Attributes:
        model: Its name.
        gradient: What a gradient costs, in forward passes of the same texts.
        accuracy: On the whole data.
        texts: Tested ones.
        many: Texts that any of ``MANY`` random candidates flips.
        orders: What the guided orders find of those.
        searches: The searches.
        absent: Why TextAttack's search is not among them, or None.
        tagger: What tagged the parts of speech, which neighbours share.
    """

    model: str
    gradient: float
    accuracy: float
    texts: int
    many: int
    orders: tuple[Order, ...]
    searches: tuple[Search, ...]
    absent: str | None
    tagger: str


@dataclass(frozen=True)
class _Source:
    """A text with its label under the model, its edits, and how many of them are put together."""

    example: Example
    label: str
    edits: list[Edit]
    words: int

    def guided(self, effects: Sequence[float]) -> list[Candidate]:
        return list(islice(compose_guided(self.example, self.edits, self.words, effects), FEW))

    def random(self, random: Random) -> list[Candidate]:
        return list(islice(compose_random(self.example, self.edits, self.words, random), MANY))


def guided(
    transformer: Transformer, data: Path | None, *, texts: int = 1000, pieces: int = 300, large: int = 100
) -> Iterator[Found | tuple[str, str]]:
    """Measure the reference models, and the transformer with a fitted head.

    Args:
        transformer: A BERT.
        data: A folder that holds ``rotten_tomatoes``.
        texts: Texts of ``rotten_tomatoes/dev.csv`` that are tested on models of words.
        pieces: Texts for ``reference/bert``, a random choice.
        large: Texts for the transformer, likewise.

    Yields:
        What was found, or for a model that cannot be measured its name and the reason.
    """
    if data is None:
        yield "all models", "no --data"
        return
    with (data / "rotten_tomatoes" / "dev.csv").open(encoding="utf-8", newline="") as file:
        examples = [Example({"text": row["text"]}, row["label"]) for row in csv.DictReader(file)]
    absent = missing(data)
    for kind in (reference.FastText, reference.Cnn, reference.Lstm, reference.Bert):
        name = f"reference/{kind.architecture}"
        tested = Random(0).sample(examples, min(pieces, len(examples))) if kind is reference.Bert else examples[:texts]  # noqa: S311  # reproducible, not secret
        try:
            yield compare(name, kind(), examples, tested=tested, absent=absent)
        except RobustfimError as error:
            yield name, str(error)
    name = transformer.name.replace("a random head", "a fitted head")
    try:
        model = fit_head(transformer, data)
    except ModuleNotFoundError as error:
        yield name, f"{error.name} is not installed"
        return
    except FileNotFoundError:
        yield name, "--data holds no rotten_tomatoes/train.csv"
        return
    chosen = Random(0).sample(examples, min(large, len(examples)))  # noqa: S311  # reproducible, not secret
    yield compare(name, model, examples, tested=chosen, absent=absent)


def compare(
    name: str, model: Any, examples: Sequence[Example], *, tested: Sequence[Example], absent: str | None
) -> Found:
    """Compare the searches on one model.

    Args:
        name: Its name in the table.
        model: A differentiable model.
        examples: The data, whose words are each other's neighbours.
        tested: Those of them that are perturbed.
        absent: Why TextAttack cannot search; None where it can.

    Raises:
        RobustfimError: The model cannot be loaded.
    """
    context = RunContext(model, PredictionQueue(model, Store(None)), FisherGeometry, seed=0)
    context.examples = examples
    labels = _labels(context, examples)
    sources = _sources(context, tested, dict(zip(examples, labels, strict=True)))
    drawn = _flips(context, sources, [source.random(context.random(source.example.id)) for source in sources])
    cost, own = gradient_cost(model, [source.example for source in sources]), ModelPart(model).contract.gradients
    orders, searches = [], []
    for number, title in _GUIDED.items():
        flips = _flips(context, sources, _ranked(sources, Guided(gradients=number), context))
        reached = [each for each, others in zip(flips, drawn, strict=True) if any(others)]
        shares = tuple(sum(any(each[:most]) for each in reached) for most in range(1, FEW + 1))
        found = [_search(f"{title}, {_up_to(most)}", flips, most, 1 + number * cost) for most in range(1, FEW + 1)]
        orders.append(Order(number, shares, tuple(each.calls for each in found), number == own))
        searches += [found[0], found[-1]]
    flips = _flips(context, sources, _ranked(sources, QueriesOrder(most=0), context))
    searches += [_search(f"order: queries, most: 0, {_up_to(most)}", flips, most, 1) for most in (1, FEW)]
    searches += [_search(f"random, {_up_to(most)}", drawn, most, 1) for most in (1, FEW, MANY)]
    if absent is None:
        spaces = [(Remaining(each.example, each.edits, each.words), each.example, each.label) for each in sources]
        searches.append(Search("TextAttack, greedy by word importance", *greedy_search(model, spaces)))
    return Found(
        model=name,
        gradient=cost,
        accuracy=sum(each.label == label for each, label in zip(examples, labels, strict=True)) / len(examples),
        texts=len(sources),
        many=sum(map(any, drawn)),
        orders=tuple(orders),
        searches=tuple(searches),
        absent=absent,
        tagger=tagger().version,
    )


def _sources(context: RunContext, tested: Sequence[Example], labels: dict[Example, str]) -> list[_Source]:
    """Collect the edits of each text that has some."""
    neighbours = Neighbours()
    neighbours.prepare(context)
    edits = [list(neighbours.edits(example, context.random(example.id))) for example in tested]
    return [
        _Source(example, labels[example], own, words_to_change(example, SHARE))
        for example, own in zip(tested, edits, strict=True)
        if own
    ]


def gradient_cost(model: Any, examples: Sequence[Example]) -> float:
    """Time λmax by a prediction of the same texts, both from text.

    Args:
        model: A differentiable model.
        examples: Texts, of which a batch is taken.
    """
    batch = list(examples[:_BATCH])
    sides = {"one": lambda: model.predict(batch), "other": lambda: FisherGeometry(model).at(batch)}
    times = interleave(sides, 5, warm=1)
    return ratios(times["other"], times["one"]).median


def _ranked(sources: Sequence[_Source], order: Guided | QueriesOrder, context: RunContext) -> list[list[Candidate]]:
    """Put the edits of each text together, those first that should flip its label."""
    singles = [Candidate(source.example, (edit,)) for source in sources for edit in source.edits]
    effects = iter(order.effects(singles, context))
    return [source.guided(list(islice(effects, len(source.edits)))) for source in sources]


def _labels(context: RunContext, examples: Sequence[Example]) -> list[str]:
    """Predict labels, of which none is missing."""
    return [each.label for each in context.predict(examples) if each is not None]


def _flips(
    context: RunContext, sources: Sequence[_Source], candidates: Sequence[Sequence[Candidate]]
) -> list[list[bool]]:
    """Tell of each candidate, ``[sources][candidates]``, whether its label is another than its source's."""
    labels = iter(_labels(context, [each.example for own in candidates for each in own]))
    return [
        [label != source.label for label in islice(labels, len(own))]
        for source, own in zip(sources, candidates, strict=True)
    ]


def _search(name: str, flips: Sequence[Sequence[bool]], most: int, each: float) -> Search:
    """Sum up a search that tests candidates until one flips the label.

    Args:
        name: The search.
        flips: Whether each candidate flips, in the order of the search, ``[sources][candidates]``.
        most: The largest number of candidates tested.
        each: Calls for a source before its first candidate.
    """
    tried = [list(own[:most]) for own in flips]
    tests = sum(own.index(True) + 1 if any(own) else len(own) for own in tried)
    return Search(name, sum(map(any, tried)), len(flips) * each + tests)


def _up_to(most: int) -> str:
    return "one candidate" if most == 1 else f"up to {most}"
