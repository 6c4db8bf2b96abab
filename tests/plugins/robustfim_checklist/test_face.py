from __future__ import annotations

import importlib

import pytest

import robustfim_checklist
from robustfim.plugin.options import options_model

OFFERED = {
    **{f"checks {name}": target for name, target in robustfim_checklist.robustfim_offers()["checks"].items()},
    **{f"data {name}": target for name, target in robustfim_checklist.robustfim_offers()["data"].items()},
}


def test_the_names_that_suites_rely_on_are_offered() -> None:
    assert set(OFFERED) == {"checks checklist", "checks templates", "data templates"}


@pytest.mark.parametrize("name", sorted(OFFERED))
def test_every_offer_is_a_class_with_documented_options(name: str) -> None:
    module, cls = OFFERED[name].split(":")
    offered = getattr(importlib.import_module(module), cls)
    assert cls in importlib.import_module(module).__all__
    assert all(f"{option}:" in offered.__doc__ for option in options_model(offered, "checklist").model_fields)
