"""``study accuracy``: each example counts once, whatever the number of its candidates."""

from __future__ import annotations

import numpy as np

from robustfim.record import ExampleRecord
from robustfim_study.accuracy import Part, _answer, _parts, accuracies, step_check
from robustfim_study.estimate import Estimate
from robustfim_study.sample_run import Answer

EXAMPLES = [ExampleRecord(id=name, fields={"text": name}, label="good") for name in "abc"]


def test_the_accuracy_of_an_example_is_its_share_of_candidates_with_the_gold_label() -> None:
    answers = {"a": [Answer(True), *[Answer(False)] * 3], "b": [Answer(True)]}
    found = accuracies(EXAMPLES, answers)
    assert found[:2].tolist() == [0.25, 1.0]
    assert np.isnan(found[2])


def test_every_norm_is_tested_both_ways() -> None:
    perturb = step_check([0.1, 0.2])["perturb"]
    own = {"use": "eigenvector", "norms": [0.1, 0.2], "signs": "both", "candidates": 4}
    assert perturb == own | {"direction": "eigenvector"}
    assert step_check([0.1, 0.2], "random")["perturb"] == own | {"direction": "random"}


def test_the_answer_counts_the_checks_under_which_the_hardest_are_less_often_right() -> None:
    def part(check: str, end: str, value: float, low: float, high: float) -> Part:
        share = Estimate(value, (low, high))
        return Part(check, end, 6, share, share)

    parts = [
        part("a", "easiest", 0.9, 0.8, 1.0), part("a", "hardest", 0.5, 0.3, 0.7),
        part("b", "easiest", 0.9, 0.8, 1.0), part("b", "hardest", 0.85, 0.7, 0.95),
        part("c", "easiest", 0.9, 0.8, 1.0), part("c", "hardest", 0.95, 0.85, 1.0),
    ]  # fmt: skip
    assert _answer(parts) == (
        "Perturbed, the 6 hardest examples are less often right than as many easiest under 2 of 3 checks: in 50 to "
        "95 % against 90 %; the 95 % intervals lie apart under 1."
    )


def test_the_easiest_and_the_hardest_have_no_example_in_common() -> None:
    values = np.arange(7.0) / 10
    assert [(part.end, part.examples) for part in _parts("a", values, values)] == [
        ("easiest", 1), ("hardest", 1), ("easiest", 2), ("hardest", 2), ("easiest", 3), ("hardest", 3),
    ]  # fmt: skip
    assert _parts("a", values[:1], values[:1]) == []
