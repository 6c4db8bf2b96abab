from __future__ import annotations

import pytest

from robustfim import hookspecs
from robustfim.builtin.expectations import Invariant
from robustfim.errors import PluginError
from robustfim.plugin.offer import KINDS, Offer, import_class


@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_of_offer_has_its_hook(kind: str) -> None:
    assert callable(getattr(hookspecs, f"robustfim_{kind}"))


def test_a_class_is_named_by_its_place_or_stands_for_itself() -> None:
    assert import_class("robustfim.builtin.expectations:Invariant", "toy") is Invariant
    assert import_class(Invariant, "toy") is Invariant
    offer = Offer("expectations", "invariant", "toy", "robustfim.builtin.expectations:Invariant")
    assert offer.summary == "The label must not change, whatever the probabilities do."


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
