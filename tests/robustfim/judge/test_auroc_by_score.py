"""How well a score ranks failures is measured on examples that no score chose."""

from __future__ import annotations

from math import inf, nan
from typing import Any

import numpy as np
import pytest

from robustfim.judge.auroc_by_score import area_of, areas
from robustfim.outcome import Outcome
from robustfim.record import (
    CheckRecord,
    ExampleRecord,
    Failure,
    GapRecord,
    ModelRecord,
    PredictionRecord,
    Record,
    ScoreRecord,
    SelectionRecord,
)
from robustfim.statistics import Rate
from tests.present import present


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
    wider = present(area_of("highest", values, tested, failing, comparisons=6).interval)
    assert wider[0] < found.interval[0] < found.interval[1] < wider[1]


def test_the_interval_holds_when_three_large_clusters_score_and_fail_whole() -> None:
    # Of 200 examples 120 lie in three clusters. The scores say nothing of the failures, so that the area is 0.5.
    random, clusters = np.random.default_rng(4), np.array([*range(80), *np.repeat([80, 81, 82], 40)])
    names, runs = dict(zip(map(str, range(200)), map(str, clusters), strict=True)), 300
    beyond = 0
    for _ in range(runs):
        values, fails = random.normal(size=83)[clusters], (random.random(83) < 0.25)[clusters]
        failing = {id for id, each in zip(names, fails, strict=True) if each}
        scores = dict(zip(names, values.tolist(), strict=True))
        low, high = area_of("highest", scores, names, failing, clusters=names).interval or (0, 1)
        beyond += not low <= 0.5 <= high
    assert beyond <= runs * 0.05 + 3 * (runs * 0.05 * 0.95) ** 0.5


def test_without_failures_there_is_no_area() -> None:
    found = area_of("highest", {"a": 1.0}, {"a"}, set())
    assert (found.auroc, found.interval, found.failing) == (None, None, 0)


def scored(arms: dict[str, Any], failures: list[tuple[str, str]], **more: Any) -> Record:
    """A record of examples with one score, 1, 2, 3, …; by default one check, ``c``, tested them all."""
    examples = [
        ExampleRecord(id=id, fields={"text": id}, arm=arm, scores={"own": float(place)})
        for place, (id, arm) in enumerate(arms.items(), 1)
    ]
    failing = [
        Failure(
            id=f"{check} {id}", check=check, example=id, fields={"text": id},
            before=PredictionRecord(label="a", probabilities=[1.0]),
            after=PredictionRecord(label="b", probabilities=[1.0]),
        )
        for check, id in failures
    ]  # fmt: skip
    fields = {"checks": [a_check("c", *arms)], "examples": examples, "failures": failing}
    scores = [ScoreRecord(name="own", hardest="highest")]
    return Record.model_construct(
        **{"selection": SelectionRecord(), "model": ModelRecord(use="m"), "scores": scores, **fields, **more}
    )


def a_check(name: str, *ids: str, **more: Any) -> CheckRecord:
    return CheckRecord(id=name, name=name, outcome=Outcome.FAILED, examples=[*ids], **more)


def area(record: Record, steps: tuple[str, ...] = ()) -> tuple[int, int, float | None] | None:
    (score,) = areas(record, steps)
    return None if score.area is None else (score.area.examples, score.area.failing, score.area.auroc)


def test_the_score_of_a_run_is_measured_on_the_control_arm_or_on_all_where_there_is_none() -> None:
    failures = [("c", "v"), ("c", "y")]
    assert area(scored(dict.fromkeys("vwxyz", "all"), failures)) == (5, 2, 2 / 6)  # 1 and 4 of 1 to 5
    arms = {"v": "difficult", "w": "difficult", "x": "control", "y": "control", "z": "control"}
    assert area(scored(arms, failures)) == (3, 1, 0.5)
    assert area(scored(dict.fromkeys("vw", "difficult"), failures)) is None


def test_what_no_check_tested_takes_no_part_and_failures_are_those_of_the_checks_that_do() -> None:
    arms = dict.fromkeys("vwxyz", "all")
    both = [("c", "z"), ("s", "v")]
    checks = [a_check("c", *"wxyz"), a_check("s", *"vwxyz")]
    assert area(scored(arms, both, checks=checks)) == (5, 2, 0.5)
    assert area(scored(arms, both, checks=checks), steps=("s",)) == (4, 1, 1.0), "steps take no part"
    assert area(scored(arms, both, checks=checks[1:]), steps=("s",)) == (5, 1, 0.0), "but where there is nothing else"
    gap = a_check("s", *"vwxyz", gap=GapRecord(groups={"long": Rate(1, 2), "short": Rate(0, 3)}))
    assert area(scored(arms, both, checks=[checks[0], gap])) == (4, 1, 1.0), "two groups are compared"


def test_a_score_that_a_record_has_no_number_for_is_infinite_or_unknown_as_it_says() -> None:
    record = scored(dict.fromkeys("vwxyz", "all"), [("c", "v"), ("c", "w")])
    first, second, third, *rest = record.examples
    examples = [
        first.model_copy(update={"scores": {}, "infinite": ["own"]}),
        second.model_copy(update={"scores": {"own": nan}}),
        third.model_copy(update={"scores": {"own": None}, "infinite": ["another"]}),
        *rest,
    ]
    assert area(record.model_copy(update={"examples": examples})) == (3, 1, 1.0)
    lowest = [ScoreRecord(name="own", hardest="lowest")]
    assert area(record.model_copy(update={"examples": examples, "scores": lowest})) == (3, 1, 0.0)


def test_a_score_that_failed_and_one_that_made_the_strata_have_no_area() -> None:
    record = scored(dict.fromkeys("vw", "all"), [("c", "v")])
    broken = ScoreRecord(name="own", hardest="highest", message="it broke")
    assert areas(record.model_copy(update={"scores": [broken]})) == [broken]
    strata = SelectionRecord(by="own", strata={"1": 2})
    assert areas(record.model_copy(update={"selection": strata})) == record.scores
