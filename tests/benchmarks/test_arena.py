"""The arena: the spread of its medians, and what the README tells of them."""

from __future__ import annotations

import itertools
import re
from pathlib import Path
from statistics import median

import pytest

from benchmarks.arena import _spread

ROOT = Path(__file__).parents[2]


def test_a_median_spreads_as_all_draws_of_its_rows_and_columns_do() -> None:
    cells = {(row, column): 0.5 + 0.1 * x + 0.03 * y for x, row in enumerate("abc") for y, column in enumerate("uv")}
    rows, columns = (list(itertools.product(side, repeat=len(side))) for side in ("abc", "uv"))
    every = sorted(
        median(cells[row, column] for row in drawn for column in others) for drawn in rows for others in columns
    )
    low, high = _spread(cells)
    assert low == pytest.approx(every[round(0.025 * (len(every) - 1))], abs=0.016)
    assert high == pytest.approx(every[round(0.975 * (len(every) - 1))], abs=0.016)


def test_cells_that_are_all_alike_have_no_spread() -> None:
    assert _spread({(row, column): 0.7 for row in "ab" for column in "uv"}) == (0.7, 0.7)


def test_the_readmes_medians_and_intervals_are_those_of_results() -> None:
    results = (ROOT / "benchmarks/results/which-score-predicts-failures.md").read_text(encoding="utf-8")
    (line,) = re.findall(r"^Median AUROC over these cells: .*", results, re.MULTILINE)
    readme = " ".join((ROOT / "README.md").read_text(encoding="utf-8").split())
    told = dict(re.findall(r"(\w+) (\d\.\d\d \[\d\.\d\d, \d\.\d\d\])", line))
    for name, before in (
        ("fisher", "with a median AUROC of "),
        ("boundary", "the distance to the decision boundary, with "),
        ("margin", "the two largest probabilities, with "),
    ):
        assert before + told[name] in readme
