"""The simulated suites have the true rates that the results state."""

from __future__ import annotations

import pytest

from benchmarks.pairs import (
    FEATURES,
    LIMITS,
    NUMBER,
    Model,
    Suite,
    Wrong,
    at_limit,
    gold,
    red,
    run,
    section,
    simulated,
)

DEFAULT: Suite = {name: levels[0] for name, levels in FEATURES.items()}


def failing(suite: Suite, draw: int) -> list[int]:
    says, baseline = at_limit(suite, draw), at_limit(suite, draw, fails=False)
    assert all(says(row, "end") == baseline(row, "end") == baseline(row, "x0") for row in range(NUMBER))
    assert all((says(row, "end") > 0.5) is (gold(row) == "b") for row in range(NUMBER))
    return [row for row in range(NUMBER) if (says(row, "x0") > 0.5) is not (gold(row) == "b")]


@pytest.mark.parametrize("other", [{}, {"limit": "arms"}, {"cluster": "column"}, {"sampling": "strata"}])
def test_a_fifth_of_a_population_fails(other: Suite) -> None:
    counts = [len(failing({**DEFAULT, **other}, draw)) for draw in range(200)]
    assert sum(counts) / (200 * NUMBER) == pytest.approx(0.2, abs=0.02)
    assert len(set(counts)) > 5


@pytest.mark.parametrize("cluster", FEATURES["cluster"])
def test_a_file_fails_as_often_as_its_limit_or_once_more(cluster: str) -> None:
    suite, size = {**DEFAULT, "of": "file", "cluster": cluster}, 1 if cluster == "none" else 4
    assert [len(failing(suite, draw)) for draw in range(2)] == [32, 32 + size]


def test_a_slice_of_a_file_that_has_a_limit_fails_as_often_as_its_limit() -> None:
    suite = {**DEFAULT, "of": "file", "slices": "limited"}
    for part in (True, False):
        rows = [row for row in range(NUMBER) if red(row) is part]
        counts = [sum(red(row) is part for row in failing(suite, draw)) for draw in range(2)]
        assert counts == [int(0.2 * len(rows)), int(0.2 * len(rows)) + 1]


def test_each_gold_label_of_a_file_that_has_a_limit_fails_as_often_as_it() -> None:
    suite = {**DEFAULT, "of": "file", "decision": "label", "cluster": "column", "limit": "errors"}
    for label in ("a", "b"):
        most = 0.2 * sum(gold(row) == label for row in range(NUMBER))
        below, above = (sum(gold(row) == label for row in failing(suite, draw)) for draw in range(2))
        assert most - 4 < below <= most < above <= most + 4


def test_the_arms_of_a_file_are_those_of_the_run() -> None:
    suite = {**DEFAULT, "of": "file", "decision": "label", "limit": "arms", "sampling": "arms"}
    limits = {**LIMITS, "arms": dict.fromkeys(("difficult", "control", "easiest"), 0.2)}
    (check,) = run(suite, Model(at_limit(suite, 0), 0), limits=limits).checks
    assert [(check.arms[arm].failing, check.arms[arm].tested) for arm in ("difficult", "easiest")] == [(6, 30), (4, 20)]


def test_a_suite_that_is_refused_or_claims_nothing_is_not_counted() -> None:
    assert simulated({**DEFAULT, "limit": "errors", "decision": "label", "reducer": "mean"}, 1) is None
    assert simulated(DEFAULT, 1) is None


def test_the_verdicts_that_are_wrong_are_counted() -> None:
    found = simulated({**DEFAULT, "limit": "rate", "of": "file", "baseline": "accepted"}, 4)
    assert found is not None
    assert (found.passed, found.failed, found.no_worse) == ((0, 2), (0, 2), (0, 2))
    assert not found.over
    assert "| limit | rate | 1 | 0.0 % of 2 | 0.0 % of 2 | 0.0 % of 2 |" in section([found], 3)


def test_a_fraction_above_the_level_and_three_standard_errors_is_too_large() -> None:
    counts = [Wrong(DEFAULT, (wrong, 400), (0, 400), (0, 0)) for wrong in (19, 20)]
    assert [count.over for count in counts] == [False, True]  # 400 × 2.5 % + 3 × 3.12 = 19.4
