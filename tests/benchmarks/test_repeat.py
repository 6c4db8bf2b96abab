"""The simulated verdicts on noisy models are those of the run's own judge."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import multinomial, norm

from benchmarks.repeat import LIMIT, TEXTS, Noisy, as_markdown, held, most_power
from robustfim.outcome import Outcome
from robustfim.statistics.excess import Excess
from robustfim.statistics.paired import Paired


def literally(noise: float, candidates: int, repeat: int, share: float, seed: int) -> Excess:
    """Ask about one example after the other, one answer after the other."""
    random, answers = np.random.default_rng(seed), min(candidates, repeat)
    broken = fixed = 0
    for _ in range(TEXTS):
        first = random.random() < noise
        moved = random.random() < share
        perturbed = [(random.random() < noise) ^ moved ^ first for _ in range(candidates)]
        unchanged = [(random.random() < noise) ^ first for _ in range(repeat)]
        one, two = (any(random.permutation(side)[:answers]) for side in (perturbed, unchanged))
        broken, fixed = broken + (one and not two), fixed + (two and not one)
    return Excess(Paired(broken, fixed, TEXTS))


@pytest.mark.slow
@pytest.mark.parametrize(("candidates", "repeat"), [(4, 2), (2, 4)])
def test_answers_asked_one_by_one_have_the_excess_that_is_simulated(candidates: int, repeat: int) -> None:
    noise, share = 0.1, 0.25
    moved, still = (1 - noise) * (1 - noise**2) + noise * (1 - 0.9**2), (1 - noise) * (1 - 0.9**2) + noise * 0.99
    runs = [literally(noise, candidates, repeat, share, seed) for seed in range(40)]
    excess = share * (moved - still)
    assert np.mean([run.rate for run in runs]) == pytest.approx(excess, abs=0.015)
    found = held(noise, candidates, repeat, excess)
    failed = np.mean([run.tail(LIMIT).side is Outcome.FAILED for run in runs])
    assert found.failed == pytest.approx(failed, abs=0.2)


@pytest.mark.slow
def test_noise_alone_is_seldom_called_a_failure_and_fifteen_points_are_found() -> None:
    for noise in (0.02, 0.1, 0.2):
        assert held(noise, 8, 8, 0.0).failed <= 0.025
    assert held(0.02, 8, 3, 0.15).failed >= 0.9


def test_no_test_that_knows_less_finds_more_than_the_bound() -> None:
    shares, texts, limit = (0.3, 0.1), 60, 0.05
    bound = most_power(*shares, limit, texts)
    tables = [(b, c) for b in range(texts + 1) for c in range(texts + 1 - b)]
    chances = multinomial.pmf([(b, c, texts - b - c) for b, c in tables], texts, [*shares, 1 - sum(shares)])
    ours = sum(
        chance for (b, c), chance in zip(tables, chances, strict=True)
        if chance > 1e-9 and Excess(Paired(b, c, texts)).tail(limit).side is Outcome.FAILED
    )  # fmt: skip
    known = norm.sf(norm.isf(0.025) - (0.2 - limit) / np.sqrt((0.4 - 0.2**2) / texts))  # by the normal approximation
    assert ours < bound < ours + 0.08
    assert bound == pytest.approx(known, abs=0.06)


def test_the_section_has_a_row_for_each_kind_and_says_what_missed_its_aim() -> None:
    found = [
        Noisy(0.1, 8, 3, 0.0, 0.3, 0.2, 1.0), Noisy(0.1, 8, 3, 0.15, 0, 0.9, 1)
    ]  # fmt: skip
    rows = as_markdown(found).splitlines()[-2:]
    cells = "| 5 | 300 | 8 | 3 | 10 % | 0 | 30.0 % | 20.0 % | 100.0 % | wrong ≤ 2.5 %: missed |"
    assert rows[0] == cells
    assert rows[1].endswith("| failed ≥ 80 %: met |")
