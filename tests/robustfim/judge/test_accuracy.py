"""Paired accuracy, against a count example by example."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.stats import binom

from robustfim.judge.accuracy import PairedAccuracy, paired_accuracy
from robustfim.outcome import Outcome
from robustfim.record import (
    AccuracyComparison,
    CheckRecord,
    DataRecord,
    Environment,
    ExampleRecord,
    ModelRecord,
    Record,
    SelectionRecord,
)
from robustfim.statistics.clusters import clustered_changes
from robustfim.statistics.paired import Paired


def run(examples: dict[str, dict[str, Any]], tested: tuple[str, ...] = (), **options: Any) -> Record:
    """A run that holds examples, each with what is given of it, and tested some."""
    return Record(
        suite="s", model=ModelRecord(use="m"), data=DataRecord(use="d", options=options), seed=0,
        environment=Environment(robustfim="0", python="3"), started="2026-01-01T00:00:00+00:00",
        checks=[CheckRecord(id="s::c", name="c", outcome=Outcome.PASSED, examples=list(tested))],
        examples=[ExampleRecord(id=id, fields={}, **({"prediction": "?"} | held)) for id, held in examples.items()],
    )  # fmt: skip


def right(*ids: str, correct: bool | None = True, label: str | None = "a", **more: Any) -> dict[str, dict[str, Any]]:
    return {id: {"correct": correct, "label": label, **more} for id in ids}


@pytest.mark.parametrize("clustered", [False, True])
def test_what_two_runs_have_right_is_counted_example_by_example(clustered: bool) -> None:
    random = np.random.default_rng(4)
    runs: list[dict[str, dict[str, Any]]] = []
    for first in (0, 40):
        held = {}
        for row in range(first, 260 + first):
            known = random.random() < 0.9
            held[f"e{row}"] = {
                "label": "a" if random.random() < 0.95 else "b",
                "correct": bool(random.random() < 0.7) if known else None,
                "cluster": f"c{row // 5}" if clustered and row < 200 else None,
            }
        runs.append(held)
    old, new = runs
    both = [id for id in old if id in new]
    kept = [
        id for id in both
        if None not in (old[id]["correct"], new[id]["correct"]) and old[id]["label"] == new[id]["label"]
    ]  # fmt: skip
    lost = sum(each["correct"] is not None for each in old.values()) - len(kept)
    found = paired_accuracy(run(old, tuple(old)[20:60]), run(new))
    assert found.found.estimate.tested == len(kept)
    assert found.found.old == pytest.approx(np.mean([old[id]["correct"] for id in kept]))
    assert found.found.newly_wrong == sum(old[id]["correct"] > new[id]["correct"] for id in kept)
    assert found.found.newly_right == sum(old[id]["correct"] < new[id]["correct"] for id in kept)
    assert (found.found.lost, found.found.missing) == (lost, "")
    assert found.gone == frozenset(f"e{row}" for row in range(20, 40))
    assert found.note == "the data differ: 220 examples are in both, 40 only in the baseline, 40 only in this run."
    changes = np.array([int(old[id]["correct"]) - int(new[id]["correct"]) for id in kept], np.int8)
    groups = np.unique([new[id]["cluster"] or id for id in kept], return_inverse=True)[1].astype(np.uint64)
    paired, effective = clustered_changes(changes, groups if clustered else None)
    assert (effective is not None) == clustered
    assert (found.paired.broken, found.paired.fixed, found.paired.matched) == pytest.approx(
        (paired.broken, paired.fixed, paired.matched)
    )
    assert set(found.found.labels) == {old[id]["label"] for id in kept}
    for label, of_label in found.found.labels.items():
        own = [id for id in kept if old[id]["label"] == label]
        assert of_label.estimate.tested == len(own) > 0
        assert of_label.old == pytest.approx(np.mean([old[id]["correct"] for id in own]))
        assert of_label.new == pytest.approx(np.mean([new[id]["correct"] for id in own]))
    alone = np.append(groups, np.arange(10_000, 10_000 + lost, dtype=np.uint64))  # those that are lost are losses
    proof, _ = clustered_changes(np.append(changes, np.ones(lost)), alone if clustered else None)
    assert (found.proof.broken, found.proof.fixed, found.proof.matched) == pytest.approx(
        (proof.broken, proof.fixed, proof.matched)
    )
    assert found.proof.interval == pytest.approx(proof.interval)


def several(**again: tuple[bool, tuple[int, int] | None]) -> Record:
    return run({id: {"correct": first, "label": "a", "again": more} for id, (first, more) in again.items()})


def test_of_an_example_that_was_asked_again_the_fraction_of_right_answers_counts() -> None:
    old = several(a=(False, (2, 2)), b=(True, (0, 2)), c=(True, (1, 3)), d=(True, (0, 0)), e=(True, None))
    new = several(a=(True, (0, 2)), b=(True, (0, 2)), c=(False, (2, 3)), d=(True, (1, 1)), e=(False, None))
    found = paired_accuracy(old, new).found
    before, after = (2 / 3, 1 / 3, 1 / 2, 1, 1), (1 / 3, 1 / 3, 1 / 2, 1, 0)
    assert (found.newly_wrong, found.newly_right) == (2, 0)  # a and e
    assert found.estimate.tested == len(before)
    assert found.old == pytest.approx(np.mean(before))
    assert found.new == pytest.approx(np.mean(after))
    assert paired_accuracy(old, new).note.startswith("accuracy counts the fraction of right answers to the 4 examples")


def test_where_a_score_chose_the_examples_the_first_answers_count() -> None:
    old, new = (several(a=(True, (0, 2)), b=(first, (2, 2))) for first in (True, False))
    chosen = [each.model_copy(update={"selection": SelectionRecord(by="margin")}) for each in (old, new)]
    assert paired_accuracy(*chosen).found.estimate.rate == 0.5
    assert paired_accuracy(old, new).found.estimate.rate == pytest.approx(1 / 6)


def released(number: int, before: float, after: float, share: float, seed: int) -> bool:
    """Whether a model is proved no worse by 5 points, if it is right with other chances on a part of the examples."""
    random = np.random.default_rng(seed)
    part = random.random(number) < share

    def asked(chance: float) -> Record:
        answers = random.random((number, 3)) < np.where(part, chance, 1.0)[:, None]
        return several(**{f"e{n}": (bool(row[0]), (int(row[1:].sum()), 2)) for n, row in enumerate(answers)})

    return paired_accuracy(asked(before), asked(after)).proof.is_no_worse(0.05)


@pytest.mark.parametrize(("before", "after", "share"), [(1.0, 2 / 3, 0.15), (0.9, 0.85, 1.0), (1.0, 0.5, 0.1)])
def test_a_noisy_model_that_loses_the_margin_is_seldom_proved_no_worse(
    before: float, after: float, share: float
) -> None:
    wrong = sum(released(100, before, after, share, seed) for seed in range(200))
    assert wrong <= binom.ppf(0.999, 200, 0.025)


def test_a_model_that_is_wrong_in_a_third_of_its_answers_is_never_proved_no_worse_and_an_equal_one_often() -> None:
    assert not any(released(100, 1.0, 2 / 3, 0.5, seed) for seed in range(200))
    assert sum(released(200, 0.95, 0.95, 1.0, seed) for seed in range(200)) > 160


def test_a_suite_that_asks_for_so_many_rows_gives_up_the_others_and_no_more() -> None:
    old = right("a", "b", "c", "d")
    fewer = right("a", "b")
    for limit, lost in ((1, 0), (2, 0), (3, 2), (9, 2), (None, 2)):
        found = paired_accuracy(run(old, ("a", "c")), run(fewer, limit=limit))
        assert (found.found.lost, found.gone) == (lost, frozenset("c" * (lost > 0)))
    same = paired_accuracy(run(old, ("a", "c")), run(old))
    assert (same.note, same.found.lost, same.gone, same.found.estimate.tested) == ("", 0, frozenset(), 4)
    one = paired_accuracy(run(old), run(right("a", "b", "c") | right("d", correct=None), limit=3))
    assert one.found.lost == 1, "it is read, and not answered"


@pytest.mark.parametrize(
    ("before", "after", "missing"),
    [
        (right("a", label=None, correct=None), right("a", label=None, correct=None), "no gold labels"),
        (right("a"), right("a", label=None, correct=None), "only the baseline has gold labels"),
        (right("a", label=None, correct=None), right("a"), "only this run has gold labels"),
        (right("a", correct=None), right("a"), "the model of the baseline gave no answer"),
        (right("a"), right("a", correct=None), "the model of this run gave no answer"),
        (right("a", correct=False), right("b", correct=False), "no labelled example is in both"),
        (right("a") | right("b", label=None, correct=None), right("b"), "no labelled example is in both"),
    ],
)
def test_why_there_is_nothing_to_compare_is_told(before: Any, after: Any, missing: str) -> None:
    found = paired_accuracy(run(before, ("a",)), run(after))
    gone = frozenset({"a"} - after.keys())
    nothing = AccuracyComparison(missing=missing, verdict="no loss found")
    assert found == PairedAccuracy(nothing, note=found.note, gone=gone)
    assert (found.note == "") == (before.keys() == after.keys())
    assert found.paired == Paired(0, 0, 0)


def test_more_than_twenty_gold_labels_are_not_compared_one_by_one() -> None:
    for number, listed in ((20, 20), (21, 0)):
        many = run({f"e{row}": {"label": f"l{row}", "correct": True} for row in range(number)})
        assert len(paired_accuracy(many, many).found.labels) == listed
