import math

import numpy as np
import pytest
from scipy.optimize import brentq, minimize, minimize_scalar
from scipy.stats import binomtest, norm

from robustfim.statistics.paired import Paired, paired_scores, stratified_pairs
from robustfim.statistics.rate import Z
from robustfim.statistics.strata import allocation
from tests.present import present

TABLES = [(20, 40, 160), (13, 3, 400), (0, 0, 100), (5, 0, 25), (1, 7, 21), (8, 0, 224), (2, 2, 30), (0, 1, 44)]


def literal_score(broken: int, fixed: int, matched: int, difference: float) -> float:
    """The score statistic by its definition: the likelihood is maximised among the rates that differ by so much."""

    def loss(share: float) -> float:
        shares = [(broken, share + difference), (fixed, share), (matched - broken - fixed, 1 - 2 * share - difference)]
        return -sum(count * math.log(max(rate, 1e-300)) for count, rate in shares if count)

    bounds = (max(0.0, -difference), (1 - difference) / 2)
    share = float(minimize_scalar(loss, bounds=bounds, method="bounded", options={"xatol": 1e-13}).x)
    variance = 2 * share + difference - difference**2
    return (broken - fixed - matched * difference) / math.sqrt(matched * variance)


@pytest.mark.parametrize("table", TABLES)
def test_the_interval_is_where_the_literal_score_statistic_is_196(table: tuple[int, int, int]) -> None:
    broken, fixed, matched = table
    found = (broken - fixed) / matched
    low = brentq(lambda at: literal_score(*table, at) - 1.959963984540054, -0.999, found - 1e-9)
    high = brentq(lambda at: literal_score(*table, at) + 1.959963984540054, found + 1e-9, 0.999)
    assert Paired(*table).interval == pytest.approx((low, high), abs=1e-6)


@pytest.mark.parametrize(
    ("table", "expected"),
    [
        ((20, 40, 160), (-0.2180642, -0.0308646)),
        ((13, 3, 400), (0.0061665, 0.0482769)),
        ((0, 0, 100), (-0.0369935, 0.0369935)),
        ((5, 0, 25), (0.0401692, 0.3913094)),
        ((28, 25, 618), (-0.0187850, 0.0287320)),
        ((8, 0, 224), (0.0182060, 0.0688784)),
    ],
)
def test_the_interval_is_that_of_the_published_bisection(
    table: tuple[int, int, int], expected: tuple[float, float]
) -> None:
    # The numbers of the algorithm of scoreci.mp in R's package PropCIs 0.3-0, which stops within 1e-7.
    assert Paired(*table).interval == pytest.approx(expected, abs=1e-6)


def test_the_interval_is_that_of_the_airway_data() -> None:
    # Fagerland, Lydersen and Laake (2014), Table VI: 7 of 21 children before and 1 only after; −0.52 to −0.026.
    low, high = Paired(1, 7, 21).interval or (0.0, 0.0)
    assert (round(low, 2), round(high, 3)) == (-0.52, -0.026)


def test_the_score_is_that_of_the_published_example() -> None:
    # Tango (1998), section 6.1: soft contact lenses, b = 0, c = 1, n = 44, Δ = 0.1: Z = 1.709.
    assert Paired(1, 0, 44).score(0.1) == pytest.approx(-1.709, abs=5e-4)


def test_at_no_difference_the_score_is_mcnemars() -> None:
    assert Paired(12, 5, 90).score(0) == pytest.approx((12 - 5) / math.sqrt(17))


@pytest.mark.parametrize(("broken", "fixed"), [(8, 1), (1, 8), (4, 4), (0, 3), (0, 0)])
def test_the_p_value_is_the_exact_binomial_one(broken: int, fixed: int) -> None:
    expected = binomtest(broken, broken + fixed).pvalue if broken + fixed else 1.0
    assert Paired(broken, fixed, 50).p_value == pytest.approx(expected)


def test_the_difference_is_of_all_that_matched() -> None:
    assert Paired(12, 5, 90).difference == pytest.approx(7 / 90)
    assert Paired(0, 0, 0).difference is None


def test_where_nothing_changed_the_score_follows_from_the_number_alone() -> None:
    # With b = c = 0 the score is T = −√(nΔ / (1 − Δ)), so that the interval ends at z² / (n + z²).
    z = 1.959963984540054
    pair = Paired(0, 0, 100)
    assert pair.score(0) == 0
    assert pair.score(0.2) == pytest.approx(-math.sqrt(25))
    assert pair.interval == pytest.approx((-z * z / (100 + z * z), z * z / (100 + z * z)), rel=1e-9)


