"""How well a score ranks failures is measured on examples that no score chose."""

from __future__ import annotations

from math import inf, nan

import pytest

from robustfim.judge.auroc_by_score import area_of


def test_the_area_counts_pairs_in_the_right_order_at_either_end_of_the_scale() -> None:
    values = {"a": 1.0, "b": 2.0, "c": 2.0, "d": 5.0, "e": nan, "f": inf}
    tested = set(values)
    failing = {"c", "d", "e"}
    # c beats a and ties with b; d beats both; f, which is infinite and does not fail, beats both of them.
    found = area_of("highest", values, tested, failing)
    assert found.auroc == pytest.approx((1 + 0.5 + 2) / 6)
    assert (found.examples, found.failing) == (5, 2)
    assert area_of("lowest", values, tested, failing).auroc == pytest.approx(1 - (1 + 0.5 + 2) / 6)
    assert found.interval is not None
    wider = area_of("highest", values, tested, failing, comparisons=6).interval
    assert wider is not None
    assert wider[0] < found.interval[0] < found.interval[1] < wider[1]


def test_without_failures_there_is_no_area() -> None:
    found = area_of("highest", {"a": 1.0}, {"a"}, set())
    assert (found.auroc, found.interval, found.failing) == (None, None, 0)
