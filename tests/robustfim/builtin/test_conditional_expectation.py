"""``where`` of an expectation: it applies where the original prediction is one of some labels."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from robustfim.builtin.conditional_expectation import InOtherLabels, Where, original_labels
from robustfim.builtin.expectations import Directional, Invariant
from robustfim.candidate import Candidate
from robustfim.errors import SuiteError
from robustfim.example import Example
from robustfim.judgement import Verdict
from robustfim.prediction import Prediction
from robustfim.run_options import RunOptions
from robustfim.session.open import open_session

LABELS = ("negative", "neutral", "positive")
CASE = Candidate(Example({"text": "a"}))


def of(*row: float) -> Prediction:
    return Prediction.of(row, LABELS)


def test_it_judges_where_the_original_prediction_is_one_of_the_labels() -> None:
    judged = Where(Invariant(), ["negative", "positive"]).judge
    assert judged(of(0.8, 0.1, 0.1), of(0.1, 0.8, 0.1), CASE).verdict is Verdict.FAILED
    assert judged(of(0.1, 0.1, 0.8), of(0.1, 0.1, 0.8), CASE).verdict is Verdict.PASSED
    neither = judged(of(0.1, 0.8, 0.1), of(0.8, 0.1, 0.1), CASE)
    assert (neither.verdict, neither.reason) == (Verdict.NOT_APPLICABLE, "was neutral")


def test_an_open_answer_is_compared_by_its_normal_form() -> None:
    before = Prediction.of_answers([("The Tower.", 0.9)])
    judged = Where(Invariant(), ["tower"]).judge(before, Prediction.of_answers([("river", 0.9)]), CASE)
    assert judged.verdict is Verdict.FAILED


def test_a_condition_names_its_labels_and_those_of_its_expectation_and_other_labels_are_not_the_models() -> None:
    conditional = Where(Directional("positive", against="negative"), ["neutral"])
    assert [*conditional.contract.labels] == ["neutral", "positive", "negative"]
    assert [*Where(Invariant(), ["neutral"]).contract.labels] == ["neutral"]
    assert [*InOtherLabels(conditional, lambda prediction: prediction).contract.labels] == []


@pytest.mark.parametrize("value", [None, "positive", {"original": []}, {"original": [1]}, {"first": "x"}, {}])
def test_another_form_is_refused(value: Any) -> None:
    with pytest.raises(ValueError, match=r"'where' is {original: LABEL}"):
        original_labels(value)


SUITE = """
suite: conditions
model: reference/fasttext
data: {use: reviews, limit: 60}
checks:
  all: {perturb: case, expect: changes, limit: 1}
  some: {perturb: case, expect: {use: changes, where: {original: negative}}, limit: 1}
  inner: {perturb: case, expect: {use: any, of: [{use: changes, where: {original: negative}}, correct]}, limit: 1}
"""


def test_a_suite_says_it_of_any_expectation(tmp_path: Path) -> None:
    path = tmp_path / "s.yaml"
    path.write_text(SUITE)
    record = open_session(path, options=RunOptions(reports=tmp_path, store=None)).run()[0]
    tested = {check.name: check.tested for check in record.checks}
    negative = sum(example.prediction == "negative" for example in record.examples if example.arm)
    assert 0 < negative < len(record.examples)
    assert tested["some"] == sum(
        example.prediction == "negative" for example in record.examples if example.id in set(record.checks[0].examples)
    )
    assert tested["inner"] == tested["all"]
    assert record.checks[1].expectation == {"use": "changes", "where": {"original": "negative"}}


def test_a_suite_with_another_form_is_refused_at_its_line(tmp_path: Path) -> None:
    path = tmp_path / "s.yaml"
    path.write_text(SUITE.replace("{original: negative}}, limit", "negative}, limit"))
    with pytest.raises(SuiteError, match=r"s.yaml:7: 'where' is {original: LABEL}"):
        open_session(path)
