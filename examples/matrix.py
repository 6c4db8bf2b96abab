"""A plugin that offers a study: the correlation of λmax with resilience, by architecture and data set, in one matrix.

Run ``robustfim -p examples/matrix.py study matrix reviews.yaml --against reference/lstm --on other.csv``. It repeats
the figures of Datta et al. (2020–22) that compare architectures and data sets.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from robustfim import hookimpl
from robustfim.commands import Chosen
from robustfim.exhibit import Table
from robustfim.record import Environment, Study
from robustfim_study.estimate import decimal
from robustfim_study.resilience import SCORES, resilience_study, substitutions
from robustfim_study.sample_run import run_sample
from robustfim_study.suite_options import suite_study

__all__ = ["command", "matrix_study", "robustfim_studies"]

Cell = tuple[str, str]
"""A model and a data set."""


@hookimpl
def robustfim_studies() -> dict[str, tuple[str, str]]:
    """Offer ``robustfim study matrix``."""
    return {"matrix": (f"{__name__}:command", "Correlate λmax with resilience, for several models and data sets.")}


@suite_study("matrix", "-p examples/matrix.py study matrix suites/sentiment.yaml --against reference/lstm")
@click.option("--against", multiple=True, metavar="MODEL", help="Another model; may be repeated.")
@click.option("--on", multiple=True, metavar="DATA", help="Another data set; may be repeated.")
@click.option("--candidates", type=click.IntRange(min=1), default=20, show_default=True,
              help="Candidates an example of each substitution.")  # fmt: skip
@click.option("--examples", default=300, show_default=True, type=click.IntRange(min=3), metavar="N",
              help="Size of the random sample of each data set.")  # fmt: skip
def command(
    suite: Path, against: Sequence[str], on: Sequence[str], candidates: int, examples: int, chosen: Chosen
) -> Study:
    """Correlate log λmax with flip probabilities and the smallest step, for SUITE's model and others on several data.

    Every model must know the labels of every data set.
    """
    found: dict[Cell, list[Mapping[str, Any]]] = {}
    last: Study | None = None
    for model in [chosen.model, *((each,) for each in against)]:
        for data in [chosen.data, *((each,) for each in on)]:
            own = replace(chosen, model=model, data=data)
            sample = run_sample(own, suite, scores=SCORES, examples=examples, console=chosen.console(), needs=SCORES,
                                checks=substitutions(candidates), study="'study matrix'")  # fmt: skip
            last = resilience_study(sample)
            named = data[-1] if data else sample.record.data.use
            found[sample.record.model.use, named] = last.results["correlations"]
    assert last is not None  # noqa: S101  # the suite's own model and data are one cell
    return matrix_study(found, environment=last.environment, seed=last.seed)


def matrix_study(found: Mapping[Cell, Sequence[Mapping[str, Any]]], *, environment: Environment, seed: int) -> Study:
    """Put the correlations of several models and data sets side by side.

    Args:
        found: The correlations of each model and data set, as ``study resilience`` records them.
        environment: That of the record.
        seed: That of the samples.
    """
    models, sets = (list(dict.fromkeys(cell[place] for cell in found)) for place in (0, 1))
    numbers = {cell: {each["name"]: each for each in own} for cell, own in found.items()}
    names = list(dict.fromkeys(name for own in numbers.values() for name in own))
    tables = []
    for name in names:
        rows = [
            [model, *(decimal(numbers[model, data][name]["r"]) if name in numbers.get((model, data), {}) else "–"
                      for data in sets)]
            for model in models
        ]  # fmt: skip
        tables.append(Table(title=f"r of log λmax with {name}", header=["model", *sets], rows=rows,
                            notes=["Pearson's r over examples, without an interval: log λmax has heavy tails. "
                                   "Spearman's correlations with their intervals stand in the record."]))  # fmt: skip
    ends = {
        name: [number[name]["r"] for number in numbers.values() if name in number and math.isfinite(number[name]["r"])]
        for name in names
    }
    return Study(
        study="matrix",
        title="Does λmax go with resilience, whatever the model and the data?",
        environment=environment,
        seed=seed,
        findings=[
            f"{name}: r from {decimal(min(own))} to {decimal(max(own))}, in {len(own)} of {len(found)} cells."
            for name, own in ends.items()
            if own
        ],
        tables=tables,
        results={
            "cells": [{"model": model, "data": data, "correlations": own} for (model, data), own in found.items()]
        },
    )
