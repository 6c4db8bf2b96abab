"""The model of rules answers as its rules say, and a suite of questions runs on it from its data to its reports."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from robustfim.cli import main
from robustfim.errors import UsageError
from robustfim.example import Example
from robustfim.prediction import Prediction, normal_form
from robustfim.record import Record
from robustfim_reference.bundled import Questions
from robustfim_reference.lexical_qa import LexicalQa
from tests.house.tree import ROOT

TOWER = (
    "The tower was built in 1871 by the engineer Amelia Thorne. It is 34 metres high and red, because fishermen must "
    "see it. Josef Lindqvist moved to the village of Sund."
)


def ask(question: str, context: str = TOWER) -> Example:
    return Example({"question": question, "context": context})


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Who built the tower?", "Amelia Thorne"),
        ("When was the tower built?", "1871"),
        ("How high is it?", "34 metres"),
        ("What colour is the tower?", "red"),
        ("Where did Josef Lindqvist move?", "the village of Sund"),
        ("Why is it red?", "because fishermen must see it"),
    ],
)
def test_the_question_word_says_what_is_wanted(question: str, answer: str) -> None:
    assert LexicalQa().answer([ask(question)])[0][0][0] == answer


@given(st.text(max_size=40), st.text(max_size=120))
def test_whatever_is_asked_the_answers_are_parts_of_the_context_with_falling_probabilities(
    question: str, context: str
) -> None:
    (answers,) = LexicalQa().answer([ask(question, context)])
    assert 1 <= len(answers) <= 10
    numbers = [number for _, number in answers]
    assert numbers == sorted(numbers, reverse=True)
    assert 0 < sum(numbers) <= 1 + 1e-9
    assert all(text in context for text, _ in answers)
    assert len({normal_form(text) for text, _ in answers}) == len(answers)


def test_an_answer_does_not_depend_on_the_others_of_its_batch() -> None:
    questions = list(Questions(limit=12).load())
    together = LexicalQa().answer(questions)
    assert together == [LexicalQa().answer([question])[0] for question in questions]


def test_an_answer_is_the_same_to_the_last_bit_in_every_process() -> None:
    code = (
        "from robustfim_reference.lexical_qa import LexicalQa; from robustfim_reference.bundled import Questions; "
        "print(LexicalQa().answer(list(Questions().load())[:40]))"
    )
    paths = os.pathsep.join([str(ROOT), str(ROOT / "plugins")])
    answers = {
        subprocess.run(
            [sys.executable, "-c", code], check=True, capture_output=True, text=True,
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": paths},
        ).stdout
        for seed in ("1", "2", "3")
    }  # fmt: skip
    assert len(answers) == 1


def test_a_missing_field_is_told_with_those_that_there_are() -> None:
    with pytest.raises(UsageError, match=r"'passage', which an example lacks.* Fields: question, context"):
        LexicalQa(context="passage").answer([ask("Who?")])
    assert LexicalQa(context="passage").fingerprint != LexicalQa().fingerprint


def test_most_of_the_bundled_questions_are_answered_right() -> None:
    questions = list(Questions().load())
    answers = [Prediction.of_answers(each) for each in LexicalQa().answer(questions)]
    right = [answer.right(question.gold) for question, answer in zip(questions, answers, strict=True)]
    assert 0.7 <= right.count(True) / len(right) <= 0.9


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> tuple[Record, str]:
    """The suite that ships, on a part of the questions; its record and its page."""
    folder = tmp_path_factory.mktemp("qa")
    shutil.copytree(ROOT / "suites" / "qa", folder / "qa")
    shutil.copy(ROOT / "suites" / "qa.yaml", folder)
    options = ["-o", "select.difficult=8", "-o", "select.control=8", "--data", "limit=30", "--store", "s.sqlite"]
    checks = "not rules and not synonyms"  # those need the tagger
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        with pytest.raises(SystemExit) as stop:
            main(["run", "qa.yaml", "-q", "-k", checks, *options])
    assert stop.value.code == 6, "sixteen questions prove nothing"
    page = (folder / "reports" / "qa.partial" / "report.html").read_text(encoding="utf-8")
    return Record.load(folder / "reports" / "qa.partial" / "results.json"), page


def test_a_run_records_answers_in_their_own_words_and_small(run: tuple[Record, str]) -> None:
    record, _ = run
    assert record.model.labels == []
    assert record.model.majority is None
    assert record.data.labelled == len(list(record.every_example())) == 30
    assert record.model.accuracy.rate == sum(bool(example.correct) for example in record.every_example()) / 30
    for example in record.examples:
        assert str(example.prediction) in example.fields["context"]
        assert len(example.probabilities or ()) == 1
    assert {score.undefined for score in record.scores} == {0}
    assert {check.tested > 0 for check in record.checks} == {True}


def test_every_failure_of_an_invariant_changed_the_question_and_the_answer_beyond_its_form(
    run: tuple[Record, str],
) -> None:
    record, _ = run
    contexts = {example.id: example.fields["context"] for example in record.examples}
    judged = [failure for failure in record.failures if not failure.check.endswith("::correct_after_a_typo")]
    assert len(judged) > 5
    for failure in judged:
        assert normal_form(failure.before.label) != normal_form(failure.after.label)
        assert {edit.field for edit in failure.edits} == {"question"}
        assert failure.fields["context"] == contexts[failure.example]
        assert failure.reason == f"{failure.before.label} -> {failure.after.label}"


def test_the_page_shows_the_answers_and_which_were_wrong_before(run: tuple[Record, str]) -> None:
    record, page = run
    shown = [failure.after.label for failure in record.failures if failure.after.label.isalnum()]
    assert shown
    assert all(f">{label}</bdi>" in page for label in shown)
    right = {example.id: example.correct for example in record.examples}
    wrong = {(failure.check, failure.example) for failure in record.failures if not right[failure.example]}
    assert page.count("wrong before too") - 1 == len(wrong) > 0  # once more it names a filter


def test_the_same_run_again_asks_the_model_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "few.yaml").write_text(
        "suite: few\nmodel: reference/lexical-qa\ndata: {use: questions, limit: 6}\nchecks:\n"
        "  typos: {perturb: {use: typos, fields: [question]}, limit: 1}\n",
        encoding="utf-8",
    )
    records = []
    for _ in range(2):
        with pytest.raises(SystemExit):
            main(["run", "few.yaml", "-q"])
        records.append(Record.load(tmp_path / "reports" / "few" / "results.json"))
    first, second = records
    assert first.model_calls > 0
    assert (second.model_calls, second.failures) == (0, first.failures)


@pytest.mark.parametrize("score", ["fisher", "boundary"])
def test_a_score_from_gradients_is_refused_with_those_that_need_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], score: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "few.yaml").write_text(
        "suite: few\nmodel: reference/lexical-qa\ndata: {use: questions, limit: 6}\n"
        f"select: {{by: {score}, difficult: 2, control: 2}}\nchecks:\n  typos: {{perturb: typos, limit: 1}}\n",
        encoding="utf-8",
    )
    with pytest.raises(SystemExit) as stop:
        main(["run", "few.yaml", "--no-store"])
    assert stop.value.code == 4
    told = " ".join(capsys.readouterr().err.split())
    assert "LexicalQa has no gradients" in told
    assert "The scores 'margin' and 'entropy'" in told


def test_the_doctor_looks_at_such_a_model(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["doctor", "--model", "use=reference/lexical-qa", "--data", "use=questions", "--no-store"])
    assert "reference/lexical-qa: answers in its own words" in " ".join(capsys.readouterr().out.split())
