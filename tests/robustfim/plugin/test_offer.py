from __future__ import annotations

import pytest

from robustfim.builtin.expectations import Invariant
from robustfim.errors import PluginError
from robustfim.plugin.offer import KINDS, SERVICES, Offer, check_offers, import_class, offered_now


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (["shout"], r"must return \{'models': \{'name': 'package.module:Class'\}, …\}, not \['shout'\]"),
        ({"perturbation": {}}, r"there is no kind 'perturbation'\. Did you mean 'perturbations'\?"),
        ({"spells": {}}, r"there is no kind 'spells'\. There are models, data, .*, trainers, services\."),
        ({"tagger": Invariant}, r"there is no kind 'tagger'"),
        ({"models": ["a"]}, r"'models' must be a dict of names, not \['a'\]"),
        ({"services": {"tager": Invariant}}, r"there is no service 'tager'\. Did you mean 'tagger'\?"),
        (
            {"services": {"spells": Invariant}},
            r"there is no service 'spells'\. There are attribution, geometry, tagger\.",
        ),
    ],
)
def test_an_offer_of_another_form_is_refused_with_the_way_out(answer: object, message: str) -> None:
    with pytest.raises(PluginError, match=f"plugin 'toy': robustfim_offers:? {message}"):
        check_offers(answer, "toy")


@pytest.mark.parametrize("kind", KINDS)
def test_what_once_had_a_hook_of_its_own_is_told_how_it_is_offered(kind: str) -> None:
    way = f" Offer it in robustfim_offers, which returns {{{kind!r}: {{'name': 'package.module:Class'}}}}."
    assert offered_now(f"robustfim_{kind}") == way


@pytest.mark.parametrize("name", SERVICES)
def test_a_service_is_told_to_stand_under_services(name: str) -> None:
    assert f"{{'services': {{{name!r}: 'package.module:Class'}}}}" in offered_now(f"robustfim_{name}")


def test_a_hook_that_never_existed_is_told_nothing() -> None:
    assert offered_now("robustfim_spells") == ""


def test_a_class_is_named_by_its_place_or_stands_for_itself() -> None:
    assert import_class("robustfim.builtin.expectations:Invariant", "toy") is Invariant
    assert import_class(Invariant, "toy") is Invariant
    offer = Offer("expectations", "invariant", "toy", "robustfim.builtin.expectations:Invariant")
    assert (
        offer.summary
        == "An edit must not make a right answer wrong; without gold labels, it must not change the answer."
    )


@pytest.mark.parametrize(
    ("target", "message"),
    [
        ("no.such.module:Class", "cannot be imported: ModuleNotFoundError"),
        ("robustfim.builtin.expectations:Missing", "cannot be imported: AttributeError"),
        ("robustfim.builtin.expectations", "cannot be imported: AttributeError"),
        ("robustfim.statistics:wilson", "is not a class"),
        (7, "7 is not a class"),
    ],
)
def test_what_is_no_class_names_its_plugin_and_itself(target: object, message: str) -> None:
    with pytest.raises(PluginError, match=f"^plugin 'toy': .*{message}"):
        import_class(target, "toy")
