"""The mean of cells that share data sets and models, against the analysis of variance."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.stats import t

from benchmarks.effects import effect


def _cells(table: np.ndarray) -> dict[tuple[str, str], float]:
    return {(f"d{row}", f"m{column}"): float(table[row, column]) for row, column in np.ndindex(table.shape)}


def test_where_every_cell_is_there_the_components_are_those_of_the_analysis_of_variance() -> None:
    chance = np.random.default_rng(3)
    rows, columns = 6, 5
    table = (
        0.2
        + chance.normal(0, 0.3, (rows, 1))
        + chance.normal(0, 0.2, columns)
        + chance.normal(0, 0.05, (rows, columns))
    )
    mean = table.mean()
    of_rows = columns * table.mean(axis=1).var(ddof=1)
    of_columns = rows * table.mean(axis=0).var(ddof=1)
    left = table - table.mean(axis=1, keepdims=True) - table.mean(axis=0) + mean
    rest = (left**2).sum() / ((rows - 1) * (columns - 1))
    error = math.sqrt((of_rows + of_columns - rest) / table.size)  # of the mean, in a balanced crossed design
    found = effect(_cells(table))
    assert found.mean == pytest.approx(mean, abs=1e-6)
    assert (found.data, found.model) == pytest.approx(
        (math.sqrt((of_rows - rest) / columns), math.sqrt((of_columns - rest) / rows)), rel=0.01
    )
    assert found.rest == pytest.approx(math.sqrt(rest), rel=0.01)
    half = t.ppf(0.975, columns - 1) * error
    assert found.interval == pytest.approx((mean - half, mean + half), abs=0.02 * half)


def test_what_data_sets_share_makes_the_interval_wider_than_that_of_free_cells() -> None:
    shared = {
        (f"d{row}", f"m{column}"): 0.1 * row + 0.001 * (row * column % 3) for row in range(4) for column in range(4)
    }
    low, high = effect(shared).interval
    values = np.array(list(shared.values()))
    free = t.ppf(0.975, 15) * values.std(ddof=1) / 4
    assert (high - low) / 2 > 2 * free


def test_one_data_set_alone_tells_nothing_of_others() -> None:
    with pytest.raises(ValueError, match="two data sets and two models"):
        effect({("d", "m"): 0.1, ("d", "n"): 0.2})
