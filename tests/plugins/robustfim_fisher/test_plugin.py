"""The plugin's face: what it offers exists and fits its role."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import pluggy
import pytest

import robustfim_fisher
from robustfim import hookspecs, roles


def offered(target: str) -> Any:
    module, _, name = target.partition(":")
    return getattr(import_module(module), name)


def test_the_face_is_known_to_pluggy() -> None:
    manager = pluggy.PluginManager(hookspecs.PROJECT)
    manager.add_hookspecs(hookspecs)
    manager.register(robustfim_fisher)
    manager.check_pending()
    assert manager.hook.robustfim_geometry() == "robustfim_fisher.geometry:FisherGeometry"
    assert list(manager.hook.robustfim_scorers()[0]) == ["fisher", "boundary", "margin", "entropy"]
    assert list(manager.hook.robustfim_orders()[0]) == ["guided"]
    assert list(manager.hook.robustfim_perturbations()[0]) == ["eigenvector"]


@pytest.mark.parametrize("name", ["fisher", "boundary", "margin", "entropy"])
def test_a_scorer_is_built_without_options(name: str) -> None:
    scorer: roles.Scorer = offered(robustfim_fisher.robustfim_scorers()[name])()
    expected = {"fisher": "highest", "boundary": "lowest", "margin": "lowest", "entropy": "highest"}
    assert scorer.hardest == expected[name]


def test_the_others_fit_their_roles() -> None:
    step = offered(robustfim_fisher.robustfim_perturbations()["eigenvector"])()
    assert isinstance(step, roles.StepPerturbation)
    order: roles.Order = offered(robustfim_fisher.robustfim_orders()["guided"])()
    assert order.effects([], None) == []  # type: ignore[arg-type]  # nothing is asked of the run
    assert callable(offered(robustfim_fisher.robustfim_geometry()))
