"""The core knows no plugin by name: neither the plugin nor what it offers stands in its code as a text."""

from __future__ import annotations

import ast

from robustfim import hookspecs
from robustfim.plugin.hooks import BUILT_IN
from robustfim.plugin.sources import PluginOptions, load_plugins
from tests.house.tree import core_modules, parsed

MANAGER = load_plugins(PluginOptions())
OFFERED = {
    offer.name
    for kind in ("scorers", "perturbations", "constraints", "orders", "reports", "expectations", "reducers")
    for offer in MANAGER.offers(kind).values()
    if not offer.owner.startswith(BUILT_IN)
}
PACKAGES = {f"robustfim_{name}" for name in MANAGER.names if not name.startswith(BUILT_IN)}

OTHER_MEANINGS = {
    "all": "the arm of all examples, and the reducer, not the expectation",
    "any": "the reducer, not the expectation",
    "card": "readers' ratings of a perturbation, not the report",
    "case": "what the doctor says of lower-cased texts, not the perturbation",
    "column": "the key of a slice, not the perturbation",
    "evidence": "what a test has for a verdict, not the report",
    "margin": "the option --margin and the margin of a judgement, not the score",
    "numbers": "what a constraint gives of candidates, not the perturbation",
}

HOOKS = {name for name in vars(hookspecs) if name.startswith("robustfim_")}


def texts(name: str) -> set[str]:
    """The texts of a module that are no docstrings."""
    tree = parsed(core_modules()[name])
    alone = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    constants = [node for node in ast.walk(tree) if isinstance(node, ast.Constant) and id(node) not in alone]
    return {node.value for node in constants if isinstance(node.value, str)}


def test_no_name_of_a_plugin_or_of_what_it_offers_stands_in_the_core() -> None:
    for name in core_modules():
        found = texts(name)
        assert not {word.strip(".,;:'") for text in found for word in text.split()} & PACKAGES - HOOKS, name
        assert not (found & OFFERED) - set(OTHER_MEANINGS), name
