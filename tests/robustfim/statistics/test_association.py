"""Matthews' coefficient against scikit-learn's, its test against Fisher's, and its interval by simulation."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
from scipy.stats import fisher_exact, norm
from sklearn.metrics import matthews_corrcoef

from robustfim.outcome import Outcome
from robustfim.statistics.association import association
from robustfim.statistics.mean import Mean
from tests.present import present


@pytest.mark.parametrize("labels", [2, 3, 7])
def test_the_coefficient_is_scikit_learns(labels: int) -> None:
    random = np.random.default_rng(labels)
    gold = random.integers(labels, size=300)
    answers = np.where(random.random(300) < 0.6, gold, random.integers(labels, size=300))
    found = present(association(gold, answers))
    assert found.coefficient == pytest.approx(matthews_corrcoef(gold, answers))
    assert found.interval[0] < found.coefficient < found.interval[1]


@pytest.mark.parametrize("table", [[[4, 2], [1, 5]], [[90, 5], [4, 1]], [[3, 9], [11, 2]], [[40, 38], [20, 22]]])
def test_the_p_values_are_fishers_exact_test(table: list[list[int]]) -> None:
    gold = np.repeat([0, 0, 1, 1], np.ravel(table))
    answers = np.repeat([0, 1, 0, 1], np.ravel(table))
    found = present(association(gold, answers))
    for p_value, alternative in ((found.p_positive, "greater"), (found.p_negative, "less")):
        expected = float(fisher_exact(table, alternative=alternative).pvalue)
        spread = (expected * (1 - expected) / 10_000) ** 0.5
        assert p_value == pytest.approx(expected, rel=1e-9 * spread + 2e-4)


def test_tables_of_two_labels_are_counted_without_the_library_that_draws_those_of_more() -> None:
    code = (
        "import sys, numpy as np; from robustfim.statistics.association import association; "
        "association(np.array([0, 1] * 9), np.array([0, 1, 0] * 6)); print('scipy.stats' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n", "it takes most of a second to import, at each run"


def test_a_model_that_finds_few_of_a_rare_label_and_all_rightly_has_a_positive_association() -> None:
    gold, answers = np.repeat([0, 1], [980, 20]), np.repeat([0, 1, 0], [980, 6, 14])
    found = present(association(gold, answers))
    assert found.p_positive < 0.001
    assert found.interval[0] > 0


def test_seven_in_ten_right_is_nothing_where_seven_in_ten_have_one_label() -> None:
    gold = np.repeat([0, 1], [700, 300])
    answers = np.zeros(1000, dtype=np.int64)
    answers[::100] = 1
    found = present(association(gold, answers))
    assert np.mean(gold == answers) == pytest.approx(0.696)
    assert found.interval[0] <= 0 <= found.interval[1]


def test_a_constant_answer_and_a_single_gold_label_have_none() -> None:
    two, one = np.array([0, 1, 1]), np.zeros(3, dtype=np.int64)
    assert association(two, one) is None
    assert association(one, two) is None
    assert association(one[:0], one[:0]) is None


def test_answers_that_are_right_or_wrong_by_whole_clusters_prove_less() -> None:
    gold = np.repeat([0, 1], 60)
    answers = np.where(np.arange(120) % 3 == 0, 1 - gold, gold)
    answers[:30] = gold[:30]
    plain, clustered = (present(association(gold, answers, array)) for array in (None, np.arange(120) // 15))
    assert clustered.coefficient == plain.coefficient
    assert clustered.interval[0] < plain.interval[0]
    assert clustered.p_positive > plain.p_positive


@pytest.mark.slow
@pytest.mark.parametrize("shares", [(0.5, 0.5), (0.1, 0.1)])
@pytest.mark.parametrize("sizes", [[8] * 20, [40] * 5 + [1] * 100])
def test_whole_clusters_without_anything_in_common_seldom_look_as_if_they_had(
    shares: tuple[float, float], sizes: list[int]
) -> None:
    random = np.random.default_rng(2)
    signs = []
    for _ in range(100):
        gold, answers = (np.repeat(random.random(len(sizes)) < share, sizes).astype(np.int64) for share in shares)
        found = association(gold, answers, np.repeat(np.arange(len(sizes)), sizes))
        if found is not None:
            signs.append((found.p_positive <= 0.025, found.p_negative <= 0.025))
    # 2.5 % each, and 3 standard errors of 100 draws.
    assert (np.mean(signs, axis=0) <= 0.025 + 3 * (0.025 * 0.975 / 100) ** 0.5).all()


@pytest.mark.parametrize("shares", [(0.5, 0.5), (0.1, 0.05), (0.02, 0.3)])
def test_answers_without_anything_in_common_seldom_look_as_if_they_had(
    shares: tuple[float, float],
) -> None:
    random = np.random.default_rng(0)
    signs = []
    for seed in range(400):
        gold, answers = (np.asarray(random.random(120) < share, dtype=np.int64) for share in shares)
        found = association(gold, answers, seed=seed)
        if found is not None:
            signs.append((found.interval[0] > 0, found.interval[1] < 0))
    # 2.5 % each, and 3.5 standard errors of 400 draws.
    assert (np.mean(signs, axis=0) <= 0.025 + 3.5 * (0.025 * 0.975 / 400) ** 0.5).all()


def test_the_interval_holds_its_coefficient_and_lies_where_the_test_says_in_any_table() -> None:
    random = np.random.default_rng(7)
    sides = []
    for _ in range(200):
        labels, number = int(random.integers(2, 5)), int(random.integers(4, 120))
        shares, skill = random.dirichlet(np.full(labels, 0.6)), random.uniform(-0.4, 1)
        gold = random.choice(labels, number, p=shares)
        answers = np.where(random.random(number) < abs(skill), gold, random.choice(labels, number, p=shares))
        answers = (answers + (skill < 0)) % labels
        found = association(gold, answers)
        if found is None:
            continue
        low, high = found.interval
        assert -1 <= low <= found.coefficient <= high <= 1
        positive, negative = found.p_positive <= 0.025, found.p_negative <= 0.025
        assert (positive, negative) == (low > 0, high < 0)
        sides.append(positive - negative)
    assert min(sides.count(side) for side in (-1, 0, 1)) > 5


def test_few_examples_all_right_are_on_the_side_of_their_test() -> None:
    gold = np.repeat([0, 1], [21, 2])
    found = present(association(gold, gold))
    assert found.p_positive <= 0.025
    assert found.coefficient == 1
    assert found.interval[0] > 0


def test_p_values_in_clusters_are_numbers_wherever_the_table_lies() -> None:
    for ones in range(1, 12):
        gold = np.repeat([0, 1], [ones, 12 - ones])
        for answers in (gold, 1 - gold):
            found = present(association(gold, answers, np.arange(12) // 4))
            assert 0 < found.p_positive <= 1
            assert 0 < found.p_negative <= 1
            assert (found.p_positive < found.p_negative) == (found.coefficient > 0)


def test_clusters_are_tested_by_the_mean_of_what_each_example_adds_to_accuracy_beyond_chance() -> None:
    gold = np.repeat([0, 1], [28, 12])
    answers = np.where(np.arange(40) % 10 < 3, 1 - gold, gold)
    found = present(association(gold, answers, np.arange(40) // 2))
    share = [float(np.mean(gold == 1)), float(np.mean(answers == 1))]
    odds = [[1 - each, each] for each in share]
    chance = float(np.dot(odds[0], odds[1]))
    terms = {(g, a): float(a == g) - odds[1][g] - odds[0][a] + chance for g in (0, 1) for a in (0, 1)}
    low, high = min(terms.values()), max(terms.values())
    pairs = enumerate(zip(gold, answers, strict=True))
    numbers = {str(place): (terms[pair] - low) / (high - low) for place, pair in pairs}
    mean = Mean.of(numbers, {id: str(int(id) // 2) for id in numbers}, usual=-low / (high - low))
    assert found.p_positive == pytest.approx(mean.p_value(-low / (high - low), Outcome.FAILED), rel=0.05)
    assert found.p_negative == pytest.approx(mean.p_value(-low / (high - low), Outcome.PASSED), rel=0.05)
    scale = np.prod([2 * (1 - each) * each for each in share]) ** 0.5
    ends = [(low + (high - low) * end) / scale for end in mean.interval]
    assert found.interval == pytest.approx(ends, abs=0.005)  # a cluster's mean is rounded
    alone = present(association(gold, answers, np.arange(40)))
    assert alone == present(association(gold, answers))


@pytest.mark.parametrize("labels", [3, 60])
def test_the_p_value_of_drawn_tables_counts_the_one_that_was_found(labels: int) -> None:
    random = np.random.default_rng(labels)
    gold, answers = random.integers(labels, size=400), random.integers(labels, size=400)
    found = present(association(gold, answers))
    tables = min(10_000, 20_000_000 // labels**2)
    for p_value in (found.p_positive, found.p_negative):  # (1 + b) / (1 + m): Phipson and Smyth (2010)
        assert p_value > 1 / tables
        assert p_value * (1 + tables) == pytest.approx(round(p_value * (1 + tables)), abs=1e-6)


def test_farther_out_than_the_drawn_tables_the_p_value_is_the_normal_one() -> None:
    gold = np.repeat([0, 1, 2], [50, 30, 40])
    answers = np.where(np.arange(120) % 2 == 0, gold, (gold + 1) % 3)
    found = present(association(gold, np.where(np.arange(120) % 8 == 1, answers, gold)))
    rows, said = np.bincount(gold), np.bincount(np.where(np.arange(120) % 8 == 1, answers, gold))
    # Of tables with these margins: the mean and the variance of the right answers.
    products = rows * said
    mean = products.sum() / 120
    spread = (rows * (120 - rows) * said * (120 - said)).sum() + products.sum() ** 2 - (products**2).sum()
    z = (105 - mean) / np.sqrt(spread / (120**2 * 119))
    assert z > 10
    assert np.log(found.p_positive) == pytest.approx(norm.logsf(z), rel=0.05)
    assert found.p_negative == 1


@pytest.mark.parametrize("table", [[[30, 9], [6, 20]], [[12, 3, 1], [2, 15, 4], [5, 0, 9]]])
def test_the_interval_is_the_delta_methods_on_fishers_scale(table: list[list[int]]) -> None:
    labels, number = len(table), int(np.sum(table))
    gold = np.repeat(np.repeat(np.arange(labels), labels), np.ravel(table))
    answers = np.repeat(np.tile(np.arange(labels), labels), np.ravel(table))
    found = present(association(gold, answers))
    g, p = np.sum(table, axis=1) / number, np.sum(table, axis=0) / number
    shares = (np.array(table) + np.outer(g, p)) / (number + 1)  # one that has nothing in common

    def coefficient(of: np.ndarray) -> float:
        rows, columns = of.sum(axis=1), of.sum(axis=0)
        return float((np.trace(of) - rows @ columns) / np.sqrt((1 - rows @ rows) * (1 - columns @ columns)))

    variance = 0.0
    for place in np.ndindex(labels, labels):  # what an example more of each kind would do to it
        one = np.zeros((labels, labels))
        one[place] = 1
        slope = (coefficient((1 - 1e-6) * shares + 1e-6 * one) - coefficient(shares)) / 1e-6
        variance += float(shares[place]) * slope**2 / (number + 1)
    center = coefficient(shares)
    half = 1.959963984540054 * np.sqrt(variance) / (1 - center**2)
    assert found.interval == pytest.approx(tuple(np.tanh(np.arctanh(center) + end) for end in (-half, half)), abs=1e-5)
