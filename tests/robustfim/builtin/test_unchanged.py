from __future__ import annotations

from random import Random

import pytest

from robustfim.builtin.expectations import Correct
from robustfim.builtin.unchanged import Unchanged
from robustfim.candidate import Candidate
from robustfim.outcome import Outcome
from tests.robustfim.command_line import CommandLine
from tests.robustfim.toys import Bench, Rewrite, check, example


def test_the_example_is_its_own_and_only_candidate() -> None:
    one = example("good")
    assert list(Unchanged().propose(one, Random(0))) == [Candidate(one)]


def test_an_example_that_is_tested_itself_is_not_counted_as_unchanged() -> None:
    bench = Bench([example("good", "positive"), example("bad", "positive"), example("dull", "negative")])
    record, failures = bench.run(check(Unchanged(), expectation=Correct()))
    assert (record.tested, record.failing) == (3, 1)
    assert (record.candidates.proposed, record.candidates.unchanged, record.candidates.tested) == (3, 0, 3)
    assert [failure.example for failure in failures] == [bench.examples[1].id]
    assert failures[0].edits == []


def test_another_perturbation_that_changes_nothing_is() -> None:
    record, _ = Bench([example("good", "positive")]).run(check(Rewrite(str.strip), expectation=Correct()))
    assert record.candidates.unchanged == 1
    assert record.ended is Outcome.ERROR


def test_a_suite_asks_for_the_gold_label_with_itself_and_correct(robustfim: CommandLine) -> None:
    data = "{use: films, rows: [[a great film, positive], [a dull end, positive], [an awful plot, negative]]}"
    name = robustfim.suite("{right: {perturb: itself, expect: correct, limit: 0.2}}", data=data)
    shown = robustfim(f"run {name} --no-store -v")
    record = robustfim.record("other")
    (found,) = record.checks
    wrong = {
        record_example.id for record_example in record.examples if record_example.label != record_example.prediction
    }
    assert {failure.example for failure in record.failures} == wrong
    assert wrong
    assert found.rate == pytest.approx(1 - (record.model.accuracy.rate or 0))
    for record_example in record.examples:
        assert (f"\n    {record_example.fields['text']}\n" in shown.out) is (record_example.id in wrong)
