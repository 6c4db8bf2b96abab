"""What a search finds with few queries a text: against TextAttack's searches with many, and its DeepWordBug.

Where TextAttack's greedy search and its swarm (LEAP) are the rivals, all have the same model, the same edits of the
same texts and the same bound on how many of them are put together.
"""

from __future__ import annotations

import csv
import hashlib
import importlib
import importlib.util
import math
import os
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from random import Random
from time import perf_counter
from typing import Any

import numpy as np

from benchmarks.minilm import fit_head
from benchmarks.transformer import Transformer
from robustfim.builtin import Invariant
from robustfim.builtin.queries_order import QueriesOrder
from robustfim.candidate import Candidate, Edit
from robustfim.contract import ModelContract
from robustfim.example import Example
from robustfim.predict import PredictionQueue, RunContext, Store
from robustfim.prediction import Prediction
from robustfim.propose import Answer, Opening, Search, in_step, nearness, words_to_change
from robustfim.roles import Model
from robustfim.seeds import random_for
from robustfim_fisher.geometry import FisherGeometry
from robustfim_fisher.guided import Guided
from robustfim_reference import model as reference
from robustfim_words.form.typos import Typos
from robustfim_words.swaps.neighbours import Neighbours

__all__ = ["AIM", "FEW", "MANY", "Case", "Order", "Searched", "few_queries", "told", "typos_against_deepwordbug"]

AIM = 0.9
"""The share of what TextAttack flips that is to be found."""

MANY, FEW = 2000, (20, 50, 200)
"""Queries a text of TextAttack's searches, and of the others."""

_WORDS = 0.1
_ALTERNATIVES = 10
_TYPOS = 15
"""Typos in a text, at most: of two characters each at most, as many as DeepWordBug's edit distance of 30 allows."""

_LETTERS = 2
"""The shortest word that a typo is made in, as in DeepWordBug; ``typos`` leaves words below four letters by default."""

_LEARNING = "order: queries, learn: true"

Order = Callable[[Sequence[Candidate], RunContext, int], tuple[Sequence[float], Mapping[str, int]]]
"""Given single edits, the run and the queries a text: their effects, and what the order asked about each text."""


@dataclass(frozen=True)
class Searched:
    """What one search finds.

    Attributes:
        name: The search.
        queries: The most texts that it may ask about for each example; None for as many as it wants.
        flipped: Texts whose label it changes.
        shared: Those of them that a search of TextAttack's flips, too.
        asked: Texts asked about, over all examples; those that rank words count.
        edits: Words changed, over the flipped texts.
        ours: Whether it is robustfim's.
    """

    name: str
    queries: int | None
    flipped: int
    shared: int
    asked: int
    edits: int
    ours: bool = True


@dataclass(frozen=True)
class Case:
    """Searches on one model and one set of texts.

    Attributes:
        name: The model and the texts.
        texts: How many have edits.
        theirs: Texts that any of TextAttack's searches flips.
        found: The searches, TextAttack's first.
        seconds: What TextAttack's searches took, and all of them.
    """

    name: str
    texts: int
    theirs: int
    found: tuple[Searched, ...]
    seconds: tuple[float, float] = (0.0, 0.0)


