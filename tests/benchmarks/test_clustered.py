"""Simulated limits of data in clusters keep what the results say of them, in a small part of it."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import binom

from benchmarks.clustered import FAILURES, SHAPES, as_markdown, bound, counts, needed, wrong
from robustfim.statistics.rate import LEVEL


@pytest.mark.parametrize("failures", FAILURES)
@pytest.mark.parametrize("shape", SHAPES)
def test_a_limit_that_is_the_rate_is_seldom_decided(shape: str, failures: str) -> None:
    assert not wrong(shape, failures, 0.1, runs=100).over


@pytest.mark.parametrize("failures", FAILURES)
def test_clusters_fail_as_often_as_is_said(failures: str) -> None:
    sizes = np.tile([1, 5, 20], 20_000)
    failing = counts(sizes, failures, 0.1, np.random.default_rng(0))
    assert ((failing >= 0) & (failing <= sizes)).all()
    assert failing.sum() / sizes.sum() == pytest.approx(0.1, abs=0.005)


def test_the_bound_of_whole_clusters_is_that_of_coins() -> None:
    shares = np.repeat([1.0, 0.0], [4, 96])
    divergence = 0.04 * math.log(0.04 / 0.1) + 0.96 * math.log(0.96 / 0.9)
    assert bound(shares, 0.1) == pytest.approx(math.log(1 / LEVEL) / divergence, rel=1e-6)


def test_whole_clusters_need_as_many_as_the_exact_test_of_coins() -> None:
    found = needed("whole", 0.1, 0.04, runs=60)
    most = max(heads for heads in range(found.fixed) if binom.cdf(heads, found.fixed, 0.1) <= LEVEL)
    assert binom.cdf(most, found.fixed, 0.04) == pytest.approx(0.8, abs=0.15)
    assert 0.8 <= found.budget / found.bound <= 1.6


def test_the_section_says_what_misses_its_aim() -> None:
    cell, size = wrong("60 × 8", "whole", 0.1, runs=100), needed("whole", 0.1, 0.04, runs=20)
    text = as_markdown([cell], [size, replace(size, fixed=1000)])
    assert "met, at most" in text
    assert [row.split(" | ")[6] for row in text.splitlines()[-2:]] == ["met", "missed"]
    assert "missed, at most" in as_markdown([replace(cell, passed=0.2)], [size])
