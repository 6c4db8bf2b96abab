import math
from collections import Counter
from collections.abc import Iterable

import numpy as np
import pytest
from scipy.stats import norm, t

from robustfim.outcome import Outcome
from robustfim.statistics import Rate, wilson
from robustfim.statistics.clusters import (
    ClusterCounts,
    by_cluster,
    clustered_changes,
    clustered_mean,
    clustered_pairs,
    clustered_rate,
    effective_number,
    mean_cluster,
)
from robustfim.statistics.mean import Mean
from robustfim.statistics.paired import Paired, stratified_pairs
from robustfim.statistics.sequential import Watch, evidence
from robustfim.statistics.strata import allocation
from robustfim.statistics.stratified import Stratum, stratified_rate
from tests.present import present


def beta_binomial(sizes: np.ndarray, rate: float, correlation: float, random: np.random.Generator) -> np.ndarray:
    """Failing members of clusters whose members fail alike."""
    a, b = (share * (1 - correlation) / correlation for share in (rate, 1 - rate))
    return random.binomial(sizes, random.beta(a, b, len(sizes)))


@pytest.mark.parametrize(
    ("clusters", "largest", "rate"), [(50, 10, 0.2), (100, 5, 0.1), (30, 10, 0.1), (200, 4, 0.05), (60, 0, 0.2)]
)
def test_the_interval_covers_in_95_of_100_runs_where_the_plain_formula_does_not(
    clusters: int, largest: int, rate: float
) -> None:
    random, runs = np.random.default_rng(3), 300
    covered = plain = 0
    for _ in range(runs):
        sizes = np.full(clusters, largest) if largest else 1 + random.geometric(0.12, clusters)  # unequal ones
        failing = beta_binomial(sizes, rate, 0.3, random)
        tested = int(sizes.sum())
        low, high = trials(failing, sizes, 0).interval
        covered += low <= rate <= high
        low, high = wilson(int(failing.sum()), int(tested)) or (0.0, 0.0)
        plain += low <= rate <= high
    assert covered / runs >= 0.94
    assert plain / runs < 0.88


def test_the_mean_cluster_is_that_of_an_example_not_of_a_cluster() -> None:
    names = [*"aaaaaa", *"bb", "c", *[None] * 3]
    clusters = {str(place): name for place, name in enumerate(names) if name}
    seen = [names.count(name) if name else 1 for name in names]  # example by example
    assert mean_cluster(clusters, len(names)) == pytest.approx(sum(seen) / len(seen))
    assert mean_cluster({}, 5) == mean_cluster({"0": "a"}, 5) == 1


def test_members_that_are_all_alike_are_worth_one_each_and_independent_ones_what_they_are() -> None:
    random = np.random.default_rng(0)
    alike = effective_number([10 * int(each) for each in random.random(400) < 0.3], [10] * 400)
    assert alike == pytest.approx(400, rel=0.03)
    apart = np.mean([effective_number(random.binomial(10, 0.3, 400).tolist(), [10] * 400) for _ in range(20)])
    assert apart == pytest.approx(4000, rel=0.06)


def literal_number(sums: list[int], sizes: list[int], spread: float) -> float:
    """The docstring's formula, cluster by cluster: the jackknife's variance over that of independent examples."""
    number, clusters = sum(sizes), len(sizes)
    mean = sum(sums) / number
    variance = 0.0
    for left_out, size in zip(sums, sizes, strict=True):  # the mean without this cluster
        variance += (clusters - 1) / clusters * ((sum(sums) - left_out) / (number - size) - mean) ** 2
    design = variance / (spread / number)
    alike = sum(size * size for size in sizes) / number
    equal = number**2 / sum(size * size for size in sizes)  # clusters of equal size that show as much
    telling = min(sum(each != 0 for each in sums), sum(abs(y) < m for y, m in zip(sums, sizes, strict=True)), equal)
    mixed = max(1.0, (telling * design + 0.5 * alike) / (telling + 0.5))
    return number / mixed * (1.959963984540054 / float(t.ppf(0.975, max(1, equal - 1)))) ** 2


