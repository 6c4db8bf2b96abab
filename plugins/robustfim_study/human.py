"""``study human``: are the examples that are difficult for the model also difficult for people?"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import asdict, dataclass

import numpy as np

from robustfim.errors import DataError, shown
from robustfim.example import Example
from robustfim.exhibit import Figure, Series, Table
from robustfim.record import Study
from robustfim_study.association import Array, auroc, bootstrap
from robustfim_study.estimate import UNDEFINED, Estimate
from robustfim_study.estimate import shown as written
from robustfim_study.intervals import rank_correlation
from robustfim_study.scoring import Scored, require_columns

__all__ = ["Felt", "felt_difficulty", "human_study", "people_of"]

_NARROW = 1e-6
"""Intervals narrower than this are not shown."""
_WORDS = {"true": 1.0, "false": 0.0, "yes": 1.0, "no": 0.0}


@dataclass(frozen=True)
class Felt:
    """The correlation of a difficulty score with the difficulty that people report.

    Attributes:
        name: The score.
        examples: The number of examples with a score and a human difficulty.
        rho: Spearman's correlation of the score with the difficulty for people.
        area: If the difficulty for people has two values, the AUROC of the score for the difficult examples.
    """

    name: str
    examples: int
    rho: Estimate
    area: Estimate


def people_of(examples: Sequence[Example], column: str) -> Array:
    """Return each example's difficulty for people, ``[examples]``; NaN for a row without this value.

    Args:
        examples: The examples, with the columns of their rows.
        column: The column, with numbers or with true and false.

    Raises:
        DataError: No row has the column, it holds other values, or all its values are equal.
    """
    require_columns(examples, [column])
    found = np.array([_number(example.meta.get(column), column) for example in examples], dtype=np.float64)
    values = np.unique(found[np.isfinite(found)])
    if len(values) < 2:
        sentence = f"only the number {values[0]:g}" if len(values) else "no number"
        raise DataError(f"the column {shown(column)} has {sentence}, so no score can be correlated with it.")
    return found


def felt_difficulty(name: str, difficulty: Array, people: Array, clusters: Sequence[Hashable], *, seed: int) -> Felt:
    """Correlate one score with the difficulty for people.

    Args:
        name: The score.
        difficulty: The difficulty by the score, ``[examples]``, larger is harder; NaN if undefined, infinities allowed.
        people: The difficulty for people, ``[examples]``, larger is harder; NaN if undefined.
        clusters: The cluster of each example, ``[examples]``.
        seed: The seed of the bootstrap.
    """
    kept = ~np.isnan(difficulty) & ~np.isnan(people)
    x, y = difficulty[kept], people[kept]
    if len(x) < 2:
        return Felt(name, len(x), UNDEFINED, UNDEFINED)
    rho = rank_correlation(difficulty, people, kept, clusters)
    if rho.interval is not None and rho.interval[1] - rho.interval[0] < _NARROW:
        # Two values that are told apart without an error leave nothing to estimate a variance from.
        rho = Estimate(rho.value)
    values = np.unique(y)
    area = UNDEFINED
    if len(values) == 2:
        hard = (y == values[1]).astype(np.float64)
        area = Estimate(float(auroc(x, hard)), bootstrap(auroc, x, hard, seed=seed))
    return Felt(name, len(x), rho, area)


def human_study(scored: Scored, *, column: str, easier: bool, seed: int) -> Study:
    """Correlate the scores of a model with the difficulty for people.

    Args:
        scored: The examples of a suite, with their scores in the record.
        column: The column of the data with the difficulty for people.
        easier: Whether a higher number in the column is easier.
        seed: The seed of the bootstrap.
    """
    people = people_of(scored.examples, column) * (-1 if easier else 1)
    scores = {
        score.name: 1 if score.hardest == "highest" else -1 for score in scored.record.scores if not score.message
    }
    names = list(scores)
    at = {id: row for row, id in enumerate(example.id for example in scored.examples)}
    values = np.full((len(names), len(people)), np.nan)
    for id, *numbers in scored.record.table.rows(["id", *(f"scores.{name}" for name in names)]):
        if id in at:
            values[:, at[id]] = [np.nan if number is None else number for number in numbers]
    found = [
        felt_difficulty(name, hardest * own, people, scored.clusters, seed=seed)
        for (name, hardest), own in zip(scores.items(), values, strict=True)
    ]
    said = int(np.isfinite(people).sum())
    return Study.of(
        scored.record,
        study="human",
        title="Is what is difficult for the model difficult for people?",
        findings=[_answer(found, column), *(_sentence(felt) for felt in found)],
        tables=[_table(found, column)],
        figures=[_figure(found)],
        results={
            "column": column, "easier": easier, "examples": len(people), "said": said,
            "hard": int((people == np.nanmax(people)).sum()), "scores": [asdict(felt) for felt in found],
        },
    )  # fmt: skip


def _number(value: object, column: str) -> float:
    text = str(value).strip().lower() if value is not None else ""
    if not text:
        return float("nan")
    if text in _WORDS:
        return _WORDS[text]
    try:
        return float(text)
    except ValueError:
        sentence = f"the column {shown(column)} holds {shown(value)}: no number, and neither true nor false."
        raise DataError(sentence) from None


def _answer(found: Sequence[Felt], column: str) -> str:
    ends = {felt.name: felt.rho.interval for felt in found if felt.rho.interval is not None}
    with_people = [name for name, (low, _) in ends.items() if low > 0]
    against = [name for name, (_, high) in ends.items() if high < 0]
    if not with_people and not against:
        return f"No score is shown to go with {column}: every 95 % interval holds 0."
    sentences = [f"by {', '.join(with_people)} rises with {column}"] if with_people else []
    sentences += [f"by {', '.join(against)} falls as {column} rises"] if against else []
    return f"The difficulty {' and '.join(sentences)}: the 95 % intervals exclude 0."


def _sentence(felt: Felt) -> str:
    area = "" if felt.area is UNDEFINED else f", AUROC {written(felt.area)}"
    return f"{felt.name}: Spearman {written(felt.rho, sign=True)}{area}, on {felt.examples} examples."


def _table(found: Sequence[Felt], column: str) -> Table:
    return Table(
        title=f"Difficulty for the model beside {column}",
        header=["score", "examples", "Spearman", "AUROC"],
        rows=[[felt.name, str(felt.examples), written(felt.rho, sign=True), written(felt.area)] for felt in found],
        notes=[
            "Above 0: what is difficult for the model is difficult for people. In brackets: 95 % intervals, of "
            "Spearman's by the infinitesimal jackknife over clusters, of AUROC by a bootstrap over examples.",
            "AUROC: how well the score finds the examples that are difficult for people, where the column has two "
            "values; 0.5 is chance.",
        ],
    )


def _figure(found: Sequence[Felt]) -> Figure:
    points = [
        (float(place), felt.rho.value, *(felt.rho.interval or (None, None)))
        for place, felt in enumerate(found)
        if np.isfinite(felt.rho.value)
    ]
    return Figure(
        title="Correlation with the difficulty for people", across="score", up="Spearman's ρ",
        series=[Series(name="ρ", kind="bars", points=points)], names=[each.name for each in found],
        notes=["95 % intervals."],
    )  # fmt: skip