def test_a_loss_needs_the_p_value_that_a_correction_leaves_it() -> None:
    pair = Paired(20, 2, 100)
    assert pair.is_worse(1 - 0.95)
    assert not pair.is_worse(0.0501)
    assert Paired(0, 0, 0).more_to_decide(0.1) is None
    assert Paired(9, 0, 9).is_no_worse(1.0)  # a loss above 1 cannot be


def test_all_broken_and_all_fixed_end_at_one() -> None:
    assert (Paired(9, 0, 9).interval or (0, 0))[1] == 1.0
    assert (Paired(0, 9, 9).interval or (0, 0))[0] == -1.0
    assert Paired(0, 0, 0).interval is None


def test_the_interval_and_the_words_agree() -> None:
    for broken in range(0, 30, 3):
        for fixed in range(0, 30, 5):
            pair = Paired(broken, fixed, 200)
            low, high = pair.interval or (0.0, 0.0)
            assert pair.is_no_worse(0.03) == (high < 0.03)
            assert pair.is_worse() == (low > 0 and pair.p_value <= 0.05)


def test_four_discordant_examples_alone_prove_no_loss() -> None:
    pair = Paired(4, 0, 100)
    assert (pair.interval or (0, 0))[0] > 0
    assert not pair.is_worse()


@pytest.mark.parametrize(
    ("broken", "fixed", "matched", "margin", "comparisons"),
    [
        (3, 3, 150, 0.02, 1), (6, 4, 150, 0.03, 1), (9, 4, 150, 0.01, 1), (0, 0, 150, 0.01, 1), (8, 1, 100, 0.02, 5),
        (10, 2, 300, 0.02, 10), (1, 0, 80, 0.02, 1), (40, 20, 300, 0.05, 3),
    ],
)  # fmt: skip
def test_the_examples_that_are_said_to_decide_do_so_in_four_of_five_cases(
    broken: int, fixed: int, matched: int, margin: float, comparisons: int
) -> None:
    more = present(Paired(broken, fixed, matched).more_to_decide(margin, comparisons))
    shares = [broken / matched, fixed / matched, 1 - (broken + fixed) / matched]
    draws = np.random.default_rng(0).multinomial(matched + more, shares, size=2000)
    found = [Paired(int(b), int(c), matched + more) for b, c, _ in draws]
    decided = [paired.is_no_worse(margin) or paired.is_worse(comparisons * paired.p_value) for paired in found]
    assert np.mean(decided) >= 0.78 - 2 * 0.009  # two standard errors of 2,000 runs


def test_the_interval_covers_the_true_difference_in_about_95_of_100_runs() -> None:
    draws = np.random.default_rng(1).multinomial(150, [0.10, 0.05, 0.85], size=1500)
    inside = [
        low <= 0.05 <= high for b, c, _ in draws for low, high in [Paired(int(b), int(c), 150).interval or (2.0, 2.0)]
    ]
    assert 0.93 <= np.mean(inside) <= 0.97


def test_a_score_without_variance_divides_by_nothing() -> None:
    with np.errstate(all="raise"):
        assert Paired(0, 0, 100).score(0) == 0
        assert paired_scores([0, 3], [0, 1], 10, 0.0).tolist() == [0, 1]


@pytest.mark.parametrize(
    ("broken", "fixed", "matched", "margin"), [(3, 3, 150, 0.02), (5, 9, 150, 0.02), (0, 4, 90, 0.1)]
)
def test_the_examples_that_prove_no_loss_solve_the_equation_of_the_power(
    broken: int, fixed: int, matched: int, margin: float
) -> None:
    more = present(Paired(broken, fixed, matched).more_to_decide(margin))
    off = matched * margin - (broken - fixed)  # grows with k, and its standard deviations with √k
    at_margin = -off / literal_score(broken, fixed, matched, margin)
    here = math.sqrt(broken + fixed - (broken - fixed) ** 2 / matched)
    expected = ((norm.isf(0.025) * at_margin + norm.ppf(0.8) * here) / off) ** 2
    assert more == pytest.approx(max(1, (expected - 1) * matched), abs=1)


