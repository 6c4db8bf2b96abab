from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from robustfim.contract import ScoreContract
from robustfim.errors import PluginError
from robustfim.hookspecs import hookimpl
from robustfim.plugin.factory import default_score
from robustfim.plugin.sources import PluginOptions, load_plugins
from tests.robustfim.command_line import CommandLine, refused


def scorer(**members: Any) -> type[Any]:
    contract = ScoreContract(hardest="highest", **members)
    return type("Number", (), {"contract": contract, "score": lambda self, examples, context: []})


def offering(**scorers: type[Any]) -> Any:
    return SimpleNamespace(robustfim_offers=hookimpl(lambda: {"scorers": scorers}))


def test_the_score_that_selects_says_so_itself() -> None:
    manager = load_plugins(PluginOptions(block=("fisher",)))
    assert default_score(manager) is None
    manager.register(offering(plain=scorer(), chosen=scorer(default=True)), "ours")
    assert default_score(manager) == "chosen"


def test_two_defaults_are_refused_by_name() -> None:
    manager = load_plugins(PluginOptions())
    manager.register(offering(chosen=scorer(default=True)), "ours")
    with pytest.raises(PluginError, match="'chosen' of plugin 'ours' and 'fisher' of plugin 'fisher'"):
        default_score(manager)


def test_a_suite_that_names_no_score_says_how_to_where_no_plugin_has_a_default(robustfim: CommandLine) -> None:
    name = robustfim.suite("{x: {perturb: rename}}", rest="select: {difficult: 2, control: 2}")
    refused(robustfim(f"run {name} -p no:fisher"), "no loaded plugin has a score that selects by default", "by: NAME")
