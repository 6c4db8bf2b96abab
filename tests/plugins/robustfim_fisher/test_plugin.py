"""The plugin's face: what it offers exists and fits its role."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import pluggy
import pytest

import robustfim_fisher
from robustfim import hookspecs, roles

HARDEST = {
    "fisher": "highest",
    "boundary": "lowest",
    "margin": "lowest",
    "entropy": "highest",
    "smallest_step": "lowest",
    "boundary_step": "lowest",
}
"""Every scorer in the order in which the plugin offers it, and which end of its scale is the difficult one."""


def offered(target: Any) -> Any:
    module, _, name = target.partition(":")
    return getattr(import_module(module), name)


def test_the_face_is_known_to_pluggy() -> None:
    manager = pluggy.PluginManager(hookspecs.PROJECT)
    manager.add_hookspecs(hookspecs)
    manager.register(robustfim_fisher)
    manager.check_pending()
    (offers,) = manager.hook.robustfim_offers()
    assert offers["services"] == {"geometry": "robustfim_fisher.geometry:FisherGeometry"}
    assert list(offers["scorers"]) == list(HARDEST)
    assert list(offers["orders"]) == ["guided"]
    assert list(offers["perturbations"]) == ["decode", "eigenvector", "smallest_step"]


@pytest.mark.parametrize("name", list(HARDEST))
def test_a_scorer_is_built_without_options(name: str) -> None:
    scorer: roles.Scorer = offered(robustfim_fisher.robustfim_offers()["scorers"][name])()
    assert scorer.contract.hardest == HARDEST[name]


def test_the_others_fit_their_roles() -> None:
    for name, target in robustfim_fisher.robustfim_offers()["perturbations"].items():
        assert isinstance(offered(target)(), roles.Substitution if name == "decode" else roles.StepPerturbation)
    order: roles.Order = offered(robustfim_fisher.robustfim_offers()["orders"]["guided"])()
    assert order.effects([], None) == []  # type: ignore[arg-type]  # nothing is asked of the run
    assert callable(offered(robustfim_fisher.robustfim_offers()["services"]["geometry"]))
