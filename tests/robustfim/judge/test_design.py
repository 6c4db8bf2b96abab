"""One thing that is estimated has one number, wherever it stands in a record."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

import numpy as np
import pytest

import robustfim as harness
from robustfim import Edit, Example
from robustfim.judge.auroc_by_score import area_of
from robustfim.judge.design import Design
from robustfim.judge.trials import Trials
from robustfim.judge.verdicts import limit_text
from robustfim.outcome import Outcome
from robustfim.record import Record
from robustfim.statistics import Mean
from robustfim.statistics.stratified import Stratum
from tests.present import present


class Swap:
    """Puts another word in the place of one."""

    def edits(self, example: Example, random: Random) -> Iterator[Edit]:
        """List the two words that ``alpha`` becomes, one a candidate."""
        start = example.text.index("alpha")
        for word in ("beta", "gamma"):
            yield Edit("text", start, start + 5, "alpha", word, origin=word)


def reviews(number: int, weak: int) -> list[dict[str, str]]:
    """Texts of which every so many-th changes its label with ``beta``; the first half of them are long."""
    return [
        {"text": f"alpha {n}{' weak' * (n % weak == 0)}{' long' * (n < number / 2)}", "label": "good"}
        for n in range(number)
    ]


def answers(texts: Sequence[str]) -> list[list[float]]:
    """The probabilities of ``bad`` and ``good``."""
    bad = [0.9 if "beta" in text and "weak" in text else 0.4 if "weak" in text else 0.1 for text in texts]
    return [[each, 1 - each] for each in bad]


def ran(
    data: list[dict[str, str]], check: dict[str, Any] | None = None, decide: dict[str, Any] | None = None, **suite: Any
) -> Record:
    slices = {"long": {"contains": ["long"], "limit": 0.2}, "all": {"contains": ["alpha"]}}
    spec = {"perturb": {"use": Swap(), "words": 1, "candidates": 2}, "limit": 0.2, **(check or {})}
    whole = {"suite": "s", "slices": slices, **suite}
    return harness.run(
        whole, model=answers, labels=["bad", "good"], decide=decide, data=data, checks={"swap": spec}
    ).record


def test_a_slice_of_the_file_that_is_tested_whole_is_known_exactly() -> None:
    record = ran(reviews(26, weak=13), of="file")
    (check,) = record.checks
    error = check.errors["slice long"]
    assert (error.tested, error.failing, error.interval) == (13, 1, (1 / 13, 1 / 13))
    assert check.outcome is Outcome.PASSED, check.message
    assert limit_text(check) == "20 % of the file alone, slice long 20 % of the file alone"
    arms = ran(reviews(60, weak=5), of="file", select={"by": "margin", "difficult": 10, "control": 20}, **MARGIN)
    assert "slice long fail, of the file " in arms.checks[0].message
    assert not any("could not pass" in warning for warning in ran(reviews(13, weak=13), of="file").warnings)
    above = ran(reviews(26, weak=4), of="file").checks[0]
    assert (above.errors["slice long"].failing, above.outcome) == (4, Outcome.FAILED)
    assert ran(reviews(26, weak=13)).checks[0].outcome is Outcome.INCONCLUSIVE, "of the population it is not"


@pytest.mark.parametrize("sizes", [{"difficult": 20, "control": 180}, {"difficult": 20, "control": 165, "easiest": 15}])
def test_a_slice_has_one_rate_in_its_table_and_at_its_limit(sizes: dict[str, int]) -> None:
    select = {"by": "margin", **sizes, "control": 30}
    record = ran(reviews(200, weak=5), select=select, scores=["margin"])
    (check,) = record.checks
    error = check.errors["slice long"]
    long = record.slices[0]
    assert (long.checks[check.id].rate, long.failures.rate) == (error.rate, error.rate)
    assert long.checks[check.id].interval == long.failures.interval == error.interval
    arms = {example.id: example.arm for example in record.examples if "long" in example.fields["text"]}
    failing = {failure.example for failure in record.failures}
    parts = {arm: [id in failing for id, its in arms.items() if its == arm and id in check.examples] for arm in sizes}
    # each arm counts for as much of the slice as its tested examples are of what it tested
    stand = {arm: size * len(parts[arm]) / check.arms[arm].tested for arm, size in sizes.items()}
    slow = sum(size * sum(parts[arm]) / len(parts[arm]) for arm, size in stand.items()) / sum(stand.values())
    assert present(long.failures.rate) == pytest.approx(slow, abs=1e-12)
    assert long.failures.rate != long.failures.count / long.failures.tested
    assert str(long.failures).startswith(f"{100 * slow:.1f}".removesuffix(".0"))
    whole = record.slices[1]
    assert (whole.checks[check.id].rate, whole.failures.rate) == (check.rate,) * 2


def test_a_slice_that_holds_all_data_has_the_rate_of_its_check_where_that_is_a_mean() -> None:
    slices = {"all": {"contains": ["alpha"]}}
    record = ran(reviews(40, weak=4), {"fails": "mean", "limit": 0.3}, slices=slices)
    (check,), (whole,) = record.checks, record.slices
    assert check.rate == 10 / 40 / 2
    for found in (whole.failures, whole.checks[check.id]):
        assert (found.rate, found.interval, found.count) == (check.rate, check.interval, 10)


def test_with_a_budget_each_rate_has_one_interval_that_holds_at_any_time() -> None:
    slices = {"long": {"contains": ["long"]}, "all": {"contains": ["alpha"]}}
    record = ran(reviews(400, weak=7), {"limit": 0.15}, budget=120, slices=slices)
    (check,), (long, every), (reach,) = record.checks, record.slices, record.reach
    same = [every.failures, every.checks[check.id], reach.rate, check.claims[0].estimate]
    assert {check.arms["all"].interval, *(each.interval for each in same)} == {check.interval}
    weak = set(check.examples) & {failure.example for failure in record.failures}
    numbers = {id: float(id in weak) for id in long.members if id in check.examples}
    assert 0 < len(numbers) < check.tested
    literal = Mean.of(numbers, {}, largest=1).interval  # bets, which hold at any time
    assert long.failures.interval == long.checks[check.id].interval == pytest.approx(literal)


def test_a_slice_that_holds_all_data_has_the_interval_of_its_check_over_strata_with_a_budget() -> None:
    slices = {"all": {"contains": ["alpha"]}}
    select = {"by": "margin", "examples": 150}
    record = ran(reviews(300, weak=7), {"limit": 0.15}, budget=100, slices=slices, select=select, scores=["margin"])
    (check,), (every,) = record.checks, record.slices
    assert every.failures.interval == every.checks[check.id].interval == check.interval
    assert every.failures.rate == pytest.approx(check.rate)


def test_a_part_with_the_counts_of_a_check_that_could_stop_early_has_its_interval_only_if_it_holds_its_trials() -> None:
    values = [1.0, 1.0, *[0.0] * 18]
    ids, others = [[f"{name}{row}" for row in range(20)] for name in "ab"]
    own = Trials.made(ids, value=values)
    design = Design(looks=((own, (0.01, 0.4)),))
    assert design.estimate(own.where(list(range(20))[::-1])).counts.interval == (0.01, 0.4)
    for part in (Trials.made(others, value=values), Trials.made(ids, value=values[::-1])):
        literal = Mean.of(dict(zip(part.example, part.value, strict=True)), {}, largest=1).interval
        assert design.estimate(part).counts.interval == pytest.approx(literal)
    assert literal != pytest.approx((0.01, 0.4))


def test_what_is_held_against_the_models_own_noise_is_not_counted_without_it_elsewhere() -> None:
    record = ran(reviews(40, weak=4), {"limit": 0.3}, repeat=2, slices={"all": {"contains": ["alpha"]}})
    assert present(record.checks[0].gap).groups["perturbed"].count == 10
    assert record.reach == []
    assert (record.slices[0].failures.tested, record.slices[0].checks) == (0, {})


@pytest.mark.parametrize("size", [1, 5])
def test_the_interval_of_an_area_holds_where_examples_lie_in_clusters(size: int) -> None:
    random, runs, clusters = np.random.default_rng(5), 300, 40
    held = 0
    ids = [str(number) for number in range(clusters * size)]
    names = {id: str(number // size) for number, id in enumerate(ids)} if size > 1 else {}
    for _ in range(runs):
        hard = np.repeat(random.normal(size=clusters), size)
        fails = hard + random.normal(size=len(ids)) * 0.5 > 0
        score = np.repeat(random.normal(size=clusters), size)  # says nothing: the area is one half
        values = dict(zip(ids, score.tolist(), strict=True))
        found = area_of("highest", values, ids, {id for id, bad in zip(ids, fails, strict=True) if bad}, clusters=names)
        low, high = present(found.interval)
        held += low <= 0.5 <= high
    assert held / runs >= 0.95 - 3 * (0.05 * 0.95 / runs) ** 0.5


MARGIN: dict[str, Any] = {"scores": ["margin"]}
FREE = {"long": {"contains": ["long"]}, "all": {"contains": ["alpha"]}}


def clustered(data: list[dict[str, str]]) -> list[dict[str, str]]:
    """The same, four texts a writer."""
    return [{**each, "cluster": f"writer {row // 4}"} for row, each in enumerate(data)]


RECORDS: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "plain": ({}, {}),
    "without a limit": ({"limit": None}, {}),
    "random": ({}, {"select": {"by": "margin", "examples": 60}, **MARGIN}),
    "two arms": ({}, {"select": {"by": "margin", "difficult": 20, "control": 40}, **MARGIN}),
    "arms with limits": (
        {"limit": {"difficult": 0.5, "control": 0.3}},
        {"select": {"by": "margin", "difficult": 20, "control": 40}, **MARGIN},
    ),
    "file": ({}, {"of": "file", "select": {"by": "margin", "difficult": 20, "control": 40}, **MARGIN}),
    "a budget": ({"budget": 64}, {"slices": FREE}),
    "all of two": ({"fails": "all"}, {}),
    "at most one": ({"fails": {"use": "at_most", "limit": 1}}, {}),
    "a mean": ({"fails": "mean"}, {"slices": FREE}),
    "clusters": ({}, {"data": clustered(reviews(120, weak=5))}),
    "clusters in two arms": (
        {},
        {
            "data": clustered(reviews(120, weak=5)),
            "select": {"by": "margin", "difficult": 20, "control": 40},
            **MARGIN,
        },
    ),
    "a decision in two arms": (
        {},
        {"decide": {"label": "bad", "at": 0.5}, "select": {"by": "margin", "difficult": 20, "control": 40}, **MARGIN},
    ),
}


@pytest.mark.parametrize("name", RECORDS)
def test_every_rate_of_a_record_is_that_of_a_slow_count(name: str) -> None:
    check_keys, suite = RECORDS[name]
    record = ran(**{"data": reviews(120, weak=5), "check": {"limit": 0.3, **check_keys}, **suite})
    (check,) = record.checks
    fails = {id: (check.numbers or {}).get(id, 0.0) if check.numbers is not None else 0.0 for id in check.examples}
    for failure in record.failures:
        fails[failure.example] = fails[failure.example] or 1.0
    arms = {example.id: example.arm for example in record.examples}
    drawn = {id: stratum for stratum, ids in record.selection.drawn.items() for id in ids}
    strata = drawn or {id: arm or "" for id, arm in arms.items()}
    sizes = dict(record.selection.strata) or {
        "all": 120, "difficult": record.selection.difficult, "control": 120 - record.selection.difficult
    }  # fmt: skip

    def rate(ids: list[str], *, design: bool) -> float:
        """Weigh each arm by the examples that it stands for, or each example alike."""
        parts = [[fails[id] for id in ids if strata[id] == arm] for arm in dict.fromkeys(strata.values())]
        asked = {arm: check.arms[arm].tested for arm in check.arms}
        stand = {arm: sizes[arm] / asked[arm] for arm in check.arms} if design else dict.fromkeys(check.arms, 1.0)
        weights = [stand[strata[id]] for id in ids]
        return sum(weight * fails[id] for weight, id in zip(weights, ids, strict=True)) / sum(weights) if parts else 0.0

    covered = sum(sizes[arm] for arm in check.arms) == 120
    assert check.rate == pytest.approx(rate(check.examples, design=check.weighted), abs=1e-12)
    for arm, counted in check.arms.items():
        own = [id for id in check.examples if strata[id] == arm]
        assert counted.rate == pytest.approx(rate(own, design=False), abs=1e-12)
    for part in record.slices:
        texts = {example.id for example in record.examples if part.name == "all" or "long" in example.fields["text"]}
        own = [id for id in check.examples if id in texts]
        slow = pytest.approx(rate(own, design=covered and check.numbers is None), abs=1e-12)
        assert part.failures.rate == part.checks[check.id].rate == slow
        if f"slice {part.name}" in check.errors:
            assert check.errors[f"slice {part.name}"].rate == slow
    for reach in record.reach:
        own = [id for id in check.examples if arms[id] == reach.arm]
        assert reach.rate.rate == pytest.approx(sum(fails[id] > 0 for id in own) / len(own), abs=1e-12)
    for kind, error in check.errors.items():
        if not kind.startswith("slice"):
            fails |= {id: float(id in error.wrong) for id in error.examples}
            assert error.rate == pytest.approx(rate(error.examples, design=covered), abs=1e-12)


def test_a_slice_over_strata_is_rarely_called_better_or_worse_than_it_is() -> None:
    # A fifth of each stratum belongs to the slice. Nearly all of it fails in the easiest stratum, and none elsewhere.
    random, rate = np.random.default_rng(0), 0.5
    draws = dict(zip("abcdef", [(317, 12), (635, 19), (1270, 30), (2540, 47), (5079, 74), (10159, 118)], strict=True))
    design = Design({name: Stratum(size, drawn, drawn, 0) for name, (size, drawn) in draws.items()})
    fails = {"f": rate * sum(size for size, _ in draws.values()) / draws["f"][0]}
    sides = Counter[Outcome]()
    for _ in range(400):
        own = [name for name, (_, drawn) in draws.items() for _ in range(random.binomial(drawn, 0.2))]
        value = [float(random.random() < fails.get(name, 0.0)) for name in own]
        trials = Trials.made([f"e{row}" for row in range(len(own))], value=value, stratum=own)
        found = design.estimate(trials).tail(rate)
        sides[found.side] += found.p_value <= 0.025
    assert max(sides[Outcome.PASSED], sides[Outcome.FAILED]) <= 400 * (0.025 + 3 * (0.025 * 0.975 / 400) ** 0.5)


@pytest.mark.parametrize(("whole", "side"), [(False, Outcome.INCONCLUSIVE), (True, Outcome.PASSED)])
def test_a_slice_may_hold_more_examples_of_an_arm_in_which_none_was_drawn(whole: bool, side: Outcome) -> None:
    # None of 100 control examples is of the slice. Up to 3.6 % of 9,900 others may be, more than the 30 of the arm.
    design = Design({"difficult": Stratum(100, 100, 100, 0), "control": Stratum(9900, 100, 100, 0)})
    found = design.estimate(Trials.made(map(str, range(30)), stratum=["difficult"] * 30), whole=whole)
    assert (found.rate, found.tail(0.2).side) == (0.0, side)
    assert (found.counts.ends[1] > 0.8) is not whole
