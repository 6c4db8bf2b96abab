"""The smallest step that changes the label, as a perturbation and in a suite."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from robustfim.candidate import Candidate, Step
from robustfim.errors import PluginError
from robustfim.record.check_record import CheckRecord
from robustfim.run_options import RunOptions
from robustfim.session.open import open_session
from robustfim_fisher.geometry import FisherGeometry
from robustfim_fisher.smallest_step import SmallestStep
from tests.plugins.robustfim_fisher.models import Run, model_of, sentences

RANDOM = Run(None).random()

SUITE = """\
suite: steps
model: reference/fasttext
data: {use: csv, path: films.csv}
scores: [smallest_step, boundary_step, boundary]
checks:
  near: {perturb: {use: smallest_step, bound: BOUND}, limit: 1}
"""
FILMS = """\
text,label
a slow and touching film,positive
a bad plot and a dull end,negative
nobody wanted this film,negative
the best cast of the year,positive
fine,positive
"""


def test_one_step_is_proposed_and_it_changes_the_label() -> None:
    model = model_of("cnn", classes=3)
    examples = sentences(8)
    perturbation = SmallestStep()
    perturbation.prepare(Run(model))
    perturbation.foresee(examples)
    candidates = [candidate for example in examples for candidate in perturbation.propose(example, RANDOM)]
    assert [candidate.source for candidate in candidates] == examples
    assert (perturbation.predict(candidates).argmax(1) != model.predict(examples).argmax(1)).all()


def test_an_example_that_was_not_foreseen_gets_the_same_step() -> None:
    model = model_of("cnn")
    examples = sentences(4)
    together, alone = SmallestStep(), SmallestStep()
    for step in (together, alone):
        step.prepare(Run(model))
    together.foresee(examples)
    for example in examples:
        (a,), (b,) = together.propose(example, RANDOM), alone.propose(example, RANDOM)
        assert a.step is not None
        assert b.step is not None
        assert a.step.norm == pytest.approx(b.step.norm, rel=1e-3)


def test_where_no_step_changes_the_label_the_bound_is_tested_and_keeps_it() -> None:
    model = model_of("linear")
    example = max(zip(sentences(8), FisherGeometry(model).at(sentences(8)), strict=True), key=lambda p: p[1].distance)
    perturbation = SmallestStep(bound=example[1].distance / 2, direction="boundary normal")
    perturbation.prepare(Run(model))
    (candidate,) = perturbation.propose(example[0], RANDOM)
    assert candidate.step == Step("boundary normal", example[1].distance / 2)
    assert perturbation.predict([candidate]).argmax() == model.predict([example[0]]).argmax()


def test_a_candidate_of_another_kind_is_refused() -> None:
    perturbation = SmallestStep()
    perturbation.prepare(Run(model_of("linear")))
    for candidate in (Candidate(sentences(1)[0]), Candidate(sentences(1)[0], step=Step("boundary normal", 1.0))):
        with pytest.raises(PluginError, match="'smallest_step' was asked to predict the step"):
            perturbation.predict([candidate])


def test_it_is_refused_before_a_run_is_known() -> None:
    with pytest.raises(PluginError, match="before prepare"):
        list(SmallestStep().propose(sentences(1)[0], RANDOM))


def test_in_a_suite_the_rate_is_the_share_of_right_answers_that_a_step_within_the_bound_changes(tmp_path: Path) -> None:
    pytest.importorskip("robustfim_reference")
    (tmp_path / "films.csv").write_text(FILMS, encoding="utf-8")
    path = tmp_path / "steps.yaml"

    def run(bound: float) -> tuple[CheckRecord, list[float | None]]:
        path.write_text(SUITE.replace("BOUND", str(bound)), encoding="utf-8")
        session = open_session(path, options=RunOptions(reports=tmp_path / "reports", store=None))
        session.configure()
        record, _ = session.run()
        for example in record.examples:  # fastText is linear in its embeddings, so all three scores agree
            scores = example.scores
            assert scores["smallest_step"] == pytest.approx(scores["boundary"], rel=2e-3)
            assert scores["boundary_step"] == pytest.approx(scores["boundary"], rel=2e-3)
        assert {step.direction for failure in record.failures if (step := failure.step)} == {"eigenvector"}
        return record.checks[0], [example.scores["boundary"] for example in record.examples if example.correct]

    _, distances = run(16.0)
    bound = float(np.median(np.array(distances, dtype=float)))
    near, _ = run(bound)
    assert (near.tested, near.wrong_before, near.rate) == (4, 1, 0.5)