@pytest.mark.parametrize(
    ("sums", "sizes"),
    [([3, 0, 1, 4], [5, 2, 3, 4]), ([1, 1, 0, 2, 0], [2, 2, 2, 2, 1]), ([2, 0], [2, 2]), ([1, 2], [3, 3])],
)
def test_the_effective_number_is_the_formula_taken_literally(sums: list[int], sizes: list[int]) -> None:
    mean = sum(sums) / sum(sizes)
    assert effective_number(sums, sizes) == pytest.approx(literal_number(sums, sizes, mean * (1 - mean)))
    assert effective_number(sums, sizes, 0.3) == pytest.approx(literal_number(sums, sizes, 0.3))


def test_pairs_in_clusters_are_worth_what_their_differences_are() -> None:
    clusters = {each: each[0] for each in ("a1", "a2", "a3", "b1", "b2", "c1", "c2", "c3", "c4")}
    changes = {**dict.fromkeys(("a2", "b1", "c4"), 1.0), "a1": 0.0, "c1": -1.0}
    found, effective = clustered_pairs(changes, [*clusters, "d"], clusters)
    # Broken less fixed is 1, 1, 0 and 0 in clusters of 3, 2, 4 and 1; their variance is 4 / 10 − (2 / 10)².
    worth_of = literal_number([1, 1, 0, 0], [3, 2, 4, 1], 0.4 - 0.2**2)
    assert effective == pytest.approx(worth_of)
    assert (found.broken, found.fixed, found.matched) == pytest.approx((0.3 * worth_of, 0.1 * worth_of, worth_of))
    assert clustered_pairs(changes, ["a1", "b1", "c1"], clusters) == (Paired(1, 1, 3), None)


def test_clusters_of_one_and_a_single_cluster_are_worth_their_number() -> None:
    assert effective_number([0, 1, 1], [1, 1, 1]) == 3
    assert effective_number([4], [9]) == 1


def test_where_nothing_fails_nothing_is_known_of_how_alike_members_are() -> None:
    assert effective_number([0] * 50, [10] * 50) == pytest.approx(50, rel=0.06)


def test_a_rate_counts_examples_and_its_interval_clusters() -> None:
    tested = {f"{cluster}{member}": cluster for cluster in "abcdefgh" for member in range(5)}
    failing = {each for each, cluster in tested.items() if cluster in "ab"}
    rate, effective = clustered_rate(failing, tested.keys(), tested)
    assert (rate.count, rate.tested) == (10, 40)
    assert effective is not None
    assert effective < 8
    assert rate.ends[1] - rate.ends[0] > 2 * (Rate(10, 40).ends[1] - Rate(10, 40).ends[0])
    assert clustered_rate(failing, tested.keys(), {}) == (Rate(10, 40), None)
    assert clustered_rate({"a"}, ["a", "b", "c"], {"b": "x", "c": "x"})[1] is not None  # two are a cluster


def test_an_example_without_a_cluster_is_one_of_its_own_whatever_its_id_is() -> None:
    assert sorted(by_cluster({"a"}, ["a", "b", "c"], {"b": "a", "c": "a"})) == [(0, 2), (1, 1)]


def test_the_interval_of_a_paired_difference_covers_where_the_plain_one_does_not() -> None:
    random, runs, clusters, members = np.random.default_rng(1), 500, 60, 5
    ids = [f"{cluster}.{member}" for cluster in range(clusters) for member in range(members)]
    names = {each: each.split(".")[0] for each in ids}
    true = 0.25 * 0.5 + 0.75 * 0.03 - 0.08
    covered = plain = 0
    for _ in range(runs):
        rates = np.where(random.random(clusters) < 0.25, 0.5, 0.03)[:, None]
        now = (random.random((clusters, members)) < rates).ravel()
        was = random.random(clusters * members) < 0.08
        changes = dict(zip(ids, now.astype(float) - was, strict=True))
        for found, count in ((names, 1), ({}, 0)):
            low, high = clustered_pairs(changes, ids, found)[0].interval or (0.0, 0.0)
            covered += count * (low <= true <= high)
            plain += (1 - count) * (low <= true <= high)
    assert covered / runs >= 0.93
    assert plain / runs < 0.9


