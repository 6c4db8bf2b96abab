"""Simulated draws from strata keep what the results say of them, in a small part of it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from benchmarks.stratified import as_markdown, ranked, simulate_strata


@pytest.mark.parametrize(("rate", "auroc", "tested"), [(0.3, 0.85, 200), (0.1, 0.7, 200)])
def test_strata_of_a_good_score_tell_as_much_as_neymans_allocation_nearly(
    rate: float, auroc: float, tested: int
) -> None:
    found = simulate_strata(ranked(rate, auroc), auroc, tested, runs=400)
    assert found.width / found.bound <= 1.1
    assert 0.92 <= found.holds <= 0.985
    assert abs(found.bias) < 0.01
    assert found.bound <= 1


def test_a_score_that_says_nothing_costs_little() -> None:
    assert simulate_strata(ranked(0.3, 0.5), 0.5, 200, runs=300).width <= 1.07


def test_the_section_says_what_misses_its_aim() -> None:
    plain = simulate_strata(ranked(0.02, 0.9), 0.9, 400, runs=200)
    rows = as_markdown([plain, replace(plain, width=plain.bound, passed=0.025, failed=0.02)]).splitlines()
    assert [row.split(" | ")[-1].removesuffix(" |") for row in rows[-2:]] == ["missed", "met"]
