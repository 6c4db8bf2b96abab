"""What a search finds with few queries a text: against TextAttack's greedy search by word importance, with many.

All have the same model, the same edits of the same texts and the same bound on how many of them are put together.
"""

from __future__ import annotations

import csv
import importlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Any

from benchmarks.greedy import WIR, Remaining
from benchmarks.textattack_attacker import missing
from robustfim.builtin import Invariant
from robustfim.builtin.queries_order import QueriesOrder
from robustfim.candidate import Candidate
from robustfim.example import Example
from robustfim.predict.context import RunContext
from robustfim.predict.queue import PredictionQueue
from robustfim.predict.store import Store
from robustfim.propose.composition import words_to_change
from robustfim.propose.search import Answer, Opening, Search, in_step, nearness
from robustfim.seeds import random_for
from robustfim_fisher.geometry import FisherGeometry
from robustfim_fisher.guided import Guided
from robustfim_reference import model as reference
from robustfim_words.swaps.neighbours import Neighbours

__all__ = ["AIM", "FEW", "MANY", "Searched", "searches", "told"]

AIM = 0.9
"""The share of what TextAttack flips that is to be found."""

MANY, FEW = 2000, (20, 50, 200)
"""Queries a text of TextAttack's search, and of the others."""

_WORDS = 0.1
_ALTERNATIVES = 10


@dataclass(frozen=True)
class Searched:
    """What one search finds.

    Attributes:
        name: The search.
        queries: The most texts that it may ask about for each example.
        flipped: Texts whose label it changes.
        shared: Those of them that TextAttack's search flips, too.
        asked: Texts asked about, over all examples; those that rank words count.
        edits: Words changed, over the flipped texts.
    """

    name: str
    queries: int
    flipped: int
    shared: int
    asked: int
    edits: int


