"""What is known of a run becomes its record, whenever and however it stops."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from scipy.stats import binom

import robustfim as harness
from robustfim.errors import ModelError
from robustfim.outcome import ExitCode, Outcome
from robustfim.record import Record, ScoreRecord
from robustfim.select.selection import Scores
from robustfim.session.open import open_session
from robustfim.session.run_record import run_record
from robustfim.session.session import Session
from robustfim.session.stages import Begun, begun, stopped
from tests.robustfim.command_line import CommandLine


@pytest.fixture
def session(robustfim: CommandLine) -> Session:
    return open_session(Path("toy.yaml"))


def record(found: Begun) -> Record:
    return run_record(found, [], "2024-01-01T00:00:00+00:00", 1.23456)


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


def test_a_limit_of_a_slice_that_a_check_does_not_test_is_inconclusive_and_never_absent(robustfim: CommandLine) -> None:
    slices = "slices: {films: {contains: film, limit: 0.99}}"
    checks = "{plots: {perturb: {use: rename, table: {plot: story}}}, rename: {perturb: rename, limit: 1}}"
    shown = robustfim(f"run {robustfim.suite(checks, rest=slices)} --no-store -x")
    plots, rename = robustfim.record("other").checks
    assert shown.code == 6
    assert plots.tested
    assert (plots.outcome, rename.outcome) == (Outcome.INCONCLUSIVE, Outcome.PASSED)
    assert plots.message.startswith("nothing of the slice films was tested, so the limit of 99 % is not proved;")
    assert [(claim.where, claim.estimate.tested) for claim in plots.claims] == [("slice films", 0)]
    assert rename.errors["slice films"].tested


@pytest.mark.parametrize("some", ["", "-k edge", "--lf"])
def test_a_check_is_judged_among_all_checks_of_its_suite_whichever_run(robustfim: CommandLine, some: str) -> None:
    """8 of 30 fail at a limit of 10 %: p = 0.0078 alone, and 0.094 among twelve tests."""
    rows = [[f"a {'good' if row < 8 else 'great'} film {row}", "positive"] for row in range(30)]
    data = f"{{use: films, rows: {[*rows, *[[f'a bad plot {row}', 'negative'] for row in range(9)]]}}}"
    calm = "{perturb: {use: rename, table: {film: movie}}, limit: 0.9}"
    names = [f"calm{number}" for number in range(11)]
    checks = f"{{edge: {{perturb: {{use: rename, table: {{good: awful, great: good}}}}, limit: 0.1}}, calm: {calm}"
    suite = robustfim.suite("".join([checks, *(f", {name}: {calm}" for name in names[:-1]), "}"]), data=data)
    whole = robustfim(f"run {suite}")
    found = robustfim(f"run {suite} {some}") if some else robustfim(f"run {suite}::edge")
    assert (whole.code, found.code) == (6, 6)
    record = robustfim.record("other.partial")
    edge = record.checks[0]
    assert (edge.failing, edge.tested) == (8, 30)
    assert edge.p_value == pytest.approx(12.1 * binom.sf(7, 30, 0.1))  # 0.1: of the gold labels
    assert "not proved among 12 tests (p = 0.094)" in edge.message


def test_a_run_that_stops_early_is_judged_among_the_checks_it_has_not_reached(robustfim: CommandLine) -> None:
    rows = [[f"a {'good' if row < 8 else 'great'} film {row}", "positive"] for row in range(30)]
    data = f"{{use: films, rows: {[*rows, *[[f'a bad plot {row}', 'negative'] for row in range(9)]]}}}"
    edge = "{perturb: {use: rename, table: {good: awful, great: good}}, limit: 0.1}"
    checks = ", ".join(
        ["edge: " + edge, "fails: " + edge.replace("0.1", "0"), *(f"later{n}: {edge}" for n in range(10))]
    )
    robustfim(f"run {robustfim.suite(f'{{{checks}}}', data=data)} -x --no-store")
    first, second = robustfim.record("other").checks
    assert (first.outcome, second.outcome) == (Outcome.INCONCLUSIVE, Outcome.FAILED)
    assert first.p_value == pytest.approx(11.1 * binom.sf(7, 30, 0.1))  # Holm: the other's p-value is 0


def test_a_gold_label_that_the_model_never_gives_is_named(robustfim: CommandLine) -> None:
    rows = [[f"a {word} film {row}", label] for row in range(20) for word, label in
            (("good", "positive"), ("bad", "negative"), ("dull", "neutral"))]  # fmt: skip
    warned = "never gives a gold label of the data: 'neutral' (20 rows). Nothing of these rows can break"
    for number, said in ((60, True), (57, False)):
        suite = robustfim.suite(
            "{calm: {perturb: rename, limit: 0.9}}", data=f"{{use: films, rows: {rows[:number]}}}",
            model="{use: wordsum, labels: [negative, positive, neutral]}",
        )  # fmt: skip
        robustfim(f"run {suite} --no-store")
        record = robustfim.record("other")
        assert record.checks[0].wrong_before == number // 3
        assert any(warned in warning for warning in record.warnings) is said


def test_gold_labels_that_are_read_as_missing_prove_no_accuracy() -> None:
    rows = [{"text": f"film {n} is {'good' if n % 2 else 'bad'}", "label": "pos" * (n % 2) or None} for n in range(80)]

    def model(texts: Sequence[str]) -> list[list[float]]:
        return [[0.1, 0.9] if "good" in text else [0.8, 0.2] for text in texts]

    given: dict[str, Any] = {"model": model, "labels": ["None", "pos"], "data": rows, "margin": 0.2}
    given["checks"] = {"typos": {"perturb": "punctuation", "limit": 0.5}}
    before = harness.run(**given)
    assert before.record.model.labelled_text == " (40 labelled, all 'pos', 40 unlabelled)"
    assert before.exit_code == 6
    assert any("only one gold label is left (40 labelled" in warning for warning in before.record.warnings)
    found = harness.run(**given, baseline=before)
    (comparison,) = found.record.comparisons
    assert (comparison.accuracy.verdict, comparison.proven, found.exit_code) == ("inconclusive", False, 6)
    assert "of 40 (inconclusive, 40 unlabelled, one gold label alone proves no accuracy)" in comparison.answer