def test_a_budget_over_clusters_is_wrong_as_seldom_as_it_says_where_the_plain_one_is_not() -> None:
    random, runs, limit = np.random.default_rng(2), 300, 0.2
    wrong = plain = 0
    for _ in range(runs):
        sizes = random.integers(1, 11, 120)
        failing = beta_binomial(sizes, limit, 0.6, random)
        watches = [Watch(limit), Watch(limit)]
        certain = [False, False]
        for drawn in range(5, 121, 5):
            counts = int(failing[:drawn].sum()), int(sizes[:drawn].sum())
            certain[0] |= watches[0].look(*counts, trials(failing[:drawn], sizes[:drawn], 10).evidence)
            certain[1] |= watches[1].look(*counts)
        wrong += certain[0]
        plain += certain[1]
    assert wrong / runs <= 0.05
    assert plain / runs > 0.2


def trials(failing: Iterable[int], sizes: Iterable[int], largest: int) -> Mean:
    """Clusters of so many members, of which so many fail."""
    return Mean(Counter((float(y), int(m)) for y, m in zip(failing, sizes, strict=True)), largest)


def test_clusters_of_one_are_the_examples_themselves() -> None:
    plain = trials([1] * 7 + [0] * 33, [1] * 40, 1)
    assert plain.evidence(0.4, Outcome.PASSED) == pytest.approx(evidence(7, 40, 0.4, Outcome.PASSED), abs=1e-9)
    clustered = trials([4, 3, *[0] * 8], [4] * 10, 4).interval
    assert clustered[0] < plain.interval[0] < plain.interval[1] < clustered[1]
    assert clustered[0] > trials([4, 3, *[0] * 8], [4] * 10, 8).interval[0], "of eight there may come"


def test_failures_that_are_spread_over_clusters_say_more_than_those_that_lie_in_few() -> None:
    spread, lumped = trials([1] * 20, [4] * 20, 4), trials([4] * 5 + [0] * 15, [4] * 20, 4)
    assert spread.rate == lumped.rate == 0.25
    assert spread.evidence(0.6, Outcome.PASSED) > 2 * lumped.evidence(0.6, Outcome.PASSED)


def test_a_budget_over_clusters_still_decides() -> None:
    random = np.random.default_rng(4)
    watch, failing, sizes = Watch(0.1), list[int](), list[int]()
    while len(sizes) < 200:
        sizes.append(int(random.integers(1, 6)))
        failing.append(int(random.binomial(sizes[-1], 0.5)))
        if watch.look(sum(failing), sum(sizes), trials(failing, sizes, 5).evidence):
            break
    assert watch.tail.side is Outcome.FAILED


def test_counting_one_by_one_gives_the_rate_of_all_at_once() -> None:
    clusters = {str(number): f"c{number // 3}" for number in range(0, 30, 2)}
    tested = [str(number) for number in range(40)]
    failing = {each for each in tested if int(each) % 7 == 0}
    known: dict[str, str]
    for known in (clusters, {}):
        counts = ClusterCounts()
        for each in tested:
            counts.add(each in failing, known.get(each))
        assert clustered_rate(failing, tested[::-1], known) == clustered_rate(failing, tested, known)
        (rate, effective), (wanted, independent) = counts.rate, clustered_rate(failing, tested, known)
        assert (rate.count, rate.tested) == (6, 40) == (wanted.count, wanted.tested)
        assert (rate.ends, effective) == (wanted.ends, independent)