@pytest.mark.parametrize(
    ("broken", "fixed", "matched", "comparisons"), [(6, 1, 300, 1), (12, 3, 200, 5), (5, 2, 90, 20)]
)
def test_the_examples_that_prove_a_loss_have_one_discordant_example_to_spare(
    broken: int, fixed: int, matched: int, comparisons: int
) -> None:
    more = present(Paired(broken, fixed, matched).more_to_decide(0.0, comparisons))
    times, lost = 1 + more / matched, broken - fixed
    surely = norm.isf(0.025 / comparisons) * math.sqrt(broken + fixed)
    spread = surely + norm.ppf(0.8) * math.sqrt(broken + fixed - lost**2 / matched)
    # McNemar's exact test is the score less half an example on either side: (b − ½) − (c + ½).
    assert times * lost - 1 == pytest.approx(math.sqrt(times) * spread, rel=0.01)


def test_changes_of_a_single_stratum_are_those_of_a_plain_draw() -> None:
    found = stratified_pairs([500], [100], [80], [7], [3])
    assert (found.broken, found.fixed, found.matched) == pytest.approx((7, 3, 80))
    assert stratified_pairs([500], [100], [0], [0], [0]) == Paired(0, 0, 0)


def test_changes_in_strata_are_worth_as_many_examples_as_have_their_variance() -> None:
    sizes, drawn, matched, broken, fixed = [50, 200, 750], [20, 40, 60], [20, 30, 60], [6, 3, 0], [2, 4, 1]
    found = stratified_pairs(sizes, drawn, matched, broken, fixed)
    stands = [size * m / n for size, m, n in zip(sizes, matched, drawn, strict=True)]
    shares = {"b": 0.0, "c": 0.0, "more": 0.0, "fewer": 0.0}
    for part, m, b, c in zip(stands, matched, broken, fixed, strict=True):
        for name, each in (
            ("b", b / m),
            ("c", c / m),
            ("more", (b + 0.5) / (m + 1.5)),
            ("fewer", (c + 0.5) / (m + 1.5)),
        ):
            shares[name] += part / sum(stands) * each
    mean, variance = shares["more"] - shares["fewer"], 0.0
    for size, n, part, m, b, c in zip(sizes, drawn, stands, matched, broken, fixed, strict=True):
        values = {1: (b + 0.5) / (m + 1.5), -1: (c + 0.5) / (m + 1.5), 0: (m - b - c + 0.5) / (m + 1.5)}
        own = sum(value * share for value, share in values.items())
        within = sum((value - own) ** 2 * share for value, share in values.items())
        # Of n drawn examples, each is matched with probability m / n, and then adds its change less the mean.
        spread = m / n * (within + (own - mean) ** 2) - (m / n * (own - mean)) ** 2
        variance += (size / sum(stands)) ** 2 * spread / n + part * (own - mean) ** 2 / sum(stands) ** 2
    number = (shares["more"] + shares["fewer"] - mean**2) / variance
    assert found.matched == pytest.approx(number)
    assert (found.broken / number, found.fixed / number) == pytest.approx((shares["b"], shares["c"]))


@pytest.mark.parametrize("difference", [-0.05, 0.0, 0.03, 0.2])
def test_the_score_of_strata_has_the_variance_at_the_likeliest_differences(difference: float) -> None:
    sizes, drawn, broken, fixed = [100, 900], [60, 40], [9, 0], [4, 1]
    weights, number = np.array(sizes) / 1000, np.array(drawn)
    counts = np.array([broken, fixed, number - broken - np.array(fixed)]) + 0.5

    def against(log: np.ndarray) -> float:
        return -float((counts * log.reshape(3, 2)).sum())

    rules = [
        {"type": "eq", "fun": lambda log: np.exp(log.reshape(3, 2)).sum(axis=0) - 1},
        {"type": "eq", "fun": lambda log: weights @ (np.exp(log[:2]) - np.exp(log[2:4])) - difference},
    ]
    start = np.log(counts / counts.sum(axis=0)).ravel()
    found = minimize(against, start, constraints=rules, method="SLSQP", options={"maxiter": 500, "ftol": 1e-12})
    more, fewer, _ = np.exp(found.x.reshape(3, 2))
    apart = more - fewer
    variance = weights**2 @ ((more + fewer - apart**2) / number) + weights @ (apart - difference) ** 2 / 1000
    seen = weights @ ((np.array(broken) - fixed) / number)
    pair = stratified_pairs(sizes, drawn, drawn, broken, fixed)
    assert pair.score(difference) == pytest.approx((seen - difference) / math.sqrt(variance), rel=2e-3)
    low, high = pair.interval or (0.0, 0.0)
    assert (pair.score(low), pair.score(high)) == pytest.approx((Z, -Z), abs=1e-6)
    assert pair.p_value >= 2 * norm.cdf(-abs(pair.score(0.0)))


