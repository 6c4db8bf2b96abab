"""The table of trials says what a slow look at the record says."""

from __future__ import annotations

from random import Random

import pytest

from robustfim.decision import ABSTAINS
from robustfim.judge.trials import Trials
from tests.robustfim.judge.test_harm import LABELS, example, failure, record


@pytest.mark.parametrize("seed", range(3))
def test_a_row_says_how_an_example_fails_a_check_and_whether_it_was_right(seed: int) -> None:
    random = Random(seed)  # counts, not secrets
    examples = [
        example(f"e{n}", label=random.choice([*LABELS, None, "unheard of"]), arm="control").model_copy(
            update={"prediction": random.choice([*LABELS, ABSTAINS]), "cluster": random.choice(["a", None])}
        )
        for n in range(40)
    ]
    tested = {check: [example_record.id for example_record in examples if random.random() < 0.6] for check in "ab"}
    said = {example_record.id: example_record.prediction or "" for example_record in examples}
    failures = [
        failure(id, check, before=said[id], after=random.choice(LABELS), step=random.random() < 0.4)
        for check, ids in tested.items()
        for id in ids
        for _ in range(random.choice([0, 0, 1, 2]))
    ]
    made = record(examples, tested, failures)
    numbers = {id: 0.25 for id in tested["b"] if any((each.check, each.example) == ("b", id) for each in failures)}
    checks = [check.model_copy(update={"numbers": numbers if check.id == "b" else None}) for check in made.checks]
    trials = Trials.of_record(made.model_copy(update={"checks": checks}))
    rows = list(zip(*(getattr(trials, name).tolist() for name in vars(trials)), strict=True))
    slow = []
    for check, ids in tested.items():
        for example_record in (each for id in ids for each in examples if each.id == id):
            own = [found for found in failures if (found.check, found.example) == (check, example_record.id)]
            right = -1 if example_record.label not in LABELS else int(example_record.label == example_record.prediction)
            broken = any(found.after.label not in (example_record.prediction, example_record.label) for found in own)
            slow.append(
                (
                    check, example_record.id, (0.25 if check == "b" else 1.0) * bool(own), right,
                    int(not broken) if right == 1 else -1, example_record.prediction == ABSTAINS,
                    bool(own) and all(found.step for found in own), "control", example_record.cluster,
                )
            )  # fmt: skip
    assert rows == slow
    assert trials.of_checks("a").tested == set(tested["a"])
    assert trials.failing == {each.example for each in failures}


def test_an_example_fails_as_much_as_it_does_in_any_check() -> None:
    trials = Trials.made(["a", "b", "a", "c"], value=[0.25, 0.0, 0.5, 1.0], check=["x", "x", "y", "y"])
    once = trials.by_example()
    assert [*zip(once.example, once.value, strict=True)] == [("a", 0.5), ("b", 0.0), ("c", 1.0)]
    assert once.within({"a", "b"}).failing == {"a"}