@pytest.mark.usefixtures("few_draws")
@pytest.mark.parametrize("correlation", [0.3, pytest.param(0.1, marks=pytest.mark.slow)])
def test_an_estimate_from_two_arms_counts_clusters_that_lie_in_both(correlation: float) -> None:
    random, runs, clusters, members, mean = np.random.default_rng(0), 120, 100, 10, 0.15
    size, difficult, control = clusters * members, 100, 400
    names = [str(number) for number in range(size)]
    of = {name: f"c{number // members}" for number, name in enumerate(names)}
    held = {1: 0, 0: 0}
    for _ in range(runs):
        shape = (mean * (1 / correlation - 1), (1 - mean) * (1 / correlation - 1))
        fails = random.random(size) < np.repeat(random.beta(*shape, clusters), members)
        hardest = np.argsort(-(fails + random.normal(0, 1.2, size)))
        arms = {"difficult": hardest[:difficult], "control": random.permutation(hardest[difficult:])[:control]}
        ids = {arm: [names[place] for place in places] for arm, places in arms.items()}
        sizes = {"difficult": difficult, "control": size - difficult}
        failing = {names[each] for each in np.flatnonzero(fails)}
        weights = {id: sizes[arm] / len(own) for arm, own in ids.items() for id in own}
        strata = [Stratum(sizes[arm], len(own), len(own), len(failing & {*own})) for arm, own in ids.items()]
        ends = {0: present(stratified_rate(strata))[1]}
        ends[1] = present(clustered_mean(failing, weights, of, weights=weights)).interval
        for clustered, (low, high) in ends.items():
            held[clustered] += low <= mean <= high
    # At 95 % fewer than 108 of 120 have a probability of 1 %.
    assert held[1] >= 108
    assert held[0] <= held[1] - 4


