"""The section of hardened models: means of seeds, and when the aim is met."""

from __future__ import annotations

from benchmarks.hardened import section

BEFORE = [0.75, 0.5, 0.25]


def test_the_aim_asks_for_half_of_the_broken_examples_and_the_accuracy() -> None:
    kept = section({"cnn": [[BEFORE, [0.75, 0.25, 0.25]], [BEFORE, [0.75, 0.25, 0.25]]]}).splitlines()[-1]
    assert kept == "| cnn | 75.0% → 75.0% | +0.0%, +0.0% | 50.0% → 25.0% (0.50, met) | 25.0% → 25.0% (1.00, missed) |"
    lost = section({"cnn": [[BEFORE, [0.5, 0.25, 0.0]], [BEFORE, [0.75, 0.25, 0.0]]]}).splitlines()[-1]
    assert (
        lost == "| cnn | 75.0% → 62.5% | -25.0%, +0.0% | 50.0% → 25.0% (0.50, missed) | 25.0% → 0.0% (0.00, missed) |"
    )
