"""Draws and budgets on real models: strata of the margin, beside plain draws from the same texts.

``python -m benchmarks.real_draws --data FOLDER`` writes its result.
"""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import robustfim
from benchmarks.arena import MODELS, read
from benchmarks.sections import data_folder, listed, write_results
from benchmarks.stopping import Stopped, simulate_scored, simulate_stopping
from benchmarks.stratified import AIM, Drawn, simulate_strata
from robustfim.judge import Trials
from robustfim.statistics import LEVEL, auroc

__all__ = ["Cell", "as_markdown", "cell", "main", "population_of"]

DATA = ("rotten_tomatoes", "counterfactual_imdb", "movie_reviews")
"""Folders of ``--data`` whose dev parts are tested, and on whose labels the shipped networks answer."""

_COMMAND = "Written by `python -m benchmarks.real_draws --data FOLDER`."
CHECK = {"perturb": {"use": "typos", "words": 2, "candidates": 4}}
DRAWN, RUNS = 200, 2000
APART = 1.5
"""So many times the rate is the limit of a check that passes; so many times the limit is the rate of one that fails."""


@dataclass(frozen=True)
class Cell:
    """The simulations for a model on a data set, whose tested texts are the population.

    Attributes:
        data: The data set's name.
        model: The network's name.
        tested: The number of texts with a candidate.
        drawn: The draws of ``DRAWN`` texts from strata of the margin.
        plain: Two runs with a budget and without a score, with a limit above the failure rate and a limit below it.
        scored: The same two runs with draws from strata of the margin.
        at_limit: A run with a budget and draws from strata, with a limit equal to the failure rate.
    """

    data: str
    model: str
    tested: int
    drawn: Drawn
    plain: tuple[Stopped, Stopped]
    scored: tuple[Stopped, Stopped]
    at_limit: Stopped

    @property
    def budgets(self) -> list[str]:
        """The mean number of texts until each run ends, without and with strata, and the bound with strata."""
        pairs = zip(self.plain, self.scored, strict=True)
        return [f"{one.tested[0]:,.0f} → {two.tested[0]:,.0f} ({two.bound or 0:,.0f})" for one, two in pairs]


def population_of(model: str, rows: Sequence[tuple[str, str]], store: Path) -> NDArray[np.bool_]:
    """Test texts with typos, and return whether each text fails, sorted from the smallest margin.

    Args:
        model: The name of a reference network.
        rows: Pairs of a text and a label.
        store: A file in which the model's answers are kept.
    """
    data = [{"text": text, "label": label} for text, label in rows]
    record = robustfim.run(
        model=f"reference/{model}", data=data, scores=["margin"], checks={"typos": CHECK}, store=store
    ).record
    trials = Trials.of_record(record)
    margins = {example.id: example.scores["margin"] for example in record.examples}
    failing, tested = trials.failing, sorted(trials.tested, key=lambda id: (margins[id], id))
    return np.array([id in failing for id in tested])


def cell(data: str, model: str, population: NDArray[np.bool_], runs: int = RUNS) -> Cell:
    """Simulate many draws from a population.

    Args:
        data: The data set's name.
        model: The network's name.
        population: Whether each text fails, sorted from the hardest text.
        runs: The number of simulated draws of each kind.
    """
    places = -np.arange(len(population), dtype=float)
    area = auroc(places[population].tolist(), places[~population].tolist())
    assert area is not None, "some texts fail, and some hold"
    rate = float(population.mean())
    above, below = min(0.99, APART * rate), rate / APART

    def scored(limit: float) -> Stopped:
        return simulate_scored(limit, rate, area, runs, population=population)

    return Cell(
        data, model, len(population), simulate_strata(population, area, DRAWN, runs=runs),
        (simulate_stopping(above, rate, runs), simulate_stopping(below, rate, runs)), (scored(above), scored(below)),
        scored(rate),
    )  # fmt: skip


def as_markdown(cells: Sequence[Cell]) -> str:
    """Write the results as a section of Markdown.

    Args:
        cells: The simulations for each model on each data set.
    """
    near = sum(each.drawn.times <= AIM for each in cells)
    rows = listed(
        "data × model | texts | rate | AUROC | width | bound | width / bound | holds | until it passes | "
        "until it fails | passed / failed at the limit",
        "{data} × {model} | {tested:,} | {drawn.rate:.1f%} | {drawn.auroc:.2f} | {drawn.width:.2f} | "
        "{drawn.bound:.2f} | {drawn.times:.2f} | {drawn.holds:.1f%} | {budgets[0]} | {budgets[1]} | "
        "{at_limit.passed:.1f%} / {at_limit.failed:.1f%}",
        cells,
    )
    covers = sum(each.drawn.holds >= 0.94 for each in cells)
    apart = sum(max(each.at_limit.passed, each.at_limit.failed) <= LEVEL + 2 * (LEVEL / RUNS) ** 0.5 for each in cells)
    text = (
        f"The four reference networks on the dev parts of {len(DATA)} data sets (the last 80 words of a text), every "
        "text tested with `typos` (two words, four candidates); what fails, in the order of the margin, is the "
        f"population. {RUNS:,} data sets are drawn of it for each number. *Width* and *bound*: of {DRAWN} examples "
        "drawn from strata of the margin, as under *Draws from strata*; *holds*: how often the interval holds the "
        "rate. *Until it passes*, *until it fails*: examples that a budget tests in the mean, in a plain draw → over "
        f"strata of the margin (the bound of the strata), against a limit {APART} times the rate, or {APART} times "
        "below it. *At the limit*: of a limit that is the rate, how often the budget's verdict passes, and fails: "
        f"stated, 2.5 % each. Width at most {AIM} times the bound: {near} of {len(cells)}; the interval holds the rate "
        f"in 94 % or more: {covers}; wrong at the limit in at most 2.5 % on each side, within two standard errors: "
        f"{apart}."
    )
    return "\n\n".join(["## Draws and budgets on real models", _COMMAND, text, rows])


def main() -> None:
    """Measure all models on all data sets, and write the section of results."""
    folder = data_folder(__doc__)
    cells = []
    with tempfile.TemporaryDirectory() as scratch:
        for data in DATA:
            rows = read(folder / data / "dev.csv")
            for model in MODELS:
                cells.append(cell(data, model, population_of(model, rows, Path(scratch) / "store")))
    write_results(as_markdown(cells))


if __name__ == "__main__":
    main()
