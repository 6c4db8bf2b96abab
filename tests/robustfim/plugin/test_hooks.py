from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pluggy
import pytest

from robustfim import hookspecs
from robustfim.errors import ModelError, PluginError
from robustfim.plugin.hooks import BUILT_IN, Hooks


def hooks(**plugins: Any) -> Hooks:
    manager = pluggy.PluginManager(hookspecs.PROJECT)
    manager.add_hookspecs(hookspecs)
    for name, function in plugins.items():
        manager.register(
            SimpleNamespace(robustfim_report_header=hookspecs.hookimpl(function)), name.replace("_", ".", 1)
        )
    return Hooks(manager.hook)


def fails(config: Any) -> str:
    raise LookupError(f"no {config}")


def test_every_plugin_is_asked_and_the_last_one_answers_first() -> None:
    asked = hooks(one=lambda config: f"one {config}", two=lambda: "two", three=lambda: None)
    assert asked.robustfim_report_header(config="c") == ["two", "one c"]


def test_an_exception_names_the_plugin_it_came_from_and_keeps_it_as_its_cause() -> None:
    with pytest.raises(PluginError, match=r"^plugin 'two': robustfim_report_header raised LookupError: no c$") as error:
        hooks(one=lambda: "one", two=fails, three=lambda: "three").robustfim_report_header(config="c")
    assert isinstance(error.value.__cause__, LookupError)


def test_what_robustfim_raises_on_purpose_passes_through() -> None:
    def refuse() -> str:
        raise ModelError("no gradients")

    with pytest.raises(ModelError, match=r"^no gradients$"):
        hooks(one=refuse).robustfim_report_header(config="c")


def test_a_defect_of_a_part_of_robustfim_is_not_laid_at_a_plugins_door() -> None:
    assert BUILT_IN == "robustfim."
    with pytest.raises(LookupError, match="no c"):
        hooks(robustfim_terminal=fails).robustfim_report_header(config="c")
