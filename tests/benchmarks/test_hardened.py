"""The section of hardened models: means of seeds, and when the aim is met."""

from __future__ import annotations

from benchmarks.hardened import section

BEFORE = [0.75, 0.5, 0.5, 0.25]


def rows(*seeds: list[list[float]]) -> list[str]:
    return section({"cnn": seeds}).splitlines()[-4:]


def test_the_aim_asks_for_half_of_the_broken_examples_and_the_accuracy() -> None:
    before, exported, anew, _ = rows([BEFORE, BEFORE, [0.75, 0.25, 0.5, 0.25], BEFORE])
    assert before == "| cnn | before | 75.0% | 50.0% | 50.0% | 25.0% |  |  |"
    assert exported == "|  | exported | 75.0% | 50.0% | 50.0% | 25.0% | 1.00, missed | +0.0% |"
    assert anew == "|  | anew 1 | 75.0% | 25.0% | 50.0% | 25.0% | 0.50, met | +0.0% |"
    lost = [0.5, 0.25, 0.5, 0.25]
    *_, anew = rows([BEFORE] * 3 + [lost], [BEFORE] * 3 + [[0.75, 0.0, 0.5, 0.25]])
    assert anew == "|  | anew 2 | 62.5% | 12.5% | 50.0% | 25.0% | 0.25, missed | -25.0%, +0.0% |"
