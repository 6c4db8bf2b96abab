"""Scores at a decision's threshold: how well λmax and others rank the examples that fail there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import robustfim
from robustfim.statistics import auroc, auroc_interval

__all__ = ["Ranking", "thresholds", "told"]

MODELS = ("fasttext", "cnn", "lstm", "bert")
THRESHOLDS = (0.5, 0.7, 0.9)
SCORES = ("fisher", "boundary", "margin")
CHECKS = ("typos", "synonyms")
TEXTS = 400
LOSS = 0.03
"""How much lower the area of a score may lie at a threshold than at one half."""


@dataclass(frozen=True)
class Ranking:
    """How one score ranks failing examples.

    Attributes:
        model: A reference model.
        check: What changes the texts.
        at: The threshold of the decision for ``positive``.
        score: The score; ``plain fisher`` is λmax of the model without the rule.
        failing: Examples that fail at the threshold.
        tested: Examples tested.
        area: The area under the ROC curve.
        interval: Its 95 % interval.
    """

    model: str
    check: str
    at: float
    score: str
    failing: int
    tested: int
    area: float
    interval: tuple[float, float]


def thresholds(data: Path, scratch: Path) -> Iterator[Ranking]:
    """Run checks at several thresholds and rank what fails.

    Args:
        data: Holds ``rotten_tomatoes/dev.csv``.
        scratch: For the prediction store.
    """
    rows = {"use": "csv", "path": str(data / "rotten_tomatoes" / "dev.csv"), "limit": TEXTS}
    for model in MODELS:
        plain: dict[str, float] = {}
        for at in THRESHOLDS:
            record = robustfim.run(
                model=f"reference/{model}", decide={"label": "positive", "at": at}, data=rows, scores=SCORES,
                checks={name: {"perturb": name} for name in CHECKS}, store=scratch / "store",
            ).record  # fmt: skip
            scores: dict[str, dict[str, float]] = {
                name: {each.id: sign * number for each in record.examples if (number := each.scores[name]) is not None}
                for name, sign in (("fisher", 1), ("boundary", -1), ("margin", -1))
            }
            plain = plain or scores["fisher"]
            for check in record.checks:
                failing = {each.example for each in record.failures if each.check == check.id}
                for score, numbers in (*scores.items(), ("plain fisher", plain)):
                    yield _ranking(model, check.name, at, score, [*check.examples], failing, numbers)


def _ranking(
    model: str, check: str, at: float, score: str, tested: Sequence[str], failing: set[str], numbers: dict[str, float]
) -> Ranking:
    yes = [numbers[each] for each in tested if each in failing and each in numbers]
    no = [numbers[each] for each in tested if each not in failing and each in numbers]
    area: Any = auroc(yes, no)
    interval: Any = auroc_interval(area, len(yes), len(no))
    return Ranking(model, check, at, score, len(yes), len(yes) + len(no), area, interval)


def told(found: Sequence[Ranking] | str) -> str:
    """Write the section of RESULTS.md.

    Args:
        found: What was measured; a string says why nothing was.
    """
    if isinstance(found, str):
        return f"Not measured: {found}."
    lines = [
        f"{TEXTS} texts of rotten_tomatoes/dev, all tested; the decision is for `positive` at the threshold, and an "
        "example fails where an edit turns the decision. AUROC of each score, tilted so that its surface lies at the "
        "threshold, and of λmax as it is without a rule; in brackets its 95 % interval.",
        "",
        "| model | check | at | failing | λmax | boundary | margin | λmax untilted |",
        "| --- | --- | --- | --- | --- | --- | --- | --- |",
    ]
    cells: dict[tuple[str, str, float], dict[str, Ranking]] = {}
    for each in found:
        cells.setdefault((each.model, each.check, each.at), {})[each.score] = each
    missed = []
    for (model, check, at), row in cells.items():
        first = row["fisher"]
        areas = " | ".join(
            f"{row[name].area:.3f} [{row[name].interval[0]:.2f}, {row[name].interval[1]:.2f}]"
            for name in (*SCORES, "plain fisher")
        )
        lines.append(f"| {model} | {check} | {at:g} | {first.failing} of {first.tested} | {areas} |")
        half = cells[model, check, THRESHOLDS[0]]
        missed += [
            f"{model}, {check}, {name} at {at:g}: {half[name].area - row[name].area:.3f}"
            for name in SCORES
            if half[name].area - row[name].area > LOSS
        ]
    total = (len(THRESHOLDS) - 1) * len(SCORES) * len(MODELS) * len(CHECKS)
    lines += ["", f"At most {LOSS:g} below the same score at 0.5: {total - len(missed)} of {total}."]
    lines += [f"Further below: {'; '.join(missed)}."] if missed else []
    return "\n".join(lines)