def test_one_example_in_each_of_two_strata_excludes_no_difference_on_the_side_where_all_changed() -> None:
    found = stratified_pairs([80, 400], [80, 80], [1, 1], [1, 0], [0, 0])
    assert found.score(1 - 1e-12) > -Z, "the score excludes none"
    assert found.interval is not None
    low, high = found.interval
    assert high == 1.0
    assert found.score(low) == pytest.approx(Z, abs=1e-6)


def test_two_arms_let_a_loss_of_the_margin_through_in_a_fortieth_wherever_it_lies() -> None:
    random, runs = np.random.default_rng(3), 1500
    for difficult, control in ((1000, 400), (300, 300)):
        sizes, draws = [difficult, 10_000 - difficult], [difficult, control]
        loss = 0.03 * 10_000 / sizes[1]
        hard = random.multinomial(difficult, [0.1, 0.1, 0.8], runs)
        rest = random.multinomial(control, [loss + 0.01, 0.01, 0.98 - loss], runs)
        wrong = [
            stratified_pairs(sizes, draws, draws, [a[0], b[0]], [a[1], b[1]]).is_no_worse(0.03)
            for a, b in zip(hard, rest, strict=True)
        ]
        assert np.mean(wrong) <= 0.025 + 2 * math.sqrt(0.025 / runs)


@pytest.mark.slow
def test_a_loss_of_the_margin_is_seldom_proved_none_and_an_equal_model_sooner_where_a_score_ranks_what_changes() -> (
    None
):
    random, runs, wanted, data = np.random.default_rng(0), 4000, 500, 10_000
    sizes, drawn = map(list, zip(*allocation(data, wanted), strict=True))
    parts = np.array(sizes) / data
    likely = np.array([14.0, 6.0, 3.0, 1.5, 0.7, 0.2])  # an AUROC of 0.85: most of what changes is hard
    hard = likely / (likely @ parts)

    def proved(broken: np.ndarray, fixed: np.ndarray) -> float:
        b = random.binomial(drawn, broken, (runs, 6))
        c = random.binomial(drawn - b, fixed / (1 - broken))
        found = [stratified_pairs(sizes, drawn, drawn, *pair) for pair in zip(b.tolist(), c.tolist(), strict=True)]
        return float(np.mean([paired.is_no_worse(0.02) for paired in found]))

    assert proved(0.03 * hard, 0.01 * hard) <= 0.025 + 2 * math.sqrt(0.025 / runs)
    assert proved(0.01 * hard + 0.02, 0.01 * hard) <= 0.025 + 2 * math.sqrt(0.025 / runs), "wherever the loss lies"
    plain = random.multinomial(wanted, [0.01, 0.01, 0.98], runs)
    once = float((paired_scores(plain[:, 0], plain[:, 1], wanted, 0.02) < -Z).mean())
    assert proved(0.01 * hard, 0.01 * hard) > once


def test_models_that_lose_in_one_stratum_what_they_win_in_others_are_rarely_called_worse() -> None:
    random, runs = np.random.default_rng(0), 400
    sizes, drawn = np.array([317, 635, 1270, 2540, 5079, 10159]), np.array([12, 19, 30, 47, 74, 118])
    lost, won = np.array([0, 0, 0, 0, 0, 0.8]), np.array([0.8 * 10159 / 9841] * 5 + [0])
    wrong = {True: 0, False: 0}
    for _ in range(runs):
        matched = random.binomial(drawn, 0.3)
        changed = [random.binomial(matched, each) for each in (lost, won)]
        found = stratified_pairs(*(column.tolist() for column in (sizes, drawn, matched, *changed)))
        wrong[found.score(0) > 0] += found.p_value <= 0.05
    assert max(wrong.values()) <= runs * 0.025 + 3 * math.sqrt(runs * 0.025 * 0.975)
