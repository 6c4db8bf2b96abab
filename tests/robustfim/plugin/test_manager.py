"""The plugin manager refuses plugins that could never be called, and knows who offers what."""

from __future__ import annotations

import re
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from robustfim.builtin.expectations import Correct, Invariant
from robustfim.errors import PluginError, UsageError
from robustfim.hookspecs import hookimpl
from robustfim.plugin.manager import PluginManager
from robustfim.plugin.offer import KINDS, SERVICES, Offer, import_class


def plugin(**functions: Any) -> SimpleNamespace:
    """A plugin with hook implementations by name."""
    return SimpleNamespace(**{name: hookimpl(function) for name, function in functions.items()})


def offering(**names: Any) -> SimpleNamespace:
    return plugin(robustfim_offers=lambda: {"models": names})


# ---- what is refused ----------------------------------------------------------------------------------


def test_a_misspelled_hook_is_refused() -> None:
    with pytest.raises(
        PluginError, match=r"'mine': there is no hook 'robustfim_ofers'\. Did you mean 'robustfim_offers'"
    ):
        PluginManager().register(plugin(robustfim_ofers=lambda: {}), "mine")


def test_a_hook_of_one_kind_is_refused_with_the_form_that_all_kinds_have() -> None:
    message = (
        "plugin 'mine': there is no hook 'robustfim_models'. "
        "Offer it in robustfim_offers, which returns {'models': {'name': 'package.module:Class'}}."
    )
    with pytest.raises(PluginError, match=re.escape(message)):
        PluginManager().register(plugin(robustfim_models=lambda: {}), "mine")


def test_a_hook_with_an_unknown_argument_is_refused() -> None:
    with pytest.raises(PluginError, match=r"'mine'.*robustfim_configure.*confg"):
        PluginManager().register(plugin(robustfim_configure=lambda confg: None), "mine")


def test_a_plugin_without_hooks_is_refused() -> None:
    with pytest.raises(PluginError, match="plugin 'mine' implements no hook"):
        PluginManager().register(ModuleType("mine"), "mine")


def test_a_hook_without_its_decorator_is_refused() -> None:
    half = plugin(robustfim_resources=lambda: {})
    half.robustfim_offers = dict
    with pytest.raises(PluginError, match=r"robustfim_offers is not decorated with @robustfim\.hookimpl"):
        PluginManager().register(half, "half")


def test_two_plugins_of_one_name_are_refused() -> None:
    manager = PluginManager()
    manager.register(offering(a=Invariant), "mine")
    with pytest.raises(PluginError, match="two plugins are named 'mine'"):
        manager.register(offering(b=Invariant), "mine")


def test_a_blocked_plugin_is_not_registered() -> None:
    manager = PluginManager(["mine", "terminal"])
    manager.register(offering(a=Invariant), "mine")
    manager.register(offering(a=Invariant), "robustfim.terminal")
    assert manager.names == []


def test_blocking_what_does_not_exist_is_refused() -> None:
    manager = PluginManager(["mien"])
    manager.register(offering(a=Invariant), "mine")
    with pytest.raises(UsageError, match=r"-p no:NAME: there is no plugin 'mien'\. Did you mean 'mine'\?"):
        manager.check_blocked()


# ---- who offers what ----------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_of_offer_is_listed_by_name_with_its_owner(kind: str) -> None:
    manager = PluginManager()
    manager.register(plugin(robustfim_offers=lambda: {kind: {"b": Invariant, "a": Invariant}}), "mine")
    assert list(manager.offers(kind).values()) == [
        Offer(kind, "a", "mine", Invariant),
        Offer(kind, "b", "mine", Invariant),
    ]
    assert manager.get(kind, "a").cls is Invariant


def test_one_name_of_two_plugins_breaks_only_its_bare_use() -> None:
    manager = PluginManager()
    manager.register(offering(same=Invariant, own=Invariant), "one")
    manager.register(offering(same=Correct), "two")
    assert list(manager.offers("models")) == ["one/same", "own", "two/same"]
    assert manager.get("models", "one/same").cls is Invariant
    assert manager.get("models", "two/same").cls is Correct
    assert manager.get("models", "one/own") is manager.get("models", "own")
    says = (
        r"the model 'same' is offered by 2 plugins, 'one' and 'two': write 'one/same' or 'two/same', or leave one out"
    )
    with pytest.raises(PluginError, match=says):
        manager.get("models", "same")
    with pytest.raises(UsageError, match="unknown model 'two/own'"):
        manager.get("models", "two/own")


