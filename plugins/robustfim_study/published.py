"""Published results of a paper beside the results of a study, with the differences between both experiments."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from robustfim.exhibit import Table
from robustfim_study.estimate import decimal, signed

if TYPE_CHECKING:
    from robustfim.record import Study

__all__ = ["beside_paper"]


@dataclass(frozen=True)
class _Published:
    """A row of numbers, one a model.

    Attributes:
        of: The name of the measured row that it stands beside.
        values: The model to its number, as it was printed.
        on: What it was measured on.
    """

    of: str
    values: Mapping[str, str]
    on: str


_DATTA = "Datta et al. (2020–22)"
_YELP = "1,000 examples of Yelp polarity"
_PUBLISHED = {
    "resilience": (
        _Published(
            "flip probability under neighbours", {"CNN": "0.30", "fastText": "0.38", "LSTM": "0.38"},
            f"GloVe neighbours of 10 % of the words, {_YELP}",
        ),
        _Published("smallest flipping step η", {"CNN": "−0.41", "fastText": "−0.36", "LSTM": "−0.40"}, _YELP),
    ),
    "counterfactual": (_Published("Δλmax", {"CNN": "−0.57 ± 1.22"}, "500 counterfactual edits"),),
    "contrast-sets": (_Published("Δλmax", {"CNN": "0.65 ± 1.15"}, "500 edits of contrast sets"),),
}  # fmt: skip
"""By experiment: r with log λmax; the mean and standard deviation of edit minus original."""


_WHAT = {
    "resilience": "Pearson's r with log λmax",
    "contrast": "mean ± standard deviation of edit minus original",
}


def beside_paper(study: Study, experiment: str) -> Study:
    """Add to a study a table of published and measured results, and of differences between both experiments.

    Args:
        study: A study of ``resilience`` or ``contrast``.
        experiment: The published experiment: ``resilience``, ``counterfactual`` or ``contrast-sets``.

    Returns:
        The study with the table first, and its numbers in ``results`` as ``published``.
    """
    rows = []
    for published in _PUBLISHED[experiment]:
        for name, number, size in _measured(study):
            if name == published.of:
                values = ", ".join(f"{model} {value}" for model, value in published.values.items())
                rows.append([name, f"{values} ({published.on})", f"{number} on {size:,}"])
    table = Table(
        title=f"Beside {_DATTA}: {_WHAT[study.study]}",
        header=["quantity", "published", "measured"],
        texts=[1, 2],
        rows=rows,
        notes=_differences(study),
    )
    return study.model_copy(
        update={"tables": [table, *study.tables], "results": {**study.results, "published": table.rows}}
    )


def _measured(study: Study) -> Iterator[tuple[str, str, int]]:
    """The name, the number and the size of each measured row, in the form in which it was published."""
    for correlation in study.results.get("correlations", ()):
        yield correlation["name"], f"r = {decimal(correlation['r'])}", correlation["examples"]
    for difference in study.results.get("differences", ()):
        yield (
            difference["name"],
            f"{signed(difference['mean']['value'])} ± {decimal(difference['deviation'])}",
            difference["pairs"],
        )


def _differences(study: Study) -> list[str]:
    """Say what differs from the paper: whoever reads both numbers must know."""
    model = "no model" if study.model is None else study.model.use
    data = "no data" if study.data is None else f"{study.data.use}, {study.data.examples:,} examples"
    return [
        f"What differs: here the model is {model} and the data are {data}; there both are those named in the table, "
        "with a training and a vocabulary of their own. So equal signs repeat a finding, and unequal sizes refute "
        "none.",
    ]
