from __future__ import annotations

import click
import pytest

import robustfim_sears
from robustfim.cli.group import PluginCommand
from robustfim.plugin.offer import import_class
from robustfim.plugin.options import options_model
from robustfim_sears.mining.parts import PARAPHRASER
from robustfim_sears.rule.perturbation import Rules


def test_the_rules_are_offered() -> None:
    assert import_class(robustfim_sears.robustfim_offers()["perturbations"]["rules"], "sears") is Rules


@pytest.mark.parametrize(
    ("offered", "names"), [("commands", ["augment", "mine"]), ("studies", ["rules", "seas", "sears", "tau"])]
)
def test_the_commands_are_offered(offered: str, names: list[str]) -> None:
    found = getattr(robustfim_sears, f"robustfim_{offered}")()
    assert list(found) == names
    for name, (target, text, *_) in found.items():
        assert isinstance(PluginCommand(name, "sears", target, text).load(), click.Command)


@pytest.mark.parametrize("name", robustfim_sears.robustfim_offers()["paraphrasers"])
def test_a_paraphraser_has_what_its_role_asks_for_and_documents_its_options(name: str) -> None:
    cls = import_class(robustfim_sears.robustfim_offers()["paraphrasers"][name], "sears")
    assert all(hasattr(cls, part) for part in ("contract", "paraphrase", "score"))
    assert cls.__doc__
    assert all(f"{option}:" in cls.__doc__ for option in options_model(cls, "sears").model_fields)


def test_the_paraphraser_that_is_used_by_default_needs_no_option() -> None:
    cls = import_class(robustfim_sears.robustfim_offers()["paraphrasers"][PARAPHRASER], "sears")
    assert not any(field.is_required() for field in options_model(cls, "sears").model_fields.values())
