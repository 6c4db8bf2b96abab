"""Histograms and bars put numbers where they belong."""

from __future__ import annotations

from urllib.parse import parse_qs

from robustfim.record import Record
from robustfim_drawing.bar import rate_bar
from robustfim_html.check import scale
from robustfim_html.histogram import histograms
from tests.plugins.robustfim_html.synthetic import build


def test_the_histogram_counts_every_example_once(record: Record) -> None:
    failing = {failure.example for failure in record.failures}
    found = histograms(record, failing)
    assert [histogram.name for histogram in found] == ["fisher", "boundary", "entropy"]
    for histogram in found:
        scored = [e for e in record.examples if e.scores[histogram.name] is not None]
        totals = dict.fromkeys(histogram.table.header[1:], 0)
        for _, *cells in histogram.table.rows:
            for name, cell in zip(histogram.table.header[1:], cells, strict=True):
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
    assert all(figure.upright is not None for figure in first.figures)
    assert all(figure.upright is None for histogram in rest for figure in histogram.figures)


def test_the_notes_count_what_the_figure_leaves_out(record: Record) -> None:
    (entropy,) = [histogram for histogram in histograms(record, set()) if histogram.name == "entropy"]
    missing = sum(e.scores["entropy"] is None for e in record.examples)
    assert f"{missing} examples have no value." in entropy.notes


def test_a_score_without_numbers_has_no_figure() -> None:
    record = build(examples=30, difficult=5, control=5)
    examples = [e.model_copy(update={"scores": {"fisher": None}}) for e in record.examples]
    assert histograms(record.model_copy(update={"examples": examples, "scores": record.scores[:1]}), set()) == []


def test_a_bar_of_failing_examples_leads_to_them_and_to_no_other(record: Record) -> None:
    failing = {failure.example for failure in record.failures}
    first = histograms(record, failing)[0]
    tested = first.figures[-1]
    broken = next(series for series in tested.series if series.tone == "bad")
    values = [e.scores[first.name] for e in record.examples if e.arm is not None]
    listed = 0
    for (_, height), lead in zip(broken.points, broken.leads, strict=True):
        if lead:
            low, high = map(float, parse_qs(lead)["x-range"][0].split(".."))
            inside = [value for value in values if value is not None and low <= value <= high]
            assert len(inside) >= (height or 0)
            listed += len(inside)
    assert listed == len(values)


def test_the_scale_holds_every_rate_interval_and_limit(record: Record) -> None:
    top = scale(record.checks)
    for check in record.checks:
        assert max(check.rate or 0, (check.interval or (0, 0))[1]) <= top
        assert all((arm.interval or (0, 0))[1] <= top for arm in check.arms.values())
    assert 0 < top <= 1


def test_a_bar_without_a_rate_is_empty() -> None:
    assert "fill" not in rate_bar(None, None, None, top=1.0, kind="passed")
