"""The section of changes and broken examples: medians over the cells."""

from __future__ import annotations

from benchmarks.arena import Bout
from benchmarks.at_risk import SCORES, section


def bout(model: str, changes: float, broken: float) -> Bout:
    scores = [{"name": score, "auroc": {"value": changes}, "broken": {"value": broken}} for score in SCORES]
    return Bout("films", model, {"failing": 30, "broken": 20, "at_risk": 120, "scores": scores}, 0.8)


def test_a_cell_shows_both_numbers_and_the_last_row_their_medians() -> None:
    lines = section([bout("a", 0.75, 0.5), bout("b", 0.5, 0.25), bout("c", 1.0, 0.75)]).splitlines()
    assert lines[-4] == f"| films × a | 30 | 20 of 120 | {' | '.join(['0.75 / 0.50'] * len(SCORES))} |"
    assert lines[-1] == f"| median |  |  | {' | '.join(['0.75 / 0.50'] * len(SCORES))} |"