def test_a_large_draw_from_strata_tells_of_the_clusters_of_the_data_too() -> None:
    random, runs, number, rate = np.random.default_rng(3), 120, 4000, 0.3
    of = np.repeat(np.arange(number // 5), 5)
    clusters = {str(each): str(cluster) for each, cluster in enumerate(of)}
    parts = {str(place): part for place, part in enumerate(allocation(number, 2000))}
    sizes = {name: float(size) for name, (size, _) in parts.items()}
    held = {False: 0, True: 0}
    for _ in range(runs):
        shared, own = random.normal(size=number // 5)[of], random.normal(size=number)
        fails = np.sqrt(0.9) * shared + np.sqrt(0.1) * own < norm.ppf(rate)
        order = np.argsort(-(random.normal(size=number) + 1.8 * fails))
        cuts = np.cumsum([size for size, _ in parts.values()])[:-1]
        arms = {
            name: [str(each) for each in random.choice(members, drawn, replace=False)]
            for (name, (_, drawn)), members in zip(parts.items(), np.split(order, cuts), strict=True)
        }
        failing = {each for ids in arms.values() for each in ids if fails[int(each)]}
        weights = {id: sizes[name] / len(ids) for name, ids in arms.items() for id in ids}
        strata = [Stratum(*parts[name], len(ids), len(failing & {*ids})) for name, ids in arms.items()]
        ends = {False: present(stratified_rate(strata))[1]}
        ends[True] = present(clustered_mean(failing, weights, clusters, weights=weights)).interval
        for told, (low, high) in ends.items():
            held[told] += low <= rate <= high
    # At 95 % fewer than 108 of 120 have a probability of 1 %.
    assert held[True] >= 108
    assert held[False] <= held[True] - 4


@pytest.mark.parametrize("runs", [60, pytest.param(1000, marks=pytest.mark.slow)])
def test_the_difference_of_two_runs_over_strata_counts_clusters(runs: int) -> None:
    random, number, members, rate, held = np.random.default_rng(6), 2000, 20, 0.1, {True: 0, False: 0}
    parts = allocation(number, 400)
    of = np.repeat(np.arange(number // members), members)
    loss = float(norm.cdf(norm.ppf(rate) + 0.2)) - rate
    for _ in range(runs):
        shared, own = random.normal(size=(2, number // members))[:, of], random.normal(size=(2, number))
        first, other = np.sqrt(0.8) * shared + np.sqrt(0.2) * own
        was = first < norm.ppf(rate)
        change = (0.5 * first + np.sqrt(0.75) * other < norm.ppf(rate) + 0.2).astype(float) - was
        order = np.argsort(-(random.normal(size=number) + 1.8 * was))
        arms = {
            str(place): [str(each) for each in random.choice(ranked, drawn, replace=False)]
            for place, (ranked, (_, drawn)) in enumerate(
                zip(np.split(order, np.cumsum([size for size, _ in parts])[:-1]), parts, strict=True)
            )
        }
        values = {each: float(change[int(each)]) for ids in arms.values() for each in ids if change[int(each)]}
        clusters = {each: str(of[int(each)]) for ids in arms.values() for each in ids}
        sizes, draws = ([part[place] for part in parts] for place in (0, 1))
        worse, better = ([sum(values.get(each) == sign for each in ids) for ids in arms.values()] for sign in (1, -1))
        weights = {id: size / len(ids) for size, ids in zip(sizes, arms.values(), strict=True) for id in ids}
        pairs = {False: stratified_pairs(sizes, draws, draws, worse, better)}
        pairs[True], _ = clustered_pairs(values, [*weights], clusters, weights)
        for told, pair in pairs.items():
            low, high = present(pair.interval)
            held[told] += low <= loss <= high
    # At 95 % fewer than 52 of 60 have a probability of 0.3 %.
    assert held[True] / runs >= (0.86 if runs < 100 else 0.935)
    assert held[False] / runs <= held[True] / runs - 0.05


def test_clusters_of_one_are_independent_and_count_as_they_are() -> None:
    alone = {each: each for each in "abc"}
    assert clustered_rate({"a"}, ["a", "b", "c"], alone) == (Rate(1, 3), None)


def test_as_many_broken_as_fixed_in_clusters_vary_by_their_number() -> None:
    clusters = {each: each[0] for each in ("a1", "a2", "b1", "b2", "c1", "c2")}
    _, effective = clustered_pairs({"a1": 1.0, "b1": -1.0}, [*clusters], clusters)
    assert effective == pytest.approx(literal_number([1, -1, 0], [2, 2, 2], 2 / 6))


@pytest.mark.parametrize("sizes", [[1] * 300 + [60] * 5, [10] * 300, [1] * 100 + [20] * 10])
def test_a_loss_of_the_margin_in_whole_clusters_is_seldom_called_no_worse(sizes: list[int]) -> None:
    random, runs, wrong = np.random.default_rng(6), 150, {"no worse": 0, "worse": 0}
    of = np.repeat(np.arange(len(sizes)), sizes)
    for _ in range(runs):
        broken, fixed = ((random.random(len(sizes)) < rate)[of].astype(float) for rate in (0.1, 0.05))
        wrong["no worse"] += clustered_changes(broken - fixed, of)[0].is_no_worse(0.05)
        wrong["worse"] += clustered_changes(fixed - (random.random(len(sizes)) < 0.05)[of], of)[0].is_worse()
    assert max(wrong.values()) <= 0.025 * runs + 3 * np.sqrt(0.025 * runs)


@pytest.mark.parametrize(("size", "margin"), [(10, 0.05), (20, 0.08)])
def test_the_examples_that_clusters_still_need_decide_by_the_test_of_clusters(size: int, margin: float) -> None:
    changes = np.resize([1, 0, 0, 0, 0, -1, 0, 0, 0, 0, 0], 600)
    groups = np.repeat(np.arange(600 // size), size)
    paired, effective = clustered_changes(changes, groups)
    assert effective is not None
    more = paired.more_to_decide(margin)
    assert more is not None

    def decides(times: int) -> bool:
        alike = np.concatenate([groups + len(groups) * number for number in range(times)])
        found, _ = clustered_changes(np.tile(changes, times), alike)
        return found.is_no_worse(margin) or found.is_worse()

    # What 80 % of the samples of so many clusters decide, the one that is alike does.
    assert [decides(1), decides(math.ceil(1 + more / effective))] == [False, True]
    by_effective_numbers = Paired(paired.broken, paired.fixed, paired.matched)
    assert by_effective_numbers.is_no_worse(margin)  # their estimate would say that nothing is left to draw
    assert more > 0.1 * effective
