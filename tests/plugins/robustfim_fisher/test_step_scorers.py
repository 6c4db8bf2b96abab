"""The smallest step as a score."""

from __future__ import annotations

from math import inf, nan
from typing import Any

import numpy as np
import pytest
from pydantic import ValidationError

from robustfim.errors import ModelError
from robustfim.plugin.options import options_model
from robustfim_fisher.geometry import FisherGeometry
from robustfim_fisher.smallest_step import SmallestStep as Perturbation
from robustfim_fisher.step_scorers import BoundaryStep, SmallestStep
from tests.plugins.robustfim_fisher.models import Run, model_of, sentences


@pytest.mark.parametrize("scorer", [SmallestStep, BoundaryStep])
def test_with_two_classes_and_a_linear_model_it_is_the_distance_to_the_boundary(scorer: Any) -> None:
    model = model_of("linear")
    examples = sentences(9)
    distances = [point.distance for point in FisherGeometry(model).at(examples)]
    np.testing.assert_allclose(scorer(bound=100.0).score(examples, Run(model)), distances, rtol=1.1e-3)


def test_it_counts_the_length_of_a_step_to_either_side() -> None:
    model = model_of("bert", classes=4)
    examples = sentences(12)
    scores = SmallestStep().score(examples, Run(model))
    perturbation = Perturbation()
    perturbation.prepare(Run(model))
    perturbation.foresee(examples)
    norms = [next(iter(perturbation.propose(example, Run(model).random()))).step for example in examples]
    signed = [step.norm for step in norms if step is not None]
    assert min(signed) < 0 < max(signed)
    np.testing.assert_allclose(scores, np.abs(signed))


def test_no_step_within_the_bound_scores_infinity() -> None:
    assert list(SmallestStep(bound=1e-6).score(sentences(2), Run(model_of("linear")))) == [inf, inf]


@pytest.mark.parametrize("scorer", [SmallestStep, BoundaryStep, Perturbation])
@pytest.mark.parametrize(
    "options", [{"bound": 0.0}, {"bound": inf}, {"tolerance": 0.0}, {"tolerance": 1.0}, {"tolerance": nan}]
)
def test_options_that_no_search_could_meet_are_refused(scorer: Any, options: dict[str, float]) -> None:
    with pytest.raises(ValidationError, match="1 validation error"):
        options_model(scorer, "robustfim_fisher").model_validate(options)


def test_a_black_box_has_no_steps() -> None:
    class Remote:
        labels = ("no", "yes")

    with pytest.raises(ModelError, match="Remote has no gradients"):
        SmallestStep().score(sentences(1), Run(Remote()))


def test_every_pass_of_the_scan_and_the_bisection_is_counted() -> None:
    model = model_of("cnn")
    run = Run(model)
    run.geometry.at(sentences(4))
    model.forwards.clear()
    SmallestStep().score(sentences(4), run)
    assert run.steps == sum(model.forwards) > 4 * 10