def test_an_unknown_name_is_told_with_the_nearest() -> None:
    manager = PluginManager()
    manager.register(offering(wordsum=Invariant), "mine")
    with pytest.raises(
        UsageError, match=r"unknown model 'wordsun'\. Did you mean 'wordsum'\? See 'robustfim plugins'\."
    ):
        manager.get("models", "wordsun")


def test_an_offering_that_raises_or_is_no_mapping_names_its_plugin() -> None:
    manager = PluginManager()
    manager.register(plugin(robustfim_offers=lambda: 1 / 0), "mine")
    with pytest.raises(PluginError, match="plugin 'mine': robustfim_offers raised ZeroDivisionError"):
        manager.offers("models")
    manager = PluginManager()
    manager.register(plugin(robustfim_offers=lambda: {"scorer": {}}), "mine")
    with pytest.raises(
        PluginError, match=r"'mine': robustfim_offers: there is no kind 'scorer'\. Did you mean 'scorers'\?"
    ):
        manager.offers("models")


def test_a_class_is_imported_only_when_it_is_asked_for() -> None:
    offer = Offer("models", "late", "mine", "nowhere.at.all:Model")
    with pytest.raises(PluginError, match=r"plugin 'mine': 'nowhere.at.all:Model' cannot be imported: ModuleNotFound"):
        _ = offer.cls
    assert Offer("expectations", "i", "mine", "robustfim.builtin.expectations:Invariant").cls is Invariant
    assert (
        Offer("expectations", "i", "mine", Invariant).summary
        == "An edit must not make a right answer wrong; without gold labels, it must not change the answer."
    )


@pytest.mark.parametrize("target", ["robustfim.builtin.offers:robustfim_offers", len, None, 3])
def test_what_is_no_class_is_refused(target: object) -> None:
    with pytest.raises(PluginError, match=r"plugin 'mine': .* is not a class"):
        import_class(target, "mine")


def test_commands_are_pairs_of_a_place_and_a_line_of_help() -> None:
    manager = PluginManager()
    manager.register(plugin(robustfim_commands=lambda: {"count": ("mine:count", "Count.")}), "mine")
    assert manager.commands() == {"count": ("mine", "mine:count", "Count.", "")}
    manager = PluginManager()
    manager.register(plugin(robustfim_commands=lambda: {"count": "mine:count"}), "mine")
    with pytest.raises(PluginError, match=r"'mine': the command 'count' must be \('package.module:command', 'help'\)"):
        manager.commands()


@pytest.mark.parametrize("name", SERVICES)
def test_of_a_service_the_plugin_that_was_loaded_last_answers(name: Any) -> None:
    manager = PluginManager()
    assert manager.shared(name) is None
    manager.register(plugin(robustfim_offers=lambda: {"services": {name: Correct}}), "first")
    manager.register(
        plugin(robustfim_offers=lambda: {"services": {name: "robustfim.builtin.expectations:Invariant"}}), "last"
    )
    manager.register(offering(a=Invariant), "other")
    assert manager.shared(name) is Invariant
    assert manager.sharer(name) == f"plugin 'last', {name}"


# ---- calling hooks ------------------------------------------------------------------------------------


def test_a_hook_that_raises_is_an_error_of_its_plugin() -> None:
    manager = PluginManager()
    manager.register(plugin(robustfim_configure=lambda config: None), "calm")
    manager.register(plugin(robustfim_configure=lambda config: config["missing"]), "mine")
    with pytest.raises(PluginError, match="plugin 'mine': robustfim_configure raised KeyError: 'missing'") as raised:
        manager.hook.robustfim_configure(config={})
    assert isinstance(raised.value.__cause__, KeyError)


def test_an_error_that_a_hook_raises_on_purpose_passes() -> None:
    def refuse(config: object) -> None:
        raise UsageError("not on a Friday")

    manager = PluginManager()
    manager.register(plugin(robustfim_configure=refuse), "mine")
    with pytest.raises(UsageError, match="not on a Friday"):
        manager.hook.robustfim_configure(config=None)


def test_a_defect_of_a_built_in_plugin_is_no_plugins_error() -> None:
    manager = PluginManager()
    manager.register(plugin(robustfim_configure=lambda config: 1 / 0), "robustfim.own")
    with pytest.raises(ZeroDivisionError):
        manager.hook.robustfim_configure(config=None)


def test_the_record_of_the_plugins_leaves_the_built_in_ones_out() -> None:
    manager = PluginManager()
    manager.register(offering(a=Invariant), "robustfim.own")
    manager.register(offering(b=Invariant), "mine")
    assert [record.name for record in manager.records()] == ["mine"]
