"""Bins hold every number, and the axis names round ones."""

from __future__ import annotations

import math
from random import Random

import pytest

from robustfim_drawing.axis import bins_for, nice_ceiling, ticks


def spread(kind: str) -> list[float]:
    random = Random(3)  # numbers to draw
    return {
        "log": [math.exp(random.gauss(0, 3)) for _ in range(300)],
        "log with zeros": [0.0, 0.0] + [math.exp(random.gauss(0, 3)) for _ in range(300)],
        "linear": [random.random() * 0.7 for _ in range(300)],
        "one far above": [*(random.random() - 0.5 for _ in range(300)), 90.0],
        "far on both sides": [-1e6, *(random.gauss(0, 1) for _ in range(500)), 1e6],
        "log, one far above": [*(math.exp(random.gauss(0, 2)) for _ in range(300)), 1e30],
        "negative": [random.gauss(-50, 400) for _ in range(300)],
        "one": [2.5],
        "the same": [0.0] * 5,
        "huge": [1e-300, 1e300, 1.7e308],
        "tiny": [0.0, 5e-324],
        "far apart": [-1.7e308, 3.0, 1.7e308],
    }[kind]


KINDS = [
    "log", "log with zeros", "linear", "negative", "one", "the same", "huge", "tiny", "far apart",
    "one far above", "far on both sides", "log, one far above",
]  # fmt: skip


def test_what_lies_far_out_is_in_a_named_bin_and_leaves_the_axis_to_the_rest() -> None:
    axis = bins_for(spread("one far above"))
    assert axis.names()[-1] == "above 0.500"
    assert axis.ticks()[-1][1] == "> 0.500"
    assert axis.place(0.0) == pytest.approx((len(axis) - 1) / 2, abs=1), "the middle of all numbers but one"
    both = bins_for(spread("far on both sides"))
    low, high = sorted(spread("far on both sides"))[5], sorted(spread("far on both sides"))[-6]
    assert both.edges[0] <= low < both.edges[1]
    assert both.edges[-2] < high <= both.edges[-1]
    assert (both.slot(-1e6), both.slot(1e6)) == (0, len(both) - 1)
    assert not bins_for(spread("linear")).above, "a tail that takes little room is drawn"


@pytest.mark.parametrize("kind", KINDS)
def test_every_number_falls_into_the_bin_it_is_drawn_in(kind: str) -> None:
    numbers = spread(kind)
    axis = bins_for(numbers)
    assert len(axis) == len(axis.names()) < 60
    for number in numbers:
        slot = axis.slot(number)
        assert 0 <= slot < len(axis)
        assert slot - 1e-6 <= axis.place(number) <= slot + 1 + 1e-6


@pytest.mark.parametrize("kind", KINDS)
def test_ticks_are_few_ordered_and_inside(kind: str) -> None:
    axis = bins_for(spread(kind))
    places = [place for place, _ in axis.ticks()]
    assert 1 <= len(places) <= 9
    assert places == sorted(places)
    assert all(-1e-6 <= place <= len(axis) + 1e-6 for place in places)


def test_a_spread_over_two_decades_is_drawn_in_logarithms() -> None:
    assert bins_for([0.001, 1]).log
    assert bins_for([0, 0.001, 1]).zero
    assert not bins_for([0.1, 1]).log
    assert not bins_for([-0.001, 1]).log


def test_ticks_name_the_number_at_their_place() -> None:
    axis = bins_for([0.001, 5, 80])
    for place, text in axis.ticks():
        assert axis.place(float(text.replace(",", ""))) == pytest.approx(place)


def test_ticks_are_round() -> None:
    assert ticks(0, 10, 5) == [0, 2, 4, 6, 8, 10]
    assert [round(tick, 9) for tick in ticks(-0.13, 0.21, 6)] == [-0.1, 0, 0.1, 0.2]


def test_a_round_ceiling_is_at_or_above_its_number() -> None:
    for number in (0.07, 0.1, 0.538, 1, 7, 33, 1234):
        top, step = nice_ceiling(number, 5)
        assert number <= top * (1 + 1e-9) < number + 1.01 * step
        assert top / step == pytest.approx(round(top / step))
