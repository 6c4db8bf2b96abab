"""What suits a first suite is said by plugins, and checked as a suite is."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from robustfim.errors import PluginError
from robustfim.hookspecs import hookimpl
from robustfim.plugin.manager import PluginManager
from robustfim.plugin.sources import PluginOptions, load_plugins
from robustfim_doctor.first_suite import first_suite


def saying(*answers: Any) -> PluginManager:
    manager = PluginManager()
    for number, answer in enumerate(answers):
        function = hookimpl(lambda answer=answer: answer)
        manager.register(SimpleNamespace(robustfim_first_suite=function), f"plugin{number}")
    return manager


def test_the_installed_plugins_say_what_suits() -> None:
    found = first_suite(load_plugins(PluginOptions()))
    assert found.scores == ("fisher", "boundary", "margin", "entropy")
    assert found.reports == ("html",)
    assert next(iter(found.checks)) == "typos"
    assert {"rules", "eigenvector", "typos"} <= set(found.checks)
    assert found.checks["synonyms"].perturb.order.use == "guided"
    assert "flips" in found.without_gradients


def test_what_several_plugins_say_goes_together() -> None:
    typos = {"perturb": {"use": "typos"}}
    found = first_suite(saying({"scores": ["a"], "checks": {"x": typos}}, {"scores": ["b", "a"], "reports": ["r"]}, {}))
    assert (set(found.scores), set(found.checks), found.reports) == ({"a", "b"}, {"x"}, ("r",))


@pytest.mark.parametrize(
    ("answer", "place"),
    [
        ({"check": {}}, "check: "),
        ({"checks": {"x": {"perturb": {"use": "typos"}, "mark": ["a"]}}}, "checks.x.mark: "),
        ({"scores": "fisher"}, "scores: "),
        ("fisher", "the whole: "),
    ],
)
def test_anything_else_is_refused_with_its_place(answer: Any, place: str) -> None:
    with pytest.raises(PluginError, match=rf"robustfim_first_suite returned .*: {place}"):
        first_suite(saying(answer))
