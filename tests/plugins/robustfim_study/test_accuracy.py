"""``study accuracy``: each example counts once, whatever the number of its candidates."""

from __future__ import annotations

import numpy as np

from robustfim.record import ExampleRecord
from robustfim_study.accuracy import accuracies, step_check
from robustfim_study.sample_run import Answer

EXAMPLES = [ExampleRecord(id=name, fields={"text": name}, label="good") for name in "abc"]


def test_the_accuracy_of_an_example_is_its_share_of_candidates_with_the_gold_label() -> None:
    answers = {"a": [Answer("good", True), *[Answer("bad", False)] * 3], "b": [Answer("good", True)]}
    found = accuracies(EXAMPLES, answers)
    assert found[:2].tolist() == [0.25, 1.0]
    assert np.isnan(found[2])


def test_every_norm_is_tested_both_ways() -> None:
    perturb = step_check([0.1, 0.2])["perturb"]
    assert perturb == {"use": "eigenvector", "norms": [0.1, 0.2], "signs": "both", "candidates": 4}
