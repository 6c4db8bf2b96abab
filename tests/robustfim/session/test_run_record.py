"""What is known of a run becomes its record, whenever and however it stops."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from robustfim.errors import ModelError
from robustfim.outcome import ExitCode
from robustfim.record import Record, ScoreRecord
from robustfim.select.selection import Scores
from robustfim.session.open import open_session
from robustfim.session.run_record import judged, run_record
from robustfim.session.session import Session
from robustfim.session.stages import Begun, begun, stopped
from tests.robustfim.command_line import CommandLine


@pytest.fixture
def session(robustfim: CommandLine) -> Session:
    return open_session(Path("toy.yaml"))


def record(found: Begun) -> Record:
    return run_record(judged(found), [], "2024-01-01T00:00:00+00:00", 1.23456)


def test_before_anything_is_known_the_record_says_what_was_asked(session: Session) -> None:
    made = record(begun(session.collection))
    assert (made.suite, made.path, made.model.use, made.data.use) == ("toy", "toy.yaml", "wordsum", "films")
    assert (made.model.fingerprint, made.model_calls, made.duration_s, made.exit_code) == (None, 0, 1.235, 0)


def test_a_broken_score_fails_a_run_and_one_the_model_cannot_offer_does_not(session: Session) -> None:
    for broken, code in ((True, ExitCode.FAILED), (False, ExitCode.OK)):
        scores = Scores({}, [ScoreRecord(name="long", hardest="highest", message="no", broken=broken)])
        assert record(replace(begun(session.collection), scores=scores)).exit_code == code


def test_an_interrupted_run_has_its_own_exit_code_whatever_was_found(session: Session) -> None:
    found = stopped(begun(session.collection), ModelError("it is gone"))
    assert record(replace(found, interrupted=True)).exit_code == ExitCode.INTERRUPTED
