"""What a run notes of its model, its examples and what stops it."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, replace
from pathlib import Path
from typing import Any

import pytest

from robustfim.errors import ModelError
from robustfim.outcome import ExitCode, Outcome
from robustfim.record import WindowRecord
from robustfim.session.open import open_session
from robustfim.session.partial import PartialRecord
from robustfim.session.run_record import run_record
from robustfim.session.session import Session
from robustfim.session.stages import begun, stopped
from robustfim.statistics import wilson
from tests.robustfim.command_line import CommandLine


@pytest.fixture
def session(robustfim: CommandLine) -> Session:
    return open_session(Path("toy.yaml"))


def test_accuracy_counts_labelled_examples_alone(robustfim: CommandLine) -> None:
    robustfim("run toy.yaml --data 'rows=[[good, positive], [bad, positive], [great, positive], [dull, null]]'")
    made = robustfim.record()
    assert made.model.accuracy.rate == 2 / 3
    assert made.model.accuracy.interval == wilson(2, 3)
    assert (made.data.examples, made.data.labelled) == (4, 3)
    robustfim("run toy.yaml --data 'rows=[[good, null]]'")
    assert robustfim.record().model.accuracy.rate is None


def test_what_stops_a_run_makes_errors_of_the_checks_that_are_left(session: Session) -> None:
    whole = begun(session.collection)
    found = stopped(
        replace(whole, collection=replace(session.collection, checks=session.collection.checks[1:])),
        ModelError("it is gone"),
    )
    assert [(check.name, check.ended, check.message) for check in found.checks] == [
        ("both", Outcome.ERROR, "it is gone"),
        ("calm", Outcome.ERROR, "it is gone"),
    ]
    found = stopped(replace(whole, checks=found.checks), ModelError("once more"))
    assert [check.name for check in found.checks] == ["both", "calm", "rename"]
    made = run_record(found, [], "2024-01-01T00:00:00+00:00", 1.23456)
    assert (made.exit_code, made.message, made.summary["error"]) == (ExitCode.FAILED, "once more", 3)


def test_what_a_stage_has_found_cannot_be_changed(session: Session) -> None:
    with pytest.raises(FrozenInstanceError):
        begun(session.collection).message = "another"  # type: ignore[misc]  # what is tested


def test_what_is_written_after_each_check_holds_what_was_found(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before the first check has ended, what was answered is in the store."""
    written = []
    monkeypatch.setattr(PartialRecord, "due", True)
    monkeypatch.setattr(PartialRecord, "write", lambda self, make, left: written.append((make(), left)))
    session.run()
    counts = dict.fromkeys((len(each.checks), left) for each, left in written)
    assert list(counts) == [(1, 2), (2, 1), (3, 0)]
    for each, _ in written:
        assert each.model.fingerprint
        assert each.model.accuracy.rate is not None
        assert each.examples


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
    record, code = session.run()
    assert record.message.startswith(f"plugin 'toy', model 'wordsum' (WordSum) raised {message}")
    assert (code, {check.outcome for check in record.checks}) == (ExitCode.FAILED, {Outcome.ERROR})


def test_the_device_and_the_texts_that_are_read_in_part_are_noted(session: Session) -> None:
    model: Any = session.collection.model
    model.window = lambda rows: [[("text", 0, 2)] if "dull" in row.text else None for row in rows]
    model.device = "cuda:0"
    made, _ = session.run()
    partly = sum("dull" in example.fields["text"] for example in made.examples)
    assert partly
    assert (made.data.window, made.environment.device) == (WindowRecord(partly=partly), "cuda:0")
    assert made.model.labels == ["negative", "positive"]
