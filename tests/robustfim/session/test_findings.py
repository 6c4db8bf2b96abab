"""What a run notes of its model, its examples and what stops it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from robustfim.collect.spool import Examples
from robustfim.errors import ModelError
from robustfim.example import Example
from robustfim.outcome import ExitCode, Outcome
from robustfim.prediction import Prediction
from robustfim.record import Record, WindowRecord
from robustfim.select.columns import Predictions
from robustfim.session.findings import Findings
from robustfim.session.open import open_session
from robustfim.session.run_record import run_record
from robustfim.session.session import Session
from robustfim.statistics import wilson
from tests.robustfim.command_line import CommandLine
from tests.robustfim.toys import example, prediction


@pytest.fixture
def session(robustfim: CommandLine) -> Session:
    return open_session(Path("toy.yaml"))


def record(findings: Findings) -> Record:
    return run_record(findings, [], "2024-01-01T00:00:00+00:00", 1.23456)


def predicted(pairs: Sequence[tuple[Example, Prediction]]) -> Predictions:
    examples = [each for each, _ in pairs]
    found = Predictions(Examples.of(examples), len(examples))
    found.put(0, examples, [each for _, each in pairs])
    return found


def test_accuracy_counts_labelled_examples_alone(session: Session) -> None:
    findings = Findings(session.config)
    rows = [("good", "positive"), ("bad", "positive"), ("fine", "positive"), ("dull", None)]
    pairs = [(example(text, label), prediction(text)) for text, label in rows]
    findings.predicted(predicted(pairs), lost=2)
    made = record(findings)
    assert made.model.accuracy == 2 / 3
    assert made.model.accuracy_interval == wilson(2, 3)
    assert (made.data.examples, made.data.labelled) == (4, 3)
    assert made.data.skipped == {"the model gave no finite numbers": 2}
    findings.predicted(predicted([(example("good"), prediction("good"))]), lost=0)
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


@pytest.mark.parametrize(
    ("attribute", "value", "message"),
    [
        ("window", lambda examples: 1 / 0, "ZeroDivisionError"),
        ("device", property(lambda self: 1 / 0), "ZeroDivision"),
    ],
)
def test_a_model_that_cannot_tell_is_a_model_error(session: Session, attribute: str, value: Any, message: str) -> None:
    model: Any = session.collection.model
    if isinstance(value, property):
        setattr(type(model), attribute, value)
    else:
        setattr(model, attribute, value)
    one = Examples.of([example("a")])
    with pytest.raises(ModelError, match=rf"plugin 'toy', model 'wordsum' \(WordSum\) raised {message}"):
        Findings(session.config).loaded(session.collection, one, one, print)


def test_the_device_and_the_texts_that_are_read_in_part_are_noted(session: Session) -> None:
    model: Any = session.collection.model
    model.window = lambda rows: [[("text", 0, 2)] if len(each.text) > 2 else None for each in rows]
    model.device = "cuda:0"
    findings = Findings(session.config)
    told: list[tuple[str, int, int]] = []
    both = Examples.of([example("abc"), example("a")])
    findings.loaded(session.collection, both, both, lambda *at: told.append(at))
    assert told == [("measure", 0, 2)]
    made = record(findings)
    assert (made.data.window, made.environment.device) == (WindowRecord(partly=1), "cuda:0")
    assert made.model.labels == ["negative", "positive"]
