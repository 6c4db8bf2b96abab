"""One score measured: deciles by hand, comparisons with λmax, and what is left out."""

from __future__ import annotations

import math
import re

import numpy as np
import pytest

from robustfim.record import ScoreRecord
from robustfim_study.association import Array, auroc
from robustfim_study.score_result import Outcomes, measure
from robustfim_study.scorers import _table, verdicts

SIZE = 200
RANDOM = np.random.default_rng(5)
TRUTH = RANDOM.normal(size=SIZE)
FAILURES = (TRUTH > 0.8).astype(float) + (TRUTH > 1.5)
CALLS = RANDOM.integers(1, 9, SIZE).astype(float)
BROKEN = np.where(RANDOM.random(SIZE) < 0.2, np.nan, FAILURES > 1)
OUTCOMES = Outcomes(tuple(f"{row:03}" for row in range(SIZE)), CALLS, FAILURES, np.minimum(FAILURES / CALLS, 1), BROKEN)
NOISY = TRUTH + RANDOM.normal(size=SIZE)


def score(name: str, hardest: str = "highest", message: str = "") -> ScoreRecord:
    return ScoreRecord.model_validate({"name": name, "hardest": hardest, "message": message})


def test_broken_examples_are_ranked_among_the_right_answers_alone() -> None:
    found = measure(score("noisy"), NOISY, OUTCOMES, None, 0, 1).broken
    kept = np.isfinite(BROKEN)
    pairs = [(a, b) for a in NOISY[kept & (BROKEN == 1)] for b in NOISY[kept & (BROKEN == 0)]]
    assert found.value == pytest.approx(sum(a > b for a, b in pairs) / len(pairs))


def test_the_deciles_are_those_counted_by_hand() -> None:
    found = measure(score("noisy"), NOISY, OUTCOMES, None, 0, 1)
    order = np.argsort(-NOISY)
    assert sum(part.examples for part in found.deciles) == SIZE
    for place, part in enumerate(found.deciles):
        rows = order[20 * place : 20 * place + 20]
        assert (part.examples, part.failing) == (20, int((FAILURES[rows] > 0).sum()))
        assert (part.failures, part.calls) == (int(FAILURES[rows].sum()), int(CALLS[rows].sum()))
        assert part.per_100 == pytest.approx(100 * part.failures / part.calls)
    assert found.first.value == found.deciles[0].per_100
    assert found.gain == pytest.approx(found.first.value / (100 * FAILURES.sum() / CALLS.sum()))


def test_the_lowest_numbers_can_be_the_hard_ones() -> None:
    up, down = (
        measure(score("s", hardest), values, OUTCOMES, None, 0, 1)
        for hardest, values in (("highest", NOISY), ("lowest", -NOISY))
    )
    assert (up.auroc, up.spearman, up.deciles) == (down.auroc, down.spearman, down.deciles)


def test_infinite_scores_keep_their_rank_and_undefined_ones_have_none() -> None:
    values = NOISY.copy()
    values[:20], values[20:50] = -math.inf, math.nan
    found = measure(score("s"), values, OUTCOMES, None, 0, 1)
    assert (found.examples, found.infinite) == (170, 20)
    kept = np.r_[0:20, 50:200]
    assert found.auroc.value == pytest.approx(float(auroc(values[kept], (FAILURES[kept] > 0).astype(float))))
    finite = slice(50, 200)
    assert found.pearson.value == pytest.approx(np.corrcoef(values[finite], OUTCOMES.share[finite])[0, 1])


def compared(**values: Array) -> list[str]:
    known = {"fisher": NOISY, **values}
    results = [measure(score(name), numbers, OUTCOMES, NOISY, 0, len(values)) for name, numbers in known.items()]
    return verdicts(sorted(results, key=lambda result: -result.auroc.value))


def test_a_score_that_beats_lambda_max_is_told() -> None:
    said = compared(truth=TRUTH)
    assert said[0].startswith("truth has the highest AUROC of 2 scores, 1.00 [")
    assert said[1].startswith("truth beats λmax: AUROC 1.00 against 0.")
    assert re.search(r", a difference of \+0\.\d\d \[\+0\.\d\d, \+0\.\d\d\]\.$", said[1])
    assert "select: {by: truth}" in said[2]


def test_each_difference_to_lambda_max_is_printed_with_its_paired_interval() -> None:
    known = {"fisher": NOISY, "random": np.random.default_rng(1).normal(size=SIZE)}
    results = [measure(score(name), numbers, OUTCOMES, NOISY, 0, 1) for name, numbers in known.items()]
    table = _table(results)
    fisher, other = (row[list(table.header).index("minus λmax")] for row in table.rows)
    ahead = results[1].ahead
    assert ahead is not None
    assert ahead.interval is not None
    numbers = [ahead.value, *ahead.interval]
    assert [float(each) for each in re.findall(r"[+-][\d.]+", other.replace("−", "-"))] == pytest.approx(
        numbers, abs=0.005
    )
    assert fisher == "–"


def test_a_lead_that_chance_can_explain_is_no_victory() -> None:
    said = " ".join(compared(same=NOISY + 1e-3 * TRUTH))
    assert "beats" not in said
    assert "chance can explain" in said or "λmax (fisher) has the highest AUROC" in said


def test_lambda_max_is_told_to_be_best_where_it_is() -> None:
    said = compared(random=RANDOM.normal(size=SIZE))
    assert said[0].startswith("λmax (fisher) has the highest AUROC, 0.")
    assert said[-1] == "λmax beats random."


def test_the_comparison_uses_the_examples_that_both_know() -> None:
    values = np.where(np.arange(SIZE) < 100, NOISY, math.nan)
    found = measure(score("half"), values, OUTCOMES, NOISY, 0, 1)
    assert found.ahead is not None
    assert found.ahead.value == 0


def test_a_score_that_the_model_does_not_allow_says_why() -> None:
    found = measure(score("fisher", message="no gradients."), np.full(SIZE, math.nan), OUTCOMES, None, 0, 1)
    assert verdicts([found])[-1] == "fisher could not be computed: no gradients."


def test_without_any_failure_nothing_is_ranked() -> None:
    none = Outcomes(OUTCOMES.ids, CALLS, np.zeros(SIZE), np.zeros(SIZE), np.zeros(SIZE))
    found = measure(score("fisher"), NOISY, none, NOISY, 0, 1)
    assert "All or none of the examples fail" in verdicts([found])[0]
    assert math.isnan(found.gain)
