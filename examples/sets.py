"""A plugin that offers a study: the distributions of a score in any number of sets, and how far each two overlap.

Run ``robustfim -p examples/sets.py study sets reviews.yaml --column role``. It repeats the histograms of Datta et al.
(2020–22), which compare a test set with contrast sets and counterfactual examples.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations
from pathlib import Path

import click
import numpy as np

from robustfim import hookimpl
from robustfim.commands import Chosen
from robustfim.errors import DataError, shown
from robustfim.exhibit import Figure, Series, Table
from robustfim.record import Environment, Study
from robustfim_study.association import Array
from robustfim_study.contrast import overlap
from robustfim_study.estimate import decimal, named
from robustfim_study.scoring import score_suite
from robustfim_study.suite_options import suite_study

__all__ = ["BINS", "command", "robustfim_studies", "sets_study"]

BINS = 20
"""Bins of a histogram, the same for all sets."""


@hookimpl
def robustfim_studies() -> dict[str, tuple[str, str]]:
    """Offer ``robustfim study sets``."""
    return {"sets": (f"{__name__}:command", "Compare the distributions of a score in several sets.")}


@suite_study("sets", "-p examples/sets.py study sets edits.yaml --column role")
@click.option("--column", required=True, metavar="COLUMN", help="Column that names the set of a row.")
@click.option("--score", default="fisher", show_default=True, metavar="NAME", help="The score that is compared.")
def command(suite: Path, column: str, score: str, chosen: Chosen) -> Study:
    """Compare the distributions of a score in the sets that a column of the data names."""
    (scored,) = score_suite(chosen, suite, score=score)
    labels = [example.meta.get(column) for example in scored.examples]
    names = [label for label in dict.fromkeys(labels) if label is not None]
    sets = {str(name): scored.values[[label == name for label in labels]] for name in names}
    if len(sets) < 2:
        raise DataError(f"the column {shown(column)} names {len(sets)} sets; the study compares two or more.")
    return sets_study(sets, score=score, environment=scored.record.environment, seed=scored.record.seed)


def sets_study(
    sets: Mapping[str, Array], *, score: str, environment: Environment, seed: int
) -> Study:  # fmt: skip
    """Compare distributions.

    Args:
        sets: The score in each set, ``[examples]``; what is not finite is left out.
        score: Its name.
        environment: That of the record.
        seed: That of the record.

    Raises:
        DataError: No set has a finite score.
    """
    known = {name: values[np.isfinite(values)] for name, values in sets.items()}
    together = np.concatenate(list(known.values()))
    if not len(together):
        raise DataError(f"{score} is a number for no example.")
    edges = np.histogram_bin_edges(together, BINS)
    centres = (edges[:-1] + edges[1:]) / 2
    overlaps = [(first, second, overlap(known[first], known[second])) for first, second in combinations(known, 2)]
    finite = [each for each in overlaps if np.isfinite(each[2])]
    findings = [f"{first} and {second} overlap by {decimal(value)}." for first, second, value in finite]
    return Study(
        study="sets",
        title=f"How {named(score)} is distributed",
        environment=environment,
        seed=seed,
        findings=findings or ["No two sets have three different scores each, so no overlap is known."],
        tables=[
            Table(title=f"{named(score)} by set", header=["set", "examples", "mean", "standard deviation", "median"],
                  rows=[[name, str(len(each)), *(decimal(float(of(each))) if len(each) else "–" for of in (
                      np.mean, np.std, np.median))] for name, each in known.items()]),
            Table(title="Overlaps", header=["sets", "overlap"],
                  rows=[[f"{first} · {second}", decimal(value)] for first, second, value in overlaps],
                  notes=["The overlapping coefficient of Gaussian kernel densities, 1 for equal ones."]),
        ],
        figures=[
            Figure(title=f"Share of each set by {named(score)}", across=named(score), up="share", shares=True,
                   series=[Series(name=name, kind="line", points=list(zip(
                       centres.tolist(), (np.histogram(each, edges)[0] / len(each)).tolist(), strict=True)))
                       for name, each in known.items() if len(each)])
        ],
        results={
            "score": score,
            "sets": {name: each.tolist() for name, each in known.items()},
            "overlaps": [{"sets": [first, second], "overlap": value} for first, second, value in finite],
        },
    )  # fmt: skip
