"""What people say of failures, and what it leaves of a rate."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from robustfim.judge.check_counts import CheckCounts
from robustfim.judge.validity import next_pair, review_counts, reviewed, validity
from robustfim.judge.verdicts import decide
from robustfim.outcome import Outcome
from robustfim.record import (
    CheckRecord,
    EditRecord,
    ExampleRecord,
    Failure,
    PredictionRecord,
    Record,
    StepRecord,
)
from robustfim.record.review import Answer, pair_hash
from robustfim.statistics.clusters import clustered_rate
from robustfim.statistics.validity import ReviewCounts, valid_rate
from tests.present import present
from tests.robustfim.record.test_format import record

YES = PredictionRecord(label="yes", probabilities=[0.2, 0.8])
NO = PredictionRecord(label="no", probabilities=[0.7, 0.3])


def failure(number: int, candidate: int = 0, check: str = "s.yaml::a", step: StepRecord | None = None) -> Failure:
    text = f"text {number} {candidate}"
    edits = [EditRecord(field="text", start=0, end=1, before="T", after="t")]
    return Failure(
        id=f"{check}{number}-{candidate}", check=check, example=str(number), fields={"text": text}, before=YES,
        after=NO, edits=edits, step=step,
    )  # fmt: skip


def run(failing: int, candidates: int = 1, tested: int = 100, more: tuple[Failure, ...] = ()) -> Record:
    examples = [ExampleRecord(id=str(n), fields={"text": f"Text {n}"}, label="yes") for n in range(tested)]
    failures = [failure(n, c) for n in range(failing) for c in range(candidates)]
    checks = [
        CheckRecord(id=f"s.yaml::{name}", name=name, outcome=Outcome.FAILED, tested=tested, failing=failing)
        for name in ("a", "b")
    ]
    return record(examples=examples, checks=checks, failures=[*failures, *more])


def answered(run: Record, says: dict[str, Answer], number: int, checks: tuple[str, ...] = ("a",)) -> dict[str, Answer]:
    """Answer pairs in the order in which they are asked, by what ``says`` tells of an example; invalid else."""
    answers: dict[str, Answer] = {}
    for _ in range(number):
        pair = next_pair(run, answers, checks)
        if pair is None:
            break
        answers[pair.hash] = says.get(pair.source.id, "invalid")
    return answers


def test_a_rate_of_valid_failures_beside_a_weighted_rate_says_of_which_examples_it_is() -> None:
    plain = run(10)
    weighted = [check.model_copy(update={"rate": 0.02, "interval": (0.01, 0.04)}) for check in plain.checks]
    for checks, of in ((plain.checks, "10 % fail, "), (weighted, "10 % of the tested examples fail, ")):
        told = reviewed(plain.model_copy(update={"checks": checks}), answered(plain, {}, 3)).checks[0].by_review
        assert told.startswith(of)


def test_an_example_is_looked_at_until_one_of_its_texts_is_valid() -> None:
    asked = Counter[str]()
    answers: dict[str, Answer] = {}
    while (pair := next_pair(run(6, candidates=3), answers)) is not None:
        asked[pair.source.id] += 1
        last = pair.failure.fields["text"].endswith("1")
        answers[pair.hash] = "valid" if last else "invalid"
    assert set(asked.values()) == {2}
    found = validity(run(6, candidates=3), answers)["s.yaml::a"]
    assert (found.failing, found.valid, found.invalid, found.unsure) == (6, 6, 0, 0)


def test_an_example_without_a_valid_text_is_unsure_if_one_answer_is() -> None:
    one = run(1, candidates=2)
    first, second = (pair_hash({"text": "Text 0"}, {"text": f"text 0 {n}"}) for n in (0, 1))
    assert validity(one, {first: "invalid"}) == {}
    assert validity(one, {first: "invalid", second: "unsure"})["s.yaml::a"].unsure == 1
    assert validity(one, {first: "invalid", second: "invalid"})["s.yaml::a"].invalid == 1


def test_the_examples_looked_at_first_are_a_random_sample_of_the_failing_ones() -> None:
    whole = run(60)
    order = [int(key.split()[1]) for key in ordered(whole)]
    assert sorted(order) == list(range(60))
    assert abs(np.corrcoef(order, range(60))[0, 1]) < 0.35


def ordered(run: Record) -> list[str]:
    texts = []
    answers: dict[str, Answer] = {}
    while (pair := next_pair(run, answers)) is not None:
        answers[pair.hash] = "valid"
        texts.append(pair.failure.fields["text"])
    return texts


def test_another_failure_does_not_change_the_order_of_the_others() -> None:
    few, many = ordered(run(20)), ordered(run(40))
    assert [text for text in many if text in few] == few


def test_answers_beyond_an_example_that_has_none_do_not_count() -> None:
    whole = run(20)
    answers = answered(whole, {}, 20)
    assert validity(whole, answers)["s.yaml::a"].invalid == 20
    del answers[list(answers)[5]]
    assert validity(whole, answers)["s.yaml::a"].invalid == 5


def test_the_check_with_the_fewest_answers_is_asked_next() -> None:
    both = run(5, more=tuple(failure(n, check="s.yaml::b") for n in range(50, 55)))
    answers: dict[str, Answer] = {}
    checks = []
    for _ in range(6):
        pair = present(next_pair(both, answers))
        checks.append(pair.failure.check)
        answers[pair.hash] = "valid"
    assert checks == ["s.yaml::a", "s.yaml::b"] * 3


def test_no_more_examples_are_asked_for_than_wanted_and_steps_never() -> None:
    step = failure(70, check="s.yaml::b", step=StepRecord(direction="top", norm=1.0))
    whole = run(20, more=(step,))
    answers: dict[str, Answer] = {}
    while (pair := next_pair(whole, answers, most=4)) is not None:
        answers[pair.hash] = "valid"
    assert len(answers) == 4
    assert list(validity(whole, answers)) == ["s.yaml::a"]


def test_the_rate_of_valid_failures_is_told_with_its_interval() -> None:
    whole = run(40)
    says: dict[str, Answer] = {str(n): "valid" for n in range(0, 40, 2)}
    found = validity(whole, answered(whole, says, 40))["s.yaml::a"]
    assert found.rate == pytest.approx(0.2)
    assert found.interval[0] < 0.2 < found.interval[1]


def of_writers() -> tuple[Record, set[str], dict[str, str]]:
    """40 writers with 20 texts each: all texts of two writers fail validly, 3 texts of each other one invalidly."""
    clusters = {str(n): f"writer {n // 20}" for n in range(800)}
    valid = {str(n) for n in range(40)}
    failing = [*range(40), *(n for n in range(40, 800) if n % 20 < 3)]
    examples = [
        ExampleRecord(id=id, fields={"text": f"Text {id}"}, label="yes", cluster=name) for id, name in clusters.items()
    ]
    effective = clustered_rate([str(n) for n in failing], list(clusters), clusters)[1]
    check = CheckRecord(
        id="s.yaml::a", name="a", outcome=Outcome.FAILED, tested=800, failing=len(failing), examples=list(clusters),
        effective=effective, clusters=40,
    )  # fmt: skip
    run = record(examples=examples, checks=[check], failures=[failure(n) for n in failing])
    return run, valid, clusters


def test_valid_failures_count_as_what_their_own_clusters_are_worth() -> None:
    run, valid, clusters = of_writers()
    answers = answered(run, dict.fromkeys(valid, "valid"), 154)
    found = validity(run, answers)["s.yaml::a"]
    assert found.valid == 40
    assert found.rate == pytest.approx(0.05)
    expected = present(valid_rate(800, ReviewCounts(154, 40, 114, worth=1 / max(Counter(clusters.values()).values()))))
    assert found.interval == pytest.approx(expected[1])
    (old,) = run.checks
    check = CheckCounts(
        id=old.id, name="a", tested=800, failing=154, limit=0.1, limit_of_valid=True, examples=old.examples,
        effective=old.effective, clusters=40,
    )  # fmt: skip
    counts = review_counts(check, run.failures, run.examples, answers)
    assert decide([check], {}, reviews={check.id: counts})[0].outcome is Outcome.INCONCLUSIVE
    assert decide([check], {}, reviews={check.id: replace(counts, worth=1.0)})[0].outcome is Outcome.PASSED


def test_what_people_said_of_a_text_stands_beside_it_and_what_it_leaves_of_a_rate_beside_its_check() -> None:
    step = failure(5, step=StepRecord(direction="push", norm=0.5))
    stranger = failure(777)  # of an example that the record does not hold
    found = run(3, more=(step, stranger))
    said: tuple[Answer, Answer] = ("valid", "invalid")
    answers: dict[str, Answer] = {
        pair_hash({"text": f"Text {number}"}, {"text": f"text {number} 0"}): literal
        for number, literal in enumerate(said)
    }
    told = reviewed(found, answers)
    assert [failure.review for failure in told.failures] == ["valid", "invalid", None, None, None]
    expected = validity(found, answers)
    assert [check.validity for check in told.checks] == [expected.get(check.id) for check in told.checks]
    asked: dict[str, Answer] = {**answers, pair_hash({"text": "Text 5"}, {"text": "text 5 0"}): "valid"}
    assert [each.review for each in reviewed(found, asked).failures][3] is None, "a step is no text"
