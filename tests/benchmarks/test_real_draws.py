"""Draws from a population of real failures."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from benchmarks.real_draws import as_markdown, cell, population_of


def test_a_population_is_what_fails_in_the_order_of_the_margin(tmp_path: Path) -> None:
    rows = [
        ("a good film", "positive"),
        ("an awful, awful mess", "negative"),
        ("it is a film about trains", "positive"),
    ]
    population = population_of("fasttext", rows, tmp_path / "store")
    assert population.dtype == bool
    assert len(population) == 3


@pytest.mark.slow
def test_strata_of_a_score_that_ranks_failures_save_examples_and_keep_the_verdicts_errors() -> None:
    random = np.random.default_rng(0)
    population = random.random(600) < np.linspace(0.9, 0.0, 600) ** 4
    found = cell("data", "model", population, runs=80)
    assert found.drawn.rate == pytest.approx(population.mean())
    assert found.drawn.auroc > 0.85
    assert found.drawn.holds > 0.92
    for plain, scored in zip(found.plain, found.scored, strict=True):
        assert scored.tested[0] < plain.tested[0]
    assert found.scored[0].passed > 0.95
    assert found.scored[1].failed > 0.95
    assert max(found.at_limit.passed, found.at_limit.failed) < 0.08  # 2.5 % and three standard errors
    assert as_markdown([found]).startswith("## Draws and budgets on real models")
