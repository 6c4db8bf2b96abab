"""Planted slices are drawn as they are said to be."""

from __future__ import annotations

import pytest

from benchmarks.gathered import Planted, Row, planted, section


@pytest.mark.slow  # a simulation
def test_a_planted_slice_has_its_share_and_fails_so_many_times_as_often() -> None:
    kind = Planted("two words", ("zebra", "gnu"), 0.1, 2.0)
    rows = planted(kind, 3)
    inside = [each for each in rows if {"zebra", "gnu"} <= set(each.text.split())]
    outside = [each for each in rows if each not in inside]
    assert len(inside) / len(rows) == pytest.approx(0.1, abs=0.01)
    assert sum(each.fails for each in inside) / len(inside) == pytest.approx(0.6, abs=0.06)
    assert sum(each.fails for each in outside) / len(outside) == pytest.approx(0.3, abs=0.02)
    alone = [each for each in outside if "zebra" in each.text.split()]
    assert len(alone) / len(rows) == pytest.approx(0.09, abs=0.01)
    assert not [each for each in outside if "gnu" in each.text.split()]
    assert planted(kind, 3) == rows


def test_the_section_says_what_was_found_and_what_is_false() -> None:
    text = section(
        [Row(Planted("nothing", (), 0.0, 1.0), 20, 0, 0, 0), Row(Planted("it", ("a",), 0.03, 2), 20, 18, 20, 1)]
    )
    assert "| nothing | – | 0 | – |" in text
    assert "| it | 18 of 20 [69.9%, 97.2%] | 20 | 1 [0.9%, 23.6%] |" in text
