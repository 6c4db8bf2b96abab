"""An order that asks the model is held against random candidates on the first texts of its check."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from robustfim.contract import OrderContract
from robustfim.record import OrderTrialRecord
from robustfim.session import order_trial
from robustfim.terminal.report import _random_surely_finds_more
from tests.robustfim.command_line import CommandLine
from tests.robustfim.toys import Bench, CountingModel, Swap, check, example

FILMS = [example(f"a good film number {number}", "positive") for number in range(8)]
FLIPS = {"good": ["bad", "bad bad", "dull bad"]}
"""Each of them flips the label: a random candidate finds as much as any order."""


class Ranked:
    """Takes three gradients, it says, and ranks the edits as they come."""

    contract = OrderContract(gradients=3)

    def effects(self, candidates: Sequence[Any], context: Any) -> list[float]:
        return [-float(index) for index in range(len(candidates))]


class Asks(Ranked):
    """Asks about two texts of each example, in place of gradients."""

    contract = OrderContract()

    def within(self, candidates: Sequence[Any], context: Any, most: int) -> tuple[list[float], dict[str, int]]:
        return self.effects(candidates, context), {each.source.id: 2 for each in candidates}


@pytest.mark.parametrize(("order", "cost"), [(Ranked(), 9.0), (Asks(), 2.0)])
def test_what_an_order_finds_is_held_against_its_calls(order: Any, cost: float) -> None:
    bench = Bench(FILMS)
    counts, _ = bench.run(check(Swap(FLIPS), order=order))
    assert counts.order == OrderTrialRecord(examples=8, failing=8, random=8, cost=cost)
    assert counts.order.random_per_thousand == 500
    assert counts.order.per_thousand == pytest.approx(1000 / (2 + cost))
    assert counts.candidates.tested == 24, "the random candidates are no part of the check"


def test_the_first_gradient_is_free_where_a_score_has_taken_it() -> None:
    bench = Bench(FILMS)
    bench.context.shifts = True
    counts, _ = bench.run(check(Swap(FLIPS), order=Ranked()))
    assert counts.order is not None
    assert counts.order.cost == 6


def test_only_the_first_texts_cost_a_random_candidate(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(order_trial, "TEXTS", 3)
    model = CountingModel()
    wide = {"good": [f"bad {number}" for number in range(500)]}
    counts, _ = Bench(FILMS, model).run(check(Swap(wide), order=Ranked(), perturb={"candidates": 1}))
    assert counts.order is not None
    assert counts.order.examples == 3
    alone = CountingModel()
    Bench(FILMS, alone).run(check(Swap(wide), perturb={"candidates": 1}))
    assert sum(map(len, model.batches)) == sum(map(len, alone.batches)) + 3


def test_an_order_that_costs_nothing_is_not_tried() -> None:
    class Free(Ranked):
        contract = OrderContract()

    assert Bench(FILMS).run(check(Swap(FLIPS), order=Free()))[0].order is None
    assert Bench(FILMS).run(check(Swap(FLIPS)))[0].order is None


def test_the_terminal_says_where_a_random_order_is_the_better_buy(robustfim: CommandLine) -> None:
    robustfim.write(
        "asking.py",
        "from robustfim import hookimpl\n\n\n"
        "class Asking:\n"
        "    def within(self, candidates, context, most):\n"
        "        return self.effects(candidates, context), {each.source.id: 7 for each in candidates}\n\n"
        "    def effects(self, candidates, context):\n"
        "        return [0.0] * len(candidates)\n\n\n"
        "@hookimpl\ndef robustfim_offers():\n    return {'orders': {'asking': Asking}}\n",
    )
    rows = ", ".join(f"[a good film {number}, positive]" for number in range(40))
    checks = "{x: {perturb: {use: rename, table: {good: awful}, order: asking}, limit: 1}}"
    suite = robustfim.suite(checks, data=f"{{use: films, rows: [{rows}]}}")
    said = robustfim(f"run {suite} -p asking.py").out
    trial = robustfim.record("other").checks[0].order
    assert trial is not None
    assert trial.random == trial.failing > 0
    per = 500 * trial.random / trial.examples
    assert " ".join(
        [
            f"a random order finds more for its calls: of the first {trial.examples} texts a random candidate fails",
            f"{trial.random}, {per:.0f} in 1,000 model calls; the first of the order {trial.failing},",
            f"{per * 2 / 9:.0f}, since it takes 7 calls a text",
        ]
    ) in " ".join(said.split())


@pytest.mark.parametrize("cost", [0.0, 1.0, 3.0])
def test_of_orders_that_find_as_much_for_their_calls_few_are_told_to_find_less(cost: float) -> None:
    random, told = np.random.default_rng(0), 0
    for _ in range(2000):
        found = random.binomial(50, 0.2 * (2 + cost) / 2), random.binomial(50, 0.2)
        told += _random_surely_finds_more(OrderTrialRecord(examples=50, failing=found[0], random=found[1], cost=cost))
    assert told / 2000 <= 0.025 + 0.007  # and twice the standard error of 2,000 trials
