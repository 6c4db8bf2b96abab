"""The built-in plugin offers what the core's own classes are."""

from __future__ import annotations

import importlib

from robustfim.builtin.expectations import Invariant
from robustfim.builtin.json_report import JsonReport
from robustfim.builtin.offers import robustfim_offers
from robustfim.builtin.reducers import MeanShare
from robustfim.builtin.spans import Found
from robustfim.plugin.sources import PluginOptions, load_plugins


def test_every_name_is_that_of_a_class_that_plays_its_role() -> None:
    manager = load_plugins(PluginOptions())
    for kind, offers in robustfim_offers().items():
        for name, target in offers.items():
            module, _, cls = target.partition(":")
            offer = manager.offers(kind)[name]
            assert offer.cls is getattr(importlib.import_module(module), cls), "what it names is checked as it is taken"
            assert offer.owner == "robustfim.builtin"


def test_expectations_reducers_and_the_record_go_by_the_names_that_suites_use() -> None:
    manager = load_plugins(PluginOptions())
    expectations = manager.offers("expectations")
    assert [expectations[name].cls for name in ("invariant", "found")] == [Invariant, Found]
    assert manager.offers("reducers")["mean"].cls is MeanShare
    assert manager.offers("reports")["json"].cls is JsonReport
