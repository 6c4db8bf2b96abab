"""Figures and bars put numbers where they belong."""

from __future__ import annotations

from urllib.parse import parse_qs

import pytest

from robustfim.record import Record
from robustfim_drawing.bar import rate_bar
from robustfim_html.check import scale
from robustfim_html.difficulty import difficulties
from tests.plugins.robustfim_html.synthetic import build

SCORES = ["fisher", "boundary", "entropy"]


def test_each_tested_example_is_in_one_bar_with_the_failing_ones(record: Record) -> None:
    failing = {failure.example for failure in record.failures}
    found = difficulties(record, SCORES, failing)
    assert [shown.name for shown in found] == SCORES
    assert [shown.chosen for shown in found] == [True, False, False]
    for shown in found:
        scored = [e for e in record.examples if e.arm is not None and e.scores[shown.name] is not None]
        (series,) = shown.figure.series
        assert sum(series.counts) == len(scored)
        fails = [point[1] * n for point, n in zip(series.points, series.counts, strict=True) if point[1] is not None]
        assert sum(fails) == pytest.approx(sum(e.id in failing for e in scored))


def test_the_notes_count_what_the_figure_leaves_out(record: Record) -> None:
    (entropy,) = difficulties(record, ["entropy"], set())
    missing = sum(e.scores["entropy"] is None for e in record.examples if e.arm is not None)
    assert f"{missing} tested examples have no value." in entropy.notes


def test_a_score_without_numbers_has_no_figure() -> None:
    record = build(examples=30, difficult=5, control=5)
    examples = [e.model_copy(update={"scores": {"fisher": None}}) for e in record.examples]
    assert difficulties(record.model_copy(update={"examples": examples}), ["fisher"], set()) == []


def test_a_bar_leads_to_its_examples_and_to_no_other(record: Record) -> None:
    (shown,) = difficulties(record, ["fisher"], set())
    (series,) = shown.figure.series
    values = [value for e in record.examples if e.arm is not None and (value := e.scores["fisher"]) is not None]
    for tested, lead in zip(series.counts, series.leads, strict=True):
        low, high = map(float, parse_qs(lead)["x-range"][0].split(".."))
        assert sum(low <= value <= high for value in values) == tested


def test_equal_values_share_a_bar() -> None:
    record = build(examples=30, difficult=5, control=25)
    examples = [e.model_copy(update={"scores": {"fisher": float(row > 3)}}) for row, e in enumerate(record.examples)]
    (shown,) = difficulties(record.model_copy(update={"examples": examples}), ["fisher"], set())
    assert shown.figure.series[0].counts == [4, 26]


def test_the_scale_holds_every_rate_interval_and_limit(record: Record) -> None:
    top = scale(record.checks)
    for check in record.checks:
        assert max(check.rate or 0, (check.interval or (0, 0))[1]) <= top
        assert all((arm.interval or (0, 0))[1] <= top for arm in check.arms.values())
    assert 0 < top <= 1


def test_a_bar_without_a_rate_is_empty() -> None:
    assert "fill" not in rate_bar(None, None, None, top=1.0, kind="passed")