def searches(data: Path | None, *, texts: int = 100) -> tuple[int, list[Searched]] | str:
    """Search on ``reference/cnn``, with the orders that need its gradients and those that do not.

    Args:
        data: A folder that holds ``rotten_tomatoes``.
        texts: Texts of ``rotten_tomatoes/dev.csv``, a random choice.

    Returns:
        How many texts have edits, and the searches, TextAttack's first; or why nothing can be measured.
    """
    if data is None:
        return "no --data"
    if absent := missing(data):
        return absent
    with (data / "rotten_tomatoes" / "dev.csv").open(encoding="utf-8", newline="") as file:
        examples = [Example({"text": row["text"]}, row["label"]) for row in csv.DictReader(file)]
    model, surrogate = reference.Cnn(), reference.Lstm()
    context = RunContext(model, PredictionQueue(model, Store(None)), FisherGeometry, seed=0)
    context.examples = examples
    perturbation = Neighbours(alternatives=_ALTERNATIVES, similarity=0.0)
    perturbation.prepare(context)
    openings = []
    for example in Random(0).sample(examples, min(texts, len(examples))):  # noqa: S311  # reproducible, not secret
        edits = list(dict.fromkeys(perturbation.edits(example, context.random(example.id))))
        random_for(0, example.id).shuffle(edits)
        if edits:
            openings.append(Opening(example, edits, words_to_change(example, _WORDS)))
    theirs, first = _textattack(model, context, openings)
    found = [first]
    singles = [Candidate(each.example, (edit,)) for each in openings for edit in each.edits]
    for queries in FEW:
        orders: dict[str, tuple[Sequence[float], Mapping[str, int]]] = {
            "order: queries": QueriesOrder().within(singles, context, queries // 4),
            "gradients of reference/lstm": (Guided(surrogate=surrogate).effects(singles, context), {}),
            "the model's gradients": (Guided().effects(singles, context), {}),
        }
        found.append(_greedy("random order", openings, context, queries, theirs))
        for name, (effects, spent) in orders.items():
            rest = iter(effects)
            ranked = [
                replace(each, effects=[next(rest) for _ in each.edits], spent=spent.get(each.example.id, 0)).by_effect()
                for each in openings
            ]
            found.append(_greedy(name, ranked, context, queries, theirs))
    return len(openings), found


def _textattack(model: Any, context: RunContext, openings: Sequence[Opening]) -> tuple[set[str], Searched]:
    """Run GreedyWordSwapWIR with its own budget of queries; the ids of the texts it flips, and what it took."""
    adapters: Any = importlib.import_module("robustfim_textattack.adapters")
    textattack: Any = importlib.import_module("textattack")
    wrapper = adapters.ModelWrapper(model)
    goal = textattack.goal_functions.UntargetedClassification(wrapper, query_budget=MANY)
    flipped, asked, edits = set(), 0, 0
    before = context.predict([each.example for each in openings])
    for opening, prediction in zip(openings, before, strict=True):
        if prediction is None:
            continue
        transformation = adapters.Transformation(Remaining(opening.example, opening.edits, opening.words))
        method = textattack.search_methods.GreedyWordSwapWIR(wir_method=WIR)
        attack = textattack.Attack(goal, [], transformation, method)
        result = attack.attack(opening.example.text, wrapper.labels.index(prediction.label))
        asked += result.num_queries
        if isinstance(result, textattack.attack_results.SuccessfulAttackResult):
            flipped.add(opening.example.id)
            words = zip(result.original_result.attacked_text.words, result.perturbed_result.attacked_text.words)  # noqa: B905  # a word may become two
            edits += sum(old != new for old, new in words)
    return flipped, Searched("TextAttack, GreedyWordSwapWIR", MANY, len(flipped), len(flipped), asked, edits)


def _greedy(name: str, openings: Sequence[Opening], context: RunContext, queries: int, theirs: set[str]) -> Searched:
    """Run the greedy search of ``search: greedy``."""
    invariant = Invariant()
    sources = context.predict([each.example for each in openings])
    asked = [each.spent for each in openings]
    edits: dict[int, int] = {}

    def ask(pairs: list[tuple[int, Candidate]]) -> list[Answer | None]:
        answers: list[Answer | None] = []
        after = context.predict([candidate.example for _, candidate in pairs])
        for (index, candidate), prediction in zip(pairs, after, strict=True):
            asked[index] += 1
            before = sources[index]
            if before is None or prediction is None:
                answers.append(None)
                continue
            judgement = invariant.judge(before, prediction, candidate)
            answers.append(Answer(nearness(judgement), judgement.failed))
            if judgement.failed:
                edits[index] = min(edits.get(index, len(candidate.edits)), len(candidate.edits))
        return answers

    runs = []
    for opening, own in zip(openings, sources, strict=True):
        start = 0.0 if own is None else nearness(invariant.judge(own, own, Candidate(opening.example)))
        runs.append(Search(opening, start, queries=queries, beam=1, accept=lambda _: True).run())
    in_step(runs, ask)
    assert max(asked) <= queries, "the budget of every text is exact"
    shared = sum(openings[index].example.id in theirs for index in edits)
    return Searched(name, queries, len(edits), shared, sum(asked), sum(edits.values()))


def told(found: tuple[int, list[Searched]] | str) -> str:
    """Render what the searches find.

    Args:
        found: What ``searches`` gave.
    """
    if isinstance(found, str):
        return f"Not measured: {found}."
    texts, (theirs, *ours) = found
    lines = [
        f"{texts} texts of rotten_tomatoes/dev, reference/cnn, the edits of `neighbours` with {_ALTERNATIVES} "
        "alternatives, a tenth of the words together at most; one run. `search: greedy` against TextAttack's greedy "
        f"search by word importance with {MANY:,} queries a text. Queries count every text asked about, those that "
        f"rank words among them. Aim: with {FEW[-1]} queries a text at least {AIM:.0%} of what TextAttack flips, in "
        "each order.",
        "| search | queries a text, at most | asked about a text | flipped | of what TextAttack flips | words changed "
        "| aim |\n| --- | --- | --- | --- | --- | --- | --- |\n"
        + "\n".join(_row(each, texts, theirs.flipped) for each in (theirs, *ours)),
    ]
    return "\n\n".join(lines)


def _row(each: Searched, texts: int, theirs: int) -> str:
    share = each.shared / theirs if theirs else 1.0
    aim = "" if each.queries != FEW[-1] else "met" if share >= AIM else "missed"
    cells = [
        each.name, f"{each.queries:,}", f"{each.asked / texts:.1f}", str(each.flipped), f"{share:.1%}",
        f"{each.edits / max(1, each.flipped):.2f}", aim,
    ]  # fmt: skip
    return f"| {' | '.join(cells)} |"