def few_queries(
    transformer: Transformer, data: Path | None, *, texts: int = 30, long: int = 8, pieces: int = 6, times: int = 1
) -> Iterator[Case | tuple[str, str]]:
    """Search short and long texts, on models of words and of word pieces, and typos on a linear model.

    Args:
        transformer: A BERT, whose head is fitted here.
        data: A folder that holds ``rotten_tomatoes`` and ``counterfactual_imdb``.
        texts: Short texts for a model of words, a random choice.
        long: Long texts, likewise.
        pieces: Short texts for the transformer, likewise.
        times: So many times these numbers.

    Yields:
        The cases; or a name and why it cannot be measured.
    """
    absent = "no --data" if data is None else missing(data)
    if data is None or absent:
        yield "all searches", str(absent)
        return
    texts, long, pieces = times * texts, times * long, times * pieces
    short = _read(data / "rotten_tomatoes" / "dev.csv")
    cnn, own = reference.Cnn(), {"order: queries": _queries, "the model's gradients": _guided()}
    try:
        mini: Any = fit_head(transformer, data)
    except (ModuleNotFoundError, FileNotFoundError) as error:
        mini = None
        yield "a transformer with a fitted head", str(error)
    others = {"gradients of reference/lstm": _guided(reference.Lstm())}
    name = transformer.name.replace("a random head", "a fitted head")
    if mini is not None:
        others[f"gradients of {name}"] = _guided(mini)
    yield _case("reference/cnn, rotten_tomatoes/dev", cnn, own | others, short, texts)
    imdb = data / "counterfactual_imdb" / "dev.csv"
    if imdb.is_file():
        others = {"gradients of reference/lstm": _guided(reference.Lstm())}
        yield _case("reference/cnn, counterfactual_imdb/dev", cnn, own | others, _read(imdb), long, budgets=FEW[1:])
    if mini is not None:
        others = {"gradients of reference/cnn": _guided(cnn), "gradients of reference/bert": _guided(reference.Bert())}
        yield _case(f"{name}, rotten_tomatoes/dev", mini, own | others, short, pieces, budgets=FEW[1:])
    attack = importlib.import_module("benchmarks.textattack_search").recipe("DeepWordBugGao2018")
    try:
        linear = _Linear(_read(data / "rotten_tomatoes" / "train.csv"))
    except (ModuleNotFoundError, FileNotFoundError) as error:
        yield "scikit-learn", str(error)
        return
    yield typos_against_deepwordbug(linear, short, short[: 5 * texts], attack)


def missing(data: Path) -> str | None:
    """Say why TextAttack cannot be measured here, or return None.

    Args:
        data: A folder that may hold ``nltk_data``; TextAttack ends at its import without NLTK's stop words.
    """
    if importlib.util.find_spec("textattack") is None:
        return "textattack is not installed"
    if (data / "nltk_data").is_dir():
        os.environ.setdefault("NLTK_DATA", str((data / "nltk_data").resolve()))
    try:
        importlib.import_module("textattack")
    except Exception as error:  # it looks for resources on the network, and raises what their libraries raise
        return f"textattack cannot be imported here ({type(error).__name__})"
    return None


def _read(path: Path) -> list[Example]:
    with path.open(encoding="utf-8", newline="") as file:
        return [Example({"text": row["text"]}, row["label"]) for row in csv.DictReader(file)]


