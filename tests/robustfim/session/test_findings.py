"""What is known of a run becomes its record, whenever and however it stops."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from robustfim.errors import ModelError
from robustfim.outcome import ExitCode, Outcome
from robustfim.record import Record, ScoreRecord
from robustfim.select.selection import Scores
from robustfim.session.findings import Findings
from robustfim.session.open import open_session
from robustfim.session.session import Session
from robustfim.statistics import wilson
from tests.robustfim.command_line import CommandLine
from tests.robustfim.toys import example, prediction


@pytest.fixture
def session(robustfim: CommandLine) -> Session:
    return open_session(Path("toy.yaml"))


def record(findings: Findings) -> Record:
    return findings.record([], "2024-01-01T00:00:00+00:00", 1.23456)


def test_before_anything_is_known_the_record_says_what_was_asked(session: Session) -> None:
    made = record(Findings(session.config))
    assert (made.suite, made.path, made.model.use, made.data.use) == ("toy", "toy.yaml", "wordsum", "films")
    assert (made.model.fingerprint, made.model_calls, made.duration_s, made.exit_code) == (None, 0, 1.235, 0)


def test_accuracy_counts_labelled_examples_alone(session: Session) -> None:
    findings = Findings(session.config)
    rows = [("good", "positive"), ("bad", "positive"), ("fine", "positive"), ("dull", None)]
    pairs = [(example(text, label), prediction(text)) for text, label in rows]
    findings.predicted(pairs, lost=2)
    made = record(findings)
    assert made.model.accuracy == 2 / 3
    assert made.model.accuracy_interval == wilson(2, 3)
    assert (made.data.examples, made.data.labelled) == (4, 3)
    assert made.data.skipped == {"the model gave no finite numbers": 2}
    findings.predicted([(example("good"), prediction("good"))], lost=0)
    assert record(findings).model.accuracy is None


def test_what_stops_a_run_makes_errors_of_the_checks_that_are_left(session: Session) -> None:
    findings = Findings(session.config)
    checks = session.collection.checks
    findings.stopped(ModelError("it is gone"), checks[1:])
    assert [(check.name, check.ended, check.message) for check in findings.checks] == [
        ("both", Outcome.ERROR, "it is gone"),
        ("calm", Outcome.ERROR, "it is gone"),
    ]
    findings.stopped(ModelError("once more"), checks)
    assert [check.name for check in findings.checks] == ["both", "calm", "rename"]
    made = record(findings)
    assert (made.exit_code, made.message, made.summary["error"]) == (ExitCode.FAILED, "once more", 3)


def test_a_broken_score_fails_a_run_and_one_the_model_cannot_offer_does_not(session: Session) -> None:
    for broken, code in ((True, ExitCode.FAILED), (False, ExitCode.OK)):
        findings = Findings(session.config)
        findings.scores = Scores({}, [ScoreRecord(name="long", hardest="highest", message="no", broken=broken)])
        assert record(findings).exit_code == code


def test_an_interrupted_run_has_its_own_exit_code_whatever_was_found(session: Session) -> None:
    findings = Findings(session.config)
    findings.stopped(ModelError("it is gone"), session.collection.checks)
    findings.interrupted = True
    assert record(findings).exit_code == ExitCode.INTERRUPTED


@pytest.mark.parametrize(
    ("attribute", "value", "message"),
    [
        ("overlong", lambda examples: 1 / 0, "ZeroDivisionError"),
        ("device", property(lambda self: 1 / 0), "ZeroDivision"),
    ],
)
def test_a_model_that_cannot_tell_is_a_model_error(session: Session, attribute: str, value: Any, message: str) -> None:
    model: Any = session.collection.model
    if isinstance(value, property):
        setattr(type(model), attribute, value)
    else:
        setattr(model, attribute, value)
    with pytest.raises(ModelError, match=rf"plugin 'toy', model 'wordsum' \(WordSum\) raised {message}"):
        Findings(session.config).loaded(session.collection, [example("a")])


def test_the_device_and_the_overlong_texts_are_noted(session: Session) -> None:
    model: Any = session.collection.model
    model.overlong, model.device = lambda examples: [len(each.text) > 2 for each in examples], "cuda:0"
    findings = Findings(session.config)
    findings.loaded(session.collection, [example("abc"), example("a")])
    made = record(findings)
    assert (made.data.overlong, made.environment.device) == (1, "cuda:0")
    assert made.model.labels == ["negative", "positive"]
