"""Axes name round numbers."""

from __future__ import annotations

import pytest

from robustfim_drawing.axis import nice_ceiling, ticks


def test_ticks_are_round() -> None:
    assert ticks(0, 10, 5) == [0, 2, 4, 6, 8, 10]
    assert [round(tick, 9) for tick in ticks(-0.13, 0.21, 6)] == [-0.1, 0, 0.1, 0.2]


def test_a_round_ceiling_is_at_or_above_its_number() -> None:
    for number in (0.07, 0.1, 0.538, 1, 7, 33, 1234):
        top, step = nice_ceiling(number, 5)
        assert number <= top * (1 + 1e-9) < number + 1.01 * step
        assert top / step == pytest.approx(round(top / step))