def _queries(
    singles: Sequence[Candidate], context: RunContext, queries: int, order: QueriesOrder | None = None
) -> tuple[Sequence[float], Mapping[str, int]]:
    return (order or QueriesOrder()).within(singles, context, queries // 4)


def _guided(surrogate: Model | None = None) -> Order:
    def order(
        singles: Sequence[Candidate], context: RunContext, queries: int
    ) -> tuple[Sequence[float], dict[str, int]]:
        return Guided(surrogate=surrogate).effects(singles, context), {}

    return order


def _case(
    name: str,
    model: Any,
    orders: Mapping[str, Order],
    examples: Sequence[Example],
    number: int,
    budgets: Sequence[int] = FEW,
) -> Case:
    """Search some texts by TextAttack's methods, and by ours with each order and budget."""
    rivals: Any = importlib.import_module("benchmarks.textattack_search")
    context = _context(model, examples)
    perturbation = Neighbours(alternatives=_ALTERNATIVES, similarity=0.0)
    perturbation.prepare(context)
    openings = []
    for example in Random(0).sample(examples, min(number, len(examples))):  # noqa: S311  # reproducible, not secret
        edits = rivals.one_word(example, perturbation.edits(example, context.random(example.id)))
        openings += _opening(example, edits, words_to_change(example, _WORDS))
    labels = [each.label for each in context.predict([each.example for each in openings]) if each is not None]
    found, theirs, started = [], set[str](), perf_counter()
    for method in rivals.METHODS:
        attacked = rivals.search(model, openings, labels, method, MANY)
        found.append((f"TextAttack, {method}", attacked))
        theirs |= attacked.words.keys()
    attacked_in = perf_counter() - started
    rows = [_theirs(method, MANY, each) for method, each in found]
    for queries in budgets:
        rows.append(_greedy("random order", openings, context, queries, theirs))
        rows += [_greedy(name, openings, context, queries, theirs, order) for name, order in orders.items()]
        rows.insert(-len(orders) + 1, _learning(_LEARNING, openings, context, queries, theirs))
    return Case(name, len(openings), len(theirs), tuple(rows), (attacked_in, perf_counter() - started))


def typos_against_deepwordbug(
    model: Any,
    examples: Sequence[Example],
    tested: Sequence[Example],
    attack: Callable[[Sequence[Example], Sequence[str], Any], Any],
) -> Case:
    """Hold ``search: greedy`` with typos against DeepWordBug, on the texts that the model labels rightly.

    Args:
        model: The model.
        examples: The data.
        tested: Those of them that are attacked, of known label.
        attack: DeepWordBug; its queries a text, on average, are what each of our searches may use for a text at most.
    """
    context = _context(model, examples)
    right = [
        each for each, found in zip(tested, context.predict(tested), strict=True) if found and found.label == each.label
    ]
    started = perf_counter()
    attacked = attack(right, [str(each.label) for each in right], model)
    attacked_in = perf_counter() - started
    queries = max(1, math.floor(attacked.asked / len(right)))
    perturbation = Typos(letters=_LETTERS)
    openings = [
        opening
        for each in right
        for opening in _opening(each, perturbation.edits(each, context.random(each.id)), _TYPOS)
    ]
    theirs = attacked.words.keys()
    rows = [
        _theirs("TextAttack, DeepWordBug", None, attacked),
        _greedy("typos, random order", openings, context, queries, theirs),
        _greedy("typos, order: queries", openings, context, queries, theirs, _queries),
        _learning(f"typos, {_LEARNING}", openings, context, queries, theirs),
    ]
    seconds = attacked_in, perf_counter() - started
    return Case("TF-IDF and logistic regression, rotten_tomatoes/dev", len(right), len(theirs), tuple(rows), seconds)


def _theirs(name: str, queries: int | None, found: Any) -> Searched:
    words = found.words
    return Searched(name, queries, len(words), len(words), found.asked, sum(words.values()), ours=False)


def _context(model: Any, examples: Sequence[Example]) -> RunContext:
    context = RunContext(model, PredictionQueue(model, Store(None)), FisherGeometry, seed=0)
    context.examples = examples
    return context


def _opening(example: Example, edits: Any, words: int) -> list[Opening]:
    """Begin at a text, its edits in a random order; nowhere where it has none."""
    distinct: list[Edit] = list(dict.fromkeys(edits))
    random_for(0, example.id).shuffle(distinct)
    return [Opening(example, distinct, words)] if distinct else []


def _ranked(openings: Sequence[Opening], context: RunContext, queries: int, order: Order) -> list[Opening]:
    singles = [Candidate(each.example, (edit,)) for each in openings for edit in each.edits]
    effects, spent = order(singles, context, queries)
    rest = iter(effects)
    return [
        replace(each, effects=[next(rest) for _ in each.edits], spent=spent.get(each.example.id, 0)).by_effect()
        for each in openings
    ]


def _greedy(
    name: str,
    openings: Sequence[Opening],
    context: RunContext,
    queries: int,
    theirs: Collection[str],
    order: Order | None = None,
) -> Searched:
    """Run the search of ``search: greedy``."""
    ranked = openings if order is None else _ranked(openings, context, queries, order)
    asked, edits, _ = _search(ranked, context, queries)
    return _found(name, queries, openings, theirs, asked, edits)


def _learning(
    name: str, openings: Sequence[Opening], context: RunContext, queries: int, theirs: Collection[str]
) -> Searched:
    """Run it with ``order: {use: queries, learn: true}``, as a check does."""
    learner = QueriesOrder(learn=True)
    size = learner.contract.learns_every or 1
    asked: list[int] = []
    edits: dict[int, int] = {}
    for start in range(0, len(openings), size):
        ranked = _ranked(openings[start : start + size], context, queries, partial(_queries, order=learner))
        own, found, answered = _search(ranked, context, queries)
        learner.learn(answered)
        asked += own
        edits |= {start + index: number for index, number in found.items()}
    return _found(name, queries, openings, theirs, asked, edits)


def _search(
    openings: Sequence[Opening], context: RunContext, queries: int
) -> tuple[list[int], dict[int, int], list[tuple[Candidate, Prediction, Prediction]]]:
    """Search each text: queries of each, words changed in those that flip, and what was answered of what."""
    invariant = Invariant()
    sources = context.predict([each.example for each in openings])
    asked = [each.spent for each in openings]
    edits: dict[int, int] = {}
    answered: list[tuple[int, Candidate, Prediction, Prediction]] = []

    def ask(pairs: list[tuple[int, Candidate]]) -> list[Answer | None]:
        answers: list[Answer | None] = []
        after = context.predict([candidate.example for _, candidate in pairs])
        for (index, candidate), prediction in zip(pairs, after, strict=True):
            asked[index] += 1
            before = sources[index]
            if before is None or prediction is None:
                answers.append(None)
                continue
            answered.append((index, candidate, before, prediction))
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
    assert max(asked, default=0) <= queries, "the budget of every text is exact"
    answered.sort(key=lambda each: each[0])
    return asked, edits, [each[1:] for each in answered]


def _found(
    name: str,
    queries: int,
    openings: Sequence[Opening],
    theirs: Collection[str],
    asked: Sequence[int],
    edits: Mapping[int, int],
) -> Searched:
    shared = sum(openings[index].example.id in theirs for index in edits)
    return Searched(name, queries, len(edits), shared, sum(asked), sum(edits.values()))


class _Linear:
    """TF-IDF of words and logistic regression, fitted to texts; fits the role of a model.

    Args:
        examples: Labelled texts.
    """

    contract = ModelContract(batch_size=256)

    def __init__(self, examples: Sequence[Example]) -> None:
        feature: Any = importlib.import_module("sklearn.feature_extraction.text")
        linear: Any = importlib.import_module("sklearn.linear_model")
        pipeline: Any = importlib.import_module("sklearn.pipeline")
        self._fitted = pipeline.make_pipeline(feature.TfidfVectorizer(), linear.LogisticRegression(max_iter=1000))
        self._fitted.fit([each.text for each in examples], [each.label for each in examples])
        self.labels = tuple(map(str, self._fitted.classes_))
        self.fingerprint = hashlib.sha256(self._fitted[-1].coef_.tobytes()).hexdigest()

    def predict(self, examples: Sequence[Example]) -> Any:
        return np.asarray(self._fitted.predict_proba([each.text for each in examples]))


def told(cases: Sequence[Case | tuple[str, str]]) -> str:
    """Render what the searches find.

    Args:
        cases: What ``few_queries`` gave.
    """
    if not cases:
        return "Not measured: left out."
    measured = [each for each in cases if isinstance(each, Case)]
    lines = [f"- {each[0]}: not measured: {each[1]}" for each in cases if isinstance(each, tuple)]
    if not measured:
        return "\n".join(lines)
    return "\n\n".join(
        [
            f"`search: greedy` against TextAttack's searches with {MANY:,} queries a text, one run. A random choice of "
            f"texts; the edits of `neighbours` with {_ALTERNATIVES} alternatives, those that put one word in the place "
            "of one, a tenth of the words together at most. The last case is TextAttack's DeepWordBug as it stands, on "
            f"texts that the model labels rightly, against at most {_TYPOS} of `typos` with `letters: {_LETTERS}`, "
            "since DeepWordBug misspells short words as well, with as many queries a text at most as DeepWordBug asks "
            "on average. Queries count every text asked about, those that rank words among "
            f"them. Aim: with {FEW[-1]} queries a text (with as many as DeepWordBug) at least {AIM:.0%} of what any of "
            "TextAttack's searches flips, in each order.",
            "| model and texts | search | queries a text, at most | asked about a text | flipped | "
            "of what TextAttack flips | words changed | aim |\n"
            "| --- | --- | --- | --- | --- | --- | --- | --- |\n"
            + "\n".join(_row(case, each) for case in measured for each in case.found),
            *lines,
            "Seconds, of which TextAttack's searches took: "
            + "; ".join(f"{each.name} {each.seconds[1]:,.0f}, {each.seconds[0]:,.0f}" for each in measured)
            + ".",
        ]
    )


def _row(case: Case, each: Searched) -> str:
    share = each.shared / case.theirs if case.theirs else 1.0
    judged = each.ours and each.queries == max(one.queries or 0 for one in case.found if one.ours)
    cells = [
        case.name, each.name, "any" if each.queries is None else f"{each.queries:,}", f"{each.asked / case.texts:.1f}",
        f"{each.flipped} of {case.texts}", f"{share:.1%}", f"{each.edits / max(1, each.flipped):.2f}",
        ("met" if share >= AIM else "missed") if judged else "",
    ]  # fmt: skip
    return f"| {' | '.join(cells)} |"
