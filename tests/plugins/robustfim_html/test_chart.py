"""Axes, histograms and bars put numbers where they belong."""

from __future__ import annotations

import math
from random import Random

import pytest

from robustfim.record import Record
from robustfim_html.axis import axis_for, nice_ceiling
from robustfim_html.bar import dot, rate_bar, scale
from robustfim_html.histogram import histograms
from tests.plugins.robustfim_html.synthetic import build


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
    axis = axis_for(spread("one far above"))
    assert axis.names()[-1] == "above 0.500"
    assert axis.ticks()[-1][1] == "> 0.500"
    assert axis.place(0.0) == pytest.approx(46, abs=4), "the middle of all numbers but one"
    both = axis_for(spread("far on both sides"))
    low, high = sorted(spread("far on both sides"))[5], sorted(spread("far on both sides"))[-6]
    assert both.edges[0] <= low < both.edges[1]
    assert both.edges[-2] < high <= both.edges[-1]
    assert (both.slot(-1e6), both.slot(1e6)) == (0, len(both.slots()) - 1)
    assert not axis_for(spread("linear")).above, "a tail that takes little room is drawn"


@pytest.mark.parametrize("kind", KINDS)
def test_every_number_falls_into_the_bin_it_is_drawn_in(kind: str) -> None:
    numbers = spread(kind)
    axis = axis_for(numbers)
    slots = axis.slots()
    assert len(slots) == len(axis.names()) < 60
    assert slots[0][0] == 0
    assert slots[-1][1] == pytest.approx(100)
    for number in numbers:
        left, right = slots[axis.slot(number)]
        assert left - 1e-6 <= axis.place(number) <= right + 1e-6


@pytest.mark.parametrize("kind", KINDS)
def test_ticks_are_few_ordered_and_inside(kind: str) -> None:
    places = [place for place, _ in axis_for(spread(kind)).ticks()]
    assert 1 <= len(places) <= 9
    assert places == sorted(places)
    assert all(-1e-6 <= place <= 100 + 1e-6 for place in places)


def test_a_spread_over_two_decades_is_drawn_in_logarithms() -> None:
    assert axis_for([0.001, 1]).log
    assert axis_for([0, 0.001, 1]).zero
    assert not axis_for([0.1, 1]).log
    assert not axis_for([-0.001, 1]).log


def test_ticks_name_the_number_at_their_place() -> None:
    axis = axis_for([0.001, 5, 80])
    for place, text in axis.ticks():
        assert axis.place(float(text.replace(",", ""))) == pytest.approx(place)


def test_a_round_ceiling_is_at_or_above_its_number() -> None:
    for number in (0.07, 0.1, 0.538, 1, 7, 33, 1234):
        top, step = nice_ceiling(number, 5)
        assert number <= top * (1 + 1e-9) < number + 1.01 * step
        assert top / step == pytest.approx(round(top / step))


def test_the_histogram_counts_every_example_once(record: Record) -> None:
    failing = {failure.example for failure in record.failures}
    found = histograms(record, failing)
    assert [histogram.name for histogram in found] == ["fisher", "boundary", "entropy"]
    for histogram in found:
        scored = [e for e in record.examples if e.scores[histogram.name] is not None]
        totals = dict.fromkeys(histogram.header[1:], 0)
        for _, *cells in histogram.rows:
            for name, cell in zip(histogram.header[1:], cells, strict=True):
                totals[name] += int(cell.replace(",", ""))
        assert totals == {
            "difficult arm": sum(e.arm == "difficult" for e in scored),
            "control arm": sum(e.arm == "control" for e in scored),
            "not tested": sum(e.arm is None for e in scored),
            "with a failing pair": sum(e.arm is not None and e.id in failing for e in scored),
        }


def test_the_score_that_chose_the_arm_comes_first_and_marks_its_threshold(record: Record) -> None:
    first, *rest = histograms(record, set())
    assert first.chosen
    assert all('class="threshold"' in drawing for _, _, drawing in first.panels)
    assert not any('class="threshold"' in drawing for each in rest for _, _, drawing in each.panels)


def test_the_notes_count_what_the_figure_leaves_out(record: Record) -> None:
    (entropy,) = [each for each in histograms(record, set()) if each.name == "entropy"]
    missing = sum(e.scores["entropy"] is None for e in record.examples)
    assert f"{missing} examples have no value." in entropy.notes


def test_a_score_without_numbers_has_no_figure() -> None:
    record = build(examples=30, difficult=5, control=5)
    examples = [e.model_copy(update={"scores": {"fisher": None}}) for e in record.examples]
    assert histograms(record.model_copy(update={"examples": examples, "scores": record.scores[:1]}), set()) == []


def test_the_scale_holds_every_rate_interval_and_limit(record: Record) -> None:
    top, step = scale(record.checks)
    for check in record.checks:
        assert max(check.rate or 0, (check.interval or (0, 0))[1]) <= top
        assert all((arm.interval or (0, 0))[1] <= top for arm in check.arms.values())
    assert 0 < step < top <= 1


def test_a_bar_without_a_rate_is_empty() -> None:
    assert "fill" not in rate_bar(None, None, None, top=1.0, kind="passed")
    assert dot(None, None, None, top=1.0, kind="control", y=5) == ""


def test_the_arms_differ_by_shape() -> None:
    shapes = [str(dot(0.5, (0.4, 0.6), 0.1, top=1.0, kind=kind, y=5)) for kind in ("difficult", "control")]
    assert "<path" in shapes[0]
    assert "<circle" in shapes[1]
    assert all('x1="40%" x2="60%"' in shape and 'x1="10%" x2="10%"' in shape for shape in shapes)
