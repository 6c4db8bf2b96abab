"""What a paper published, beside what a study of it measured, and in what the two differ."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

from robustfim.exhibit import Table
from robustfim_study.estimate import decimal, signed

if TYPE_CHECKING:
    from robustfim.record import Study

__all__ = ["PAPER", "beside_paper"]

PAPER = click.option(
    "--paper", is_flag=True, help="Print the published numbers beside those measured, and in what the two differ."
)
"""The option ``--paper``."""


@dataclass(frozen=True)
class _Published:
    """A row of numbers, one a model.

    Attributes:
        of: What they are of; names of measured rows begin with one of these.
        values: The model to its number, as it was printed.
        data: What it was measured on.
    """

    of: tuple[str, ...]
    values: Mapping[str, str]
    data: str


_DATTA = "Datta et al. (2020–22)"
_YELP = "Yelp polarity"
_PUBLISHED = {
    "resilience": (
        _Published(("flip probability under ",), {"CNN": "0.30", "fastText": "0.38", "LSTM": "0.38"}, _YELP),
        _Published(("smallest flipping step η",), {"CNN": "−0.41", "fastText": "−0.36", "LSTM": "−0.40"}, _YELP),
    ),
    "contrast": (
        _Published(("Δλmax",), {"CNN": "−0.57 ± 1.22"}, "counterfactual edits"),
        _Published(("Δλmax",), {"CNN": "0.65 ± 1.15"}, "contrast sets"),
    ),
}
"""By study: r with log λmax; the mean and standard deviation of edit minus original."""


def beside_paper(study: Study) -> Study:
    """Add a table of what was published beside what was measured, and what differs.

    Args:
        study: A study of ``resilience`` or ``contrast``.

    Returns:
        The study with the table first, and its numbers in ``results`` as ``published``.
    """
    rows = []
    for published in _PUBLISHED[study.study]:
        for name, number, size in _measured(study):
            if name.startswith(published.of):
                told = ", ".join(f"{model} {value}" for model, value in published.values.items())
                rows.append([name, f"{told} ({published.data})", f"{number} on {size:,}"])
    table = Table(
        title=f"Beside {_DATTA}",
        header=["of", "published", "measured"],
        texts=[1, 2],
        rows=rows,
        notes=_differences(study),
    )
    return study.model_copy(
        update={"tables": [table, *study.tables], "results": {**study.results, "published": table.rows}}
    )


def _measured(study: Study) -> Iterator[tuple[str, str, int]]:
    """The name, the number and the size of each measured row, in the form in which it was published."""
    for each in study.results.get("correlations", ()):
        yield each["name"], f"r = {decimal(each['r'])}", each["examples"]
    for each in study.results.get("differences", ()):
        yield each["name"], f"{signed(each['mean']['value'])} ± {decimal(each['deviation'])}", each["pairs"]


def _differences(study: Study) -> list[str]:
    """Say what differs from the paper: whoever reads both numbers must know."""
    model = "no model" if study.model is None else study.model.use
    data = "no data" if study.data is None else f"{study.data.use}, {study.data.examples:,} examples"
    return [
        f"What differs: here the model is {model} and the data are {data}; there both are those named in the table, "
        "with a training and a vocabulary of their own. The sample here has the size that was asked for, there one "
        "that this table does not know. So equal signs repeat a finding, and unequal sizes refute none.",
    ]
