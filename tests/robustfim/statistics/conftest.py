"""Fixtures of the statistics' tests."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from robustfim.statistics import stratified


@pytest.fixture
def few_draws(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Intervals of 4,000 draws: their ends are exact to 0.25 % of probability, where hundreds of runs leave 1 %."""
    monkeypatch.setattr(stratified, "_DRAWS", 4000)
    stratified._draws.cache_clear()
    yield
    stratified._draws.cache_clear()
