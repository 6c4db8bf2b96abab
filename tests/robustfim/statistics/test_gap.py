"""The gap between two groups, against statsmodels and a literal search."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import xlogy
from scipy.stats import beta, binom, norm

from robustfim.outcome import Outcome
from robustfim.statistics import Rate
from robustfim.statistics.clusters import clustered_rate
from robustfim.statistics.gap import ClusteredGap, Gap
from robustfim.statistics.mean import Mean
from robustfim.statistics.tails import Tail
from tests.present import present

COUNTS = [(28, 46, 12, 35), (40, 100, 10, 100), (3, 20, 4, 21), (0, 30, 5, 40), (30, 30, 1, 40), (7, 12, 300, 900)]
LIMITS = [0.0, 0.05, 0.1, 0.3]


def _score_test(*counts: int, alternative: str) -> float:
    from statsmodels.stats.proportion import test_proportions_2indep as test

    return float(test(*counts, method="score", compare="diff", alternative=alternative, correction=False).pvalue)


@pytest.mark.parametrize("counts", COUNTS)
def test_the_interval_is_newcombes(counts: tuple[int, int, int, int]) -> None:
    from statsmodels.stats.proportion import confint_proportions_2indep

    reference = confint_proportions_2indep(*counts, method="newcomb", compare="diff", correction=False)
    assert Gap(counts[:2], counts[2:]).interval == pytest.approx(reference)


def test_the_interval_is_that_of_newcombes_table() -> None:
    # Newcombe 1998, table II, example (a): 56/70 and 48/80, method 10.
    assert Gap((56, 70), (48, 80)).interval == pytest.approx((0.0524, 0.3339), abs=5e-5)


@pytest.mark.parametrize("limit", LIMITS)
@pytest.mark.parametrize("counts", COUNTS)
def test_the_p_value_is_that_of_the_score_test(counts: tuple[int, int, int, int], limit: float) -> None:
    # Literally: the likeliest rates that lie the limit apart are searched for on a grid. (The statsmodels function is
    # a reference for a limit of 0 alone: for others its rates are not those of the largest likelihood.)
    x, n, y, m = counts
    p = np.linspace(limit, 1, 100_001)[1:-1]
    likelihood = xlogy(x, p) + xlogy(n - x, 1 - p) + xlogy(y, p - limit) + xlogy(m - y, 1 - p + limit)
    best = p[np.argmax(likelihood)]
    z = (x / n - y / m - limit) / np.sqrt(best * (1 - best) / n + (best - limit) * (1 - best + limit) / m)
    assert Gap(counts[:2], counts[2:]).p_value(limit) == pytest.approx(2 * norm.sf(abs(z)), rel=1e-3)


@pytest.mark.parametrize("limit", LIMITS)
@pytest.mark.parametrize("counts", COUNTS)
def test_a_side_is_proved_by_an_exact_test(counts: tuple[int, int, int, int], limit: float) -> None:
    # Literally: the chance of all tables whose standardized difference is at least as large, for many rates.
    found = Gap(counts[:2], counts[2:]).tail(limit)
    x, n, y, m, delta = (*counts, limit) if found.side is Outcome.FAILED else (*counts[2:], *counts[:2], -limit)
    k, j = np.meshgrid(np.arange(n + 1), np.arange(m + 1), indexing="ij")
    least, most = max(0.0, -delta), min(1.0, 1 - delta)
    near = np.clip((k + j - n * delta) / (n + m), least, most)
    variance = (near + delta) * (1 - near - delta) / n + near * (1 - near) / m
    scores = (k / n - j / m - delta) / np.sqrt(np.maximum(variance, 1e-12))
    low, high = beta.ppf(5e-5, y, m - y + 1) if y else 0.0, beta.ppf(1 - 5e-5, y + 1, m - y) if y < m else 1.0
    chances = [
        binom.pmf(np.arange(n + 1), n, q + delta) @ (scores >= scores[x, y] - 1e-9) @ binom.pmf(np.arange(m + 1), m, q)
        for q in np.linspace(max(low, least), min(high, most), 300)
    ]
    exact = 1.0 if found.side is Outcome.INCONCLUSIVE else min(1.0, max(chances) + 1e-4)
    assert found.p_value == pytest.approx(exact, rel=0.02, abs=1e-5)


@pytest.mark.parametrize(
    ("rates", "sizes"), [((0.2, 0.1), (300, 10)), ((0.3, 0.1), (200, 20)), ((0.2, 0.1), (10, 300))]
)
def test_a_gap_of_a_few_examples_at_its_limit_is_seldom_decided(
    rates: tuple[float, float], sizes: tuple[int, int]
) -> None:
    ways = [binom.pmf(np.arange(size + 1), size, rate) for rate, size in zip(rates, sizes, strict=True)]
    likely = [np.flatnonzero(way > 1e-4) for way in ways]
    wrong = {Outcome.PASSED: 0.0, Outcome.FAILED: 0.0, Outcome.INCONCLUSIVE: 0.0}
    for one in likely[0].tolist():
        for two in likely[1].tolist():
            found = Gap((one, sizes[0]), (two, sizes[1])).tail(rates[0] - rates[1])
            wrong[found.side] += ways[0][one] * ways[1][two] * (found.p_value <= 0.025)
    assert max(wrong[Outcome.PASSED], wrong[Outcome.FAILED]) <= 0.025


def test_the_side_is_where_the_whole_interval_lies() -> None:
    gap = Gap((40, 100), (10, 100))
    low, high = gap.interval
    assert gap.tail(low - 0.001).side is Outcome.FAILED
    assert gap.tail(low + 0.001).side is Outcome.INCONCLUSIVE
    assert gap.tail(high + 0.001).side is Outcome.PASSED
    assert [gap.tail(end).side for end in (low, high)] == [Outcome.INCONCLUSIVE] * 2
    assert (gap.tail(1.0).side, gap.tail(1.0).p_value) == (Outcome.PASSED, 0.0)


@pytest.mark.parametrize("counts", [((0, 5), (0, 5)), ((5, 5), (5, 5)), ((1, 1), (0, 1)), ((0, 1), (1, 1))])
def test_groups_without_variance_are_compared_too(counts: tuple[tuple[int, int], tuple[int, int]]) -> None:
    gap = Gap(*counts)
    low, high = gap.interval
    assert -1 <= low <= gap.rate <= high <= 1
    assert 0 <= gap.tail(0.0).p_value <= 1


@pytest.mark.parametrize("failing", [0, 5])
def test_groups_that_are_wholly_alike_speak_of_no_difference(failing: int) -> None:
    assert Gap((failing, 5), (failing, 5)).p_value(0.0) == 1.0


@pytest.mark.parametrize("counts", COUNTS)
def test_the_p_value_beside_a_two_sided_interval_is_of_both_sides(counts: tuple[int, int, int, int]) -> None:
    reference = pytest.approx(_score_test(*counts, alternative="two-sided"))
    assert Gap(counts[:2], counts[2:]).p_value(0.0) == reference
    assert Gap(counts[2:], counts[:2]).p_value(0.0) == reference


@pytest.mark.parametrize(
    ("counts", "limit"),
    [((28, 46, 12, 35), 0.1), ((4, 60, 9, 50), 0.05), ((20, 100, 20, 100), 0.1), ((5, 40, 1, 80), 0.02)],
)
@pytest.mark.parametrize("comparisons", [1, 10])
def test_the_examples_that_are_said_to_decide_do_so_in_four_of_five_cases(
    counts: tuple[int, int, int, int], limit: float, comparisons: int
) -> None:
    failing_1, tested_1, failing_2, tested_2 = counts
    more = present(Gap(counts[:2], counts[2:]).examples_to_decide(limit, comparisons))
    times, level = 1 + more / (tested_1 + tested_2), 0.025 / comparisons
    sizes = round(tested_1 * times), round(tested_2 * times)
    random = np.random.default_rng(0)
    runs = zip(
        random.binomial(sizes[0], failing_1 / tested_1, 2000),
        random.binomial(sizes[1], failing_2 / tested_2, 2000),
        strict=True,
    )
    found = [Gap((int(one), sizes[0]), (int(two), sizes[1])).tail(limit) for one, two in runs]
    share = np.mean([tail.side is not Outcome.INCONCLUSIVE and tail.p_value <= level for tail in found])
    assert 0.78 - 2 * 0.009 <= share <= 0.9  # two standard errors of 2,000 runs, and no more than are needed


def test_more_comparisons_need_more_and_a_difference_at_its_limit_is_not_decided() -> None:
    gap = Gap((28, 46), (12, 35))
    assert gap.tail(0.1).side is Outcome.INCONCLUSIVE
    assert (gap.examples_to_decide(0.1, comparisons=10) or 0) > (gap.examples_to_decide(0.1) or 0) > 0
    assert gap.examples_to_decide(0.1) == gap.examples_to_decide(0.1, comparisons=1)
    assert Gap((5, 10), (4, 10)).examples_to_decide(0.1) is None


def test_a_limit_of_one_is_never_exceeded() -> None:
    assert Gap((10, 10), (0, 10)).tail(1.0) == Tail(Outcome.PASSED, 0.0)


def test_two_rates_are_compared_as_what_their_examples_are_worth() -> None:
    clustered, plain = (Rate(10, 40), 20.0), (Rate(6, 50), None)
    assert Gap.of(clustered, plain) == Gap((5.0, 20.0), (6, 50), 70 / 90)
    assert Gap.of(plain, clustered) == Gap((6, 50), (5.0, 20.0), 70 / 90)
    assert Gap.of(clustered, (Rate(0, 0), None)) is None
    assert Gap.of((Rate(0, 0), None), plain) is None


def test_examples_that_are_worth_less_are_needed_in_greater_number() -> None:
    plain, clustered = (Gap((28, 46), (12, 35), share).examples_to_decide(0.1) or 0 for share in (1.0, 0.25))
    assert clustered == 4 * plain


@pytest.mark.parametrize("kind", ["apart", "shared"])
def test_a_gap_at_its_limit_in_whole_clusters_is_seldom_decided(kind: str) -> None:
    random, runs, limit = np.random.default_rng(4), 40, 0.1
    sizes = np.array([1] * 60 + [10] * 30)
    clusters = {f"{side}{place}.{member}": f"{side * (kind == 'apart')}{place}"
                for side in "ab" for place, size in enumerate(sizes) for member in range(size)}  # fmt: skip
    sides = {Outcome.PASSED: 0, Outcome.FAILED: 0, Outcome.INCONCLUSIVE: 0}
    plain = dict(sides)
    for _ in range(runs):
        shared = random.random(len(sizes))
        draws = {side: shared if kind == "shared" else random.random(len(sizes)) for side in "ab"}
        groups = [
            {id: float(draws[side][int(id[1:].partition(".")[0])] < rate) for id in clusters if id[0] == side}
            for side, rate in (("a", 0.3), ("b", 0.3 - limit))
        ]
        rates = [clustered_rate({id for id in own if own[id]}, own, clusters) for own in groups]
        gap = present(Gap.of(*rates, means=[Mean.of(own, clusters) for own in groups]))
        assert gap.rate == pytest.approx(sum(groups[0].values()) / 360 - sum(groups[1].values()) / 360)
        sides[gap.tail(limit).side] += 1
        plain[Gap((rates[0][0].count, 360), (rates[1][0].count, 360)).tail(limit).side] += 1
    assert max(sides[Outcome.PASSED], sides[Outcome.FAILED]) <= 4, "2.5 % and three standard errors of 40"
    assert kind == "shared" or plain[Outcome.PASSED] + plain[Outcome.FAILED] > 6, "those that are not told of clusters"


def test_a_gap_of_clusters_is_rejected_where_two_rates_are_at_half_the_level() -> None:
    clusters = {f"{place}.{member}": str(place) for place in range(80) for member in range(5)}
    first, second = (
        Mean.of({id: float(int(id.partition(".")[0]) % 40 in failing and int(id[-1]) < 3) for id in own}, clusters)
        for own, failing in (
            ([id for id in clusters if int(id.partition(".")[0]) < 40], range(20)),
            ([id for id in clusters if int(id.partition(".")[0]) >= 40], range(4)),
        )
    )
    gap = ClusteredGap((120, 200), (24, 200), 1.0, first, second)
    low, high = gap.interval
    for limit in (0.0, low, 0.1, 0.2):
        literal = min(
            max(first.p_value(c, Outcome.FAILED), second.p_value(c - limit, Outcome.PASSED))
            for c in np.linspace(limit + 1e-6, 1 - 1e-6, 601)
        )
        assert gap.p_value(limit) == pytest.approx(min(1.0, 4 * literal), rel=0.05)
    assert gap.p_value(low) / 2 == pytest.approx(0.025, rel=0.02)
    assert (gap.tail(low - 0.01).side, gap.tail(high + 0.01).side) == (Outcome.FAILED, Outcome.PASSED)
    assert gap.tail((low + high) / 2).side is Outcome.INCONCLUSIVE
